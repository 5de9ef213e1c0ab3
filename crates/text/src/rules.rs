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

fn says(text: &str, first: &[&str], anywhere: &[&str]) -> bool {
    // With a space before the first word, which is a word like any other.
    let low = format!(" {} ", text.trim().to_lowercase().replace('\u{2019}', "'"));
    let dismisses = low[1..].starts_with("never mind") || low[1..].starts_with("no longer");
    !(low.contains('?') || dismisses)
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
            ("never mind, MariaDB it is", false, false),
            ("I used to like tea", false, false),
        ] {
            assert_eq!((binds(text), forbids(text)), (rule, forbidding), "{text}");
        }
    }
}
