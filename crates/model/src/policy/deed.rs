//! Who may do what through which door to what: one function that every verb and every job asks.

use crate::invalid::named;
use crate::{Author, Trust};

named! {
    /// Through what somebody acts. A person sits at a terminal and perhaps behind HTTP; through the
    /// others programs speak, whatever name they give.
    Door, "door" {
        Terminal = "terminal",
        Http = "http",
        Mcp = "mcp",
        Hook = "hook",
        Job = "job",
    }
}

named! {
    /// What somebody wants to do, by what it may cost.
    Deed, "deed" {
        Find = "find",
        FindQuarantined = "find_quarantined",
        Inject = "inject",
        Remember = "remember",
        Edit = "edit",
        EditTheirs = "edit_theirs",
        Vouch = "vouch",
        Reject = "reject",
        Bind = "bind",
        Share = "share",
        Undo = "undo",
        Import = "import",
        Export = "export",
        Consolidate = "consolidate",
        SealSecret = "seal_secret",
        OpenSecret = "open_secret",
        Forget = "forget",
        ForgetTheirs = "forget_theirs",
        Redact = "redact",
        Restore = "restore",
        ReadAudit = "read_audit",
        SignAudit = "sign_audit",
        GiveAccess = "give_access",
        Configure = "change_settings",
    }
}

named! {
    /// The answer. What is asked happens once a person, or whoever has the word, says so.
    Verdict, "verdict" {
        Allowed = "allowed",
        Asked = "asked",
        Refused = "refused",
    }
}

/// Whether `author` may do it through `door` to a memory of this trust, or to one that claims it.
pub fn verdict(deed: Deed, door: Door, author: Author, trust: Trust) -> Verdict {
    use {Deed::*, Verdict::*};
    let is_person = author == Author::Human && matches!(door, Door::Terminal | Door::Http);
    let by_person = |verdict| if is_person { verdict } else { Refused };
    match deed {
        Find | Export | ReadAudit | Undo | Consolidate => Allowed,
        // Whoever asks for it in so many words; nothing that fills contexts by itself.
        FindQuarantined => match door {
            Door::Hook | Door::Job => Refused,
            _ => Allowed,
        },
        Inject | Edit if trust == Trust::Quarantined && (deed == Inject || !is_person) => Refused,
        Inject | Edit => Allowed,
        Remember | Import => match trust {
            Trust::Trusted => by_person(Allowed),
            _ => Allowed,
        },
        // What a person wrote, vouched for or pinned is changed by a person.
        EditTheirs | Vouch | Reject | SignAudit => by_person(Allowed),
        // A token may speak for a person, and a setting may let secrets pass.
        GiveAccess | Configure => by_person(Allowed),
        // Only what somebody vouched for binds others or reaches them.
        Bind | Share => match trust {
            Trust::Trusted => by_person(Allowed),
            _ => Refused,
        },
        SealSecret => match door {
            Door::Hook | Door::Job => Refused,
            _ => Allowed,
        },
        OpenSecret => match door {
            Door::Hook | Door::Job => Refused,
            _ if is_person => Allowed,
            _ => Asked,
        },
        Forget => match door {
            Door::Hook | Door::Job => Refused,
            _ => Asked,
        },
        ForgetTheirs | Redact | Restore => by_person(Asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deed, then one letter a door (terminal, http, mcp, hook, job) for a person and for an agent,
    /// at each trust: a allowed, q asked, r refused.
    const TABLE: &[(Deed, [&str; 3], [&str; 3])] = &[
        (Deed::Find, ["aaaaa"; 3], ["aaaaa"; 3]),
        (Deed::FindQuarantined, ["aaarr"; 3], ["aaarr"; 3]),
        (Deed::Inject, ["aaaaa", "aaaaa", "rrrrr"], ["aaaaa", "aaaaa", "rrrrr"]),
        (Deed::Remember, ["aarrr", "aaaaa", "aaaaa"], ["rrrrr", "aaaaa", "aaaaa"]),
        (Deed::Edit, ["aaaaa", "aaaaa", "aarrr"], ["aaaaa", "aaaaa", "rrrrr"]),
        (Deed::EditTheirs, ["aarrr"; 3], ["rrrrr"; 3]),
        (Deed::Vouch, ["aarrr"; 3], ["rrrrr"; 3]),
        (Deed::Reject, ["aarrr"; 3], ["rrrrr"; 3]),
        (Deed::Bind, ["aarrr", "rrrrr", "rrrrr"], ["rrrrr"; 3]),
        (Deed::Share, ["aarrr", "rrrrr", "rrrrr"], ["rrrrr"; 3]),
        (Deed::Undo, ["aaaaa"; 3], ["aaaaa"; 3]),
        (Deed::Import, ["aarrr", "aaaaa", "aaaaa"], ["rrrrr", "aaaaa", "aaaaa"]),
        (Deed::Export, ["aaaaa"; 3], ["aaaaa"; 3]),
        (Deed::Consolidate, ["aaaaa"; 3], ["aaaaa"; 3]),
        (Deed::SealSecret, ["aaarr"; 3], ["aaarr"; 3]),
        (Deed::OpenSecret, ["aaqrr"; 3], ["qqqrr"; 3]),
        (Deed::Forget, ["qqqrr"; 3], ["qqqrr"; 3]),
        (Deed::ForgetTheirs, ["qqrrr"; 3], ["rrrrr"; 3]),
        (Deed::Redact, ["qqrrr"; 3], ["rrrrr"; 3]),
        (Deed::Restore, ["qqrrr"; 3], ["rrrrr"; 3]),
        (Deed::ReadAudit, ["aaaaa"; 3], ["aaaaa"; 3]),
        (Deed::SignAudit, ["aarrr"; 3], ["rrrrr"; 3]),
        (Deed::GiveAccess, ["aarrr"; 3], ["rrrrr"; 3]),
        (Deed::Configure, ["aarrr"; 3], ["rrrrr"; 3]),
    ];

    #[test]
    fn every_cell_is_as_declared() {
        assert_eq!(TABLE.len(), Deed::ALL.len(), "every deed has its row");
        let mut cells = 0;
        for (deed, person, others) in TABLE {
            for author in Author::ALL.iter().copied() {
                let rows = if author == Author::Human { person } else { others };
                for (trust, row) in Trust::ALL.iter().copied().zip(rows) {
                    for (door, letter) in Door::ALL.iter().copied().zip(row.chars()) {
                        let said = verdict(*deed, door, author, trust);
                        assert!(
                            said.as_str().starts_with(match letter {
                                'a' => "allowed",
                                'q' => "asked",
                                _ => "refused",
                            }),
                            "{deed} {door} {author} {trust}: {said}"
                        );
                        cells += 1;
                    }
                }
            }
        }
        assert_eq!(cells, 24 * 5 * 5 * 3);
    }

    #[test]
    fn no_program_ever_gives_authority() {
        for door in Door::ALL.iter().copied() {
            for trust in Trust::ALL.iter().copied() {
                for author in Author::ALL.iter().copied().filter(|one| *one != Author::Human) {
                    for deed in [
                        Deed::Vouch,
                        Deed::Bind,
                        Deed::Share,
                        Deed::Redact,
                        Deed::GiveAccess,
                        Deed::Configure,
                    ] {
                        assert_eq!(verdict(deed, door, author, trust), Verdict::Refused);
                    }
                }
            }
        }
    }
}
