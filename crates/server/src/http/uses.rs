//! That memories were handed out, written down in batches after the answers have left.

use super::door::Door;
use super::problem::Problem;
use super::serve::closed;
use super::turns::Haste;
use mnemic_engine::{Engine, ErrorKind, HandedOut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a use may wait: a question must not wait for the disk because somebody counts.
const PERIOD: Duration = Duration::from_millis(500);

/// More than this are not counted; then the disk is far behind, and memories matter more.
const MOST: usize = 20_000;

/// Uses that wait to be written down.
#[derive(Debug, Default)]
pub(crate) struct Uses(Mutex<Vec<HandedOut>>);

impl Uses {
    pub(crate) fn note(&self, memories: Vec<HandedOut>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST.saturating_sub(waiting.len());
        waiting.extend(memories.into_iter().take(room));
    }

    fn take(&self) -> Vec<HandedOut> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Writes uses down until the server is about to stop.
pub(crate) async fn keep(door: Arc<Door>) {
    let mut closing = door.closing.clone();
    loop {
        let is_last = tokio::select! {
            () = closed(&mut closing) => true,
            () = tokio::time::sleep(PERIOD) => false,
        };
        if is_last {
            return;
        }
        write_down(&door).await;
    }
}

/// Writes down what waits, once.
pub(crate) async fn write_down(door: &Door) {
    let memories = door.uses.take();
    if memories.is_empty() {
        return;
    }
    let written = door.pool.run(Haste::HasTime, move |engine| {
        let written = record(&engine, &memories).map_err(Problem::from);
        (engine, written)
    });
    // A use that cannot be counted is no reason to fail anything.
    let _ = written.await;
}

fn record(engine: &Engine, memories: &[HandedOut]) -> mnemic_engine::Result<()> {
    match engine.record_handed_out(memories) {
        // One of them was forgotten meanwhile; the others still count.
        Err(gone) if matches!(gone.kind, ErrorKind::NotFound | ErrorKind::Forgotten) => {
            for memory in memories.chunks(1) {
                let _ = engine.record_handed_out(memory);
            }
            Ok(())
        }
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_engine::model::RecordId;

    #[test]
    fn uses_wait_in_bounds_and_are_taken_once() {
        let uses = Uses::default();
        let id = RecordId::parse("fact-1").expect("an id");
        let memory = HandedOut { id, tokens: Some(7) };
        uses.note(vec![memory.clone(); 3]);
        assert_eq!(uses.take().len(), 3);
        assert!(uses.take().is_empty());
        uses.note(vec![memory; MOST + 5]);
        assert_eq!(uses.take().len(), MOST);
    }
}
