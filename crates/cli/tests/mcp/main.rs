//! MCP as agents speak it: JSON-RPC frames through the real binary's standard input and output.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod agent;
mod frames;
mod revisions;
mod schema;
mod tools;
mod trust;
