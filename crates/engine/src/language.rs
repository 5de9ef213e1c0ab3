//! The optional language model: what may leave for it, what that may cost, and where it is noted.

use crate::{Engine, Error, ErrorKind, Result, Settings};
use mnemic_inference::language::{Budget, Guarded, Keep, Prompt, Refusal, Reply, Spending};
use mnemic_lifecycle::capture::Veil;
use mnemic_store::Read;
use mnemic_store::sqlite::SqliteStore;
use mnemic_text::secrets::{Detector, Tally};
use std::fmt;
use std::sync::LazyLock;

/// The bookmark of what was spent.
const SPENDING: &str = "language/spending";

impl Engine {
    /// Asks the model that the person has named. All text of ours goes through here.
    pub(crate) fn ask_model(
        &self,
        model: &Guarded,
        task: &str,
        text: String,
        longest_answer: u32,
    ) -> Result<Reply, Refusal> {
        let ledger = Ledger(self.spending_store().map_err(|e| Refusal::Unnoted(e.to_string()))?);
        let prompt = Prompt { task: task.to_owned(), text, longest_answer };
        model.ask(&prompt, self.seconds(), &ledger)
    }

    /// What was spent of the budget; the person's store knows it for all projects.
    fn spending_store(&self) -> Result<&SqliteStore> {
        match self.user.as_ref().filter(|store| store.read_only_because().is_none()) {
            Some(store) => Ok(store),
            None => self.store(self.main_store()?),
        }
    }

    /// What was spent today, and whether the model rests.
    pub fn language_state(settings: &Settings) -> Result<LanguageState> {
        let engine = Engine::open(settings.clone())?;
        let spent = spending(engine.spending_store()?.read()?.as_ref())?;
        let now = engine.seconds();
        let is_today = spent.day == now.div_euclid(86_400);
        let budget = settings.language.as_ref().map(|model| *model.budget());
        Ok(LanguageState {
            calls: if is_today { spent.calls } else { 0 },
            tokens: if is_today { spent.tokens } else { 0 },
            failures: spent.failures,
            rests: spent.rests(now),
            budget,
        })
    }

    fn seconds(&self) -> i64 {
        self.now().micros().div_euclid(1_000_000)
    }
}

/// How it stands with the language model.
#[derive(Debug, Clone, PartialEq)]
pub struct LanguageState {
    /// Of today.
    pub calls: u64,
    pub tokens: u64,
    /// In a row, up to now.
    pub failures: u32,
    pub rests: bool,
    pub budget: Option<Budget>,
}

impl fmt::Display for LanguageState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (calls, tokens) = (self.calls, self.tokens);
        match &self.budget {
            Some(Budget { calls_a_day, tokens_a_day, .. }) => {
                write!(f, "today {calls} of {calls_a_day} calls, {tokens} of {tokens_a_day} tokens")
            }
            None => write!(f, "today {calls} calls, {tokens} tokens"),
        }?;
        match (self.rests, self.failures) {
            (true, failures) => write!(f, "; it rests after {failures} failures"),
            (false, 1..) => write!(f, "; the last {} failed", self.failures),
            _ => Ok(()),
        }
    }
}

pub(crate) fn spending(read: &dyn Read) -> Result<Spending> {
    let Some(text) = read.bookmark(SPENDING)? else { return Ok(Spending::default()) };
    // Nothing that cannot be read counts as nothing spent.
    serde_json::from_str(&text).map_err(|cause| {
        Error::new(ErrorKind::Damaged, "what was spent on the language model cannot be read")
            .because(cause)
            .hint("run `mnemic verify`")
    })
}

struct Ledger<'e>(&'e SqliteStore);

impl Ledger<'_> {
    fn note(&self, with: &mut dyn FnMut(&mut Spending)) -> Result<()> {
        let mut tx = self.0.write()?;
        let mut spent = spending(tx.as_ref())?;
        with(&mut spent);
        let text = serde_json::to_string(&spent).map_err(|cause| {
            Error::new(ErrorKind::Internal, "spending cannot be written down").because(cause)
        })?;
        tx.set_bookmark(SPENDING, Some(&text))?;
        Ok(tx.commit()?)
    }
}

impl Keep for Ledger<'_> {
    fn change(&self, with: &mut dyn FnMut(&mut Spending)) -> Result<(), String> {
        self.note(with).map_err(|error| error.chain().join(": "))
    }
}

static DETECTOR: LazyLock<Detector> = LazyLock::new(Detector::default);

/// The one screen before a language model: what of a line it may see. Nothing between private marks,
/// and no secret, whatever the settings say about keeping them here.
pub(crate) fn screened(line: &str) -> String {
    DETECTOR.mask(&Veil::default().pass(line), &mut Tally::new()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_private_words_stay_here() {
        let key = format!("ghp_{}", "0aB1cD2eF3".repeat(4));
        for (line, secret) in [
            ("password = hunter2!".to_owned(), "hunter2!"),
            (format!("export GITHUB={key}"), key.as_str()),
        ] {
            assert!(!screened(&line).contains(secret), "{line}");
        }
        assert_eq!(screened("port 80 <private>and more</private>").trim_end(), "port 80");
        for line in ["cargo test --workspace", "the tokens of a context are counted once"] {
            assert_eq!(screened(line), line);
        }
    }
}
