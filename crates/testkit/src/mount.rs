//! A small disk of its own, which can be full and can be made read-only.

use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A file system in memory; unmounted when dropped.
#[derive(Debug)]
pub struct SmallDisk {
    dir: TempDir,
}

impl SmallDisk {
    /// Mounts one of so many megabytes; says why when that is not permitted here.
    pub fn mount(megabytes: usize) -> Result<SmallDisk, String> {
        let dir = tempfile::tempdir().map_err(|cause| cause.to_string())?;
        let size = format!("size={megabytes}m,mode=0755");
        run(Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "mnemic-test"])
            .arg(dir.path()))?;
        Ok(SmallDisk { dir })
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn make_read_only(&self) -> Result<(), String> {
        run(Command::new("mount").args(["-o", "remount,ro"]).arg(self.dir.path()))
    }

    pub fn make_writable(&self) -> Result<(), String> {
        run(Command::new("mount").args(["-o", "remount,rw"]).arg(self.dir.path()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a failing test may still have files open here.
        let _ = run(Command::new("umount").arg("-l").arg(self.dir.path()));
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let done = command.output().map_err(|cause| format!("{command:?}: {cause}"))?;
    if done.status.success() {
        return Ok(());
    }
    Err(format!("mounting is not permitted: {}", String::from_utf8_lossy(&done.stderr).trim()))
}
