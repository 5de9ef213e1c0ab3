//! Sessions and what they cost.

use super::bounds::{brief, few, named, up_to};
use super::names::{
    DueName, Id, KindName, LevelName, OutcomeName, QualityName, SessionEventName, ThingName, Time,
};
use mnemic_engine::model::session::{self, Injection};
use mnemic_engine::recall::economics::{self, TARGET_RATIO, TARGET_SAVINGS};
use mnemic_engine::{MemoryReturn, SessionView, Spending};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a session begins.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionStart {
    /// The host's own name for it; otherwise one is made.
    #[serde(default)]
    pub id: Option<Id>,
    #[serde(default, deserialize_with = "brief::<_, 200>")]
    #[schema(max_length = 200)]
    pub host: Option<String>,
    #[serde(default, deserialize_with = "brief::<_, 200>")]
    #[schema(max_length = 200)]
    pub agent: Option<String>,
    /// Tokens that the window holds.
    #[serde(default, deserialize_with = "up_to::<_, 1000000000>")]
    #[schema(minimum = 0, maximum = 1000000000)]
    pub window: Option<u32>,
    /// The first message: what the session is about. It is not kept.
    #[serde(default, deserialize_with = "brief::<_, 20000>")]
    #[schema(max_length = 20000)]
    pub about: Option<String>,
}

/// Something that happened in a session.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionSignal {
    pub event: SessionEventName,
    /// Tokens in the window, or whatever there is to count.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1000000000)]
    pub amount: f64,
    /// What was said, to compare with; it is not kept.
    #[serde(default, deserialize_with = "brief::<_, 20000>")]
    #[schema(max_length = 20000)]
    pub text: Option<String>,
    /// What was touched; this is kept, by name.
    #[serde(default)]
    pub touched: Option<Touched>,
    /// Be told on every prompt.
    #[serde(default)]
    pub on_every_prompt: bool,
}

/// Something that was touched.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Touched {
    pub kind: ThingName,
    #[serde(deserialize_with = "named::<_, 4000>")]
    #[schema(min_length = 1, max_length = 4000)]
    pub name: String,
}

/// How a session ends.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionEnd {
    #[serde(default)]
    pub outcome: Option<OutcomeName>,
    /// Memories that were applied.
    #[serde(default, deserialize_with = "few::<_, Id, 1000>")]
    #[schema(max_items = 1000)]
    pub cited: Vec<Id>,
    /// What the agent wrote, with its citations; it is not kept.
    #[serde(default, deserialize_with = "brief::<_, 1000000>")]
    #[schema(max_length = 1000000)]
    pub text: Option<String>,
}

/// One conversation of an agent.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Session {
    pub id: String,
    pub host: Option<String>,
    pub agent: Option<String>,
    pub started_at: Time,
    pub ended_at: Option<Time>,
    pub window: Option<u64>,
    pub filled: u64,
    pub quality: Option<QualityName>,
    pub outcome: Option<OutcomeName>,
}

/// The latest sessions, newest first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionList {
    pub items: Vec<Session>,
}

/// A session with all that is kept of it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SessionInFull {
    #[serde(flatten)]
    pub session: Session,
    pub events: Vec<SessionEvent>,
    pub shown: Vec<ShownMemory>,
    pub economics: Economics,
}

/// One happening.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionEvent {
    pub at: Time,
    pub event: SessionEventName,
    pub amount: f64,
}

/// One memory that was put before an agent.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownMemory {
    pub id: Id,
    pub at: Time,
    pub level: LevelName,
    pub tier: String,
    pub tokens: u64,
    pub cited: bool,
    pub outcome: Option<OutcomeName>,
}

/// What follows from something that happened.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Noted {
    /// Why memories should be put before the agent now.
    pub due: Option<DueName>,
    /// What went out with a compaction.
    pub again: Vec<Id>,
    /// What memory knows of an error, the best first.
    pub known: Vec<KnownAnswer>,
    pub warning: Option<String>,
    pub findings: Vec<Finding>,
}

/// A memory that speaks of an error, to be opened by its id.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownAnswer {
    pub id: Id,
    pub kind: KindName,
    pub text: String,
}

/// What a session comes to.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionEnded {
    pub id: String,
    pub shown: u64,
    pub cited: u64,
    pub economics: Economics,
    pub findings: Vec<Finding>,
    pub waiting: Vec<String>,
}

/// What should be done about the price of memory.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    pub action: String,
    pub priority: u8,
    pub because: String,
}

/// What a session paid for its memories, and what it saved, in tokens.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Economics {
    pub discovery_tokens: u64,
    pub timeline_tokens: u64,
    pub read_tokens: u64,
    pub index_loads: u64,
    pub timeline_loads: u64,
    pub full_loads: u64,
    pub all_tokens: u64,
    pub ratio: Option<f64>,
    pub saved_tokens: i64,
    pub savings: Option<f64>,
    pub doubted: bool,
}

/// The price of memory over some sessions.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EconomicsReport {
    /// Newest first.
    pub sessions: Vec<PricedSession>,
    pub total: Economics,
    pub targets: Targets,
    /// Sessions in which memory was found not to pay.
    pub doubts: u64,
    /// Those that earned most first.
    pub returns: Vec<Return>,
}

/// A session and its price.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PricedSession {
    pub session: Session,
    pub economics: Economics,
}

/// What sessions should reach.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Targets {
    pub ratio: f64,
    pub savings: f64,
}

/// What one memory cost to learn against what it costs to read.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Return {
    pub id: Id,
    pub title: String,
    pub learning_tokens: u64,
    pub reading_tokens: u64,
    pub read_so_far: u64,
    pub loaded: u64,
    pub cited: u64,
    pub ratio: Option<f64>,
    pub earned_tokens: i64,
}

impl From<&session::Session> for Session {
    fn from(session: &session::Session) -> Session {
        Session {
            id: session.id.to_string(),
            host: session.host.clone(),
            agent: session.agent.clone(),
            started_at: Time(session.started_at),
            ended_at: session.ended_at.map(Time),
            window: session.window,
            filled: session.filled,
            quality: session.fill().map(|fill| QualityName(fill.quality())),
            outcome: session.outcome.map(OutcomeName),
        }
    }
}

impl From<&SessionView> for SessionInFull {
    fn from(view: &SessionView) -> SessionInFull {
        let event = |one: &session::SessionEvent| SessionEvent {
            at: Time(one.at),
            event: SessionEventName(one.kind),
            amount: one.amount,
        };
        let shown = |one: &Injection| ShownMemory {
            id: Id(one.record.clone()),
            at: Time(one.at),
            level: LevelName(one.level),
            tier: one.tier.clone(),
            tokens: one.tokens,
            cited: one.cited,
            outcome: one.outcome.map(OutcomeName),
        };
        SessionInFull {
            session: (&view.session).into(),
            events: view.events.iter().map(event).collect(),
            shown: view.shown.iter().map(shown).collect(),
            economics: (&view.economics).into(),
        }
    }
}

impl From<&session::Economics> for Economics {
    fn from(e: &session::Economics) -> Economics {
        Economics {
            discovery_tokens: e.discovery_tokens,
            timeline_tokens: e.timeline_tokens,
            read_tokens: e.read_tokens,
            index_loads: e.index_loads,
            timeline_loads: e.timeline_loads,
            full_loads: e.full_loads,
            all_tokens: e.all_tokens,
            ratio: e.ratio(),
            saved_tokens: e.saved(),
            savings: e.savings(),
            doubted: e.doubted,
        }
    }
}

impl From<mnemic_engine::KnownAnswer> for KnownAnswer {
    fn from(known: mnemic_engine::KnownAnswer) -> KnownAnswer {
        KnownAnswer { id: Id(known.id), kind: KindName(known.kind), text: known.text }
    }
}

impl From<&economics::Finding> for Finding {
    fn from(finding: &economics::Finding) -> Finding {
        Finding {
            action: finding.action.job().to_string(),
            priority: finding.priority,
            because: finding.because.clone(),
        }
    }
}

impl From<&Spending> for EconomicsReport {
    fn from(spending: &Spending) -> EconomicsReport {
        let priced = |(session, economics): &(session::Session, session::Economics)| {
            PricedSession { session: session.into(), economics: economics.into() }
        };
        EconomicsReport {
            sessions: spending.sessions.iter().map(priced).collect(),
            total: (&spending.total()).into(),
            targets: Targets { ratio: TARGET_RATIO, savings: TARGET_SAVINGS },
            doubts: spending.doubts() as u64,
            returns: spending.returns.iter().map(Return::from).collect(),
        }
    }
}

impl From<&MemoryReturn> for Return {
    fn from(one: &MemoryReturn) -> Return {
        Return {
            id: Id(one.id.clone()),
            title: one.title.clone(),
            learning_tokens: one.learning,
            reading_tokens: one.reading,
            read_so_far: one.read_so_far,
            loaded: one.loaded,
            cited: one.cited,
            ratio: one.ratio(),
            earned_tokens: one.earned(),
        }
    }
}
