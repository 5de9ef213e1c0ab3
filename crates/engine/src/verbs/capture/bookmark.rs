//! How far a file was read, so that the next capture reads on from there.

use super::CaptureAsk;
use crate::{Engine, Result, StoreName};
use mnemic_lifecycle::capture::Resume;
use mnemic_model::RecordId;
use mnemic_store::Read;
use serde::{Deserialize, Serialize};

const NAME: &str = "transcript/";

/// Where reading stopped, and where it goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Bookmark {
    /// The beginning of the task that may still go on.
    pub(super) last_task: Resume,
    pub(super) end: Resume,
    pub(super) last_episode: Option<RecordId>,
    /// Whether what was read was also searched for what it teaches.
    pub(super) extracted: bool,
}

impl Bookmark {
    /// The bookmark in this file, if reading may go on from it.
    pub(super) fn find(
        engine: &Engine,
        store: StoreName,
        ask: &CaptureAsk,
    ) -> Result<Option<Bookmark>> {
        let read = engine.store(store)?.read()?;
        let Some(text) = read.bookmark(&format!("{NAME}{}", ask.name))? else { return Ok(None) };
        // One that another version wrote is as good as none: ids find everything again.
        let Ok(mark) = serde_json::from_str::<Bookmark>(&text) else { return Ok(None) };
        let searched = mark.extracted || !ask.extract;
        Ok(Some(mark).filter(|mark| searched && !mark.was_undone(read.as_ref())))
    }

    /// Whoever undid a capture and captures again wants it back.
    fn was_undone(&self, read: &dyn Read) -> bool {
        let Some(id) = &self.last_episode else { return false };
        read.versions(id)
            .is_ok_and(|versions| versions.last().is_some_and(|version| !version.is_current()))
    }

    /// Its name and text, as they are kept.
    pub(super) fn written(&self, ask: &CaptureAsk) -> (String, String) {
        let text = serde_json::to_string(self).unwrap_or_default();
        (format!("{NAME}{}", ask.name), text)
    }
}
