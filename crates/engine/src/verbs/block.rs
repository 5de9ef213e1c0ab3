//! Blocks: small texts that an agent keeps in its context and edits itself.

use crate::{Edited, Engine, Error, ErrorKind, Listed, Note, Remembered, Result, counted};
use mnemic_model::body::{Block, Body};
use mnemic_model::{At, Draft, Filter, Kind, Patch, ScopeLevel, Verb};
use serde_json::json;

/// An edited block and how full it is, in characters.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockEdited {
    pub edited: Edited,
    pub used: usize,
    pub limit: usize,
}

impl Engine {
    pub fn blocks(&self, at: At) -> Result<Vec<Listed>> {
        let filter = Filter { kinds: vec![Kind::Block], ..Filter::new(at) };
        Ok(self.list(&filter)?.items)
    }

    /// The block with this label: the project's before the person's.
    pub fn block(&self, label: &str, at: At) -> Result<Listed> {
        let blocks = self.blocks(at)?;
        let labels: Vec<String> =
            blocks.iter().map(|block| block.version.content.body.title().to_owned()).collect();
        blocks.into_iter().find(|block| block.version.content.body.title() == label).ok_or_else(
            || {
                let hint = match labels.as_slice() {
                    [] => format!("make it with `mnemic block new {label} TEXT`"),
                    labels => format!("there are: {}", labels.join(", ")),
                };
                Error::new(ErrorKind::NotFound, format!("there is no block `{label}`")).hint(hint)
            },
        )
    }

    pub fn block_create(
        &self,
        label: &str,
        text: &str,
        limit: Option<usize>,
        level: Option<ScopeLevel>,
        note: &Note,
    ) -> Result<BlockEdited> {
        let mut draft = Draft::new(Body::Block(Block {
            label: label.to_owned(),
            text: text.to_owned(),
            limit: limit.unwrap_or(Block::USUAL_LIMIT),
        }));
        draft.about.scope = level;
        let made = self.remember(draft, note)?;
        let shown = self.show(made.id.as_str(), At::LATEST)?;
        let warnings = super::edit::warnings(&shown.version);
        let change = shown.version.change.clone();
        let Remembered { store, screened, .. } = made;
        full(Edited { store, version: shown.version, change, warnings, screened })
    }

    /// Replaces text that occurs exactly once.
    pub fn block_replace(
        &self,
        label: &str,
        old: &str,
        new: &str,
        note: &Note,
    ) -> Result<BlockEdited> {
        self.edit_block(label, note, |block| match block.text.matches(old).count() {
            _ if old.is_empty() => {
                Err(Error::new(ErrorKind::Invalid, "there is nothing to replace")
                    .hint("name the text to replace, or add with `mnemic block insert`"))
            }
            1 => Ok(block.text.replacen(old, new, 1)),
            0 => Err(Error::new(ErrorKind::Stale, format!("`{old}` is not in block `{label}`"))
                .hint(format!("read it with `mnemic block show {label}`"))),
            times => Err(Error::new(
                ErrorKind::Conflict,
                format!("`{old}` occurs {times} times in block `{label}`"),
            )
            .hint("name more of the text around it")),
        })
    }

    /// Inserts lines after line `line` (0 is the top), or at the end.
    pub fn block_insert(
        &self,
        label: &str,
        text: &str,
        line: Option<usize>,
        note: &Note,
    ) -> Result<BlockEdited> {
        self.edit_block(label, note, |block| {
            let mut lines: Vec<&str> = block.text.lines().collect();
            let at = line.unwrap_or(lines.len());
            if at > lines.len() {
                return Err(Error::new(
                    ErrorKind::Invalid,
                    format!(
                        "block `{label}` has {}, there is no line {at}",
                        counted(lines.len() as u64, "line", "lines")
                    ),
                )
                .hint("0 inserts at the top; without a number it goes to the end"));
            }
            lines.insert(at, text);
            Ok(lines.join("\n"))
        })
    }

    /// Writes the block anew.
    pub fn block_rethink(&self, label: &str, text: &str, note: &Note) -> Result<BlockEdited> {
        self.edit_block(label, note, |_| Ok(text.to_owned()))
    }

    pub fn block_limit(&self, label: &str, limit: usize, note: &Note) -> Result<BlockEdited> {
        let block = self.block(label, At::LATEST)?;
        let mut patch = Patch::default();
        patch.body.insert("limit".into(), json!(limit));
        full(self.patch(block.version.id.as_str(), &patch, Verb::Block, note)?)
    }

    fn edit_block(
        &self,
        label: &str,
        note: &Note,
        change: impl FnOnce(&Block) -> Result<String>,
    ) -> Result<BlockEdited> {
        let (store, id) = {
            let found = self.block(label, At::LATEST)?;
            (found.store, found.version.id)
        };
        // Read again inside the transaction: two agents may edit at once, and neither is lost.
        let mut tx = self.store(store)?.write()?;
        let Body::Block(block) = super::edit::believed(tx.as_ref(), &id)?.content.body else {
            return Err(Error::new(ErrorKind::Internal, format!("`{id}` is not a block")));
        };
        let mut patch = Patch::default();
        patch.body.insert("text".into(), json!(change(&block)?));
        let edited = self.patch_in(tx.as_mut(), store, &id, &patch, Verb::Block, note)?;
        tx.commit()?;
        self.tend(self.store(store)?);
        full(edited)
    }
}

fn full(edited: Edited) -> Result<BlockEdited> {
    match &edited.version.content.body {
        Body::Block(block) => Ok(BlockEdited { used: block.length(), limit: block.limit, edited }),
        _ => Err(Error::new(ErrorKind::Internal, "an edited block is not a block")),
    }
}
