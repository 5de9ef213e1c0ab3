//! The REST door through the real binary: every address, every refusal, the attack script, the end.

mod attacks;
mod client;
mod ending;
mod endpoints;
mod load;
mod lull;
mod poison;
mod tenants;
mod tokens;
mod tools;
