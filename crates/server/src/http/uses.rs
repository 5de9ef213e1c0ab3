//! That memories were handed out, written down in batches after the answers have left.

use super::door::Door;
use super::problem::Problem;
use super::serve::closed;
use mnemic_engine::model::{RecordId, Use};
use mnemic_engine::{Engine, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a use may wait: a question must not wait for the disk because somebody counts.
const PERIOD: Duration = Duration::from_millis(500);

/// More than this are not counted; then the disk is far behind, and memories matter more.
const MOST: usize = 20_000;

/// Uses that wait to be written down.
#[derive(Debug, Default)]
pub(crate) struct Uses(Mutex<Vec<RecordId>>);

impl Uses {
    pub(crate) fn note(&self, ids: impl Iterator<Item = RecordId>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST.saturating_sub(waiting.len());
        waiting.extend(ids.take(room));
    }

    fn take(&self) -> Vec<RecordId> {
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
    let ids = door.uses.take();
    if ids.is_empty() {
        return;
    }
    let written = door.pool.run(move |engine| {
        let written = record(&engine, &ids).map_err(Problem::from);
        (engine, written)
    });
    // A use that cannot be counted is no reason to fail anything.
    let _ = written.await;
}

fn record(engine: &Engine, ids: &[RecordId]) -> mnemic_engine::Result<()> {
    let names: Vec<&str> = ids.iter().map(RecordId::as_str).collect();
    match engine.record_use(&names, Use::Loaded, None) {
        // One of them was forgotten meanwhile; the others still count.
        Err(gone) if matches!(gone.kind, ErrorKind::NotFound | ErrorKind::Forgotten) => {
            for name in names {
                let _ = engine.record_use(&[name], Use::Loaded, None);
            }
            Ok(())
        }
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_wait_in_bounds_and_are_taken_once() {
        let uses = Uses::default();
        let id = RecordId::parse("fact-1").expect("an id");
        uses.note(std::iter::repeat_n(id.clone(), 3));
        assert_eq!(uses.take().len(), 3);
        assert!(uses.take().is_empty());
        uses.note(std::iter::repeat_n(id, MOST + 5));
        assert_eq!(uses.take().len(), MOST);
    }
}
