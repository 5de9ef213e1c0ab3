//! The shapes of requests and answers as the OpenAPI document declares them. Where an answer is made
//! by a view of `wire`, its shape here is what a test compares that view with.

pub(crate) mod bounds;
pub mod context;
pub mod draft;
pub mod jobs;
pub mod layers;
pub mod memory;
pub mod names;
pub mod recall;
pub mod session;
pub mod upkeep;
