//! The doors for programs: JSON views, MCP and HTTP.

pub mod wire;
