//! Numbers on the command line, each with an example of what would do.

use std::fmt::Display;
use std::str::FromStr;

/// For `value_parser` of a whole number: `whole::<usize>("20")`, with a number that somebody might
/// want. That is no number to the compiler: the type must be the field's, and is not to be guessed.
pub(crate) fn whole<T: FromStr>(
    example: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text: &str| {
        let text = text.trim();
        text.parse().map_err(|_| {
            match text.chars().all(|c| c.is_ascii_digit()) && !text.is_empty() {
                true => format!("that is too much; use a smaller number, such as {example}"),
                false => format!("use a whole number, such as {example}"),
            }
        })
    }
}

/// The same between two bounds.
pub(crate) fn within<T>(
    least: T,
    most: T,
    example: T,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + Display + PartialOrd + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        let found = text.trim().parse().ok().filter(|found| *found >= least && *found <= most);
        found.ok_or_else(|| format!("use a number from {least} to {most}, such as {example}"))
    }
}

/// The same for a number of anything that may have a fraction, from `least` to `most`.
pub(crate) fn number(
    least: f64,
    most: f64,
    example: &'static str,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync {
    move |text: &str| {
        let found = text
            .trim()
            .parse()
            .ok()
            .filter(|found: &f64| found.is_finite() && (least..=most).contains(found));
        found.ok_or_else(|| match most.is_finite() {
            true => format!("use a number from {least} to {most}, such as {example}"),
            false => format!("use a number from {least} up, such as {example}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::Root;
    use clap::{Arg, ArgAction, Command, CommandFactory, Parser};

    #[test]
    fn numbers_say_what_would_do() {
        let limit = whole::<u32>("20");
        assert_eq!(limit(" 7 "), Ok(7));
        for text in ["many", "-1", "1.5", "", "7k"] {
            assert_eq!(limit(text).unwrap_err(), "use a whole number, such as 20", "{text}");
        }
        assert!(limit("99999999999").unwrap_err().contains("too much"));
        let days = within(1_u32, 100, 90);
        assert_eq!(days("100"), Ok(100));
        assert_eq!(days("101").unwrap_err(), "use a number from 1 to 100, such as 90");
        let share = number(0.0, 1.0, "0.4");
        assert_eq!(share("0.5"), Ok(0.5));
        for text in ["2", "-1", "NaN", "inf", "half"] {
            assert_eq!(share(text).unwrap_err(), "use a number from 0 to 1, such as 0.4", "{text}");
        }
    }

    /// What the parsers of Rust say, which helps nobody.
    const BARE: &[&str] = &["invalid digit", "invalid float", "empty string", "is not in "];

    /// The words that come before a value of this flag.
    fn before(arg: &Arg) -> Vec<String> {
        arg.get_long().map(|long| format!("--{long}")).into_iter().collect()
    }

    fn every_flag(command: &Command, path: &[String], refused: &mut Vec<String>) {
        let takes_value =
            |arg: &&Arg| matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
        for arg in command.get_arguments().filter(takes_value) {
            let words = [path, &before(arg), &["many".to_owned()]].concat();
            let Err(error) = Root::command().try_get_matches_from(&words) else { continue };
            let told = error.to_string();
            if told.contains("use a whole number") {
                // A parser of another type than the field's would not survive this.
                let fine = [path, &before(arg), &["7".to_owned()]].concat();
                let _ = Root::try_parse_from(&fine);
            }
            if BARE.iter().any(|bare| told.contains(bare)) {
                refused.push(format!("{words:?}: {told}"));
            }
        }
        for next in command.get_subcommands() {
            every_flag(next, &[path, &[next.get_name().to_owned()]].concat(), refused);
        }
    }

    #[test]
    fn no_flag_answers_with_the_bare_words_of_a_parser() {
        let mut refused = Vec::new();
        every_flag(&Root::command(), &["mnemic".to_owned()], &mut refused);
        assert!(refused.is_empty(), "{}", refused.join("\n"));
    }
}
