//! A store's file as SQLite lays it out: which bytes belong to which table, read without SQLite.

#![allow(dead_code, reason = "each test file uses its part")]

use std::ops::Range;
use std::path::Path;

/// The bytes of a file that is whole, in pages.
#[derive(Debug, Clone)]
pub(crate) struct Pages {
    pub(crate) bytes: Vec<u8>,
    size: usize,
}

/// One table or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) is_table: bool,
    pub(crate) name: String,
    root: usize,
}

/// What a page of a tree holds.
struct Page {
    /// Pages below it.
    children: Vec<usize>,
    /// Where its cells' payloads lie, those on overflow pages included.
    payloads: Vec<Range<usize>>,
    is_leaf: bool,
}

impl Pages {
    pub(crate) fn read(path: &Path) -> Pages {
        let bytes = std::fs::read(path).unwrap();
        let size = match u16::from_be_bytes([bytes[16], bytes[17]]) {
            1 => 65_536,
            size => usize::from(size),
        };
        assert_eq!(bytes[20], 0, "our files reserve no bytes in a page");
        Pages { bytes, size }
    }

    pub(crate) fn range_of(&self, page: usize) -> Range<usize> {
        (page - 1) * self.size..page * self.size
    }

    /// Everything that the schema on page 1 names.
    pub(crate) fn trees(&self) -> Vec<Tree> {
        let mut trees = Vec::new();
        for payload in self.payloads(1) {
            let fields = self.record(&payload);
            let text = |at: usize| String::from_utf8_lossy(&self.bytes[fields[at].clone()]);
            let root =
                self.bytes[fields[3].clone()].iter().fold(0, |n, b| n << 8 | usize::from(*b));
            if root > 0 {
                let is_table = text(0) == "table";
                trees.push(Tree { is_table, name: text(1).into_owned(), root });
            }
        }
        trees
    }

    pub(crate) fn tree(&self, name: &str) -> Tree {
        self.trees().into_iter().find(|tree| tree.name == name).unwrap()
    }

    /// The pages at the bottom of a tree, which hold its rows.
    pub(crate) fn leaves(&self, tree: &Tree) -> Vec<usize> {
        let mut leaves = Vec::new();
        self.walk(tree.root, &mut |number, page| {
            if page.is_leaf {
                leaves.push(number);
            }
        });
        leaves
    }

    /// The bytes of every row of a tree.
    pub(crate) fn rows(&self, tree: &Tree) -> Vec<Range<usize>> {
        self.payloads(tree.root)
    }

    fn payloads(&self, root: usize) -> Vec<Range<usize>> {
        let mut payloads = Vec::new();
        self.walk(root, &mut |_, page| payloads.extend(page.payloads.clone()));
        payloads
    }

    fn walk(&self, number: usize, visit: &mut dyn FnMut(usize, &Page)) {
        let page = self.page(number);
        visit(number, &page);
        for child in page.children {
            self.walk(child, visit);
        }
    }

    fn page(&self, number: usize) -> Page {
        let start = (number - 1) * self.size;
        let header = start + if number == 1 { 100 } else { 0 };
        let kind = self.bytes[header];
        let (is_leaf, in_table) = (kind & 8 != 0, kind & 1 != 0);
        assert!(matches!(kind, 2 | 5 | 10 | 13), "page {number} has kind {kind}");
        let count = self.number(header + 3, 2);
        let pointers = header + if is_leaf { 8 } else { 12 };
        let mut page = Page { children: Vec::new(), payloads: Vec::new(), is_leaf };
        for index in 0..count {
            let mut cell = start + self.number(pointers + 2 * index, 2);
            if !is_leaf {
                page.children.push(self.number(cell, 4));
                cell += 4;
            }
            if is_leaf || !in_table {
                let (length, mut at) = self.varint(cell);
                if in_table {
                    at = self.varint(at).1;
                }
                self.payload(at, length, in_table, &mut page.payloads);
            }
        }
        if !is_leaf {
            page.children.push(self.number(header + 8, 4));
        }
        page
    }

    /// The local part and the chain of overflow pages, by the rules of the file format.
    fn payload(&self, at: usize, length: usize, in_table: bool, into: &mut Vec<Range<usize>>) {
        let most = if in_table { self.size - 35 } else { (self.size - 12) * 64 / 255 - 23 };
        if length <= most {
            into.push(at..at + length);
            return;
        }
        let least = (self.size - 12) * 32 / 255 - 23;
        let wanted = least + (length - least) % (self.size - 4);
        let local = if wanted <= most { wanted } else { least };
        into.push(at..at + local);
        let (mut left, mut next) = (length - local, self.number(at + local, 4));
        while left > 0 {
            let start = (next - 1) * self.size;
            let here = left.min(self.size - 4);
            into.push(start + 4..start + 4 + here);
            left -= here;
            next = self.number(start, 4);
        }
    }

    /// Where the fields of a record lie that does not overflow.
    fn record(&self, payload: &Range<usize>) -> Vec<Range<usize>> {
        let (header, mut at) = self.varint(payload.start);
        let mut field = payload.start + header;
        let mut fields = Vec::new();
        while at < payload.start + header {
            let (kind, next) = self.varint(at);
            let length = match kind {
                0 | 8 | 9 => 0,
                1..=4 => kind,
                5 => 6,
                6 | 7 => 8,
                _ => (kind - 12) / 2,
            };
            fields.push(field..field + length);
            field += length;
            at = next;
        }
        fields
    }

    fn number(&self, at: usize, length: usize) -> usize {
        self.bytes[at..at + length].iter().fold(0, |n, byte| n << 8 | usize::from(*byte))
    }

    /// A value of seven bits a byte, and where it ends.
    fn varint(&self, at: usize) -> (usize, usize) {
        let mut value = 0;
        for (index, &byte) in self.bytes[at..at + 9].iter().enumerate() {
            if index == 8 {
                return (value << 8 | usize::from(byte), at + 9);
            }
            value = value << 7 | usize::from(byte & 0x7f);
            if byte < 0x80 {
                return (value, at + index + 1);
            }
        }
        unreachable!("the ninth byte is the last")
    }
}
