//! Lays the vocabularies of the public encodings out so that counting can begin without loading.

#[path = "src/tokens/layout.rs"]
mod layout;

use std::path::Path;
use std::{env, fs};

use tiktoken_rs::CoreBPE;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tokens/layout.rs");
    let out = env::var_os("OUT_DIR").expect("cargo names the directory");
    write(Path::new(&out), "o200k", tiktoken_rs::o200k_base(), 199_998);
    write(Path::new(&out), "cl100k", tiktoken_rs::cl100k_base(), 100_256);
}

/// `size` is how many ordinary tokens the encoding has; the special ones after them are no text.
fn write<E: std::fmt::Debug>(out: &Path, name: &str, source: Result<CoreBPE, E>, size: u32) {
    let source = source.expect("the vocabulary comes with the crate");
    let tokens: Vec<Vec<u8>> =
        (0..size).map(|rank| source.decode_bytes(&[rank]).expect("ranks have no gaps")).collect();
    fs::write(out.join(format!("{name}.table")), layout::lay_out(&tokens))
        .expect("the build may write to its own directory");
}
