//! The languages that are read, and what is known about each beforehand.

use std::fmt;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Go,
    Java,
    JavaScript,
    Python,
    Rust,
    TypeScript,
    Tsx,
}

impl Language {
    pub const ALL: [Language; 7] = [
        Language::Go,
        Language::Java,
        Language::JavaScript,
        Language::Python,
        Language::Rust,
        Language::TypeScript,
        Language::Tsx,
    ];

    /// By the ending of the file's name.
    pub fn of(path: &str) -> Option<Language> {
        Some(match Path::new(path).extension()?.to_str()? {
            "go" => Language::Go,
            "java" => Language::Java,
            "js" | "jsx" | "mjs" | "cjs" => Language::JavaScript,
            "py" | "pyi" => Language::Python,
            "rs" => Language::Rust,
            "ts" | "mts" | "cts" => Language::TypeScript,
            "tsx" => Language::Tsx,
            _ => return None,
        })
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Language::Go => "go",
            Language::Java => "java",
            Language::JavaScript => "javascript",
            Language::Python => "python",
            Language::Rust => "rust",
            Language::TypeScript => "typescript",
            Language::Tsx => "tsx",
        }
    }

    pub(crate) fn parser(self) -> tree_sitter::Language {
        match self {
            Language::Go => tree_sitter_go::LANGUAGE.into(),
            Language::Java => tree_sitter_java::LANGUAGE.into(),
            Language::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Language::Python => tree_sitter_python::LANGUAGE.into(),
            Language::Rust => tree_sitter_rust::LANGUAGE.into(),
            Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        }
    }

    /// Names that every program in this language uses: they tell nothing about this one.
    pub(crate) fn common(self) -> impl Iterator<Item = &'static str> {
        let list = match self {
            Language::Go => COMMON_GO,
            Language::Java => COMMON_JAVA,
            Language::Python => COMMON_PYTHON,
            Language::Rust => COMMON_RUST,
            Language::JavaScript | Language::TypeScript | Language::Tsx => COMMON_SCRIPT,
        };
        list.split_whitespace()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

const COMMON_RUST: &str = "\
    Self Some None Ok Err Option Result Vec String Box Rc Arc Default default Debug Clone Copy \
    PartialEq Eq PartialOrd Ord Hash derive cfg test tests From Into from into new clone \
    cloned copied iter iter_mut into_iter map filter filter_map flat_map collect unwrap \
    unwrap_or unwrap_or_default unwrap_or_else expect to_string to_owned as_str as_ref \
    as_deref as_bytes len is_empty push push_str insert get contains join split trim any all \
    find next first last sum count min max zip enumerate chain extend take skip rev fold \
    position for_each then then_some is_some is_none is_some_and is_none_or is_ok is_err ok \
    err ok_or ok_or_else map_err and_then or_else starts_with ends_with chars lines format \
    println print eprintln vec assert assert_eq assert_ne matches panic write writeln std fmt \
    Display Formatter HashMap HashSet BTreeMap BTreeSet entry or_default or_insert \
    or_insert_with keys values sort sort_by sort_by_key sort_unstable dedup drop swap abs \
    parse with_capacity into_owned deref try_from MAX MIN usize super crate Send Sync Fn FnMut FnOnce";

const COMMON_PYTHON: &str = "\
    self cls str int float bool list dict set tuple len range print isinstance super __init__ \
    append extend get items keys values join split strip format enumerate zip map filter \
    sorted sum min max any all open getattr setattr hasattr type Any Optional List Dict Union \
    Tuple Set None True False Exception ValueError TypeError KeyError property staticmethod \
    classmethod startswith endswith lower upper replace add update pop copy object repr";

const COMMON_SCRIPT: &str = "\
    console log error warn require push map filter forEach reduce join split slice concat \
    includes indexOf length toString String Number Boolean Array Object Promise Error JSON \
    parse stringify keys values entries then catch finally resolve reject all Math Date Map \
    Set get set has add delete find some every trim replace startsWith endsWith Record Partial \
    string number boolean describe it expect test toBe toEqual isArray assign";

const COMMON_GO: &str = "\
    append len make new panic string int error Error Errorf New Sprintf Printf Println Fprintf \
    String cap copy delete close byte bool Fatal Fatalf T Run Context Close Lock Unlock RLock \
    RUnlock any Join Split Contains HasPrefix HasSuffix TrimSpace";

const COMMON_JAVA: &str = "\
    Override String Integer Long Boolean Object List Map Set ArrayList HashMap HashSet \
    Optional get set add put size isEmpty toString equals hashCode println print out System \
    format of valueOf stream map filter collect toList Exception RuntimeException \
    IllegalArgumentException Test assertEquals assertTrue assertFalse length contains \
    Collectors next iterator append StringBuilder";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_tell_languages() {
        for (path, language) in [
            ("src/a.rs", Some(Language::Rust)),
            ("a/b.tsx", Some(Language::Tsx)),
            ("a.d.ts", Some(Language::TypeScript)),
            ("Makefile", None),
            ("x.RS", None),
            (".rs", None),
        ] {
            assert_eq!(Language::of(path), language, "{path}");
        }
    }

    #[test]
    fn every_grammar_loads() {
        for language in Language::ALL {
            let mut parser = tree_sitter::Parser::new();
            assert!(parser.set_language(&language.parser()).is_ok(), "{language}");
        }
    }
}
