//! The server that is measured: the real binary, with a token of its own.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running `mnemic serve`; it ends with this value.
#[derive(Debug)]
pub(crate) struct Served {
    child: Child,
    pub(super) address: String,
    pub(super) token: String,
    _home: tempfile::TempDir,
}

impl Served {
    pub(super) fn start(
        mnemic: &Path,
        dir: &Path,
        meaning: &str,
    ) -> Result<Served, Box<dyn Error>> {
        let home = tempfile::tempdir()?;
        let tokens = home.path().join("tokens.json");
        let mut child = Command::new(mnemic)
            .args(["serve", "--port", "0", "--json", "--rate", "0", "--token-file"])
            .arg(tokens)
            .current_dir(dir)
            .env("HOME", home.path())
            .env("MNEMIC_MEANING_MODEL", meaning)
            .env_remove("XDG_DATA_HOME")
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or("the server has no output")?;
        BufReader::new(out).read_line(&mut line)?;
        let told: serde_json::Value = serde_json::from_str(&line)?;
        let url = told["url"].as_str().ok_or("the server did not say where it listens")?;
        let token = told["token"].as_str().ok_or("the server made no token")?.to_owned();
        let address = url.trim_start_matches("http://").to_owned();
        Ok(Served { child, address, token, _home: home })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It holds nothing that a kill could harm.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
