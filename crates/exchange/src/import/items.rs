//! Values of JSON files one after the other, in the memory of one of them.

use super::arrival::Broken;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The most that one line may hold.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// Takes an item with its number, from 1.
pub(super) type Each<'a> = dyn FnMut(u64, Value) -> Result<(), Broken> + 'a;

/// A value a line; blank lines are passed over, and a broken one breaks the file.
pub(super) fn each_line(path: &Path, each: &mut Each<'_>) -> Result<(), Broken> {
    let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        let place = format!("line {number}");
        if read as u64 == LONGEST_LINE {
            return Err(Broken::at(&place, "is too long"));
        }
        let text = std::str::from_utf8(&line).map_err(|_| Broken::at(&place, "is not UTF-8"))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() {
            let value = serde_json::from_str(text)
                .map_err(|cause| Broken::at(&place, format!("is not JSON: {cause}")))?;
            each(number, value)?;
        }
    }
    Ok(())
}

/// The elements of the array that the file is, or of one under such a name at its top.
pub(super) fn each_element(path: &Path, names: &[&str], each: &mut Each<'_>) -> Result<(), Broken> {
    let input = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut reader = serde_json::Deserializer::from_reader(input);
    let stopped = RefCell::new(None);
    let mut number = 0;
    let top = Top { names, each, stopped: &stopped, number: &mut number };
    let done = reader.deserialize_any(top).and_then(|found| reader.end().map(|()| found));
    match (done, stopped.into_inner()) {
        (_, Some(broken)) => Err(broken),
        (Err(cause), None) => Err(Broken::new(format!("is not JSON as it should be: {cause}"))),
        (Ok(true), None) => Ok(()),
        (Ok(false), None) => {
            Err(Broken::new(format!("holds no list, nor one under `{}`", names.join("` or `"))))
        }
    }
}

/// A file that is one value.
pub(super) fn whole(path: &Path) -> Result<Value, Broken> {
    let text = super::text_of(path)?;
    serde_json::from_str(&text).map_err(|cause| Broken::new(format!("is not JSON: {cause}")))
}

/// The file's outermost value: answers whether it held a list.
struct Top<'a, 'e> {
    names: &'a [&'a str],
    each: &'a mut Each<'e>,
    stopped: &'a RefCell<Option<Broken>>,
    number: &'a mut u64,
}

impl<'de> Visitor<'de> for Top<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list, or an object with one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        while let Some(item) = items.next_element::<Value>()? {
            *self.number += 1;
            if let Err(broken) = (self.each)(*self.number, item) {
                *self.stopped.borrow_mut() = Some(broken);
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(true)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(name) = fields.next_key::<String>()? {
            if self.names.contains(&name.as_str()) {
                let inner = Top {
                    names: &[],
                    each: &mut *self.each,
                    stopped: self.stopped,
                    number: &mut *self.number,
                };
                found |= fields.next_value_seed(List(inner))?;
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// The list itself, where it must be one.
struct List<'a, 'e>(Top<'a, 'e>);

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<bool, D::Error> {
        from.deserialize_seq(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &str, names: &[&str]) -> Result<Vec<Value>, Broken> {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(text.as_bytes()).expect("it can be written");
        let mut found = Vec::new();
        each_element(file.path(), names, &mut |_, value| {
            found.push(value);
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn lists_are_found_at_the_top_or_by_name() {
        for text in ["[1, 2]", r#"{"x": {"y": []}, "results": [1, 2], "z": 3}"#] {
            assert_eq!(
                read(text, &["memories", "results"]),
                Ok(vec![1.into(), 2.into()]),
                "{text}"
            );
        }
        for text in ["{}", "7", r#"{"results": 7}"#, "[1, 2", "[1] x", ""] {
            assert!(read(text, &["results"]).is_err(), "{text}");
        }
    }
}
