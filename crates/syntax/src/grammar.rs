//! What the kinds of a grammar's nodes mean to us, looked up once for each language.

use crate::Language;
use std::collections::{BTreeMap, HashSet};

/// The part that a kind plays in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Read no further: strings, and arguments of macros, which have no shape of their own.
    Whole,
    Comment,
    Broken,
    Identifier,
    /// Everything named in it is a name, as in an attribute or annotation.
    Mark,
    /// Says where names come from; never a pattern.
    Import,
    /// Holds statements or items one after the other.
    Container,
    /// Something that has a head and a body.
    Item,
    /// Leaves what it stands in.
    Leaving,
    Other,
}

/// The names of kinds and fields by their numbers.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) language: Language,
    pub(crate) parser: tree_sitter::Language,
    kinds: Vec<(String, Part)>,
    /// Some names have several numbers; each stands for the first of them.
    same: Vec<u16>,
    fields: Vec<String>,
    common: HashSet<&'static str>,
}

impl Grammar {
    pub(crate) fn of(language: Language) -> Grammar {
        let parser = language.parser();
        let count = u16::try_from(parser.node_kind_count()).unwrap_or(u16::MAX);
        let mut kinds = Vec::new();
        let mut same = Vec::new();
        let mut first = BTreeMap::new();
        for id in 0..count {
            let name = parser.node_kind_for_id(id).unwrap_or_default().to_owned();
            let named = parser.node_kind_is_named(id);
            same.push(*first.entry((name.clone(), named)).or_insert(id));
            let part = if named { part(&name) } else { Part::Other };
            kinds.push((name, part));
        }
        let count = u16::try_from(parser.field_count()).unwrap_or(u16::MAX);
        let field = |id| parser.field_name_for_id(id).unwrap_or_default().to_owned();
        let fields = (0..=count).map(field).collect();
        let common = language.common().collect();
        Grammar { language, kinds, same, fields, parser, common }
    }

    /// A name that says nothing about this program rather than any other.
    pub(crate) fn is_common(&self, name: &str) -> bool {
        name.chars().count() == 1 || self.common.contains(name)
    }

    pub(crate) fn canonical(&self, kind: u16) -> u16 {
        self.same.get(usize::from(kind)).copied().unwrap_or(kind)
    }

    pub(crate) fn kind(&self, kind: u16) -> &str {
        self.kinds.get(usize::from(kind)).map_or("ERROR", |(name, _)| name)
    }

    pub(crate) fn part(&self, kind: u16) -> Part {
        // The number of a broken node lies beyond the table.
        self.kinds.get(usize::from(kind)).map_or(Part::Broken, |(_, part)| *part)
    }

    pub(crate) fn field(&self, field: u16) -> &str {
        self.fields.get(usize::from(field)).map_or("", String::as_str)
    }
}

fn part(kind: &str) -> Part {
    match kind {
        "token_tree" | "char_literal" => Part::Whole,
        "attribute_item"
        | "inner_attribute_item"
        | "decorator"
        | "annotation"
        | "marker_annotation" => Part::Mark,
        "use_declaration"
        | "extern_crate_declaration"
        | "mod_item"
        | "import_statement"
        | "import_from_statement"
        | "future_import_statement"
        | "import_declaration"
        | "package_clause"
        | "package_declaration"
        | "export_clause"
        | "macro_definition" => Part::Import,
        "block"
        | "source_file"
        | "declaration_list"
        | "match_block"
        | "module"
        | "program"
        | "statement_block"
        | "class_body"
        | "statement_list"
        | "interface_body"
        | "field_declaration_list"
        | "enum_body"
        | "constructor_body"
        | "switch_block_statement_group" => Part::Container,
        "function_item"
        | "impl_item"
        | "struct_item"
        | "enum_item"
        | "trait_item"
        | "function_definition"
        | "class_definition"
        | "function_declaration"
        | "method_declaration"
        | "method_definition"
        | "class_declaration"
        | "interface_declaration"
        | "constructor_declaration"
        | "type_declaration"
        | "enum_declaration"
        | "record_declaration" => Part::Item,
        "return_expression"
        | "return_statement"
        | "break_expression"
        | "break_statement"
        | "continue_expression"
        | "continue_statement"
        | "raise_statement"
        | "throw_statement" => Part::Leaving,
        "identifier"
        | "field_identifier"
        | "type_identifier"
        | "property_identifier"
        | "shorthand_property_identifier"
        | "package_identifier"
        | "shorthand_field_identifier"
        | "private_property_identifier" => Part::Identifier,
        "ERROR" => Part::Broken,
        _ if kind.contains("comment") => Part::Comment,
        _ if kind.ends_with("string") || kind.ends_with("string_literal") => Part::Whole,
        _ => Part::Other,
    }
}
