//! The doors for programs: JSON views, MCP and HTTP.

pub mod http;
pub mod mcp;
pub mod wire;
