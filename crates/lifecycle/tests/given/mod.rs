//! Transcripts in the shapes that hosts write, made up for tests.
#![allow(dead_code)]

mod texts;

use mnemic_lifecycle::capture::{
    Episodes, Origin, Resume, Session, Step, Transcript, Turn, read_sessions,
};
use mnemic_lifecycle::extract::{Miner, plain_claims};
use mnemic_model::{Actor, Author, Draft};
use std::io::Cursor;

pub(crate) use texts::*;

pub(crate) fn origin() -> Origin {
    Origin {
        file: "log.jsonl".to_owned(),
        person: "ann".to_owned(),
        reader: Actor::new(Author::Human, "ann"),
    }
}

pub(crate) fn read(text: &str) -> Vec<Session> {
    read_sessions(text.as_bytes()).expect("reading from memory does not fail").0
}

pub(crate) fn turns(text: &str) -> Vec<Turn> {
    read(text).into_iter().flat_map(|session| session.turns).collect()
}

/// Everything that comes out of a transcript: episodes and findings.
pub(crate) fn drafts(text: &[u8]) -> Vec<Draft> {
    drafts_read_by(text, Actor::new(Author::Human, "ann"))
}

pub(crate) fn drafts_read_by(text: &[u8], reader: Actor) -> Vec<Draft> {
    let origin = Origin { reader, ..origin() };
    let mut transcript = Transcript::new(text);
    let mut episodes = Episodes::new(origin.clone());
    let mut miner = Miner::new(origin, plain_claims);
    let mut found = Vec::new();
    while let Some(step) = transcript.pull().expect("reading from memory does not fail") {
        match step {
            Step::Session(head) => {
                found.extend(episodes.open(&head));
                miner.open(&head);
            }
            Step::Turn(turn) => {
                found.extend(episodes.see(&turn));
                found.extend(miner.see(&turn));
            }
        }
    }
    found.extend(episodes.finish());
    found.extend(miner.habits());
    found
}

/// Reads to the end and says where to go on.
pub(crate) fn read_until_end(text: &[u8], from: Option<&Resume>) -> (Vec<Turn>, Resume) {
    let file = Cursor::new(text);
    let mut transcript = match from {
        None => Transcript::new(std::io::BufReader::new(file)),
        Some(resume) => Transcript::resume(file, resume).expect("memory can be sought").0,
    };
    let mut turns = Vec::new();
    while let Some(step) = transcript.pull().expect("reading from memory does not fail") {
        if let Step::Turn(turn) = step {
            turns.push(turn);
        }
    }
    (turns, transcript.rest().expect("nothing waits at the end").kept())
}
