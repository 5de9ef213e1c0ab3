//! Whom a question names among those who speak: most of what is known of somebody they said themselves.

use crate::candidate::Candidate;
use mnemic_store::find::Person;
use mnemic_text::speech::named_in;
use std::collections::HashSet;

/// The speakers that the question names; nobody where it names all of them, for that tells nothing.
pub(crate) fn named(question: &str, candidates: &[Candidate]) -> HashSet<Person> {
    let turns = candidates.iter().filter_map(|one| one.glance.turn);
    let speakers: HashSet<Person> = turns.filter_map(|turn| turn.speaker).collect();
    // Most stores have no turns that say who speaks.
    if speakers.is_empty() {
        return speakers;
    }
    let named: HashSet<Person> =
        named_in(question).filter(|person| speakers.contains(person)).collect();
    if named.len() == speakers.len() { HashSet::new() } else { named }
}
