//! Turns at the engines: who asks goes before who writes, but nobody waits for ever.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot::{self, Sender};

/// How many may go ahead of one that has time.
const MOST_AHEAD: usize = 4;

/// Who is waiting for an answer has none; who writes has said what there is to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Haste {
    Asks,
    HasTime,
}

#[derive(Debug)]
pub(crate) struct Turns(Mutex<Waiting>);

#[derive(Debug)]
struct Waiting {
    free: usize,
    asking: VecDeque<Sender<Turn>>,
    with_time: VecDeque<Sender<Turn>>,
    /// Turns that went to those who ask since one with time had its own.
    ahead: usize,
}

/// Given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(Option<Arc<Turns>>);

impl Turns {
    pub(crate) fn new(most: usize) -> Turns {
        let (asking, with_time) = (VecDeque::new(), VecDeque::new());
        Turns(Mutex::new(Waiting { free: most.max(1), asking, with_time, ahead: 0 }))
    }

    /// Waits for a turn; whoever stops waiting loses nothing but the place.
    pub(crate) async fn take(self: &Arc<Self>, haste: Haste) -> Turn {
        let called = {
            let mut waiting = self.lock();
            if waiting.free > 0 {
                waiting.free -= 1;
                return Turn(Some(self.clone()));
            }
            let (call, called) = oneshot::channel();
            match haste {
                Haste::Asks => waiting.asking.push_back(call),
                Haste::HasTime => waiting.with_time.push_back(call),
            }
            called
        };
        called.await.expect("nobody who waits is forgotten: a call goes with a turn alone")
    }

    /// Hands a turn on to the next who still waits.
    fn pass_on(self: &Arc<Self>) {
        loop {
            let Some(next) = self.lock().next() else { return };
            match next.send(Turn(Some(self.clone()))) {
                Ok(()) => return,
                // Gone meanwhile, and the turn comes back.
                Err(mut turn) => drop(turn.0.take()),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Who has the next turn; free if nobody waits.
    fn next(&mut self) -> Option<Sender<Turn>> {
        // Who has stopped waiting must not use up the turn of those who stand behind.
        for queue in [&mut self.asking, &mut self.with_time] {
            while queue.pop_front_if(|call| call.is_closed()).is_some() {}
        }
        let asking_first = self.ahead < MOST_AHEAD || self.with_time.is_empty();
        let asking = if asking_first { self.asking.pop_front() } else { None };
        if asking.is_some() {
            self.ahead = if self.with_time.is_empty() { 0 } else { self.ahead + 1 };
            return asking;
        }
        self.ahead = 0;
        let next = self.with_time.pop_front();
        self.free += usize::from(next.is_none());
        next
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    type Wait = Pin<Box<dyn Future<Output = Turn>>>;

    /// Somebody who stands in the queue already.
    fn wait(turns: &Arc<Turns>, haste: Haste) -> Wait {
        let turns = turns.clone();
        let mut wait: Wait = Box::pin(async move { turns.take(haste).await });
        assert!(called(&mut wait).is_none());
        wait
    }

    fn called(wait: &mut Wait) -> Option<Turn> {
        match wait.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        }
    }

    fn at_once(turns: &Arc<Turns>) -> Option<Turn> {
        let turns = turns.clone();
        let mut wait: Wait = Box::pin(async move { turns.take(Haste::HasTime).await });
        called(&mut wait)
    }

    #[test]
    fn who_asks_goes_first_and_who_has_time_is_not_forgotten() {
        let turns = Arc::new(Turns::new(1));
        let mut turn = at_once(&turns).expect("a free turn");
        let mut all: Vec<(Haste, Wait)> = Vec::new();
        for haste in [Haste::HasTime].into_iter().chain([Haste::Asks; 6]).chain([Haste::HasTime]) {
            all.push((haste, wait(&turns, haste)));
        }
        let mut order = Vec::new();
        while !all.is_empty() {
            drop(turn);
            let mut next = all.iter_mut().enumerate();
            let (place, given) = next
                .find_map(|(place, (_, wait))| called(wait).map(|turn| (place, turn)))
                .expect("one of them is next");
            order.push(all.remove(place).0);
            turn = given;
        }
        let (asks, has_time) = (Haste::Asks, Haste::HasTime);
        assert_eq!(order, [asks, asks, asks, asks, has_time, asks, asks, has_time]);
        drop(turn);
        assert!(at_once(&turns).is_some(), "the last turn is free again");
    }

    #[test]
    fn who_has_stopped_waiting_costs_nobody_a_turn() {
        let turns = Arc::new(Turns::new(1));
        let mut turn = at_once(&turns).expect("a free turn");
        for _ in 0..3 {
            drop(wait(&turns, Haste::HasTime));
        }
        let mut patient = wait(&turns, Haste::HasTime);
        for _ in 0..MOST_AHEAD {
            let mut asking = wait(&turns, Haste::Asks);
            let _behind = wait(&turns, Haste::Asks);
            drop(turn);
            turn = called(&mut asking).expect("who asks goes first");
        }
        let mut asking = wait(&turns, Haste::Asks);
        drop(turn);
        assert!(called(&mut asking).is_none());
        assert!(called(&mut patient).is_some());
    }

    #[test]
    fn a_turn_outlives_whoever_stops_waiting() {
        let turns = Arc::new(Turns::new(1));
        let turn = at_once(&turns).expect("a free turn");
        let (gone, called_and_gone) = (wait(&turns, Haste::Asks), wait(&turns, Haste::Asks));
        let mut last = wait(&turns, Haste::HasTime);
        drop(gone);
        drop(turn);
        assert!(called(&mut last).is_none(), "somebody else is called");
        drop(called_and_gone);
        assert!(called(&mut last).is_some());
    }
}
