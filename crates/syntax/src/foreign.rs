//! Names that come with a language's own library: everybody's, and so nobody's pattern.

use crate::Language;
use crate::grammar::{Grammar, Part};
use crate::tree::Tree;
use std::collections::BTreeSet;

/// What this file imports from the language's own library.
pub(crate) fn foreign<'s>(grammar: &Grammar, tree: &Tree<'s>) -> BTreeSet<&'s str> {
    let mut names = BTreeSet::from(match grammar.language {
        Language::Rust => ["std", "core", "alloc"],
        _ => ["java", "javax", "process"],
    });
    let mut at = 0;
    while at < tree.nodes.len() {
        let size = tree.nodes[at].size as usize;
        if grammar.part(tree.nodes[at].kind) != Part::Import {
            at += 1;
            continue;
        }
        if comes_with(grammar.language, tree.text_of(at)) {
            let inner = (at..at + size).filter(|at| tree.is_leaf(*at));
            names.extend(inner.flat_map(|at| words(tree.text_of(at))));
        }
        at += size;
    }
    names
}

/// A path in quotes imports by its last part.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let bare = text.trim_matches(['"', '\'', '`']);
    let last = bare.rsplit(['/', ':']).next().unwrap_or(bare);
    Some(last).into_iter().filter(|word| word.starts_with(char::is_alphabetic))
}

fn comes_with(language: Language, import: &str) -> bool {
    let after = |start: &str| import.strip_prefix(start).unwrap_or_default().trim_start();
    let root = |rest: &str, set: &[&str]| {
        let root = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        root.is_some_and(|root| set.contains(&root))
    };
    match language {
        Language::Rust => {
            let path = import.split_once("use ").map_or("", |(_, path)| path);
            root(path, &["std", "core", "alloc"])
        }
        Language::Java => root(after("import"), &["java", "javax"]),
        Language::Python => {
            root(after("import"), PYTHON_MODULES) || root(after("from"), PYTHON_MODULES)
        }
        // A declaration may import several; packages of others have a host in their path.
        Language::Go => !import.contains('.'),
        _ => {
            let quoted = import.rsplit(['"', '\'']).nth(1).unwrap_or_default();
            quoted.starts_with("node:") || NODE_MODULES.contains(&quoted)
        }
    }
}

const PYTHON_MODULES: &[&str] = &[
    "__future__",
    "abc",
    "argparse",
    "ast",
    "asyncio",
    "base64",
    "collections",
    "concurrent",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "functools",
    "glob",
    "gzip",
    "hashlib",
    "heapq",
    "html",
    "http",
    "importlib",
    "inspect",
    "io",
    "itertools",
    "json",
    "logging",
    "math",
    "multiprocessing",
    "operator",
    "os",
    "pathlib",
    "pickle",
    "platform",
    "queue",
    "random",
    "re",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "sys",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "traceback",
    "types",
    "typing",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "weakref",
    "xml",
    "zipfile",
];

const NODE_MODULES: &[&str] = &[
    "assert",
    "buffer",
    "child_process",
    "crypto",
    "events",
    "fs",
    "fs/promises",
    "http",
    "https",
    "net",
    "os",
    "path",
    "process",
    "readline",
    "stream",
    "timers",
    "url",
    "util",
    "worker_threads",
    "zlib",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_languages_own_library_is_known() {
        for (language, import, own) in [
            (Language::Rust, "use std::io::{self, Read};", true),
            (Language::Rust, "pub use serde::Serialize;", false),
            (Language::Python, "from os.path import join", true),
            (Language::Python, "import requests", false),
            (Language::Java, "import java.util.List;", true),
            (Language::Java, "import org.junit.Test;", false),
            (Language::TypeScript, "import { readFile } from 'node:fs';", true),
            (Language::TypeScript, "import React from \"react\";", false),
        ] {
            assert_eq!(comes_with(language, import), own, "{import}");
        }
    }
}
