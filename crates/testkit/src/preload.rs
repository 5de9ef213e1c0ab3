//! Libraries that stand between a process and its operating system, compiled when a test needs one.

use std::path::Path;
use std::process::Command;

/// Compiles a library to preload; says why when that is impossible here.
pub(crate) fn compile(source: &str, library: &Path) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err("libraries to preload need Linux".into());
    }
    let file = library.with_extension("c");
    std::fs::write(&file, source).map_err(|cause| cause.to_string())?;
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-w", "-o"])
        .args([library, &file])
        .arg("-ldl")
        .output()
        .map_err(|cause| format!("no C compiler `cc`: {cause}"))?;
    match compiled.status.success() {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&compiled.stderr);
            Err(format!("the library to preload does not compile: {said}"))
        }
    }
}
