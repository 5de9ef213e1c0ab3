//! A program of the person's choice: it reads the task and the text, and writes the answer.

use super::{LanguageError, LanguageModel, LanguageSettings, Prompt, Reply};
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// More than any sound answer.
const LONGEST_ANSWER: u64 = 4 << 20;

#[derive(Debug)]
pub(super) struct Command {
    program: String,
    arguments: Vec<String>,
    name: String,
    seconds: u64,
}

impl Command {
    pub(super) fn new(settings: &LanguageSettings) -> Command {
        let mut words = settings.command.split_whitespace().map(str::to_owned);
        let program = words.next().unwrap_or_default();
        let name = match settings.model.trim() {
            "" => program.clone(),
            model => model.to_owned(),
        };
        let arguments = words.collect();
        Command { program, arguments, name, seconds: settings.timeout_seconds }
    }

    fn unreachable(&self, why: impl ToString) -> LanguageError {
        LanguageError::Unreachable { place: self.program.clone(), why: why.to_string() }
    }

    fn useless(&self, why: impl Into<String>) -> LanguageError {
        LanguageError::Answer { place: self.program.clone(), why: why.into() }
    }

    /// Writes and reads at once: a program may answer before it has read everything.
    fn talk(&self, child: &mut Child, prompt: &Prompt) -> Result<Vec<u8>, LanguageError> {
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(self.unreachable("it has no input or output"));
        };
        let question = format!("{}\n\n{}\n", prompt.task, prompt.text);
        // One that does not read all of it may still answer.
        thread::spawn(move || drop(input.write_all(question.as_bytes())));
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let mut answer = Vec::new();
            let read = output.take(LONGEST_ANSWER + 1).read_to_end(&mut answer);
            // Nobody listens when the time was over.
            drop(tell.send(read.map(|_| answer)));
        });
        match told.recv_timeout(Duration::from_secs(self.seconds)) {
            Ok(read) => read.map_err(|cause| self.unreachable(cause)),
            Err(RecvTimeoutError::Timeout) => {
                Err(LanguageError::Slow { place: self.program.clone(), seconds: self.seconds })
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.unreachable("it went away")),
        }
    }
}

impl LanguageModel for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, LanguageError> {
        let mut child = std::process::Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|cause| self.unreachable(cause))?;
        let answer = self.talk(&mut child, prompt);
        // It has said what it had to say, or had its time.
        let too_long = answer.as_ref().is_ok_and(|text| text.len() as u64 > LONGEST_ANSWER);
        if answer.is_err() || too_long {
            drop(child.kill());
        }
        let end = child.wait().map_err(|cause| self.unreachable(cause))?;
        let answer = answer?;
        if too_long {
            return Err(self.useless("it is longer than 4 MiB"));
        }
        if !end.success() {
            return Err(self.unreachable(format!("it ended with {end}")));
        }
        let text = String::from_utf8(answer).map_err(|_| self.useless("it is not text"))?;
        match text.trim().is_empty() {
            true => Err(self.useless("it is empty")),
            false => Ok(Reply { text, tokens: None }),
        }
    }
}
