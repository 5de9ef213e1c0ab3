//! A syntax tree laid out in the order of the text, each node followed by what stands in it.

use crate::grammar::{Grammar, Part};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: u16,
    /// 0 where the grammar gives this child no name.
    pub(crate) field: u16,
    pub(crate) named: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    /// Nodes in it, with itself.
    pub(crate) size: u32,
}

/// One file without its comments.
#[derive(Debug)]
pub(crate) struct Tree<'s> {
    pub(crate) text: &'s str,
    pub(crate) nodes: Vec<Node>,
    /// Where comments stood.
    pub(crate) comments: Vec<(u32, u32)>,
}

impl<'s> Tree<'s> {
    pub(crate) fn read(
        parser: &mut tree_sitter::Parser,
        grammar: &Grammar,
        text: &'s str,
    ) -> Option<Tree<'s>> {
        let parsed = parser.parse(text, None)?;
        let mut tree = Tree { text, nodes: Vec::new(), comments: Vec::new() };
        tree.fill(&mut parsed.walk(), grammar);
        Some(tree)
    }

    /// Without recursion, since code can be nested deeper than a stack goes.
    fn fill(&mut self, cursor: &mut tree_sitter::TreeCursor<'_>, grammar: &Grammar) {
        let mut open: Vec<usize> = Vec::new();
        loop {
            let part = grammar.part(cursor.node().kind_id());
            let enters = part != Part::Comment && {
                let node = node(cursor, grammar);
                self.drop_last_comma(&node);
                open.push(self.nodes.len());
                self.nodes.push(node);
                part != Part::Whole && cursor.goto_first_child()
            };
            if enters {
                continue;
            }
            if part == Part::Comment {
                let node = cursor.node();
                self.comments.push((node.start_byte() as u32, node.end_byte() as u32));
            } else {
                self.close(&mut open);
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.close(&mut open);
            }
        }
    }

    /// A comma before a closing bracket says how it was formatted and nothing else.
    fn drop_last_comma(&mut self, next: &Node) {
        let text = |node: &Node| self.text.get(node.start as usize..node.end as usize);
        let closes = !next.named && matches!(text(next), Some(")" | "]" | "}" | ">"));
        let ends_in_comma =
            self.nodes.last().is_some_and(|last| !last.named && text(last) == Some(","));
        if closes && ends_in_comma {
            self.nodes.pop();
        }
    }

    fn close(&mut self, open: &mut Vec<usize>) {
        let Some(at) = open.pop() else { return };
        self.nodes[at].size = (self.nodes.len() - at) as u32;
    }

    pub(crate) fn text_of(&self, at: usize) -> &'s str {
        let node = &self.nodes[at];
        self.text.get(node.start as usize..node.end as usize).unwrap_or_default()
    }

    pub(crate) fn is_leaf(&self, at: usize) -> bool {
        self.nodes[at].size == 1
    }

    /// The numbers of the nodes directly in this one.
    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = usize> + use<'_, 's> {
        let end = at + self.nodes[at].size as usize;
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let this = next;
            (this < end).then(|| {
                next += self.nodes[this].size as usize;
                this
            })
        })
    }

    /// The child under this name.
    pub(crate) fn child(&self, grammar: &Grammar, at: usize, field: &str) -> Option<usize> {
        self.children(at).find(|child| grammar.field(self.nodes[*child].field) == field)
    }
}

fn node(cursor: &tree_sitter::TreeCursor<'_>, grammar: &Grammar) -> Node {
    let node = cursor.node();
    Node {
        kind: grammar.canonical(node.kind_id()),
        field: cursor.field_id().map_or(0, std::num::NonZeroU16::get),
        named: node.is_named(),
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
        first_line: node.start_position().row as u32 + 1,
        last_line: node.end_position().row as u32 + 1,
        size: 1,
    }
}
