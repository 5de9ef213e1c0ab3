//! What comes in passes here first: secrets out, doubts noted, before anything is derived from it.

use crate::{Engine, Result};
use mnemic_model::policy::Door;
use mnemic_model::{Author, Body, Content, Draft, RecordId, Trust, policy};
use mnemic_store::{Read, Screen};
use mnemic_text::injection::{Suspicion, suspicion};
use mnemic_text::secrets::Tally;
use std::borrow::Cow;

/// By what a text comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Somebody says it: whoever is named as its writer.
    Said,
    /// It lies in a file that anybody could have written, whoever it names.
    Found,
    /// A host tells of its own session as it goes: what the person says there are their words.
    Heard,
}

/// What the gate did to something that came in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Screened {
    /// What was replaced by placeholders, by rule.
    pub replaced: Tally,
    pub is_quarantined: bool,
    /// What made it look like an order to an agent, if it is quarantined.
    pub doubts: Vec<&'static str>,
}

impl Screened {
    pub(crate) fn of(content: &Content, replaced: Tally) -> Screened {
        let is_quarantined = content.trust() == Trust::Quarantined;
        let doubts = if is_quarantined { doubts_about(content).reasons } else { Vec::new() };
        Screened { replaced, is_quarantined, doubts }
    }
}

impl Engine {
    /// What was replaced by placeholders since this was asked last, by rule.
    pub fn take_replaced(&self) -> Tally {
        self.settings.screen.take_tally()
    }

    /// A draft without secrets. What is derived from it, such as vectors, never sees them.
    pub(crate) fn cleaned(&self, draft: Draft) -> Result<(Draft, Tally)> {
        self.screened(|screen| screen.draft(draft))
    }

    /// Lets something pass the screen. Others may use it at the same time, so that what was replaced
    /// here is counted apart, and with all the rest.
    fn screened<T>(
        &self,
        pass: impl FnOnce(&Screen) -> mnemic_store::Result<T>,
    ) -> Result<(T, Tally)> {
        let own = self.settings.screen.apart();
        let passed = pass(&own)?;
        let replaced = own.take_tally();
        self.settings.screen.count(replaced.clone());
        Ok((passed, replaced))
    }

    /// A content without secrets.
    pub(crate) fn clean_content(&self, content: &Content) -> Result<(Content, Tally)> {
        self.screened(|screen| Ok(screen.content(content)?.into_owned()))
    }

    /// How transcripts come in: a host's own as they are written, any other as a file.
    pub(crate) fn hears(&self) -> Way {
        if self.settings.door == Door::Hook { Way::Heard } else { Way::Found }
    }

    /// What a file says about trust holds for a person's own words, which they take in themselves.
    pub(crate) fn vouched(&self, mut content: Content) -> Content {
        let actor = &self.settings.actor;
        let is_own = actor.is_human() && content.provenance.writer == *actor;
        if !is_own && content.trust() == Trust::Trusted {
            content.provenance.trust = Trust::Unreviewed;
        }
        content.without_authority()
    }

    /// A content as it may be kept: without secrets, and set apart when it talks to agents.
    pub(crate) fn admitted(&self, content: Content, way: Way) -> Result<Content> {
        let (content, _) = self.clean_content(&content)?;
        Ok(doubting(content, way))
    }
}

/// Sets a content apart when it talks to agents.
pub(crate) fn doubting(mut content: Content, way: Way) -> Content {
    let author = match way {
        Way::Said => content.provenance.writer.author,
        Way::Found | Way::Heard => Author::Import,
    };
    if author == Author::Human || content.trust() == Trust::Quarantined {
        return content;
    }
    let doubt = match way {
        Way::Heard => doubts_about(&without_own_words(&content)),
        Way::Said | Way::Found => doubts_about(&content),
    };
    content.provenance.trust = policy::doubted(content.trust(), author, doubt.score);
    content.without_authority()
}

/// An episode as others made it: a person may tell their agent what to do, and is no intruder.
fn without_own_words(content: &Content) -> Cow<'_, Content> {
    let Body::Episode(episode) = &content.body else { return Cow::Borrowed(content) };
    let mut episode = episode.clone();
    episode.goal.clear();
    episode.messages.retain(|message| !message.is_of_person());
    let body = Body::Episode(episode);
    Cow::Owned(Content { body, levels: Default::default(), ..content.clone() })
}

/// What was made from others is trusted no more than the least trusted of them.
pub(crate) fn inheriting(
    read: &dyn Read,
    mut content: Content,
    sources: &[&RecordId],
) -> Result<Content> {
    for id in sources {
        let Some(source) = read.version(id, None)? else { continue };
        let trusts = [content.trust(), source.content.trust()];
        content.provenance.trust = policy::inherited_trust(trusts);
    }
    Ok(content.without_authority())
}

/// Whether a text by itself would be set apart.
pub(crate) fn gives_orders(text: &str) -> bool {
    let doubt = suspicion(text).score;
    policy::doubted(Trust::Unreviewed, Author::Import, doubt) == Trust::Quarantined
}

/// What makes a memory look like an order to an agent.
pub fn doubts_about(content: &Content) -> Suspicion {
    if content.kind() == mnemic_model::Kind::Secret {
        return Suspicion::default();
    }
    let levels = &content.levels;
    let about = [&levels.summary, &levels.compressed, &levels.index, &content.category];
    let mut text = content.body.full_text();
    for part in about.into_iter().flatten().chain(&content.tags).chain(&content.provenance.source) {
        text.push('\n');
        text.push_str(part);
    }
    suspicion(&text)
}
