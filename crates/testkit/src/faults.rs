//! Faults on demand: a preloaded library that fails, kills or lies at the call that is named.

use crate::preload;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What happens at the named call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The device answers with an error.
    Eio,
    /// There is no room.
    Enospc,
    /// The process dies instead of making the call.
    Kill,
    /// The process dies when half of the bytes are written.
    Tear,
    /// The call takes 20 ms more.
    Slow,
}

impl FaultKind {
    pub fn as_str(self) -> &'static str {
        match self {
            FaultKind::Eio => "EIO",
            FaultKind::Enospc => "ENOSPC",
            FaultKind::Kill => "KILL",
            FaultKind::Tear => "TEAR",
            FaultKind::Slow => "SLOW",
        }
    }

    /// Whether the process ends at the fault, rather than being told of it.
    pub fn is_deadly(self) -> bool {
        matches!(self, FaultKind::Kill | FaultKind::Tear)
    }
}

/// Which calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// Everything that changes a file below the directory.
    Write,
    /// Everything that reads a file below the directory.
    Read,
    /// Writes to standard output.
    Stdout,
}

/// One fault to come.
#[derive(Debug, Clone, Copy)]
pub struct Fault<'a> {
    pub calls: Calls,
    /// Counted from 1.
    pub at: usize,
    pub kind: FaultKind,
    /// Whether all later calls fail too.
    pub sticky: bool,
    pub dir: &'a Path,
}

/// The compiled library.
#[derive(Debug)]
pub struct Faults {
    dir: TempDir,
}

impl Faults {
    /// Compiles the library; says why when that is impossible here.
    pub fn compile() -> Result<Faults, String> {
        let dir = tempfile::tempdir().map_err(|cause| cause.to_string())?;
        preload::compile(include_str!("faults.c"), &dir.path().join("faults.so"))?;
        Ok(Faults { dir })
    }

    fn hit_file(&self) -> PathBuf {
        self.dir.path().join("hit")
    }

    fn preload<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env("LD_PRELOAD", self.dir.path().join("faults.so"))
    }

    /// Plans a fault for a command; `happened` tells afterwards whether it came to it.
    pub fn plan<'c>(&self, command: &'c mut Command, fault: Fault<'_>) -> &'c mut Command {
        // It may not be there, and that is all that is wanted.
        let _ = std::fs::remove_file(self.hit_file());
        let calls = match fault.calls {
            Calls::Write => "write",
            Calls::Read => "read",
            Calls::Stdout => "stdout",
        };
        self.preload(command)
            .env("MNEMIC_FAULT_ON", calls)
            .env("MNEMIC_FAULT_AT", fault.at.to_string())
            .env("MNEMIC_FAULT_KIND", fault.kind.as_str())
            .env("MNEMIC_FAULT_DIR", fault.dir)
            .env("MNEMIC_FAULT_HIT", self.hit_file());
        if fault.sticky {
            command.env("MNEMIC_FAULT_STICKY", "1");
        }
        command
    }

    pub fn happened(&self) -> bool {
        self.hit_file().exists()
    }

    /// Makes the wall clock of a command stand still at this many seconds since 1970.
    pub fn stop_clock<'c>(&self, command: &'c mut Command, seconds: i64) -> &'c mut Command {
        self.preload(command).env("MNEMIC_FAKE_TIME", seconds.to_string())
    }
}
