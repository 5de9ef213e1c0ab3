//! Whether a sentence says what is always or never to be done.

const FORBIDS_FIRST: &[&str] = &["never ", "do not ", "don't ", "avoid ", "no ", "stop "];
const FORBIDS: &[&str] = &[
    " must not ",
    " mustn't ",
    " may not ",
    " not allowed",
    " forbidden",
    " never ",
    " shall not ",
    " not to ",
];
const OBLIGES_FIRST: &[&str] = &["always ", "only ", "ask ", "make sure ", "use ", "please "];
const OBLIGES: &[&str] =
    &[" always ", " must ", " have to ", " has to ", " shall ", " from now on"];

/// `Never deploy on Fridays`, `passwords must not be logged`.
pub fn forbids(text: &str) -> bool {
    says(text, FORBIDS_FIRST, FORBIDS)
}

/// What somebody said that somebody must do, once, is no rule.
const OF_PERSONS: &[&str] = &[" said ", " says ", " wrote ", " he ", " she "];

/// The same, and `Always run the linter`, `all amounts must be in cents`.
pub fn binds(text: &str) -> bool {
    let low = format!(" {} ", text.to_lowercase());
    let tells = OF_PERSONS.iter().any(|word| low.contains(word));
    forbids(text) || says(text, OBLIGES_FIRST, if tells { &[] } else { OBLIGES })
}

/// What is told of the past, or guessed of it, binds nobody; nor does how a thing always or never is.
const TELLS: &[&str] = &[
    " must have ",
    " was never ",
    " were never ",
    " has never ",
    " have never ",
    " had never ",
    " never was ",
    " is always ",
    " are always ",
    " was always ",
    " were always ",
    " has always ",
    " have always ",
];

/// Who is obliged is told what to do: `is always to be reviewed`, `are always encrypted`.
fn only_tells(low: &str) -> bool {
    TELLS.iter().any(|words| {
        let Some((_, rest)) = low.split_once(words) else { return false };
        let next = rest.split_whitespace().next().unwrap_or_default();
        let is_done =
            next.len() > 3 && (next.ends_with("ed") || next == "written" || next == "kept");
        let is_present = words.starts_with(" is ") || words.starts_with(" are ");
        !(is_present && (is_done || next == "to"))
    })
}

fn says(text: &str, first: &[&str], anywhere: &[&str]) -> bool {
    // With a space before the first word, which is a word like any other.
    let low = format!(" {} ", text.trim().to_lowercase().replace('\u{2019}', "'"));
    let dismisses = low[1..].starts_with("never mind") || low[1..].starts_with("no longer");
    !(low.contains('?') || dismisses || only_tells(&low))
        && (first.iter().any(|words| low[1..].starts_with(words))
            || anywhere.iter().any(|words| low.contains(words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_from_what_is_so() {
        for (text, rule, forbidding) in [
            ("Never deploy on Fridays", true, true),
            ("Don\u{2019}t log passwords", true, true),
            ("All money amounts are stored as integer cents, never floats", true, true),
            ("Marketing asked us not to rename the SKU field", true, true),
            ("Ask Lena before changing anything in the tax module", true, false),
            ("Invoices must be kept for ten years", true, false),
            ("Use tabs in Go files", true, false),
            ("Priya said the billing export must be finished by the 5th", false, false),
            ("Ines runs the team; she has to approve every change", false, false),
            ("The billing service is written in Go", false, false),
            ("Why must I do this?", false, false),
            ("Peter must have been on vacation in July", false, false),
            ("The mobile app project was never started", false, false),
            ("Coffee is always free for guests", false, false),
            ("Releases are always signed by two people", true, false),
            ("never mind, MariaDB it is", false, false),
            ("I used to like tea", false, false),
        ] {
            assert_eq!((binds(text), forbids(text)), (rule, forbidding), "{text}");
        }
    }
}
