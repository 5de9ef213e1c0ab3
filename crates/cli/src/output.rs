//! Where words go: data to stdout, everything else to stderr, in the form that was asked for.

use crate::report::{Done, Failure, labelled, to_stderr};
use crate::settings::environment;
use anstyle::{AnsiColor, Style};
pub(crate) use mnemic_engine::counted;
use mnemic_engine::defuse;
use mnemic_engine::model::Kind;
use rustix::termios::tcgetwinsize;
use serde_json::Value;
use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const KEY: Style = AnsiColor::Green.on_default();
pub(crate) const ALARM: Style = AnsiColor::Red.on_default().bold();

#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) json: bool,
    quiet: bool,
    colour: bool,
    /// The width of the terminal, or the one that was asked for; none where neither is known.
    columns: Option<usize>,
    // Written in large pieces: the answer may have thousands of lines.
    stdout: RefCell<BufWriter<Stdout>>,
}

impl Output {
    pub(crate) fn new(json: bool, quiet: bool) -> Output {
        let stdout = io::stdout();
        let colour = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
        let columns = columns(&stdout);
        Output { json, quiet, colour, columns, stdout: RefCell::new(BufWriter::new(stdout)) }
    }

    /// One line of the answer. Text of memories must have gone through `plain`.
    pub(crate) fn line(&self, text: &str) -> Done {
        let mut stdout = self.stdout.borrow_mut();
        writeln!(stdout, "{text}").map_err(Failure::output)
    }

    /// How many columns of a line a text may take beside so many others: at most as many as read well,
    /// and enough to know it by.
    pub(crate) fn room(&self, beside: usize, most: usize) -> usize {
        self.columns.map_or(most, |columns| room(columns, beside, most))
    }

    /// The answer as JSON: on one line for programs, indented for a person who looks.
    pub(crate) fn json(&self, value: &Value) -> Done {
        if io::stdout().is_terminal() {
            self.line(&format!("{value:#}"))
        } else {
            self.record(value)
        }
    }

    /// One JSON value of a stream of them.
    pub(crate) fn record(&self, value: &Value) -> Done {
        self.line(&value.to_string())
    }

    /// The answer in the asked form; the plain lines are only made when wanted.
    pub(crate) fn answer(
        &self,
        json: impl FnOnce() -> Value,
        plain: impl FnOnce() -> Done,
    ) -> Done {
        if self.json { self.json(&json()) } else { plain() }
    }

    /// Bytes as they are, for data that must not be touched.
    pub(crate) fn raw(&self) -> std::cell::RefMut<'_, BufWriter<Stdout>> {
        self.stdout.borrow_mut()
    }

    pub(crate) fn flush(&self) -> Done {
        self.stdout.borrow_mut().flush().map_err(Failure::output)
    }

    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Whether nothing is wanted but the answer itself.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Something worth knowing beside the answer.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.aside(&format!("{}\n", defuse(text)));
        }
    }

    /// Something that needs a person's attention, even when they asked for quiet.
    pub(crate) fn warn(&self, text: &str) {
        self.aside(&labelled(AnsiColor::Yellow.on_default().bold(), "warning", text));
    }

    /// The same for programs, as one line of JSON on stderr.
    pub(crate) fn aside_json(&self, value: &Value) {
        self.aside(&format!("{value}\n"));
    }

    /// On stderr, after what was answered so far: on a terminal both are one text.
    fn aside(&self, text: &str) {
        // A failure to write comes back with the next line of the answer.
        let _ = self.stdout.borrow_mut().flush();
        to_stderr(text);
    }

    /// Aligned `name  value` lines; a value of several lines goes on below itself.
    pub(crate) fn table<'a>(&self, rows: impl IntoIterator<Item = (&'a str, String)>) -> Done {
        let rows: Vec<(&str, String)> = rows.into_iter().collect();
        let most = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
        for (name, value) in rows {
            let value = plain(&value).replace('\n', &format!("\n{:most$}  ", ""));
            let padding = gap(name, most);
            let row = format!("{}{padding}  {value}", self.paint(KEY, name));
            self.line(row.trim_end())?;
        }
        Ok(())
    }
}

/// Columns that a text takes on a terminal: a Chinese letter or an emoji takes two.
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// What a text lacks to so many columns, as spaces.
pub(crate) fn gap(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(text)))
}

/// Fewer columns of a text tell nobody which it is.
const LEAST: usize = 12;

fn room(columns: usize, beside: usize, most: usize) -> usize {
    // The ellipsis of a cut comes on top.
    columns.saturating_sub(beside + 1).clamp(LEAST.min(most), most)
}

/// What a person sets comes before what the terminal says, as with other programs.
fn columns(stdout: &Stdout) -> Option<usize> {
    let asked = environment::text(environment::COLUMNS).and_then(|text| text.parse().ok());
    let told = || stdout.is_terminal().then(|| tcgetwinsize(stdout).ok()).flatten();
    asked.or_else(|| told().map(|size| usize::from(size.ws_col))).filter(|columns| *columns > 0)
}

/// Text of a memory, made safe for a terminal.
pub(crate) fn plain(text: &str) -> String {
    defuse(text)
}

/// The same on one line, cut to about `most` columns.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = plain(&words.join(" "));
    if width(&line) <= most {
        return line;
    }
    let mut used = 0;
    let fits = line.char_indices().find(|(_, letter)| {
        used += letter.width().unwrap_or(0);
        used > most
    });
    match fits {
        // What would join the last letter to the next joins nothing any more.
        Some((cut, _)) => format!("{}…", line[..cut].trim_end_matches('\u{200d}').trim_end()),
        None => line,
    }
}

/// A kind as people type it.
pub(crate) fn kind_name(kind: Kind) -> String {
    kind.as_str().replace('_', "-")
}

/// Bytes in the unit that a person would say.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1_024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_broken_lines_become_one_short_one() {
        assert_eq!(one_line("a\n  b\tc", 80), "a b c");
        assert_eq!(one_line("äöü äöü", 3), "äöü…");
        assert!(!one_line("\u{1b}[31mred", 80).contains('\u{1b}'));
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!((width("日本語"), width("🚀"), width("äöü"), width("e\u{301}")), (6, 2, 3, 1));
        assert_eq!(one_line("日本語のテキスト", 8), "日本語の…");
        assert_eq!(one_line("日本語のテキスト", 9), "日本語の…");
        assert_eq!(one_line("日本語の", 8), "日本語の");
        assert_eq!(one_line("ship it 🚀🚀🚀", 10), "ship it 🚀…");
        assert_eq!(gap("日本", 6), "  ");
    }

    #[test]
    fn a_text_fills_what_is_left_of_its_line() {
        for (columns, beside, expected) in [(200, 30, 72), (60, 30, 29), (40, 39, 12)] {
            assert_eq!(room(columns, beside, 72), expected, "{columns} columns");
        }
    }

    #[test]
    fn sizes_read_well() {
        assert_eq!(size(1_023), "1023 B");
        assert_eq!(size(1_536), "1.5 KiB");
    }
}
