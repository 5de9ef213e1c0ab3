//! `export` in the formats of other tools.

use crate::{Engine, Result, StoreName};
use mnemic_exchange::export;
use std::ops::ControlFlow;

pub use mnemic_exchange::export::{ExportAsk, ExportFile, ExportFormat};

impl Engine {
    /// Hands out the files of an export; how many memories are in them. An error of `each` ends it.
    pub fn export_as(
        &self,
        store: StoreName,
        ask: ExportAsk,
        each: &mut dyn FnMut(ExportFile) -> Result<()>,
    ) -> Result<u64> {
        let read = self.store(store)?.read()?;
        let mut failed = None;
        let written = export::export(read.as_ref(), ask, &mut |file| match each(file) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        match failed {
            Some(error) => Err(error),
            None => Ok(written),
        }
    }
}
