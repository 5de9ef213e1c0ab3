//! The budget and the breaker: nothing is asked that is not paid for beforehand, and whoever fails
//! three times in a row is left alone for a while.

use super::{Budget, LanguageError, LanguageModel, Prompt, Reply};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};

/// Failures in a row after which the model rests, and for how long.
const MOST_FAILURES: u32 = 3;
const REST_SECONDS: i64 = 15 * 60;
const DAY_SECONDS: i64 = 86_400;

/// What was spent and how it went; kept by whoever asks, between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spending {
    /// Days since 1970: the counts are of this day.
    pub day: i64,
    pub calls: u64,
    pub tokens: u64,
    /// In a row, up to now.
    pub failures: u32,
    /// Seconds since 1970 until which nothing is asked.
    pub rests_until: i64,
}

/// Why nothing was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the budget of the day is spent: {calls} calls, {tokens} tokens")]
    Day { calls: u64, tokens: u64 },
    #[error("the budget of this session is spent: {calls} calls, {tokens} tokens")]
    Session { calls: u64, tokens: u64 },
    #[error("it failed {MOST_FAILURES} times in a row and rests for {seconds} s more")]
    Resting { seconds: i64 },
    #[error("its spending cannot be noted, so nothing is spent: {0}")]
    Unnoted(String),
    #[error(transparent)]
    Failed(#[from] LanguageError),
}

/// Where spending is kept between runs. Reading and writing must be one step, so that two processes
/// cannot both take the last call.
pub trait Keep {
    fn change(&self, with: &mut dyn FnMut(&mut Spending)) -> Result<(), String>;
}

/// A model that can be asked only within its budget.
#[derive(Debug)]
pub struct Guarded {
    model: Arc<dyn LanguageModel>,
    budget: Budget,
    session: Mutex<(u64, u64)>,
}

impl Guarded {
    pub fn new(model: Arc<dyn LanguageModel>, budget: Budget) -> Guarded {
        Guarded { model, budget, session: Mutex::default() }
    }

    pub fn name(&self) -> &str {
        self.model.name()
    }

    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The one place at which text leaves for a language model. It is paid for before it is asked,
    /// by the most it can cost: whoever is stopped in between has paid too much, never too little.
    pub fn ask(&self, prompt: &Prompt, now: i64, keep: &dyn Keep) -> Result<Reply, Refusal> {
        let price = prompt.most_tokens();
        self.pay_session(price)?;
        let mut may = Ok(());
        keep.change(&mut |spending| may = spending.pay(&self.budget, price, now))
            .map_err(Refusal::Unnoted)?;
        may?;
        let reply = self.model.ask(prompt);
        let cost = reply.as_ref().ok().and_then(|reply| reply.tokens);
        keep.change(&mut |spending| spending.settle(price, cost, reply.is_ok(), now))
            .map_err(Refusal::Unnoted)?;
        Ok(reply?)
    }

    fn pay_session(&self, price: u64) -> Result<(), Refusal> {
        let mut spent = self.session.lock().unwrap_or_else(|broken| broken.into_inner());
        let (calls, tokens) = *spent;
        if calls >= self.budget.calls_a_session
            || tokens.saturating_add(price) > self.budget.tokens_a_session
        {
            return Err(Refusal::Session { calls, tokens });
        }
        *spent = (calls + 1, tokens + price);
        Ok(())
    }
}

impl Spending {
    /// Takes the price of a question off the budget, if there is enough left.
    fn pay(&mut self, budget: &Budget, price: u64, now: i64) -> Result<(), Refusal> {
        let today = now.div_euclid(DAY_SECONDS);
        // A clock that goes back does not bring a new day.
        if today > self.day {
            *self = Spending { day: today, calls: 0, tokens: 0, ..*self };
        }
        // A rest that would last longer than any rest does was noted by a clock that was ahead.
        let seconds = self.rests_until - now;
        if (1..=REST_SECONDS).contains(&seconds) {
            return Err(Refusal::Resting { seconds });
        }
        let tokens = self.tokens.saturating_add(price);
        if self.calls >= budget.calls_a_day || tokens > budget.tokens_a_day {
            return Err(Refusal::Day { calls: self.calls, tokens: self.tokens });
        }
        self.calls += 1;
        self.tokens = tokens;
        Ok(())
    }

    /// The price becomes what it really cost; a failure costs all of it.
    fn settle(&mut self, price: u64, cost: Option<u64>, went_well: bool, now: i64) {
        if let Some(cost) = cost {
            self.tokens = self.tokens.saturating_sub(price).saturating_add(cost);
        }
        if went_well {
            self.failures = 0;
            self.rests_until = 0;
            return;
        }
        self.failures = self.failures.saturating_add(1);
        if self.failures >= MOST_FAILURES {
            self.rests_until = now + REST_SECONDS;
        }
    }

    /// Whether it rests now.
    pub fn rests(&self, now: i64) -> bool {
        (1..=REST_SECONDS).contains(&(self.rests_until - now))
    }
}
