//! What a token may see of a store, memory by memory, and what it may claim when it writes.

use super::problem::Problem;
use super::token::Grant;
use mnemic_engine::model::{At, Draft, Filter, Kind, Namespace, Patch, RecordId, Trust, Version};
use mnemic_engine::{Engine, Error, ErrorKind, NamespaceView, Result, Shown};

/// What a token may see. Without limits, everything.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// Its own namespace and those it inherits from.
    namespaces: Option<Vec<Namespace>>,
    kinds: Vec<Kind>,
    is_person: bool,
}

impl Sight {
    pub(crate) fn of(grant: &Grant, engine: &Engine) -> Result<Sight> {
        let namespaces = match &grant.namespace {
            None => None,
            Some(own) => Some(lineage(own, &engine.namespaces()?)),
        };
        Ok(Sight { namespaces, kinds: grant.kinds.clone(), is_person: grant.person })
    }

    pub(crate) fn sees(&self, version: &Version) -> bool {
        let namespace = &version.content.scope.namespace;
        self.namespaces.as_ref().is_none_or(|all| all.contains(namespace))
            && self.sees_kind(version.kind())
    }

    /// Whether a memory may stand in a list: it is seen, and not withheld.
    pub(crate) fn shows(&self, version: &Version) -> bool {
        self.sees(version) && self.refuse_quarantined(version).is_ok()
    }

    /// Whether it sees less than everything.
    pub(crate) fn is_narrow(&self) -> bool {
        self.namespaces.is_some() || !self.kinds.is_empty()
    }

    fn sees_kind(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Looks at a memory; what may not be seen is not there. Ids are written out: a beginning that
    /// happens to be unique today is no address.
    pub(crate) fn show(&self, engine: &Engine, id: &str, at: At) -> Result<Shown, Problem> {
        let mut shown = engine.show(id, at).map_err(|gone| in_full(gone, id))?;
        if shown.version.id.as_str() != id || !self.sees(&shown.version) {
            return Err(hidden(id).into());
        }
        self.refuse_quarantined(&shown.version)?;
        if self.is_narrow() {
            let sees = |end: &RecordId| self.require(engine, end.as_str()).is_ok();
            shown.links.retain(|link| sees(&link.from) && sees(&link.to));
        }
        Ok(shown)
    }

    /// Refuses to touch what may not be seen, or is not named in full.
    pub(crate) fn require(&self, engine: &Engine, id: &str) -> Result<(), Problem> {
        self.refuse_quarantined(&self.last(engine, id)?)
    }

    /// The same for writing: into what is inherited would change it for others.
    pub(crate) fn require_own(&self, engine: &Engine, id: &str) -> Result<(), Problem> {
        self.admit_namespace(&self.last(engine, id)?.content.scope.namespace)
    }

    /// What waits for a person in quarantine is shown to persons. A question that asks for it in so
    /// many words still finds it.
    fn refuse_quarantined(&self, version: &Version) -> Result<(), Problem> {
        if self.is_person || version.content.trust() != Trust::Quarantined {
            return Ok(());
        }
        let withheld =
            format!("`{}` is in quarantine: it is withheld until a person looks at it", version.id);
        Err(Error::new(ErrorKind::Denied, withheld)
            .hint("ask with a token made with `--person`, or see `mnemic review`")
            .into())
    }

    fn last(&self, engine: &Engine, id: &str) -> Result<Version, Problem> {
        let history = engine.history(id, None).map_err(|gone| in_full(gone, id))?;
        let last = history.into_iter().next_back().map(|event| event.version);
        let last = last.filter(|version| version.id.as_str() == id && self.sees(version));
        last.ok_or_else(|| hidden(id).into())
    }

    /// Narrows a filter to what may be seen; `usual` are the kinds of a filter that names none.
    pub(crate) fn narrow(&self, filter: &mut Filter, usual: &[Kind]) -> Result<(), Problem> {
        if filter.kinds.is_empty() {
            filter.kinds = usual.to_vec();
        }
        if !self.kinds.is_empty() {
            filter.kinds.retain(|kind| self.kinds.contains(kind));
            if filter.kinds.is_empty() {
                return Err(Error::new(ErrorKind::Denied, "this token sees none of these kinds")
                    .hint("ask for other kinds, or with another token")
                    .into());
            }
        }
        Ok(())
    }

    /// What a draft may claim: a token writes into its own part, and speaks for no person unless it
    /// is a person's.
    pub(crate) fn admit(&self, draft: &Draft) -> Result<(), Problem> {
        let denied = |what: String, hint: &str| {
            Err(Problem::from(Error::new(ErrorKind::Denied, what).hint(hint)))
        };
        let kind = draft.body.kind();
        if !kind.is_memory() || kind == Kind::Secret {
            return Err(Error::new(ErrorKind::Invalid, format!("`{kind}` is not stored this way"))
                .hint("store a memory: a fact, a decision, an episode…")
                .into());
        }
        if !self.sees_kind(kind) {
            return denied(format!("this token does not write `{kind}`"), "use another token");
        }
        if let Some(namespace) = &draft.about.namespace {
            self.admit_namespace(namespace)?;
        }
        let speaks_for = draft.about.writer.as_ref().is_some_and(|writer| writer.is_human());
        if !self.is_person && (speaks_for || draft.about.confirmed_by.is_some()) {
            return denied(
                "this token does not speak for a person".to_owned(),
                "leave `writer` and `confirmed_by` out, or use a token made with `--person`",
            );
        }
        Ok(())
    }

    pub(crate) fn admit_patch(&self, patch: &Patch) -> Result<(), Problem> {
        patch.namespace.as_ref().map_or(Ok(()), |namespace| self.admit_namespace(namespace))
    }

    fn admit_namespace(&self, namespace: &Namespace) -> Result<(), Problem> {
        match self.namespaces.as_ref().and_then(|all| all.first()) {
            Some(own) if own != namespace => Err(Error::new(
                ErrorKind::Denied,
                format!("this token writes into `{own}`, not `{namespace}`"),
            )
            .hint("leave the namespace out")
            .into()),
            _ => Ok(()),
        }
    }
}

/// The engine's advice is for the command line, where the beginning of an id is enough.
fn in_full(error: Error, id: &str) -> Error {
    if error.kind == ErrorKind::NotFound { hidden(id) } else { error }
}

fn hidden(id: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("there is no memory `{id}`"))
        .hint("`GET /v1/memories` lists those that this token sees; ids are written out in full")
}

/// A namespace and those above it, itself first.
fn lineage(own: &Namespace, declared: &[NamespaceView]) -> Vec<Namespace> {
    let mut all = vec![own.clone()];
    let mut next = Some(own.clone());
    while let Some(name) = next {
        let parent =
            declared.iter().find(|one| one.name == name).and_then(|one| one.parent.clone());
        // A circle would be a damaged row.
        next = parent.filter(|parent| !all.contains(parent));
        all.extend(next.clone());
    }
    if !all.iter().any(Namespace::is_root) {
        all.push(Namespace::root());
    }
    all
}
