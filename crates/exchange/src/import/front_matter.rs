//! Markdown with fields as YAML between `---` lines, also where people wrote almost YAML.

use super::arrival::Broken;
use mnemic_model::body::Fields;
use serde_json::Value;

const FENCE: &str = "---";

/// The fields and the text below them; no fields where there is no front matter.
pub(super) fn split(document: &str) -> Result<(Fields, &str), Broken> {
    let Some((front, text)) = parts(document)? else { return Ok((Fields::new(), document)) };
    Ok((fields(front)?, text))
}

fn parts(document: &str) -> Result<Option<(&str, &str)>, Broken> {
    let Some((first, after)) = document.split_once('\n') else { return Ok(None) };
    if first.trim_end() != FENCE {
        return Ok(None);
    }
    let mut begin = 0;
    for line in after.split_inclusive('\n') {
        let end = begin + line.len();
        if line.trim_end() == FENCE {
            let text = after[end..].trim_start_matches(['\r', '\n']);
            return Ok(Some((&after[..begin], text)));
        }
        // A line across the page, and no front matter at all.
        if begin == 0 && line.trim().is_empty() {
            return Ok(None);
        }
        begin = end;
    }
    Err(Broken::new("its front matter has no end"))
}

fn fields(front: &str) -> Result<Fields, Broken> {
    if front.trim().is_empty() {
        return Ok(Fields::new());
    }
    // Only `true` and `false` are truths: people tag notes with `y` and `no`.
    let options = serde_saphyr::options! { strict_booleans: true };
    match serde_saphyr::from_str_with_options::<Value>(front, options) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(Value::Null) => Ok(Fields::new()),
        Ok(_) => Err(Broken::new("its front matter is no list of fields")),
        // A colon in a description is the usual reason.
        Err(cause) => loose(front).ok_or_else(|| {
            let cause = cause.to_string();
            let first = cause.lines().next().unwrap_or_default();
            Broken::new(format!("its front matter is not YAML: {first}"))
        }),
    }
}

/// `name: anything` a line, and lists of plain lines below a name.
fn loose(front: &str) -> Option<Fields> {
    let mut fields = Fields::new();
    let mut last: Option<String> = None;
    for line in front.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        if let Some(item) = line.trim_start().strip_prefix("- ") {
            match fields.get_mut(last.as_deref()?)? {
                Value::Array(items) => items.push(unquoted(item).into()),
                empty if empty.as_str() == Some("") => *empty = vec![unquoted(item)].into(),
                _ => return None,
            }
            continue;
        }
        let (name, value) = line.split_once(':')?;
        let is_name = |c: char| c.is_alphanumeric() || "_-".contains(c);
        if name.is_empty() || !name.chars().all(is_name) || value.contains(['{', '[', '|', '&']) {
            return None;
        }
        fields.insert(name.to_owned(), unquoted(value).into());
        last = Some(name.to_owned());
    }
    Some(fields)
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = ['"', '\''].iter().find_map(|q| text.strip_prefix(*q)?.strip_suffix(*q));
    inner.unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_and_text_are_told_apart() {
        for (document, fields, text) in [
            (
                "---\ntitle: A\ntags: [x, y]\n---\n\nBody\n",
                json!({"title":"A","tags":["x","y"]}),
                "Body\n",
            ),
            ("No front matter\n---\n", json!({}), "No front matter\n---\n"),
            ("---\n\nA line across\n", json!({}), "---\n\nA line across\n"),
            ("---\n---\nBody", json!({}), "Body"),
            (
                "---\nname: x\ndescription: Use when: asked\ntools:\n- \"a: b\"\n---\nBody",
                json!({"name":"x","description":"Use when: asked","tools":["a: b"]}),
                "Body",
            ),
        ] {
            let (found, rest) = split(document).expect(document);
            assert_eq!((Value::Object(found), rest), (fields, text), "{document}");
        }
    }

    #[test]
    fn what_is_broken_is_said() {
        for (document, word) in [
            ("---\ntitle: A\n", "no end"),
            ("---\ntitle: [\n---\n", "YAML"),
            ("---\n- a\n---\n", "no list of fields"),
        ] {
            assert!(split(document).unwrap_err().0.contains(word), "{document}");
        }
    }
}
