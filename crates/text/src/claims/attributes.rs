//! Attributes that hold one value at a time, and the words by which statements speak of them.

use foldhash::HashMap;
use std::sync::OnceLock;

use super::reading::{Word, lemma};

/// What a value of an attribute looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number, with or without a unit.
    Number,
    Version,
    /// A path, a URL, a city: whatever tells where.
    Place,
    Date,
    /// One or a few words.
    Name,
}

/// Where the value stands, seen from the words that name the attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// `the port of X is 8080`, `8080 is the port of X`: a noun; the sentence decides.
    Noun,
    /// `X listens on 8080`
    After,
    /// `Ann owns X`
    Before,
}

/// The place in a sentence that names an attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cue {
    pub(crate) attribute: &'static str,
    pub(crate) kind: Kind,
    pub(crate) side: Side,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The verb, where its object stands between it and the cue: `deploy X from Y`.
    pub(crate) verb: Option<usize>,
}

use Kind::{Date, Name, Number, Place, Version};
use Side::{After, Before, Noun};

/// Attribute, what its values look like, where they stand, and its cues separated by `|`. With `*`
/// each noun is an attribute of its own. Words that tell one such attribute of a thing from another
/// (`request` timeout, `log` level) are left to the thing.
#[rustfmt::skip]
const ATTRIBUTES: &[(&str, Kind, Side, &str)] = &[
    ("port", Number, Noun, "port|port number|listening port"),
    ("port", Number, After, "listens on|listening on|listen on|binds to|bound to|bind to|exposed on|served on port|answers on|accepts connections on|reachable on|available on port|runs on port|running on port|starts on port|serves on|comes up on|listens at|answers at|reached on|reached at|serves ~ on|serve ~ on|expose ~ on|expose ~ at|reach ~ at|reach ~ on"),
    ("version", Version, Noun, "version|version number"),
    ("version", Version, After, "pinned to|pinned at|pins|upgraded to|upgrade to|downgraded to|bumped to|locked to|locked at|stays on version|runs version|is on version|tracks version|updated to|rolled back to|sits on|sits at|stuck on|stuck at|stays at"),
    ("owner", Name, Noun, "owner|code owner|maintainer|owning team|responsible person|responsible team|person responsible|contact person|point of contact|steward"),
    ("owner", Name, After, "owned by|maintained by|belongs to|looked after by|taken care of by|is the responsibility of|in the hands of|handled by|run by|managed by|assigned to|under the care of|in the care of|cared for by|overseen by|supervised by|stewarded by|handed to|handed over to|transferred to"),
    ("owner", Name, Before, "owns|maintains|own|maintain|is responsible for|is in charge of|looks after|takes care of|are responsible for|is accountable for|has ownership of|took over|takes over|took ownership of|manages|handles|oversees|supervises|stewards|has taken over|is the person behind|is answerable for|answers for|inherited|cares for"),
    ("lead", Name, Noun, "lead|leader"),
    ("lead", Name, After, "led by|headed by"),
    ("lead", Name, Before, "leads|heads"),
    ("reviewer", Name, Noun, "reviewer|code reviewer|approver"),
    ("reviewer", Name, After, "reviewed by|approved by"),
    ("on call", Name, Noun, "on-call engineer|on-call"),
    ("manager", Name, After, "reports to"),
    ("default branch", Name, Noun, "default branch|main branch|primary branch|base branch|mainline|mainline branch"),
    ("deploy branch", Name, Noun, "deploy branch|release branch|deployment branch|production branch"),
    ("deploy branch", Name, After, "deploy from|deploys from|deployed from|release from|releases from|released from|ship from|ships from|cut from|roll out from|deployments come from|releases come from|deploy ~ from|deploys ~ from|ship ~ from|release ~ from|deployed ~ from|go to production from|goes to production from|go live from|goes live from|made from|rolled out from|published from|publish ~ from|deploy ~ off|ship ~ off|roll out ~ from"),
    ("location", Place, Noun, "path|location|directory|folder|file path|whereabouts|place"),
    ("location", Place, After, "lives in|lives at|lives under|live in|live under|located in|located at|located under|stored in|stored at|stored under|resides in|resides at|reside in|kept in|kept under|found in|found at|found under|saved in|saved to|saved under|written to|placed in|sits in|sits under|put in|goes into|go into|checked in at|based in|hosted in|resides under|lives inside|defined in|declared in|situated in|logs to|writes to|store ~ in|stores ~ in|keep ~ in|keeps ~ in|put ~ in|put ~ under|keep ~ under|save ~ in|save ~ to|find ~ in|write ~ to|writes ~ to|loaded from|read from|loads ~ from|reads ~ from|takes ~ from|put ~ into|placed under|goes in|go in|save ~ under|settled in|settled down in"),
    ("location", Place, Before, "holds|contains|stores"),
    ("*", Name, Noun, "hostname|domain|region|username|codename|host|priority|severity|verbosity|schedule|timezone|charset|encoding|license|birthday|nickname|slug|brand"),
    ("host", Name, After, "hosted on|hosted by|hosted at|deployed to|deploys to|deployed on"),
    ("url", Place, Noun, "url|endpoint|address|homepage|website"),
    ("email", Name, Noun, "email|e-mail|email address"),
    ("deadline", Date, Noun, "deadline|due date|cut-off date|cutoff date|cutoff|cut-off|cut-off day|target date"),
    ("deadline", Date, After, "due on|due by|due|to be ready by|be ready by|be finished by|be done by|be delivered by|finish by|done by|be completed by|delivered by|wrapped up by|be complete by|be shipped by|be submitted by|be merged by|be out by|be live by|ship before|ready before|done before|finished before|be delivered before|expected by|needed by|wanted by|promised for|promised ~ for|hand in ~ by|handed in by|finish ~ by|deliver ~ by|ship ~ by|has until|have until"),
    ("date", Date, Noun, "date|day"),
    ("date", Date, After, "ships on|launches on|launch on|scheduled for|planned for|ends on|goes live on|takes place on|happens on|held on|finishes on|is on|starts on|begins on|set for|slated for|expires on|postponed to|moved to|pushed to|falls on|lands on"),
    ("timeout", Number, Noun, "timeout|time-out|time limit|timeout value"),
    ("timeout", Number, After, "times out after|time out after|timing out after|gives up after|give up after|timed out after|aborts after|abort after|cancelled after|waits at most|wait at most|waits up to|cancel ~ after|abort ~ after|fail after|fails after|cut off after|killed after|terminated after|interrupted after|dropped after|kills ~ after|terminates ~ after|stops ~ after|drops ~ after"),
    ("limit", Number, Noun, "limit|maximum|max|cap|quota|threshold|ceiling|upper bound|budget|allowance"),
    ("limit", Number, After, "limited to|capped at|at most|up to|no more than|not exceed|restricted to|must not exceed|may not exceed"),
    ("minimum", Number, Noun, "minimum|min|lower bound|floor"),
    ("minimum", Number, After, "at least|no fewer than|no less than"),
    ("size", Number, Noun, "size|capacity"),
    ("memory", Number, Noun, "memory|ram"),
    ("count", Number, Noun, "number|count|amount|total"),
    ("retries", Number, Noun, "retries|retry count|attempts|number of retries|number of attempts"),
    ("retries", Number, After, "retries|retried|retry"),
    ("interval", Number, Noun, "interval|period|frequency|cadence"),
    ("*", Number, Noun, "length|width|height|delay|latency|concurrency|parallelism|throughput|coverage|ratio|depth|offset|weight|score|speed"),
    ("interval", Number, After, "runs every|run every|executed every|polls every|every|refreshes every|refreshed every|rotated every|rotates every|runs each|run each|happens each"),
    ("retention", Number, Noun, "retention|retention period|ttl|lifetime|time to live|expiry|expiration"),
    ("retention", Number, After, "kept for|retained for|expires after|expire after|valid for|deleted after|purged after|stored for|live for|lives for|keep ~ for|keeps ~ for|retain ~ for|store ~ for|hold ~ for|delete ~ after|thrown away after|discarded after|removed after|erased after|cleaned up after|wiped after|held for|kept around for|stay for|stays for|retained"),
    ("rate", Number, Noun, "rate"),
    ("price", Number, Noun, "price|cost|fee|salary|rent"),
    ("price", Number, After, "costs|cost|priced at|charges"),
    ("age", Number, Noun, "age"),
    ("name", Name, Noun, "name"),
    ("name", Name, After, "is called|is named|called|named|goes by|known as|renamed to|are called|answers to"),
    ("language", Name, Noun, "language|programming language|implementation language"),
    ("language", Name, After, "written in|implemented in|coded in|programmed in|rewritten in|ported to|developed in|wrote ~ in|write ~ in|built ~ in|implement ~ in|rewrote ~ in"),
    ("framework", Name, Noun, "framework"),
    ("framework", Name, After, "built with|built on|built on top of|based on|powered by"),
    ("database", Name, Noun, "database|db|datastore|data store|database engine"),
    ("database", Name, After, "stores data in|stores its data in|persists to|persists data in|backed by|keeps its data in|stores everything in|saves its data in"),
    ("package manager", Name, Noun, "package manager|dependency manager"),
    ("editor", Name, Noun, "editor|ide|text editor"),
    ("theme", Name, Noun, "theme|color scheme|colour scheme"),
    ("operating system", Name, Noun, "operating system|os|distro|distribution"),
    ("test runner", Name, Noun, "test runner|test framework|testing framework|testing library"),
    ("linter", Name, Noun, "linter"),
    ("formatter", Name, Noun, "formatter|code formatter"),
    ("ci", Name, Noun, "ci|ci system|ci provider|build system|ci platform"),
    ("license", Name, After, "licensed under|released under|published under|distributed under|licensed as|licensed with|available under|covered by|governed by"),
    ("format", Name, Noun, "format"),
    ("format", Name, After, "encoded as|encoded in|serialised as|serialized as|formatted as|formatted with|stored as|exported as|logged as|rendered as"),
    ("level", Name, Noun, "level"),
    ("*", Name, Noun, "strategy|policy|branching model|approach|algorithm|method|mode|protocol|style|convention|scheme|workflow|time zone|provider|backend|driver|engine|role|title"),
    ("colour", Name, Noun, "color|colour"),
    ("colour", Name, After, "painted|colored|coloured"),
    ("employer", Name, Noun, "employer|company"),
    ("employer", Name, After, "works at|works for|employed by|employed at|joined|work at|work for|working at|working for|hired by|employee of|employed with|has a job at|has a job with|took a job at|signed on with"),
    ("location", Place, Noun, "city|home town|hometown|headquarters|place of residence|residence|home"),
    ("*", Name, Noun, "indentation|cache|queue|bundler|shell|orm|runtime|tracker|http client|merge strategy"),
    ("default", Name, After, "defaults to|default to|falls back to"),
    ("default", Name, Noun, "default|default value|fallback"),
    ("preference", Name, Noun, "preference|favorite|favourite|tool of choice"),
];

/// One cue of the table.
struct Phrase {
    attribute: &'static str,
    kind: Kind,
    side: Side,
    /// The words up to a gap, and those after it.
    words: Vec<&'static str>,
    rest: Option<&'static str>,
    /// Its place in the table.
    row: usize,
}

/// The cues by their first word: as it is written where it stands alone, else by its stem.
fn phrases() -> &'static HashMap<String, Vec<Phrase>> {
    static PHRASES: OnceLock<HashMap<String, Vec<Phrase>>> = OnceLock::new();
    PHRASES.get_or_init(|| {
        let mut table: HashMap<String, Vec<Phrase>> = HashMap::default();
        for (row, (attribute, kind, side, cues)) in ATTRIBUTES.iter().enumerate() {
            for cue in cues.split('|') {
                let attribute = if *attribute == "*" { cue } else { attribute };
                let (first, rest) = match cue.split_once(" ~ ") {
                    Some((first, rest)) => (first, Some(rest)),
                    None => (cue, None),
                };
                let words: Vec<&'static str> = first.split(' ').collect();
                let key =
                    if words.len() > 1 { lemma(words[0]).into_owned() } else { first.to_owned() };
                let phrase = Phrase { attribute, kind: *kind, side: *side, words, rest, row };
                table.entry(key).or_default().push(phrase);
            }
        }
        table
    })
}

/// Every place that names an attribute, the longest cue first; of two as long the earlier one.
pub(crate) fn cues(words: &[Word], taken: &[bool]) -> Vec<Cue> {
    let mut found: Vec<(usize, Cue)> = Vec::new();
    for start in 0..words.len() {
        let word = &words[start];
        let stem = (word.stem != word.text).then_some(&word.stem);
        for key in std::iter::once(&word.text).chain(stem) {
            let here = phrases().get(key.as_str()).into_iter().flatten();
            found.extend(
                here.filter_map(|phrase| Some((phrase.row, cue_at(phrase, words, taken, start)?))),
            );
        }
    }
    // `works for` says more than `for`; a verb more than the noun that it may also be.
    // `the branch is called main` is about the branch.
    found.sort_by_key(|(row, cue)| {
        let named = cue.attribute == "name";
        (named, std::cmp::Reverse(cue.end - cue.start), cue.side == Noun, cue.start, *row)
    });
    found.into_iter().map(|(_, cue)| cue).collect()
}

/// The most words that may stand between a verb and its cue.
const BETWEEN: usize = 7;

fn cue_at(phrase: &Phrase, words: &[Word], taken: &[bool], start: usize) -> Option<Cue> {
    let after = start + phrase.words.len();
    let here = words.get(start..after)?;
    // A verb of several words may stand in any form; `ports` is not `port`, though: more than one
    // value is no contradiction.
    let first = phrase.words.len() > 1 || words[start].is(phrase.words[0]);
    let fits =
        first && here[1..].iter().zip(&phrase.words[1..]).all(|(word, wanted)| word.is(wanted));
    if !fits || taken[start..after].contains(&true) {
        return None;
    }
    let cue = |verb, start, end| Cue {
        attribute: phrase.attribute,
        kind: phrase.kind,
        side: phrase.side,
        start,
        end,
        verb,
    };
    let Some(rest) = phrase.rest else { return Some(cue(None, start, after)) };
    let near = (after + 1..words.len().min(after + BETWEEN + 1))
        .find(|at| words[*at].is(rest) && !taken[*at])?;
    Some(cue(Some(start), near, near + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::reading::read;

    #[test]
    fn the_longest_cue_comes_first() {
        for (text, attribute) in [
            ("The API listens on port 8080", "port"),
            ("Ann owns billing", "owner"),
            ("the default branch is main", "default branch"),
            ("it times out after 30 s", "timeout"),
            ("the log level is debug", "level"),
        ] {
            let words = read(text);
            let taken = vec![false; words.len()];
            assert_eq!(cues(&words, &taken)[0].attribute, attribute, "{text}");
        }
    }
}
