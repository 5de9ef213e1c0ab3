//! Pulls one JSON value after the other out of a reader: a line each, or the elements of an array.

use super::resume::Edges;
use super::squeeze::Squeeze;
use std::io::{self, BufRead};

/// The most that one value may take after its long strings were squeezed.
pub(super) const MAX_ITEM_BYTES: usize = 32 * 1024 * 1024;

/// One value as it was written, and where.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) first: u64,
    pub(super) last: u64,
    /// Which array of the file it is an element of, where the file is made of arrays.
    pub(super) group: u32,
    pub(super) text: String,
    /// Whether something stands behind it. The last one of a growing file may still be in writing.
    pub(super) ended: bool,
    pub(super) too_long: bool,
}

/// How values are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Unknown,
    /// One value a line.
    Lines,
    /// Inside or between arrays; the number of arrays begun.
    Arrays(u32),
}

#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    layout: Layout,
    squeeze: Squeeze,
    /// Newlines passed.
    lines: u64,
    edges: Edges,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Lines<R> {
        Lines::after(reader, 0, Edges::default(), Layout::Unknown)
    }

    /// Goes on behind what was read before.
    pub(super) fn resumed(reader: R, lines: u64, edges: Edges) -> Lines<R> {
        Lines::after(reader, lines, edges, Layout::Lines)
    }

    fn after(reader: R, lines: u64, edges: Edges, layout: Layout) -> Lines<R> {
        Lines { reader, layout, squeeze: Squeeze::default(), lines, edges }
    }

    pub(super) fn position(&self) -> (u64, &Edges) {
        (self.lines, &self.edges)
    }

    /// Whether a file of this layout can be read on from where one stopped.
    pub(super) fn goes_by_lines(&self) -> bool {
        self.layout == Layout::Lines
    }

    /// Whether nothing has been said so far.
    pub(super) fn are_blank(&self) -> bool {
        self.layout == Layout::Unknown
    }

    pub(super) fn pull(&mut self) -> io::Result<Option<Item>> {
        if self.layout == Layout::Unknown {
            self.layout = match self.first_mark()? {
                None => return Ok(None),
                Some(b'[') => Layout::Arrays(0),
                Some(_) => Layout::Lines,
            };
        }
        match self.layout {
            Layout::Arrays(_) => self.pull_element(),
            _ => self.pull_line(),
        }
    }

    /// All that is left, as a part of the value that began with `item`.
    pub(super) fn pull_rest(&mut self, mut item: Item) -> io::Result<Item> {
        while let Some(more) = self.pull_line()? {
            item.last = more.last;
            item.too_long |= more.too_long || item.text.len() + more.text.len() > MAX_ITEM_BYTES;
            if !item.too_long {
                item.text.push('\n');
                item.text.push_str(&more.text);
            }
        }
        self.layout = Layout::Arrays(0);
        Ok(item)
    }

    /// The first byte that says something, left unread.
    fn first_mark(&mut self) -> io::Result<Option<u8>> {
        loop {
            let chunk = self.reader.fill_buf()?;
            let skip = chunk.iter().take_while(|b| is_blank(**b)).count();
            if let Some(&mark) = chunk.get(skip) {
                self.consume(skip);
                return Ok(Some(mark));
            }
            if chunk.is_empty() {
                return Ok(None);
            }
            self.consume(skip);
        }
    }

    /// Marks bytes as read: their newlines are counted and the edges of the file noted.
    fn consume(&mut self, count: usize) {
        let Ok(chunk) = self.reader.fill_buf() else { return };
        let read = &chunk[..count];
        self.lines += read.iter().filter(|b| **b == b'\n').count() as u64;
        self.edges.see(read);
        self.reader.consume(count);
    }

    fn pull_line(&mut self) -> io::Result<Option<Item>> {
        let first = self.lines + 1;
        let mut any = false;
        let mut too_long = false;
        loop {
            let chunk = self.reader.fill_buf()?;
            if chunk.is_empty() {
                return Ok(any.then(|| self.item(first, first, 0, false, too_long)));
            }
            any = true;
            let newline = chunk.iter().position(|b| *b == b'\n');
            let end = newline.unwrap_or(chunk.len());
            if !too_long {
                self.squeeze.push_all(&chunk[..end]);
                too_long = self.squeeze.len() > MAX_ITEM_BYTES;
            }
            self.consume(newline.map_or(end, |at| at + 1));
            if newline.is_some() {
                return Ok(Some(self.item(first, first, 0, true, too_long)));
            }
        }
    }

    /// The next element of the array that we are in, or of the next one.
    fn pull_element(&mut self) -> io::Result<Option<Item>> {
        let Layout::Arrays(mut group) = self.layout else { return Ok(None) };
        let mut scan = ElementScan::default();
        let mut first = None;
        let mut too_long = false;
        loop {
            let chunk = self.reader.fill_buf()?;
            if chunk.is_empty() {
                let open =
                    first.map(|first| self.item(first, self.lines + 1, group, false, too_long));
                return Ok(open);
            }
            let mut used = 0;
            let mut whole = false;
            let mut line = self.lines + 1;
            for &byte in chunk {
                used += 1;
                match scan.step(byte) {
                    Mark::Between => {
                        if byte == b'[' {
                            group += 1;
                        }
                    }
                    Mark::Inside if too_long => {}
                    Mark::Inside => {
                        first.get_or_insert(line);
                        self.squeeze.push(if byte == b'\n' { b' ' } else { byte });
                        too_long = self.squeeze.len() > MAX_ITEM_BYTES;
                    }
                    Mark::Last => {
                        self.squeeze.push(byte);
                        whole = true;
                        break;
                    }
                }
                line += u64::from(byte == b'\n');
            }
            self.layout = Layout::Arrays(group);
            self.consume(used);
            if whole {
                let first = first.unwrap_or(line);
                return Ok(Some(self.item(first, line, group, true, too_long)));
            }
        }
    }

    fn item(&mut self, first: u64, last: u64, group: u32, ended: bool, too_long: bool) -> Item {
        let bytes = self.squeeze.take();
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim().to_owned();
        Item { first, last, group, text, ended, too_long }
    }
}

fn is_blank(byte: u8) -> bool {
    // The three bytes of a byte order mark count as blank.
    byte.is_ascii_whitespace() || matches!(byte, 0xef | 0xbb | 0xbf)
}

/// Where a byte of an array stands.
enum Mark {
    Between,
    Inside,
    /// The closing bracket of an element.
    Last,
}

/// Finds the ends of the objects in an array. What stands between them is passed over.
#[derive(Debug, Default)]
struct ElementScan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl ElementScan {
    fn step(&mut self, byte: u8) -> Mark {
        if self.in_string {
            self.in_string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            return if self.depth == 0 { Mark::Between } else { Mark::Inside };
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' => self.depth += 1,
            b'[' if self.depth > 0 => self.depth += 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Mark::Last;
                }
            }
            _ => {}
        }
        if self.depth == 0 { Mark::Between } else { Mark::Inside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulled(text: &str, room: usize) -> Vec<(u64, u64, u32, String, bool)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(room, text.as_bytes()));
        std::iter::from_fn(|| lines.pull().unwrap())
            .map(|item| (item.first, item.last, item.group, item.text, item.ended))
            .collect()
    }

    #[test]
    fn a_line_is_a_value_whatever_the_buffer() {
        for room in [1, 3, 100] {
            let got = pulled("\u{feff}{\"a\":1}\r\n\nbroken\n{\"b\"", room);
            let texts: Vec<_> = got.iter().map(|i| (i.0, i.3.as_str(), i.4)).collect();
            let expected =
                [(1, "{\"a\":1}", true), (2, "", true), (3, "broken", true), (4, "{\"b\"", false)];
            assert_eq!(texts, expected);
        }
    }

    #[test]
    fn elements_of_arrays_carry_their_lines() {
        let text = "[\n {\"a\": \"]}\",\n  \"b\": [1]},\n {\"c\":{}} ]\n[{\"d\":1}]\n[{\"e\":";
        for room in [1, 4, 100] {
            let got = pulled(text, room);
            let spots: Vec<_> = got.iter().map(|i| (i.0, i.1, i.2, i.4)).collect();
            let expected = [(2, 3, 1, true), (4, 4, 1, true), (5, 5, 2, true), (6, 6, 3, false)];
            assert_eq!(spots, expected);
            assert_eq!(got[0].3, "{\"a\": \"]}\",   \"b\": [1]}");
        }
    }
}
