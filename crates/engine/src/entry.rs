//! What comes in passes here first: secrets out, doubts noted, before anything is derived from it.

use crate::{Engine, Result};
use mnemic_model::policy::Door;
use mnemic_model::{Author, Body, Content, Draft, RecordId, Trust, policy};
use mnemic_store::{Read, Screen};
use mnemic_text::injection::{Suspicion, suspicion};
use mnemic_text::secrets::Tally;

/// By what a text comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Somebody says it: whoever is named as its writer.
    Said,
    /// It lies in a file that anybody could have written, whoever it names.
    Found,
    /// A host tells of its own session as it goes: what the person says there are their words.
    Heard,
    /// A person brings the transcript of a session of theirs.
    Brought,
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
        match self.settings.door {
            Door::Hook => Way::Heard,
            _ if self.settings.actor.is_human() => Way::Brought,
            _ => Way::Found,
        }
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
        Way::Found | Way::Heard | Way::Brought => Author::Import,
    };
    if author == Author::Human || content.trust() == Trust::Quarantined {
        return content;
    }
    let doubt = match way {
        Way::Said | Way::Found => doubts_about(&content).score,
        Way::Heard | Way::Brought => doubt_about_session(&content, way),
    };
    content.provenance.trust = policy::doubted(content.trust(), author, doubt);
    content.without_authority()
}

/// Signals by which people speak to their own agents every day: `from now on always run the tests`.
const WISHES: &[&str] = &["address", "standing order"];

/// A person may tell their agent what to do, and is no intruder; what they paste may be one.
fn doubt_about_session(content: &Content, way: Way) -> f64 {
    let beyond_wishes =
        |doubt: Suspicion| match doubt.reasons.iter().all(|one| WISHES.contains(one)) {
            true => 0.0,
            false => doubt.score,
        };
    let Body::Episode(episode) = &content.body else {
        let doubt = doubts_about(content);
        let is_own = content.provenance.writer.is_human();
        return if is_own { beyond_wishes(doubt) } else { doubt.score };
    };
    let mut others = episode.clone();
    // Each by itself: harmless remarks of one session do not add up to an order.
    let mut own = vec![std::mem::take(&mut others.goal)];
    own.extend(others.messages.extract_if(.., |one| one.is_of_person()).map(|one| one.text));
    let body = Body::Episode(others);
    let others = Content { body, levels: Default::default(), ..content.clone() };
    let mut doubt = doubts_about(&others).score;
    if way == Way::Brought {
        doubt = own.iter().map(|text| beyond_wishes(suspicion(text))).fold(doubt, f64::max);
    }
    // What stood apart in the session stands together without the person's words between.
    doubt.min(doubts_about(content).score)
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
