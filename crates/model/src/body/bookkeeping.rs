//! Records that the store keeps about memories: contradictions and namespaces.

use crate::invalid::named;
use crate::{Invalid, Namespace, RecordId};
use serde::{Deserialize, Serialize};

named! {
    /// Whether a contradiction still waits for an answer.
    Status, "status" {
        Open = "open",
        Resolved = "resolved",
    }
}

named! {
    /// How a contradiction was settled.
    Resolution, "resolution" {
        AWins = "a_wins",
        BWins = "b_wins",
        BothValid = "both_valid",
        Merged = "merged",
    }
}

/// Two memories that cannot both be true. When it was detected is its recorded time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    pub a: RecordId,
    pub b: RecordId,
    /// The rule, judge or person that noticed.
    pub detected_by: String,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Contradiction {
    pub(super) fn check(&self) -> Result<(), Invalid> {
        if self.a == self.b {
            return Err(Invalid::new(
                "b",
                format!("`{}` cannot contradict itself", self.b),
                "name two different memories",
            ));
        }
        if (self.status == Status::Resolved) != self.resolution.is_some() {
            return Err(Invalid::new(
                "resolution",
                "goes with the status `resolved`, and only with it",
                "give both or neither",
            ));
        }
        Ok(())
    }
}

/// A partition of the store that inherits what its parents know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamespaceBody {
    pub name: Namespace,
    /// `None` inherits from the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Namespace>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}
