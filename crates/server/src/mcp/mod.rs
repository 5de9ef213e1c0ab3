//! MCP: tools, resources and prompts for agents, over standard input and output or over HTTP.
//!
//! The way of a call: `stdio` or `http` (the SDK's transports) → `door` (what MCP asks) → `tools/`
//! (one file a tool) → the engine, on a blocking thread, acting as an agent → `answer` (structured
//! content, a short text, or an error that says what to do).

mod advice;
mod answer;
mod cursor;
mod door;
mod fields;
mod frame;
mod http;
mod lines;
mod pipe;
mod prompts;
mod resources;
mod schema;
mod stdio;
mod tool;
mod tools;

pub use door::{Door, Manner};
pub use http::{PATH, Reach, mounted, router};
pub use stdio::{serve, until_closed};
