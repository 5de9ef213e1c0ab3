//! The configuration files: where they lie, reading one, and changing one value in place.

use super::{Key, environment};
use crate::report;
use mnemic_engine::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

const FILE: &str = "config.toml";

/// The project's file, beside its store.
pub(crate) fn project(store_dir: &Path) -> PathBuf {
    store_dir.join(FILE)
}

/// The person's file; none without a home.
pub(crate) fn user() -> Option<PathBuf> {
    let config = environment::path(environment::XDG_CONFIG_HOME).filter(|path| path.is_absolute());
    let config = config.or_else(|| {
        let home = environment::path(environment::HOME).filter(|path| path.is_absolute())?;
        Some(home.join(".config"))
    })?;
    Some(config.join("mnemic").join(FILE))
}

/// The values of a file, in its order; an absent file has none.
pub(crate) fn read(path: &Path) -> Result<Vec<(Key, String)>> {
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text, path),
        Err(cause) if is_absent(&cause) => Ok(Vec::new()),
        Err(cause) => Err(report::file("read", path.display(), cause)),
    }
}

fn is_absent(cause: &std::io::Error) -> bool {
    matches!(cause.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

pub(super) fn parse(text: &str, path: &Path) -> Result<Vec<(Key, String)>> {
    let document: toml::Table = text.parse().map_err(|cause: toml::de::Error| {
        let start = cause.span().map_or(0, |span| span.start.min(text.len()));
        broken(path, line_at(text, start), cause.message())
    })?;
    let mut values = Vec::new();
    flatten("", &document, &mut |name, value| {
        let at = || line_of(text, name);
        let key = Key::ALL.iter().copied().find(|key| key.as_str() == name);
        let key = key.ok_or_else(|| broken(path, at(), &format!("`{name}` is not a setting")))?;
        let value = match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // The usual actor has a variable in it and is checked when that is filled in.
        if key != Key::Actor {
            key.check(&value).map_err(|wrong| broken(path, at(), &wrong.to_string()))?;
        }
        values.push((key, value));
        Ok(())
    })?;
    Ok(values)
}

fn flatten(
    above: &str,
    table: &toml::Table,
    visit: &mut impl FnMut(&str, &toml::Value) -> Result<()>,
) -> Result<()> {
    for (name, value) in table {
        let name = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        match value {
            toml::Value::Table(inner) => flatten(&name, inner, visit)?,
            value => visit(&name, value)?,
        }
    }
    Ok(())
}

fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The line on which a key seems to stand: the last part of its name begins the line.
fn line_of(text: &str, name: &str) -> usize {
    let last = name.rsplit('.').next().unwrap_or(name);
    let found = text.lines().position(|line| line.trim_start().starts_with(last));
    found.map_or(1, |index| index + 1)
}

fn broken(path: &Path, line: usize, why: &str) -> Error {
    let names: Vec<&str> = Key::ALL.iter().map(|key| key.as_str()).collect();
    Error::new(ErrorKind::Invalid, format!("line {line} of `{}` is wrong", path.display()))
        .because(why.to_owned())
        .hint(format!("correct that line; the settings are {}", names.join(", ")))
}

/// Writes one value and leaves every other line, comments included, as it is.
pub(crate) fn set(path: &Path, key: Key, value: &str) -> Result<()> {
    key.check(value)?;
    read(path)?;
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(cause) if is_absent(&cause) => String::new(),
        Err(cause) => return Err(report::file("read", path.display(), cause)),
    };
    let mut document: toml_edit::DocumentMut =
        text.parse().map_err(|cause: toml_edit::TomlError| broken(path, 1, cause.message()))?;
    let item = match value.parse::<i64>() {
        Ok(number) if key.is_number() => toml_edit::value(number),
        _ => toml_edit::value(value),
    };
    match key.as_str().split_once('.') {
        Some((table, name)) => {
            document.entry(table).or_insert(toml_edit::table())[name] = item;
        }
        None => document[key.as_str()] = item,
    }
    let failed = |cause| report::file("write", path.display(), cause);
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).map_err(failed)?;
    }
    // Written beside and renamed, so that a crash leaves the old file or the new one.
    let beside = path.with_extension(format!("toml.{}", std::process::id()));
    std::fs::write(&beside, document.to_string()).map_err(failed)?;
    std::fs::rename(&beside, path).map_err(failed)
}
