//! The command line as a whole: what `mnemic --help` shows.

use crate::args::Global;
use crate::commands;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

/// A memory for AI agents: keeps what they learned, knows since when, loses nothing
#[derive(Debug, clap::Parser)]
#[command(
    name = "mnemic",
    version,
    styles = STYLES,
    after_help = "\
Examples:
  mnemic init
  mnemic remember fact db.port 5432
  mnemic recall which port does the database use
  mnemic list
  mnemic show fact-8f3k

Exit codes:
  0 done  1 doctor found something bad  2 wrong input  3 not found  4 no store
  5 conflict  6 forgotten  7 denied  8 read-only  9 disk full  10 busy
  11 damaged  12 store of a newer mnemic  13 input or output  70 our mistake"
)]
pub(crate) struct Root {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: commands::Command,
}

impl Root {
    /// Reads the arguments that this process was called with.
    pub(crate) fn read() -> Result<Root, clap::Error> {
        let words = kind_first(std::env::args_os().collect());
        let matches = taking_numbers(Root::command()).try_get_matches_from(words)?;
        Root::from_arg_matches(&matches)
    }
}

/// `remember -q decision …`: flags that every verb takes go before the verb, so that the kind stands
/// first behind it, as it must where a verb takes a sentence as well as a kind.
fn kind_first(mut words: Vec<OsString>) -> Vec<OsString> {
    let verb = behind_flags(&words, 1);
    if words.get(verb).is_some_and(|word| word == "remember") {
        let end = behind_flags(&words, verb + 1);
        words[verb..end].rotate_left(1);
    }
    words
}

/// The place of the first word from `start` on that is no flag of every verb.
fn behind_flags(words: &[OsString], start: usize) -> usize {
    let mut place = start;
    while let Some(word) = words.get(place).and_then(|word| word.to_str()) {
        let (name, has_value) =
            word.split_once('=').map_or((word, false), |(name, _)| (name, true));
        place += match name {
            "-q" | "--quiet" | "--json" => 1,
            "--dir" | "--actor" | "--namespace" => 2 - usize::from(has_value),
            _ => break,
        };
    }
    place.min(words.len())
}

/// `-5` is a value where one is expected: that it will not do is for the argument to say, in words
/// that tell what would.
fn taking_numbers(command: Command) -> Command {
    let taking = |arg: Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(taking).mut_subcommands(taking_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        taking_numbers(Root::command()).debug_assert();
    }

    #[test]
    fn flags_of_every_verb_may_stand_before_a_kind() {
        for (line, expected) in [
            ("mnemic remember -q decision x", "mnemic -q remember decision x"),
            ("mnemic remember --dir d --json fact a b", "mnemic --dir d --json remember fact a b"),
            ("mnemic --json remember --dir=d x", "mnemic --json --dir=d remember x"),
            ("mnemic remember fact a b -q", "mnemic remember fact a b -q"),
            ("mnemic remember --tag x fact", "mnemic remember --tag x fact"),
            ("mnemic remember --dir", "mnemic --dir remember"),
            ("mnemic recall remember -q", "mnemic recall remember -q"),
        ] {
            let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
            assert_eq!(kind_first(words(line)), words(expected), "{line}");
        }
    }

    #[test]
    fn negative_numbers_are_values() {
        let read = |line: &[&str]| taking_numbers(Root::command()).try_get_matches_from(line);
        let wrong = read(&["mnemic", "recall", "port", "-n", "-5"]).unwrap_err().to_string();
        assert!(wrong.contains("use a number from 1 to 1000"), "{wrong}");
        assert!(read(&["mnemic", "recall", "how", "cold", "is", "-5"]).is_ok());
    }

    #[test]
    fn every_verb_shows_an_example() {
        fn check(command: &clap::Command, path: &str) {
            let path = format!("{path} {}", command.get_name());
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "`{path} --help` shows no example");
            command.get_subcommands().for_each(|below| check(below, &path));
        }
        check(&Root::command(), "");
    }
}
