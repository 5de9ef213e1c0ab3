//! What a store keeps of sessions, their traces and the topics of its memories.

use crate::Result;
use mnemic_model::session::{Economics, Injection, Session, SessionEvent, SessionId, Thing};
use mnemic_model::topic::{Topic, TopicRule};
use mnemic_model::{Namespace, RecordId, Timestamp, Version};

/// Sessions, and what was shown in them.
pub trait ReadSessions {
    fn session(&self, id: &SessionId) -> Result<Option<Session>>;

    /// The latest sessions, newest first.
    fn sessions(&self, limit: usize) -> Result<Vec<Session>>;

    /// What happened in a session, in its order.
    fn session_events(&self, id: &SessionId) -> Result<Vec<SessionEvent>>;

    /// Memories of this store that a session was shown, in the order of showing.
    fn shown_in(&self, id: &SessionId) -> Result<Vec<Injection>>;

    /// What a session paid and saved; zeros where nothing was counted.
    fn economics(&self, id: &SessionId) -> Result<Economics>;
}

/// What sessions touched. Every answer is bounded: a busy thing has a long past.
pub trait ReadTraces {
    /// The last sessions that touched a thing, the latest first, each once.
    fn sessions_with(&self, thing: &Thing, limit: usize) -> Result<Vec<(SessionId, Timestamp)>>;

    /// The sessions that touched anything last, the latest first, each once.
    fn last_traced(&self, limit: usize) -> Result<Vec<(SessionId, Timestamp)>>;

    /// What a session touched, in its order, at most `limit`.
    fn things_of(&self, id: &SessionId, limit: usize) -> Result<Vec<(Thing, Timestamp)>>;

    /// When a thing was touched last, the latest first.
    fn uses_of(&self, thing: &Thing, limit: usize) -> Result<Vec<Timestamp>>;

    /// The things of a kind that were touched last, the latest first, each once.
    fn recent_things(
        &self,
        kind: mnemic_model::session::ThingKind,
        limit: usize,
    ) -> Result<Vec<(Thing, Timestamp)>>;
}

/// Which memories of a topic come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TopicOrder {
    Weightiest,
    Latest,
}

/// The headings that memories are filed under.
pub trait ReadTopics {
    /// The topics of these namespaces (all where none is named), the largest first. Reads counters
    /// alone, however many memories there are.
    fn topics(&self, namespaces: &[Namespace]) -> Result<Vec<Topic>>;

    /// The topic that a memory is filed under now.
    fn topic_of(&self, id: &RecordId) -> Result<Option<Topic>>;

    /// The first `limit` memories of a topic.
    fn filed_under(
        &self,
        namespace: &Namespace,
        name: &str,
        order: TopicOrder,
        limit: usize,
    ) -> Result<Vec<Version>>;

    /// The parts that the memories of a topic would split into, with their numbers.
    fn parts_of_topic(&self, namespace: &Namespace, name: &str) -> Result<Vec<(String, u64)>>;

    fn topic_rules(&self) -> Result<Vec<TopicRule>>;
}

/// Writing what sessions do. None of it changes what the store believes.
pub trait WriteSessions {
    /// Adds a session, or writes it anew.
    fn put_session(&mut self, session: &Session) -> Result<()>;

    fn note_event(&mut self, id: &SessionId, event: &SessionEvent) -> Result<()>;

    /// Notes that a memory of this store was put before an agent; nothing where it is gone.
    fn note_shown(&mut self, injection: &Injection) -> Result<()>;

    /// Writes what came of everything that a session was shown: `cited` of these, and how it went.
    fn settle_shown(
        &mut self,
        id: &SessionId,
        cited: &[RecordId],
        outcome: Option<mnemic_model::body::Outcome>,
    ) -> Result<()>;

    fn put_economics(&mut self, id: &SessionId, economics: &Economics) -> Result<()>;

    /// Notes that a session touched something.
    fn note_trace(&mut self, id: &SessionId, thing: &Thing, at: Timestamp) -> Result<()>;

    /// Sets a rule and files every memory anew that it concerns.
    fn set_topic_rule(&mut self, rule: &TopicRule) -> Result<()>;

    /// Takes the rules of one act back for a topic; `false` when there were none.
    fn drop_topic_rule(
        &mut self,
        namespace: &Namespace,
        name: &str,
        act: mnemic_model::topic::TopicAct,
    ) -> Result<bool>;
}
