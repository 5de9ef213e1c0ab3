//! The calls whose results are still to come, by id.

use super::tools::Work;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// More calls than this are never open at once; older ones were given up.
const MOST_OPEN: usize = 256;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Calls(VecDeque<Open>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Open {
    id: String,
    tool: String,
    work: Work,
}

impl Calls {
    pub(super) fn open(&mut self, id: &str, tool: &str, work: Work) {
        if self.0.len() == MOST_OPEN {
            self.0.pop_front();
        }
        self.0.push_back(Open { id: id.to_owned(), tool: tool.to_owned(), work });
    }

    /// The tool that was called under this id.
    pub(super) fn close(&mut self, id: &str) -> Option<String> {
        let at = self.0.iter().position(|open| open.id == id)?;
        self.0.remove(at).map(|open| open.tool)
    }
}
