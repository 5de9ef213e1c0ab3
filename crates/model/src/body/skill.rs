//! How to do something, step by step.

use crate::Invalid;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When to reach for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prerequisites: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub common_errors: Vec<Remedy>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exit_criteria: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Skill {
    pub(super) fn check(&self) -> Result<(), Invalid> {
        match self.steps.iter().position(|step| step.action.trim().is_empty()) {
            None => Ok(()),
            Some(empty) => Err(Invalid::new(
                "steps",
                format!("step {} is empty", empty + 1),
                "say what to do, or leave the step out",
            )),
        }
    }
}

/// One step; a plain string is a step without detail.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "StepForm", into = "StepForm")]
pub struct Step {
    pub action: String,
    pub detail: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StepForm {
    Plain(String),
    Detailed { action: String, detail: Option<String> },
}

impl From<StepForm> for Step {
    fn from(form: StepForm) -> Step {
        match form {
            StepForm::Plain(action) => Step { action, detail: None },
            StepForm::Detailed { action, detail } => Step { action, detail },
        }
    }
}

impl From<Step> for StepForm {
    fn from(step: Step) -> StepForm {
        match step.detail {
            None => StepForm::Plain(step.action),
            detail => StepForm::Detailed { action: step.action, detail },
        }
    }
}

/// What goes wrong on the way, and what then helps.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remedy {
    pub error: String,
    pub fix: String,
}
