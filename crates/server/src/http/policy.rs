//! Who may do what: one function over what is asked, how far a token reaches and what it is limited to.

use super::token::{Grant, Reach};
use mnemic_engine::{Error, ErrorKind, Result};

macro_rules! deeds {
    ($($(#[$doc:meta])* $deed:ident = $name:literal, $reach:ident, $extent:ident;)+) => {
        /// What a request asks for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Deed { $($(#[$doc])* $deed),+ }

        impl Deed {
            pub const ALL: &'static [Deed] = &[$(Deed::$deed),+];
            pub fn as_str(self) -> &'static str { match self { $(Deed::$deed => $name),+ } }
            /// How far a token must reach.
            pub fn needs(self) -> Reach { match self { $(Deed::$deed => Reach::$reach),+ } }
            /// How much of the store it may show or change.
            pub fn extent(self) -> Extent { match self { $(Deed::$deed => Extent::$extent),+ } }
        }
    };
}

/// How much of a store something touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Single memories, each of which is compared with what the token is limited to.
    Memories,
    /// Whatever the namespace holds, of every kind.
    Namespace,
    /// Everything: nothing for a token that is limited to a part.
    Store,
}

deeds! {
    List = "list", Read, Memories;
    Show = "show", Read, Memories;
    History = "history", Read, Memories;
    Recall = "recall", Read, Memories;
    Explain = "explain", Read, Memories;
    Similar = "similar", Read, Memories;
    Graph = "graph", Read, Memories;
    Context = "context", Read, Namespace;
    Index = "index", Read, Namespace;
    Timeline = "timeline", Read, Memories;
    Predict = "predict", Read, Store;
    Contradictions = "contradictions", Read, Memories;
    Review = "review", Read, Namespace;
    Sessions = "sessions", Read, Store;
    Economics = "economics", Read, Store;
    Stats = "stats", Read, Store;
    Changes = "changes", Read, Store;
    Events = "events", Read, Store;
    Namespaces = "namespaces", Read, Store;
    Metrics = "metrics", Read, Store;
    Jobs = "jobs", Read, Store;
    Remember = "remember", Write, Memories;
    Edit = "edit", Write, Memories;
    Link = "link", Write, Memories;
    Contradict = "contradict", Write, Memories;
    Resolve = "resolve", Write, Memories;
    Feedback = "feedback", Write, Memories;
    Session = "session", Write, Store;
    Undo = "undo", Write, Store;
    /// The engine asks for a person besides.
    Judge = "judge", Write, Memories;
    Plan = "consolidate --dry-run", Read, Store;
    /// Tools of MCP, by what they do to the store.
    ReadTools = "mcp", Read, Store;
    WriteTools = "mcp tools that write", Write, Store;
    EraseTools = "mcp tools that erase", Admin, Store;
    Consolidate = "consolidate", Admin, Store;
    Work = "jobs run", Admin, Store;
    /// Cannot be undone, and the engine asks for a person besides.
    Redact = "redact", Admin, Store;
    /// Cannot be undone.
    Forget = "forget", Admin, Memories;
    /// Brings authors and trust of its own.
    Import = "import", Admin, Store;
    Export = "export", Admin, Store;
}

/// Whether a token allows it.
pub fn allow(grant: &Grant, deed: Deed) -> Result<()> {
    if grant.scope < deed.needs() {
        return Err(Error::new(
            ErrorKind::Denied,
            format!(
                "the token `{}` may {}, and `{deed}` needs {}",
                grant.name,
                grant.scope,
                deed.needs()
            ),
        )
        .hint(format!(
            "make one with `mnemic token create --name NAME --scope {}`",
            deed.needs()
        )));
    }
    let fits = match deed.extent() {
        Extent::Memories => true,
        Extent::Namespace => grant.kinds.is_empty(),
        Extent::Store => !grant.is_limited(),
    };
    if fits {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Denied,
        format!(
            "the token `{}` is limited to a part of the store, and `{deed}` is not",
            grant.name
        ),
    )
    .hint("use a token without `--only-namespace` and `--only-kind`"))
}

/// Some deeds say who vouches for what comes in; only a person may.
pub fn speaks_for_a_person(grant: &Grant, deed: Deed) -> Result<()> {
    if grant.person {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Denied,
        format!("the token `{}` does not speak for a person, and `{deed}` needs one", grant.name),
    )
    .hint("make one with `mnemic token create --name NAME --scope admin --person`"))
}

impl std::fmt::Display for Deed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_engine::model::{Kind, Namespace};

    fn grant(scope: Reach, namespace: bool, kinds: bool) -> Grant {
        let grant = serde_json::json!({
            "id": "1", "name": "t", "scope": scope, "created_at": "2026-01-01T00:00:00Z",
            "hash": "",
        });
        let mut grant: Grant = serde_json::from_value(grant).expect("a grant");
        grant.namespace = namespace.then(Namespace::root);
        grant.kinds = if kinds { vec![Kind::Fact] } else { Vec::new() };
        grant
    }

    /// The matrix, written down by hand: r, w, a for the least scope; then which limits it bears:
    /// `.` none, `n` a namespace, `k` kinds as well.
    const TABLE: &[(Deed, char, char)] = &[
        (Deed::List, 'r', 'k'),
        (Deed::Show, 'r', 'k'),
        (Deed::History, 'r', 'k'),
        (Deed::Recall, 'r', 'k'),
        (Deed::Explain, 'r', 'k'),
        (Deed::Similar, 'r', 'k'),
        (Deed::Graph, 'r', 'k'),
        (Deed::Context, 'r', 'n'),
        (Deed::Index, 'r', 'n'),
        (Deed::Timeline, 'r', 'k'),
        (Deed::Predict, 'r', '.'),
        (Deed::Contradictions, 'r', 'k'),
        (Deed::Review, 'r', 'n'),
        (Deed::Sessions, 'r', '.'),
        (Deed::Economics, 'r', '.'),
        (Deed::Stats, 'r', '.'),
        (Deed::Changes, 'r', '.'),
        (Deed::Events, 'r', '.'),
        (Deed::Namespaces, 'r', '.'),
        (Deed::Metrics, 'r', '.'),
        (Deed::Jobs, 'r', '.'),
        (Deed::Remember, 'w', 'k'),
        (Deed::Edit, 'w', 'k'),
        (Deed::Link, 'w', 'k'),
        (Deed::Contradict, 'w', 'k'),
        (Deed::Resolve, 'w', 'k'),
        (Deed::Feedback, 'w', 'k'),
        (Deed::Session, 'w', '.'),
        (Deed::Undo, 'w', '.'),
        (Deed::Judge, 'w', 'k'),
        (Deed::Plan, 'r', '.'),
        (Deed::ReadTools, 'r', '.'),
        (Deed::WriteTools, 'w', '.'),
        (Deed::EraseTools, 'a', '.'),
        (Deed::Consolidate, 'a', '.'),
        (Deed::Work, 'a', '.'),
        (Deed::Redact, 'a', '.'),
        (Deed::Forget, 'a', 'k'),
        (Deed::Import, 'a', '.'),
        (Deed::Export, 'a', '.'),
    ];

    #[test]
    fn every_deed_is_in_the_table_once() {
        let named: Vec<Deed> = TABLE.iter().map(|(deed, ..)| *deed).collect();
        assert_eq!(named, Deed::ALL);
    }

    #[test]
    fn deeds_by_scope_and_limit() {
        for (deed, least, bears) in TABLE {
            for (scope, rank) in [(Reach::Read, 0), (Reach::Write, 1), (Reach::Admin, 2)] {
                for (namespace, kinds) in
                    [(false, false), (true, false), (false, true), (true, true)]
                {
                    let far = rank >= "rwa".find(*least).expect("r, w or a");
                    let wide = match bears {
                        '.' => !namespace && !kinds,
                        'n' => !kinds,
                        _ => true,
                    };
                    let verdict = allow(&grant(scope, namespace, kinds), *deed);
                    assert_eq!(verdict.is_ok(), far && wide, "{deed} {scope} {namespace} {kinds}");
                }
            }
        }
    }
}
