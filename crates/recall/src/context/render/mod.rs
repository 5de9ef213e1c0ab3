//! From memories to text: one file a style. Whatever a memory says is quoted before it gets here.

mod json;
mod markdown;
mod task;
mod terse;
mod text;

use super::fence;
use super::level::Level;
use super::offer::{Avoid, Offer};
use super::profile::{Mark, Style, TierRule};
use super::quote::quoted;

/// The longest that one memory may be at each level, in characters.
pub(super) fn most(level: Level) -> usize {
    match level {
        Level::Full => 8_000,
        Level::Summary => 600,
        Level::Compressed => 200,
        Level::Index => 80,
    }
}

/// What helps, where there is room for little.
const REMEDY: usize = 80;

/// Where an anti-pattern holds is a few words.
const CONTEXT: usize = 80;

/// A longer id is a path of another tool and is cited instead.
const ID: usize = 64;

/// One memory, about to be shown.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) offer: &'a Offer,
    pub(super) citation: &'a str,
    pub(super) mark: Mark,
    pub(super) level: Level,
}

/// How a warning is put: what has happened is told, what would be done is warned of, and a sentence
/// of somebody's own speaks for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Failed,
    Avoid,
    Mind,
}

impl Sort {
    fn of(avoid: &Avoid, what: &str) -> Sort {
        match avoid.is_told {
            true => Sort::Mind,
            false if tells_of_failure(what) => Sort::Failed,
            false => Sort::Avoid,
        }
    }
}

/// A warning in its parts, each quoted.
struct Warning {
    sort: Sort,
    context: String,
    is_placed: bool,
    what: String,
    /// Only in full: who is told why, minds it.
    why: Option<String>,
    instead: Option<String>,
}

impl Item<'_> {
    /// `M:1a2b3c4d`.
    fn citation(&self) -> String {
        format!("{}:{}", self.mark.letter(), self.citation)
    }

    fn text(&self) -> String {
        quoted(self.offer.text(self.level), most(self.level))
    }

    fn by(&self) -> String {
        let Offer { attribution, trust, .. } = self.offer;
        match self.level {
            Level::Index | Level::Compressed => attribution.shortest(*trust),
            Level::Summary | Level::Full => attribution.short(*trust),
        }
    }

    fn is_pointer(&self) -> bool {
        self.level == Level::Index
    }

    /// The id by which more can be asked for, unless it could be mistaken for something else.
    fn id(&self) -> Option<&str> {
        let id = self.offer.id.as_str();
        (id.len() <= ID && quoted(id, ID) == id).then_some(id)
    }

    fn warning(&self) -> Option<Warning> {
        let avoid = self.offer.avoid.as_ref().filter(|_| !self.is_pointer())?;
        let what = match self.level {
            Level::Full | Level::Summary => avoid.what.as_str(),
            Level::Compressed | Level::Index => self.offer.text(self.level),
        };
        let shortly = |text: &String| quoted(text, most(Level::Summary));
        // A warning without its way out says what its reader knows already.
        let instead = match self.level {
            Level::Full => avoid.instead.as_ref().map(shortly),
            Level::Summary => {
                avoid.instead.as_ref().map(|text| quoted(text, most(Level::Compressed)))
            }
            Level::Compressed => avoid.instead.as_ref().map(|text| quoted(text, REMEDY)),
            Level::Index => None,
        };
        Some(Warning {
            sort: Sort::of(avoid, what),
            context: quoted(&avoid.context, CONTEXT),
            is_placed: avoid.is_placed,
            what: quoted(what, most(self.level)),
            why: avoid.why.as_ref().filter(|_| self.level == Level::Full).map(shortly),
            instead,
        })
    }

    /// What it says, in one line.
    fn statement(&self) -> String {
        let warning = self.warning();
        let Some(Warning { sort, context, is_placed, what, why, instead }) = warning else {
            return self.text();
        };
        let failed = sort == Sort::Failed;
        let mut line = match sort {
            Sort::Failed => what,
            Sort::Avoid => format!("In {context}, avoid {what}"),
            Sort::Mind => format!("Mind: {what}"),
        };
        if let Some(why) = why.filter(|text| !failed && !text.is_empty()) {
            line.push_str(&format!(" ({})", why.trim_end_matches('.')));
        }
        if let Some(instead) = instead.filter(|text| !text.is_empty()) {
            if !line.ends_with(['.', '!', '?']) {
                line.push('.');
            }
            line.push_str(if failed { " Fix: " } else { " Instead: " });
            line.push_str(&instead);
        }
        if failed && is_placed {
            line.push_str(&format!(" (met in: {})", context.trim_end_matches('.')));
        }
        line
    }
}

/// Whether a warning tells of something that failed, and not of something that one might do.
fn tells_of_failure(what: &str) -> bool {
    ["` failed: ", "` fails: "].iter().any(|said| what.contains(said))
}

/// What stands around the memories.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The caller's own words, above the fence: a task to be done.
    pub above: Vec<(String, String)>,
    /// What mnemic says about the work, first inside the fence.
    pub head: Vec<(String, String)>,
}

/// A tier with what is shown of it.
pub(super) struct Section<'a> {
    pub(super) tier: &'a TierRule,
    /// Each with the line of its source, where the style has one.
    pub(super) pieces: Vec<(Option<String>, &'a str)>,
}

impl Section<'_> {
    /// The memories, each source once above those that follow each other.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut said: Option<&String> = None;
        for (source, piece) in &self.pieces {
            if let Some(source) = source.as_ref().filter(|source| said != Some(source)) {
                lines.push(source.clone());
            }
            said = source.as_ref();
            lines.push((*piece).to_owned());
        }
        lines
    }
}

/// One memory in its style.
pub(super) fn piece(style: Style, item: Item<'_>) -> String {
    match style {
        Style::Text => text::piece(item),
        Style::Terse => terse::piece(item),
        Style::Markdown => markdown::piece(item),
        Style::Json => json::piece(item),
        Style::Task => task::piece(item),
    }
}

/// What stands above a tier's first memory; nothing where the profile gives it no name.
pub(super) fn heading(style: Style, tier: &TierRule) -> String {
    match style {
        Style::Text | Style::Terse => text::heading(tier),
        Style::Markdown => markdown::heading(tier),
        Style::Json => json::heading(tier),
        Style::Task => task::heading(tier),
    }
}

/// The line above all that one source said, where a style tells sources once.
pub(super) fn source(style: Style, item: Item<'_>) -> Option<String> {
    (style == Style::Terse).then(|| terse::source(item)).flatten()
}

/// Whether a style lets an agent cite what is marked so.
pub(super) fn is_cited(style: Style, mark: Mark) -> bool {
    style != Style::Terse || mark != Mark::Reference
}

/// Everything, in its fence. `example` is what the footer cites, if anything can be cited.
pub(super) fn whole(
    style: Style,
    frame: &Frame,
    sections: &[Section<'_>],
    example: Option<&str>,
) -> String {
    let frame = &frame.quoted();
    if style == Style::Json {
        return json::whole(frame, sections, example);
    }
    let mut lines = labelled(style, &frame.head);
    for section in sections {
        lines.extend(Some(heading(style, section.tier)).filter(|heading| !heading.is_empty()));
        lines.extend(section.lines());
    }
    if let Some(example) = example {
        lines.push(match style {
            Style::Markdown => markdown::footer(example),
            _ => text::footer(example),
        });
    }
    let fenced = fence::enclosed(&lines.join("\n"));
    let mut above = labelled(style, &frame.above);
    above.push(fenced);
    above.join("\n")
}

fn labelled(style: Style, lines: &[(String, String)]) -> Vec<String> {
    let label = |(label, value): &(String, String)| match style {
        Style::Markdown => markdown::labelled(label, value),
        _ => text::labelled(label, value),
    };
    lines.iter().map(label).collect()
}

impl Frame {
    /// Frames hold what people and agents wrote, so they are quoted too.
    fn quoted(&self) -> Frame {
        let all = |lines: &[(String, String)]| {
            let pair =
                |(label, value): &(String, String)| (quoted(label, 40), quoted(value, 4_000));
            lines.iter().map(pair).filter(|(_, value)| !value.is_empty()).collect()
        };
        Frame { above: all(&self.above), head: all(&self.head) }
    }
}
