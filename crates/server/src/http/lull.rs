//! The small jobs that writes leave behind, done while nobody asks for anything.

use super::door::Door;
use super::problem::Problem;
use super::serve::closed;
use super::turns::Haste;
use mnemic_engine::Settings;
use mnemic_engine::model::policy::Door as Through;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long nobody must have asked: whoever wrote something may ask about it next.
const PERIOD: Duration = Duration::from_millis(250);

/// What other processes leave is looked for once in so many quiet periods.
const OTHERS: u32 = 8;

/// What is begun is likely to be done in so many milliseconds; it stops as soon as somebody asks.
const AT_ONCE: u64 = 200;

/// After so many quiet periods long texts are embedded too, which nothing can stop half-way.
const LEISURE: u32 = 10 * OTHERS;

/// Does what waits, until the server is about to stop.
pub(crate) async fn tend(door: Arc<Door>) {
    let mut closing = door.closing.clone();
    let mut quiet = 0;
    loop {
        let before = door.asked.load(Ordering::Relaxed);
        tokio::select! {
            () = closed(&mut closing) => return,
            () = tokio::time::sleep(PERIOD) => {}
        }
        if door.asked.load(Ordering::Relaxed) == before {
            // At once after a request, then now and then.
            if quiet % OTHERS == 0 {
                work(door.clone(), before, quiet >= LEISURE).await;
            }
            quiet = quiet.saturating_add(1);
        } else {
            quiet = 0;
        }
    }
}

async fn work(door: Arc<Door>, asked: u64, at_leisure: bool) {
    let pool = door.pool.clone();
    let worked = pool.run(Haste::HasTime, move |engine| {
        let Settings { actor, namespace, .. } = door.pool.settings().clone();
        let engine = engine.acting_as(actor).within(namespace).through(Through::Job);
        let end = Instant::now() + Duration::from_millis(AT_ONCE);
        let mut is_quiet = || Instant::now() < end && door.asked.load(Ordering::Relaxed) == asked;
        let worked = engine.queue_due(None).and_then(|()| match at_leisure {
            true => engine.work_at_leisure(AT_ONCE, &mut is_quiet),
            false => engine.work_briefly(AT_ONCE, &mut is_quiet),
        });
        (engine, worked.map_err(Problem::from))
    });
    // What went wrong is told by `GET /v1/jobs`.
    let _ = worked.await;
}
