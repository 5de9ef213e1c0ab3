//! The kinds of record: memories, the graph's nodes beside them, and the store's own bookkeeping.

use crate::invalid::named;

named! {
    /// What a record says. One record shape serves them all.
    Kind, "kind" {
        Episode = "episode",
        Fact = "fact",
        Decision = "decision",
        Pattern = "pattern",
        AntiPattern = "anti_pattern",
        Skill = "skill",
        Resource = "resource",
        Block = "block",
        Secret = "secret",
        Ledger = "ledger",
        Handoff = "handoff",
        Verdict = "verdict",
        Entity = "entity",
        Community = "community",
        Saga = "saga",
        Contradiction = "contradiction",
        Namespace = "namespace",
    }
}

impl Kind {
    /// As a sentence names it: `an episode`, `a fact`.
    pub fn with_article(self) -> String {
        let name = self.as_str().replace('_', "-");
        match name.starts_with(['a', 'e', 'i', 'o', 'u']) {
            true => format!("an {name}"),
            false => format!("a {name}"),
        }
    }

    /// The readable start of every id that mnemic makes for this kind.
    pub fn prefix(self) -> &'static str {
        match self {
            Kind::Episode => "ep",
            Kind::Fact => "fact",
            Kind::Decision => "dec",
            Kind::Pattern => "sem",
            Kind::AntiPattern => "anti",
            Kind::Skill => "skill",
            Kind::Resource => "res",
            Kind::Block => "block",
            Kind::Secret => "secret",
            Kind::Ledger => "ledger",
            Kind::Handoff => "handoff",
            Kind::Verdict => "verdict",
            Kind::Entity => "ent",
            Kind::Community => "com",
            Kind::Saga => "saga",
            Kind::Contradiction => "con",
            Kind::Namespace => "ns",
        }
    }

    /// Memories proper: what a plain `list` shows. The rest is graph and bookkeeping.
    pub fn is_memory(self) -> bool {
        !matches!(
            self,
            Kind::Entity | Kind::Community | Kind::Saga | Kind::Contradiction | Kind::Namespace
        )
    }

    /// Whether the words of this kind may enter an index. Vault entries never do.
    pub fn is_indexed(self) -> bool {
        !matches!(self, Kind::Secret | Kind::Namespace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_tell_kinds_apart() {
        let mut seen: Vec<&str> = Kind::ALL.iter().map(|k| k.prefix()).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), Kind::ALL.len());
    }

    #[test]
    fn names_parse_back_and_take_dashes() {
        for kind in Kind::ALL {
            assert_eq!(kind.as_str().parse::<Kind>().unwrap(), *kind);
        }
        assert_eq!("anti-pattern".parse::<Kind>().unwrap(), Kind::AntiPattern);
        assert!("facts".parse::<Kind>().unwrap_err().hint.contains("fact"));
    }
}
