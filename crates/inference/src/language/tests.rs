//! Against services of a few lines that hang, refuse, talk nonsense and cost too much.

use super::*;
use crate::Secret;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::thread;

/// What the service does with one request.
#[derive(Clone)]
enum Act {
    Say(u16, String),
    HangUp,
    /// Keeps the line open without a word.
    Silence,
}

type Heard = Arc<Mutex<Vec<(String, serde_json::Value)>>>;

/// A service that acts in this order; its address, and what it heard.
fn service(acts: Vec<Act>) -> (String, Heard) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let heard = Heard::default();
    let ears = Arc::clone(&heard);
    thread::spawn(move || {
        let mut silent = Vec::new();
        for act in acts {
            let (mut stream, _) = listener.accept().unwrap();
            ears.lock().unwrap().push(hear(&stream));
            match act {
                Act::Say(status, body) => {
                    let length = body.len();
                    let head = format!(
                        "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
                    );
                    stream.write_all((head + &body).as_bytes()).unwrap();
                }
                Act::HangUp => {}
                Act::Silence => silent.push(stream),
            }
        }
        if !silent.is_empty() {
            thread::park();
        }
    });
    (url, heard)
}

fn hear(stream: &TcpStream) -> (String, serde_json::Value) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0);
    }
    let lower = head.to_lowercase();
    let length = lower.split("content-length:").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    (lower, serde_json::from_slice(&body).unwrap())
}

fn settings(provider: Provider, url: &str) -> LanguageSettings {
    LanguageSettings {
        provider,
        url: url.to_owned(),
        model: "some-model".to_owned(),
        api_key: Some(Secret::new("hush")),
        command: String::new(),
        timeout_seconds: 1,
    }
}

fn prompt() -> Prompt {
    Prompt { task: "Say yes.".to_owned(), text: "Please.".to_owned(), longest_answer: 10 }
}

const MUCH: Budget = Budget {
    calls_a_day: 1_000,
    tokens_a_day: 1_000_000,
    calls_a_session: 1_000,
    tokens_a_session: 1_000_000,
};

#[derive(Default)]
struct Kept(RefCell<Spending>);

impl Keep for Kept {
    fn change(&self, with: &mut dyn FnMut(&mut Spending)) -> Result<(), String> {
        with(&mut self.0.borrow_mut());
        Ok(())
    }
}

fn claude_says(text: &str, tokens: u64) -> Act {
    let body = serde_json::json!({
        "content": [{ "type": "text", "text": text }],
        "usage": { "input_tokens": tokens, "output_tokens": 1 },
    });
    Act::Say(200, body.to_string())
}

#[test]
fn both_protocols_are_spoken() {
    let (url, heard) = service(vec![claude_says("yes", 7)]);
    let model = language(&settings(Provider::Anthropic, &url)).unwrap();
    let reply = model.ask(&prompt()).unwrap();
    assert_eq!(reply, Reply { text: "yes".to_owned(), tokens: Some(8) });
    let (head, body) = heard.lock().unwrap().pop().unwrap();
    assert!(head.starts_with("post /v1/messages ") && head.contains("x-api-key: hush"), "{head}");
    assert_eq!(body["messages"][0]["content"], "Please.");
    assert_eq!(body["max_tokens"], 10);

    let answer = r#"{"choices":[{"message":{"content":"yes"}}],"usage":{"total_tokens":9}}"#;
    let (url, heard) = service(vec![Act::Say(200, answer.to_owned())]);
    let model = language(&settings(Provider::OpenAi, &url)).unwrap();
    assert_eq!(model.ask(&prompt()).unwrap().tokens, Some(9));
    let (head, body) = heard.lock().unwrap().pop().unwrap();
    assert!(head.starts_with("post /v1/chat/completions "), "{head}");
    assert!(head.contains("authorization: bearer hush"));
    assert_eq!(body["messages"][0]["role"], "system");
}

#[test]
fn whatever_goes_wrong_is_told_and_ends() {
    let say = |status, body: &str| Act::Say(status, body.to_owned());
    for (act, expected) in [
        (say(401, r#"{"error":{"message":"no key"}}"#), "status 401: no key"),
        (say(529, "overloaded"), "status 529"),
        (say(302, "elsewhere"), "status 302"),
        (say(200, "<html>"), "not JSON"),
        (say(200, "{}"), "no content"),
        (say(200, r#"{"content":[{"text":" "}]}"#), "empty"),
        (say(200, r#"{"content":"yes"}"#), "no content"),
        (Act::HangUp, "cannot reach"),
        (Act::Silence, "did not answer within 1 s"),
    ] {
        let (url, _) = service(vec![act]);
        let model = language(&settings(Provider::Anthropic, &url)).unwrap();
        let told = model.ask(&prompt()).unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
        assert!(!told.contains("hush") && !told.contains("Please."), "{told}");
    }
}

#[test]
fn three_failures_and_it_rests() {
    let fails = || Act::Say(500, String::new());
    let (url, heard) = service(vec![fails(), fails(), fails(), claude_says("yes", 1)]);
    let model = language(&settings(Provider::Anthropic, &url)).unwrap();
    let (guarded, kept) = (Guarded::new(model, MUCH), Kept::default());
    let now = 1_800_000_000;
    for second in 0..3 {
        assert!(matches!(guarded.ask(&prompt(), now + second, &kept), Err(Refusal::Failed(_))));
    }
    for second in 3..10 {
        let refused = guarded.ask(&prompt(), now + second, &kept).unwrap_err();
        assert!(matches!(refused, Refusal::Resting { .. }), "{refused}");
    }
    assert_eq!(heard.lock().unwrap().len(), 3, "whoever rests is not asked");
    let later = now + 3_600;
    assert_eq!(guarded.ask(&prompt(), later, &kept).unwrap().text, "yes");
    assert_eq!(kept.0.borrow().failures, 0);
    assert!(!kept.0.borrow().rests(later));
}

#[test]
fn a_service_that_costs_too_much_is_not_asked_again_today() {
    let dear = vec![claude_says("yes", 5_000_000), claude_says("yes", 5)];
    let (url, heard) = service(dear);
    let model = language(&settings(Provider::Anthropic, &url)).unwrap();
    let (guarded, kept) = (Guarded::new(model, MUCH), Kept::default());
    let now = 1_800_000_000;
    guarded.ask(&prompt(), now, &kept).unwrap();
    for _ in 0..3 {
        let refused = guarded.ask(&prompt(), now + 60, &kept).unwrap_err();
        assert!(matches!(refused, Refusal::Day { tokens: 5_000_001, .. }), "{refused}");
    }
    // Turning the clock back does not help; the next day does.
    assert!(guarded.ask(&prompt(), now - 200_000, &kept).is_err());
    assert_eq!(heard.lock().unwrap().len(), 1);
    assert!(guarded.ask(&prompt(), now + 86_400, &kept).is_ok());
}

/// Counts what it is asked, and answers.
#[derive(Debug, Default)]
struct Willing(Mutex<u64>);

impl LanguageModel for Willing {
    fn name(&self) -> &str {
        "willing"
    }

    fn ask(&self, _: &Prompt) -> Result<Reply, LanguageError> {
        *self.0.lock().unwrap() += 1;
        Ok(Reply { text: "yes".to_owned(), tokens: None })
    }
}

#[test]
fn no_budget_is_ever_passed() {
    let price = prompt().most_tokens();
    for (budget, calls) in [
        (Budget { calls_a_day: 3, ..MUCH }, 3),
        (Budget { calls_a_session: 2, ..MUCH }, 2),
        (Budget { tokens_a_day: 4 * price, ..MUCH }, 4),
        (Budget { tokens_a_session: 4 * price - 1, ..MUCH }, 3),
        (Budget { calls_a_day: 0, ..MUCH }, 0),
    ] {
        let model = Arc::new(Willing::default());
        let (guarded, kept) = (Guarded::new(model.clone(), budget), Kept::default());
        for second in 0..10 {
            let _ = guarded.ask(&prompt(), 1_800_000_000 + second, &kept);
        }
        assert_eq!(*model.0.lock().unwrap(), calls, "{budget:?}");
    }
}

#[test]
fn what_cannot_be_noted_is_not_spent() {
    struct Lost;
    impl Keep for Lost {
        fn change(&self, _: &mut dyn FnMut(&mut Spending)) -> Result<(), String> {
            Err("read-only".to_owned())
        }
    }
    let model = Arc::new(Willing::default());
    let guarded = Guarded::new(model.clone(), MUCH);
    assert!(matches!(guarded.ask(&prompt(), 0, &Lost), Err(Refusal::Unnoted(_))));
    assert_eq!(*model.0.lock().unwrap(), 0);
}

#[test]
fn a_program_may_answer_too() {
    let run = |command: &str| {
        let settings =
            LanguageSettings { command: command.to_owned(), ..settings(Provider::Command, "") };
        language(&settings).unwrap().ask(&prompt())
    };
    assert_eq!(run("cat").unwrap().text, "Say yes.\n\nPlease.\n");
    for (command, expected) in [
        ("false", "it ended with"),
        ("true", "it is empty"),
        ("sleep 30", "did not answer within 1 s"),
        ("there-is-no-such-program", "cannot reach"),
        // Writes for ever: stopped by size, not by time.
        ("yes", "longer than 4 MiB"),
    ] {
        let told = run(command).unwrap_err().to_string();
        assert!(told.contains(expected), "{command}: {told}");
    }
}

#[test]
fn settings_are_checked_before_anything_is_sent() {
    for (settings, name) in [
        (settings(Provider::Anthropic, "ftp://x"), "url"),
        (
            LanguageSettings { model: " ".into(), ..settings(Provider::OpenAi, "https://x") },
            "model",
        ),
        (settings(Provider::Command, "https://x"), "command"),
        (
            LanguageSettings { timeout_seconds: 0, ..settings(Provider::OpenAi, "https://x") },
            "timeout",
        ),
    ] {
        let told = language(&settings).unwrap_err().to_string();
        assert!(told.contains(&format!("`language.{name}`")), "{told}");
    }
}
