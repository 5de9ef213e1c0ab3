//! Reads the values of flags into the nouns of the model, with an error that says what would do.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use mnemic_engine::model::{Actor, Invalid, Namespace, RecordId, Unit};
use std::ffi::OsStr;

/// One of the named values of an enum of the model; dashes count as underscores.
#[derive(Clone)]
pub(crate) struct Choice<T: 'static> {
    all: &'static [T],
    name: fn(T) -> &'static str,
    other: fn(T) -> &'static str,
}

/// For `value_parser`: `choice(Tier::ALL, Tier::as_str)`.
pub(crate) fn choice<T>(all: &'static [T], name: fn(T) -> &'static str) -> Choice<T> {
    Choice { all, name, other: name }
}

impl<T> Choice<T> {
    /// The same, also by another name that people may know from elsewhere.
    pub(crate) fn or(self, other: fn(T) -> &'static str) -> Choice<T> {
        Choice { other, ..self }
    }
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for Choice<T> {
    type Value = T;

    fn parse_ref(
        &self,
        cmd: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let text = value.to_string_lossy();
        let wanted = text.trim().to_ascii_lowercase().replace('-', "_");
        let is_meant = |value: &&T| {
            [self.name, self.other].iter().any(|name| name(**value).replace('-', "_") == wanted)
        };
        if let Some(found) = self.all.iter().find(is_meant) {
            return Ok(*found);
        }
        let names = self.all.iter().map(|value| (self.name)(*value).to_owned()).collect();
        let mut refused = clap::Error::new(ErrorKind::InvalidValue).with_cmd(cmd);
        if let Some(arg) = arg {
            let name = ContextValue::String(arg.to_string());
            refused.insert(ContextKind::InvalidArg, name);
        }
        refused.insert(ContextKind::InvalidValue, ContextValue::String(text.into_owned()));
        refused.insert(ContextKind::ValidValue, ContextValue::Strings(names));
        Err(refused)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.all.iter().map(|value| PossibleValue::new((self.name)(*value)))))
    }
}

pub(crate) fn unit(text: &str) -> Result<Unit, String> {
    let number: f64 =
        text.trim().parse().map_err(|_| "use a number from 0 to 1, such as 0.7".to_owned())?;
    Unit::new(number).map_err(said)
}

pub(crate) fn actor(text: &str) -> Result<Actor, String> {
    Actor::parse(text).map_err(said)
}

pub(crate) fn id(text: &str) -> Result<RecordId, String> {
    RecordId::parse(text).map_err(said)
}

pub(crate) fn namespace(text: &str) -> Result<Namespace, String> {
    Namespace::parse(text).map_err(said)
}

/// `NAME=VALUE`; the value may hold further equals signs.
pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("write it as NAME=VALUE".to_owned()),
    }
}

fn said(invalid: Invalid) -> String {
    format!("{}; {}", invalid.problem, invalid.hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_engine::model::Kind;

    #[test]
    fn choices_take_dashes_and_name_what_would_do() {
        let (command, arg) = (clap::Command::new("x"), clap::Arg::new("kind"));
        let kinds = choice(Kind::ALL, Kind::as_str);
        let parse = |text: &str| kinds.parse_ref(&command, Some(&arg), OsStr::new(text));
        assert_eq!(parse("anti-pattern").unwrap(), Kind::AntiPattern);
        assert!(parse("fax").unwrap_err().to_string().contains("decision"));
    }

    #[test]
    fn pairs_split_at_the_first_equals_sign() {
        assert_eq!(pair("a=b=c").unwrap(), ("a".into(), "b=c".into()));
        assert!(pair("a").is_err() && pair("=b").is_err());
    }
}
