//! What no row may hold: every text passes here on its way into the file.

use crate::{Error, Result};
use mnemic_model::body::Fields;
use mnemic_model::{Body, Content, Draft};
use mnemic_text::secrets::{Detector, Tally, masked};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Replaces secrets by placeholders and counts what it replaced.
#[derive(Debug, Default)]
pub struct Screen {
    detector: Arc<Detector>,
    met: Mutex<Tally>,
    /// What was replaced, for a search that proves it gone; most screens forget it at once.
    pieces: Option<Mutex<BTreeSet<String>>>,
}

impl Screen {
    pub fn new(detector: Detector) -> Screen {
        Screen { detector: Arc::new(detector), met: Mutex::default(), pieces: None }
    }

    /// The same with a count of its own, for whoever must tell what one request lost.
    pub fn apart(&self) -> Screen {
        Screen { detector: self.detector.clone(), met: Mutex::default(), pieces: None }
    }

    /// One that also remembers what it replaced.
    pub fn collecting(detector: Detector) -> Screen {
        Screen { pieces: Some(Mutex::default()), ..Screen::new(detector) }
    }

    /// What was replaced, as it would lie in a file. Shorter pieces would be found in any file.
    pub fn pieces(&self) -> Vec<Vec<u8>> {
        const SHORTEST: usize = 6;
        const MOST: usize = 2_000;
        let Some(pieces) = &self.pieces else { return Vec::new() };
        let mut found = BTreeSet::new();
        for piece in &*pieces.lock().unwrap_or_else(PoisonError::into_inner) {
            // In a row, text is JSON.
            let quoted = Value::String(piece.clone()).to_string();
            found.insert(quoted[1..quoted.len() - 1].to_owned());
            found.insert(piece.clone());
        }
        let long = found.into_iter().filter(|piece| piece.len() >= SHORTEST);
        long.take(MOST).map(String::into_bytes).collect()
    }

    /// Notes what is about to be replaced in a text of which something is.
    fn note(&self, text: &str) {
        let Some(pieces) = &self.pieces else { return };
        let spans = self.detector.find(text);
        let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
        match spans.is_empty() {
            // The name of a value told it; all of it goes.
            true => pieces.extend([text.to_owned()]),
            false => pieces.extend(spans.iter().map(|span| text[span.start..span.end].to_owned())),
        }
    }

    pub fn detector(&self) -> &Detector {
        &self.detector
    }

    /// What was replaced since this was asked last.
    pub fn take_tally(&self) -> Tally {
        std::mem::take(&mut *self.met.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds what was replaced elsewhere to what was replaced here.
    pub fn count(&self, tally: Tally) {
        if tally.is_empty() {
            return;
        }
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        for (rule, n) in tally {
            *met.entry(rule).or_default() += n;
        }
    }

    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.detector.is_idle() {
            return Cow::Borrowed(text);
        }
        let mut tally = Tally::new();
        let safe = self.detector.mask(text, &mut tally);
        if !tally.is_empty() {
            self.note(text);
        }
        self.count(tally);
        safe
    }

    /// A name, or a list of them: what has the shape of a key goes, the word `secret` says nothing.
    pub fn name<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut tally = Tally::new();
        let safe = masked(text, &self.detector.find_shaped(text), &mut tally);
        self.count(tally);
        safe
    }

    pub fn maybe(&self, text: &Option<String>) -> Option<String> {
        text.as_ref().map(|text| self.text(text).into_owned())
    }

    /// A text that is perhaps JSON: its strings one by one, so that it still reads back.
    pub fn packed(&self, text: &str) -> String {
        match serde_json::from_str::<Value>(text) {
            Ok(mut value) if value.is_object() || value.is_array() => {
                match self.clean(&mut value, "") {
                    true => value.to_string(),
                    false => text.to_owned(),
                }
            }
            _ => self.text(text).into_owned(),
        }
    }

    /// A name cannot be replaced by a placeholder that others would share.
    pub fn refuse(&self, name: &str) -> Result<()> {
        match self.detector.find_shaped(name).into_iter().next() {
            None => Ok(()),
            Some(span) => Err(Error::Secret(format!("a name holds a secret ({})", span.rule))),
        }
    }

    pub fn content<'c>(&self, content: &'c Content) -> Result<Cow<'c, Content>> {
        if self.detector.is_idle() {
            return Ok(Cow::Borrowed(content));
        }
        let body = self.body(&content.body)?;
        let mut safe = content.clone();
        let levels = &mut safe.levels;
        for text in [
            &mut levels.summary,
            &mut levels.compressed,
            &mut levels.index,
            &mut safe.category,
            &mut safe.provenance.source,
            &mut safe.confirmed_by,
        ] {
            *text = self.maybe(text);
        }
        safe.tags = self.tags(&content.tags);
        safe.provenance.writer.name = self.text(&content.provenance.writer.name).into_owned();
        self.extra(&mut safe.extra);
        if let Some(body) = body {
            safe.body = body;
        }
        Ok(if safe == *content { Cow::Borrowed(content) } else { Cow::Owned(safe) })
    }

    /// The same for what somebody hands in: nothing that is derived from it sees the secret.
    pub fn draft(&self, mut draft: Draft) -> Result<Draft> {
        if self.detector.is_idle() {
            return Ok(draft);
        }
        if let Some(body) = self.body(&draft.body)? {
            draft.body = body;
        }
        let about = &mut draft.about;
        for text in [
            &mut about.summary,
            &mut about.compressed,
            &mut about.index,
            &mut about.category,
            &mut about.source,
            &mut about.confirmed_by,
            &mut about.idempotency_key,
        ] {
            *text = self.maybe(text);
        }
        about.tags = self.tags(&about.tags);
        self.extra(&mut about.extra);
        Ok(draft)
    }

    /// The body without its secrets, where it has any.
    pub fn body(&self, body: &Body) -> Result<Option<Body>> {
        let kind = body.kind();
        let mut fields = body.to_fields();
        let changed = match body {
            Body::Fact(fact) => {
                // A fact's name and value are two fields of what is one assignment.
                let name = fact.key.clone();
                let value = fields.get_mut("value").map(|value| self.clean(value, &name));
                self.clean_all(&mut fields, &["value"]) | value.unwrap_or(false)
            }
            // What the vault sealed is no text any more.
            Body::Secret(_) => self.clean_all(&mut fields, &["sealed", "name"]),
            _ => self.clean_all(&mut fields, &[]),
        };
        if !changed {
            return Ok(None);
        }
        match Body::from_fields(kind, fields) {
            Ok(body) => Ok(Some(body)),
            Err(_) => Err(Error::Secret(format!("a field of this {kind} holds a secret"))),
        }
    }

    fn extra(&self, extra: &mut Fields) {
        self.clean_all(extra, &[]);
    }

    fn tags(&self, tags: &BTreeSet<String>) -> BTreeSet<String> {
        tags.iter().map(|tag| self.text(tag).into_owned()).collect()
    }

    fn clean_all(&self, fields: &mut Fields, but: &[&str]) -> bool {
        let mut changed = false;
        for (name, value) in fields.iter_mut() {
            if !but.contains(&name.as_str()) {
                changed |= self.clean(value, name);
            }
        }
        changed | self.clean_names(fields)
    }

    /// Names are free text in some maps; most of the time there is nothing to do.
    fn clean_names(&self, fields: &mut Fields) -> bool {
        if fields.keys().all(|name| self.detector.find(name).is_empty()) {
            return false;
        }
        let old = std::mem::take(fields);
        fields.extend(old.into_iter().map(|(name, value)| (self.text(&name).into_owned(), value)));
        true
    }

    /// Cleans every string inside; whether one was changed. `name` is what the value goes by.
    fn clean(&self, value: &mut Value, name: &str) -> bool {
        match value {
            Value::String(text) => {
                let mut tally = Tally::new();
                let safe = match self.detector.mask_named(name, text, &mut tally) {
                    Cow::Borrowed(_) => return false,
                    Cow::Owned(safe) => safe,
                };
                self.note(text);
                *text = safe;
                self.count(tally);
                true
            }
            Value::Array(items) => {
                items.iter_mut().fold(false, |changed, item| self.clean(item, name) | changed)
            }
            Value::Object(fields) => self.clean_all(fields, &[]),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn draft(value: Value) -> Draft {
        let Value::Object(fields) = value else { panic!("an object") };
        Draft::from_fields(fields).unwrap()
    }

    /// Made here, so that no key lies in this file.
    fn key() -> String {
        format!("ghp_{}", "a1B2c3D4e5F6".repeat(3))
    }

    #[test]
    fn every_field_of_a_draft_is_cleaned() {
        let key = key();
        let screen = Screen::default();
        let draft = draft(json!({
            "kind": "skill", "name": "deploy", "trigger": format!("use {key}"),
            "steps": [format!("export X={key}")],
            "tags": [key.clone()], "category": key, "summary": key, "source": key,
            "idempotency_key": key, "extra": {"a": [{ "b": key }], (key.clone()): 1},
        }));
        let safe = screen.draft(draft).unwrap();
        let text = format!("{safe:?}");
        assert!(!text.contains(&key), "{text}");
        assert!(screen.take_tally().values().sum::<u64>() >= 8);
        assert!(screen.take_tally().is_empty(), "counted once");
    }

    #[test]
    fn a_facts_key_tells_what_its_value_is() {
        let screen = Screen::default();
        let told = draft(json!({"kind": "fact", "key": "db.password", "value": "swordfish"}));
        let Body::Fact(fact) = screen.draft(told).unwrap().body else { panic!("a fact") };
        assert_eq!(
            (fact.key.as_str(), fact.value.as_str()),
            ("db.password", "[redacted:password]")
        );
    }

    #[test]
    fn what_the_vault_sealed_stays() {
        let screen = Screen::default();
        let sealed = "token=".to_owned() + &key();
        let told = draft(json!({"kind": "secret", "name": "gh", "sealed": sealed}));
        let Body::Secret(secret) = screen.draft(told).unwrap().body else { panic!("a secret") };
        assert_eq!(secret.sealed, sealed);
    }

    #[test]
    fn packed_text_reads_back() {
        let key = key();
        let text = json!({"goal": format!("try \"{key}\"")}).to_string();
        let safe: Value = serde_json::from_str(&Screen::default().packed(&text)).unwrap();
        assert_eq!(safe["goal"], "try \"[redacted:github-token]\"");
    }
}
