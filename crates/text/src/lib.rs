//! Pure text work: words for the index, sentences, the levels of a text, normal forms and token
//! estimates. No I/O, no clock; the same input gives the same output on every machine.

mod characters;

pub mod levels;
pub mod normalise;
pub mod sentences;
pub mod tokens;
pub mod words;
