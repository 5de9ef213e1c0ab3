//! The doors for programs: JSON views, MCP and HTTP.

pub mod mcp;
pub mod http;
pub mod wire;
