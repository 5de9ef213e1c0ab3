//! The values that a sentence gives: times, numbers with what they count, identifiers, names. One
//! statement takes the place of another where it gives a value of the same sort.

use mnemic_text::dates::MONTHS;

/// What kind of value a word is. Only like is replaced by like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sort {
    /// `09:30`
    Clock,
    /// `2026-05-19`
    Date,
    Month,
    Weekday,
    /// `84 days` is a number of days; of what a number stands for without a word nobody knows.
    Number(String),
    /// `eu-west-1`, `release_gateway`, `db.port`
    Identifier,
    /// `on-call`, `deploy-gateway`: a name or only two words in one.
    Hyphened,
    /// `Dagster`, in the middle of a sentence.
    Name,
}

impl Sort {
    /// Tells when or how much, and not which.
    pub(super) fn is_measure(&self) -> bool {
        !matches!(self, Sort::Identifier | Sort::Hyphened | Sort::Name)
    }

    /// The same but for what is counted.
    pub(super) fn is_kin(&self, other: &Sort) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) sort: Sort,
    pub(super) word: String,
    /// Whether it says where, when or by what: `runs on X`, `is kept for X`.
    pub(super) is_placed: bool,
    /// `a Rocket` is one of many things, and nobody's name.
    pub(super) is_one_of_many: bool,
}

#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "fifteen", "twenty", "thirty", "forty", "fifty", "hundred",
];

const WEEKDAYS: &[&str] =
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

#[rustfmt::skip]
const PLACING: &[&str] = &[
    "to", "on", "in", "into", "by", "with", "through", "at", "from", "under", "over", "via", "of",
    "for", "as", "onto", "using",
];

/// Between what places a value and the value.
const PASSED_OVER: &[&str] = &["a", "an", "the", "our", "new", "own"];

/// Shorter words before a full stop are abbreviations: `Dr. Weber` is no new sentence.
const ABBREVIATED: usize = 3;

/// Words without what stands around them.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(trimmed).filter(|word| !word.is_empty())
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '%')
}

pub(super) fn values(text: &str) -> Vec<Value> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    let mut begins = true;
    let mut is_placed = false;
    let mut is_one_of_many = false;
    for (at, raw) in words.iter().enumerate() {
        let word = trimmed(raw);
        if word.is_empty() {
            continue;
        }
        let low = word.to_lowercase();
        let next = words.get(at + 1).map_or("", |next| trimmed(next));
        if let Some(sort) = sort_of(word, &low, next, begins) {
            found.push(Value { sort, word: low.clone(), is_placed, is_one_of_many });
        }
        is_placed = PLACING.contains(&low.as_str())
            || (is_placed && (PASSED_OVER.contains(&low.as_str()) || low.contains('-')));
        is_one_of_many = matches!(low.as_str(), "a" | "an");
        let is_end = raw.ends_with('.') && word.chars().count() > ABBREVIATED;
        begins = is_end || raw.ends_with(['!', '?', ':']);
    }
    found
}

/// What a word is by itself, if it is a value; what begins a sentence is no name for that.
pub(super) fn sort_alone(word: &str) -> Option<Sort> {
    sort_of(word, &word.to_lowercase(), "", false)
}

fn sort_of(word: &str, low: &str, next: &str, begins: bool) -> Option<Sort> {
    let all = |is: fn(char) -> bool| word.chars().all(is);
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let is_upper = word.chars().count() > 1 && word.starts_with(char::is_uppercase);
    let parts: Vec<&str> = word.split('-').filter(|part| !part.is_empty()).collect();
    Some(match () {
        () if digits >= 3 && word.contains(':') && all(|c| c.is_ascii_digit() || c == ':') => {
            Sort::Clock
        }
        () if digits == 8 && parts.len() == 3 && all(|c| c.is_ascii_digit() || c == '-') => {
            Sort::Date
        }
        () if digits > 0 && all(|c| c.is_ascii_digit() || ".,%".contains(c)) => {
            Sort::Number(if word.ends_with('%') { "%".to_owned() } else { counted(next) })
        }
        () if NUMBERS.contains(&low) => Sort::Number(counted(next)),
        () if is_upper && MONTHS.iter().any(|month| month.eq_ignore_ascii_case(low)) => Sort::Month,
        () if WEEKDAYS.contains(&low.trim_end_matches('s')) => Sort::Weekday,
        () if digits > 0 || low.contains('_') || has_inner_stop(low) || parts.len() > 2 => {
            Sort::Identifier
        }
        () if parts.len() == 2 => Sort::Hyphened,
        () if is_upper && (!begins || all(char::is_uppercase)) => Sort::Name,
        () => return None,
    })
}

/// What a number counts: of `requests per minute` the requests, one or many.
fn counted(next: &str) -> String {
    let low = next.to_lowercase();
    match NOTHING_COUNTED.contains(&low.as_str()) {
        true => String::new(),
        false => low.trim_end_matches('s').to_owned(),
    }
}

/// Behind a number these tell nothing of what it is.
#[rustfmt::skip]
const NOTHING_COUNTED: &[&str] = &[
    "and", "or", "when", "with", "in", "on", "at", "to", "inside", "the", "a", "of", "for", "because", "only", "since", "but", "by", "per",
    "after", "before", "above", "below", "under", "over", "up", "down", "than", "more", "less", "into", "from", "as", "if", "where", "is", "was", "now", "again", "so", "that", "which", "while",
];

fn has_inner_stop(low: &str) -> bool {
    low.split('.').filter(|part| part.len() > 1).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let tell = |value: Value| {
            let placed = if value.is_placed { "placed " } else { "" };
            format!("{placed}{:?} {}", value.sort, value.word)
        };
        values(text).into_iter().map(tell).collect()
    }

    #[test]
    fn values_of_every_sort() {
        for (text, expected) in [
            ("It runs at 02:00 on Mondays.", &["placed Clock 02:00", "placed Weekday mondays"][..]),
            ("Logs are kept for 30 days", &["placed Number(\"day\") 30"]),
            ("It needs only one approval", &["Number(\"approval\") one"]),
            ("Pages go through PagerDuty", &["placed Name pagerduty"]),
            (
                "Billing moved to a self-hosted Unleash",
                &["placed Hyphened self-hosted", "placed Name unleash"],
            ),
            ("We see Dr. Weber in May", &["Name dr", "Name weber", "placed Month may"]),
            (
                "The port is 5432 and the region eu-west-1",
                &["Number(\"\") 5432", "Identifier eu-west-1"],
            ),
            ("Alice may write", &[]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
