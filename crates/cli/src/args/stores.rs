//! `--store`: which of the two files a verb over whole stores works on.

use super::choice;
use mnemic_engine::{Engine, Result, StoreName};

const BOTH: &[StoreName] = &[StoreName::Project, StoreName::User];

#[derive(Debug, clap::Args)]
pub(crate) struct StoreArgs {
    /// The project's store or your own
    #[arg(long, value_name = "STORE", value_parser = choice(BOTH, StoreName::as_str))]
    pub(crate) store: Option<StoreName>,
}

impl StoreArgs {
    /// The named store, or the one that comes first here.
    pub(crate) fn one(&self, engine: &Engine) -> Result<StoreName> {
        match self.store {
            Some(store) => Ok(store),
            None => engine.main_store(),
        }
    }

    /// The named store, or all that are open; an error when there is none.
    pub(crate) fn all(&self, engine: &Engine) -> Result<Vec<StoreName>> {
        if let Some(store) = self.store {
            return Ok(vec![store]);
        }
        engine.main_store()?;
        Ok(BOTH.iter().copied().filter(|store| engine.path_of(*store).is_ok()).collect())
    }
}
