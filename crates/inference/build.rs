//! Finds packed weights to build into the program; without them it is built all the same.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=MNEMIC_WEIGHTS");
    println!("cargo::rustc-check-cfg=cfg(embedded_weights)");
    println!("cargo::rustc-check-cfg=cfg(embedded_gist)");
    let Some(weights) = weights() else { return };
    embed(&weights, "MNEMIC_EMBEDDED_WEIGHTS", "embedded_weights");
    // What reads words alone lies beside what reads sentences.
    if let Ok(gist) = fs::canonicalize(weights.with_file_name("wordllama-256.mng")) {
        embed(&gist, "MNEMIC_EMBEDDED_GIST", "embedded_gist");
    }
}

fn embed(file: &Path, variable: &str, cfg: &str) {
    // Named only when it is there: cargo takes a missing file for one that always changes.
    // `scripts/weights` touches this file once it has made one.
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env={variable}={}", file.display());
    println!("cargo::rustc-cfg={cfg}");
}

/// The file named by the environment, or the one that `scripts/weights` makes.
fn weights() -> Option<PathBuf> {
    let named = env::var_os("MNEMIC_WEIGHTS").filter(|path| !path.is_empty()).map(PathBuf::from);
    let own = Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("../../weights/granite-30m.mnw");
    fs::canonicalize(named.unwrap_or(own)).ok()
}
