//! Editing in `$EDITOR`: the memory as Markdown with front matter, and the change that was made.

use super::apply;
use crate::invocation::Invocation;
use crate::report::{self, Done};
use crate::settings::environment;
use crate::source::{read_front_matter, write_front_matter};
use mnemic_engine::model::body::Fields;
use mnemic_engine::model::draft::{ABOUT_FIELDS, About};
use mnemic_engine::model::{At, Content, Kind, Patch};
use mnemic_engine::{Engine, Error, Note, Result};
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a new version cannot change, and so does not stand in the file.
const FIXED: &[&str] = &["writer", "source", "episodes", "confirmed_by"];

pub(super) fn edit(engine: &Engine, id: &str, note: &Note, call: &Invocation) -> Done {
    let version = engine.show(id, At::LATEST)?.version;
    if version.kind() == Kind::Secret {
        let hint = "put a new value in with `mnemic vault put NAME`";
        return Err(report::invalid("a secret cannot be opened in an editor", hint).into());
    }
    let before = editable(&version.content);
    let heading = format!("{}, version {}\nSave to change it.", version.id, version.n);
    let document = write_front_matter(before.clone(), &heading)?;
    let path = lay_out(&document)?;
    open_editor(&path)?;
    // From here on the person's work is in the file: it stays until the change is stored.
    let kept = |error: Error| {
        let hint = error.hint.clone().unwrap_or_else(|| "try again".into());
        error.hint(format!("{hint}; your text is kept in {}", path.display()))
    };
    let after = std::fs::read_to_string(&path)
        .map_err(|cause| report::file("read", path.display(), cause))?;
    let after = read_front_matter(&after).map_err(kept)?;
    if after == before {
        call.out.note("nothing was changed");
        return remove(&path);
    }
    let patch = difference(&before, &after).map_err(kept)?;
    match apply(engine, version.id.as_str(), &patch, note, call) {
        Err(report::Failure::Error(error)) => Err(kept(error).into()),
        Err(other) => Err(other),
        Ok(()) => remove(&path),
    }
}

fn editable(content: &Content) -> Fields {
    let mut fields = content.to_fields();
    fields.retain(|name, _| !FIXED.contains(&name.as_str()));
    fields
}

/// A file that only its owner reads, with a name that nobody else can have taken.
fn lay_out(document: &str) -> Result<PathBuf> {
    let dir = std::env::temp_dir();
    for n in 0..100 {
        let path = dir.join(format!("mnemic-edit-{}-{n}.md", std::process::id()));
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let mut file = match file {
            Err(cause) if cause.kind() == std::io::ErrorKind::AlreadyExists => continue,
            file => file.map_err(|cause| report::file("write", path.display(), cause))?,
        };
        file.write_all(document.as_bytes())
            .map_err(|cause| report::file("write", path.display(), cause))?;
        return Ok(path);
    }
    Err(report::invalid(
        format!("`{}` is full of files of earlier edits", dir.display()),
        "look at mnemic-edit-*.md there, and remove what is not needed",
    ))
}

fn remove(path: &Path) -> Done {
    std::fs::remove_file(path).map_err(|cause| report::file("remove", path.display(), cause).into())
}

fn open_editor(path: &Path) -> Result<()> {
    let editor = [environment::VISUAL, environment::EDITOR].into_iter().find_map(environment::text);
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    // Through the shell, as everywhere else: `code --wait` and quoted paths work.
    let status = Command::new("/bin/sh")
        .args(["-c", &format!("{editor} \"$1\""), "mnemic"])
        .arg(path)
        .status()
        .map_err(|cause| report::file("run", &editor, cause))?;
    if status.success() {
        return Ok(());
    }
    Err(report::invalid(
        format!("the editor `{editor}` ended with {status}; nothing was changed"),
        format!("set VISUAL or EDITOR; the text is in {}", path.display()),
    ))
}

/// The smallest change that leads from one to the other.
fn difference(before: &Fields, after: &Fields) -> Result<Patch> {
    let mut patch = Patch::default();
    let removed = before.keys().filter(|name| !after.contains_key(*name));
    let changed: Vec<&String> =
        after.keys().filter(|name| before.get(*name) != after.get(*name)).chain(removed).collect();
    let about: About = about_of(after)?;
    let old: About = about_of(before)?;
    for name in changed {
        match name.as_str() {
            "summary" => patch.summary = Some(about.summary.clone()),
            "compressed" => patch.compressed = Some(about.compressed.clone()),
            "index" => patch.index = Some(about.index.clone()),
            "category" => patch.category = Some(about.category.clone()),
            "invalid_at" => patch.invalid_at = Some(about.invalid_at),
            "extra" => patch.extra = Some(about.extra.clone()),
            "pinned" => patch.pinned = Some(about.pinned),
            "tags" => {
                patch.add_tags = about.tags.difference(&old.tags).cloned().collect();
                patch.remove_tags = old.tags.difference(&about.tags).cloned().collect();
            }
            // What cannot be absent stays as it was when its line is removed.
            "tier" => patch.tier = about.tier,
            "importance" => patch.importance = about.importance,
            "confidence" => patch.confidence = about.confidence,
            "valid_at" => patch.valid_at = about.valid_at,
            "trust" => patch.trust = about.trust,
            "scope" => patch.scope = about.scope,
            "namespace" => patch.namespace = about.namespace.clone(),
            "visibility" => patch.visibility = about.visibility,
            fixed if fixed == "kind" || ABOUT_FIELDS.contains(&fixed) => {
                let hint = "remember a new memory instead, and link it with `supersedes`";
                return Err(report::invalid(format!("`{fixed}` cannot be changed"), hint));
            }
            own => {
                patch.body.insert(own.to_owned(), after.get(own).cloned().unwrap_or(Value::Null));
            }
        }
    }
    Ok(patch)
}

fn about_of(fields: &Fields) -> Result<About> {
    let mut about = fields.clone();
    about.retain(|name, _| ABOUT_FIELDS.contains(&name.as_str()));
    serde_json::from_value(Value::Object(about)).map_err(|cause| {
        report::invalid("a field has a value that it cannot have", "correct it and try again")
            .because(cause)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(json: &str) -> Fields {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn only_what_differs_is_changed() {
        let before = fields(
            r#"{"kind":"decision","decision":"a","rationale":"r","tier":"reference","tags":["x","y"]}"#,
        );
        let after = fields(
            r#"{"kind":"decision","decision":"b","tier":"reference","tags":["y","z"],"importance":0.7}"#,
        );
        let patch = difference(&before, &after).unwrap();
        assert_eq!(patch.body, fields(r#"{"decision":"b","rationale":null}"#));
        assert_eq!((patch.add_tags, patch.remove_tags), (vec!["z".into()], vec!["x".into()]));
        assert!(patch.importance.is_some() && patch.tier.is_none());
        assert!(difference(&before, &before).unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_changed_is_refused() {
        let before = fields(r#"{"kind":"fact","key":"a","value":"b"}"#);
        for json in [
            r#"{"kind":"block","key":"a","value":"b"}"#,
            r#"{"kind":"fact","key":"a","value":"b","writer":"human:eve"}"#,
            r#"{"kind":"fact","key":"a","value":"b","importance":7}"#,
        ] {
            assert!(difference(&before, &fields(json)).is_err(), "{json}");
        }
    }
}
