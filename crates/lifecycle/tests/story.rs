//! One transcript told whole: its episodes, and what it teaches, each with its lines.

mod given;

use given::{call, claude, claude_line, drafts, result};
use mnemic_lifecycle::extract::Habits;
use mnemic_model::body::{Episode, Outcome};
use mnemic_model::injected::{close, open};
use mnemic_model::{Author, Body, Draft, Kind, Trust};
use serde_json::json;

fn of_kind(found: &[Draft], kind: Kind) -> Vec<&Draft> {
    found.iter().filter(|draft| draft.body.kind() == kind).collect()
}

fn episodes(found: &[Draft]) -> Vec<&Episode> {
    let episode = |draft: &'_ Draft| matches!(draft.body, Body::Episode(_));
    let found = found.iter().filter(|draft| episode(draft));
    found.filter_map(|d| if let Body::Episode(e) = &d.body { Some(e) } else { None }).collect()
}

#[test]
fn a_session_is_cut_at_its_tasks() {
    let found = drafts(claude().as_bytes());
    let told = episodes(&found);
    assert_eq!(told.len(), 2);
    let first = told[0];
    assert!(first.goal.starts_with("Fix the failing start."));
    assert_eq!(first.outcome, Some(Outcome::Success));
    assert_eq!(first.git_branch.as_deref(), Some("main"));
    assert_eq!(first.files, ["conf/app.toml"]);
    assert_eq!(first.actions.len(), 3);
    assert_eq!(first.actions[1].t, 4.0);
    let resolution = first.errors[0].resolution.as_deref();
    assert_eq!(resolution, Some("succeeded after editing conf/app.toml"));
    assert_eq!(first.messages[0].text, first.goal, "word for word");
    assert_eq!(told[1].git_commit.as_deref(), Some("abc1234"));
    let drafts = of_kind(&found, Kind::Episode);
    assert_eq!(drafts[0].about.source.as_deref(), Some("log.jsonl#L3-L11"));
    assert_eq!(drafts[0].about.trust, Some(Trust::Unreviewed));
}

#[test]
fn a_resolution_names_what_was_run_in_between() {
    let filtered = "pnpm --filter @acme/ui build";
    for (between, expected) in [
        (vec![], "succeeded when run again".to_owned()),
        (vec!["ls packages", "git status"], "succeeded when run again".to_owned()),
        (vec!["ls packages", filtered], format!("succeeded after running `{filtered}`")),
        (
            vec!["rm -rf dist", "pnpm install", filtered],
            format!("succeeded after running `pnpm install` and `{filtered}`"),
        ),
        (vec!["prettier --write ."], "succeeded after running `prettier --write .`".to_owned()),
    ] {
        let mut lines = vec![claude_line(0, "user", json!("Why does the build fail?"))];
        let runs = [("pnpm build", "Exit code 1\nError: @acme/ui has no exports")].into_iter();
        let runs = runs.chain(between.iter().map(|command| (*command, "ok")));
        for (at, (command, output)) in runs.chain([("pnpm build", "ok")]).enumerate() {
            let (id, failed) = (format!("c{at}"), output != "ok");
            let asked = call(&id, "Bash", json!({ "command": command }));
            lines.push(claude_line(at * 2 + 1, "assistant", asked));
            lines.push(claude_line(at * 2 + 2, "user", result(&id, output, failed)));
        }
        let found = drafts(lines.join("\n").as_bytes());
        let resolution = episodes(&found)[0].errors[0].resolution.as_deref();
        assert_eq!(resolution, Some(expected.as_str()), "{between:?}");
    }
}

#[test]
fn a_line_that_does_more_around_what_failed_resolves_it() {
    let missing = "ModuleNotFoundError: No module named 'psycopg'";
    let taken = "Error: That port is already in use.";
    for (failed, error, then, expected) in [
        (
            "python manage.py migrate",
            missing,
            vec!["pip install psycopg && python manage.py migrate"],
            Some("succeeded after running `pip install psycopg`"),
        ),
        (
            "python manage.py runserver",
            taken,
            vec!["lsof -ti :8000 | xargs kill && python manage.py runserver"],
            Some("succeeded after running `xargs kill`"),
        ),
        (
            "mkdocs build",
            "Error: Config file 'mkdocs.yml' does not exist.",
            vec!["cd docs && mkdocs build"],
            Some("succeeded when run in `docs`"),
        ),
        (
            "npm install && npm test",
            "FAIL src/cart.test.ts: expected 2",
            vec!["npm test"],
            Some("succeeded when run again"),
        ),
        ("python manage.py migrate", missing, vec!["pip install psycopg"], None),
    ] {
        let mut lines = vec![claude_line(0, "user", json!("Why does it fail?"))];
        let runs = std::iter::once((failed, error)).chain(then.into_iter().map(|run| (run, "ok")));
        for (at, (command, output)) in runs.enumerate() {
            let id = format!("c{at}");
            let asked = call(&id, "Bash", json!({ "command": command }));
            lines.push(claude_line(at * 2 + 1, "assistant", asked));
            lines.push(claude_line(at * 2 + 2, "user", result(&id, output, output != "ok")));
        }
        let told = |lines: &[String]| {
            let found = drafts(lines.join("\n").as_bytes());
            episodes(&found)[0].errors[0].resolution.clone()
        };
        assert_eq!(told(&lines).as_deref(), expected, "{failed}");
        // What a person does not want is no remedy.
        lines.push(claude_line(9, "user", json!("no, that's wrong, undo that")));
        assert_eq!(told(&lines), None, "{failed}");
    }
}

#[test]
fn what_was_stated_and_mended_is_found() {
    let found = drafts(claude().as_bytes());
    let rules = of_kind(&found, Kind::Pattern);
    assert_eq!(rules.len(), 1);
    let Body::Pattern(rule) = &rules[0].body else { unreachable!() };
    assert_eq!(rule.statement, "Never bind ports below 1024 in this project.");
    assert_eq!(rules[0].about.source.as_deref(), Some("log.jsonl#L3"));
    assert_eq!(rules[0].about.writer.as_ref().map(|w| w.author), Some(Author::Human));
    assert_eq!(rules[0].about.trust, Some(Trust::Trusted));
    let fixes = of_kind(&found, Kind::AntiPattern);
    let Body::AntiPattern(fix) = &fixes[0].body else { unreachable!() };
    assert!(fix.what_fails.starts_with("`make test` fails: error: conf/app.toml: port 80"));
    let prevention = fix.prevention.as_deref().unwrap();
    assert!(prevention.contains("`port = 80` became `port = 8080`"), "{prevention}");
    assert_eq!(fixes[0].about.source.as_deref(), Some("log.jsonl#L5-L10"));
    assert_eq!(fixes[0].about.trust, Some(Trust::Unreviewed));
}

#[test]
fn reading_twice_gives_the_same_keys() {
    let keys = |text: &str| -> Vec<Option<String>> {
        drafts(text.as_bytes()).into_iter().map(|draft| draft.about.idempotency_key).collect()
    };
    let once = keys(&claude());
    assert_eq!(once, keys(&claude()));
    let mut unique = once.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), once.len());
}

#[test]
fn what_was_injected_or_recalled_teaches_nothing() {
    let key = "1234abcd";
    let rule = "Never deploy on a Friday afternoon.";
    let recalled = format!("{}\n{rule}\n{}\nGo on.", open(key), close(key));
    for lines in [
        vec![claude_line(1, "user", json!(recalled))],
        vec![claude_line(1, "user", json!(format!("<system-reminder>{rule}</system-reminder>")))],
        vec![claude_line(1, "user", json!(recalled)), claude_line(2, "user", json!(rule))],
        vec![claude_line(1, "assistant", json!(rule))],
        vec![
            claude_line(1, "assistant", json!(rule)),
            claude_line(2, "user", json!(format!("You wrote: {rule}"))),
        ],
        vec![
            claude_line(1, "assistant", call("c", "Read", json!({"file_path": "CLAUDE.md"}))),
            claude_line(2, "user", result("c", rule, false)),
        ],
    ] {
        let found = drafts(lines.join("\n").as_bytes());
        assert_eq!(of_kind(&found, Kind::Pattern).len(), 0, "{lines:?}");
        let told = episodes(&found);
        assert!(
            told.iter()
                .all(|e| !e.goal.contains("Friday") || lines.len() == 2 || e.messages.len() == 1)
        );
    }
    let found = drafts(claude_line(1, "user", json!(rule)).as_bytes());
    assert_eq!(of_kind(&found, Kind::Pattern).len(), 1, "a person's own words are heard");
}

#[test]
fn what_a_person_asks_to_have_remembered_is() {
    let asked = "Remember that staging deploys only from the release branch.";
    let rule = "staging deploys only from the release branch.";
    let pasted = |text: &str| format!("What does this mean?\n{text}");
    for (role, text, expected) in [
        ("user", asked.to_owned(), Some(rule)),
        ("user", format!("{asked} Thanks!"), Some(rule)),
        ("user", format!("Fix the deployment of the web app. {asked}"), Some(rule)),
        (
            "user",
            "The build fails. By the way, we always use pnpm here, never npm. Why is that?"
                .to_owned(),
            Some("By the way, we always use pnpm here, never npm."),
        ),
        ("assistant", asked.to_owned(), None),
        ("user", pasted(&format!("> {asked}")), None),
        ("user", pasted(&format!("```\n{asked}\n```")), None),
        ("user", pasted(&format!("12:03:44 INFO {asked}")), None),
        ("user", format!("The manual says \"{asked}\""), None),
        (
            "user",
            format!("# Handbook\n{}\n{asked}", "One more sentence of a text. ".repeat(8)),
            None,
        ),
    ] {
        let found = drafts(claude_line(1, role, json!(text)).as_bytes());
        let told: Vec<&str> = found
            .iter()
            .filter_map(|draft| match &draft.body {
                Body::Pattern(pattern) => Some(pattern.statement.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(told, Vec::from_iter(expected), "{role}: {text}");
    }
}

#[test]
fn a_value_that_a_person_sets_right_fills_its_slot() {
    let said = "The API rate limit is 100 requests per minute, not 60.";
    let found = drafts(claude_line(1, "user", json!(said)).as_bytes());
    let facts = of_kind(&found, Kind::Fact);
    let Body::Fact(fact) = &facts[0].body else { unreachable!() };
    let filled = (fact.key.as_str(), fact.value.as_str());
    assert_eq!(filled, ("api rate limit", "100 requests per minute"));
    assert_eq!(of_kind(&found, Kind::Pattern).len(), 0, "the slot says it all");
}

#[test]
fn what_works_again_and_again_becomes_a_habit() {
    let mut text = String::new();
    for session in 0..3 {
        for (n, command) in
            ["cargo fmt", "cargo clippy --all-targets", "cargo test 2>&1 | tail"].iter().enumerate()
        {
            let id = format!("c{session}{n}");
            let asked =
                claude_line(n * 2, "assistant", call(&id, "Bash", json!({ "command": command })));
            let told = claude_line(n * 2 + 1, "user", result(&id, "ok", false));
            for line in [asked, told] {
                text.push_str(&line.replace("s-1", &format!("s-{session}")));
                text.push('\n');
            }
        }
    }
    let found = drafts(text.as_bytes());
    let facts = of_kind(&found, Kind::Fact);
    assert!(facts.iter().any(|draft| {
        matches!(&draft.body, Body::Fact(fact) if fact.key == "test command" && fact.value == "cargo test")
    }));
    let skills = of_kind(&found, Kind::Skill);
    assert_eq!(skills.len(), 1);
    let Body::Skill(skill) = &skills[0].body else { unreachable!() };
    let steps: Vec<&str> = skill.steps.iter().map(|step| step.action.as_str()).collect();
    assert_eq!(steps, ["cargo fmt", "cargo clippy --all-targets", "cargo test"]);
}

/// What is learnt from turns as they are read is learnt from the stored episodes as well.
#[test]
fn stored_episodes_teach_the_same_habits() {
    let mut text = String::new();
    for session in 0..3 {
        let asked =
            claude_line(1, "assistant", call("c", "Bash", json!({"command": "x | cat -A"})));
        let told =
            claude_line(2, "user", result("c", "Exit code 1\ncat: illegal option -- A", true));
        let tests = claude_line(3, "assistant", call("d", "Bash", json!({"command": "make test"})));
        let passed = claude_line(4, "user", result("d", "ok", false));
        for line in [asked, told, tests, passed] {
            text.push_str(&line.replace("s-1", &format!("s-{session}")));
            text.push('\n');
        }
    }
    let found = drafts(text.as_bytes());
    let mut habits = Habits::new(given::origin());
    for draft in of_kind(&found, Kind::Episode) {
        let Body::Episode(episode) = &draft.body else { unreachable!() };
        habits.see_episode(episode, draft.about.source.as_deref().unwrap(), draft.about.valid_at);
    }
    let again = habits.drafts();
    let bodies =
        |drafts: &[&Draft]| -> Vec<Body> { drafts.iter().map(|d| d.body.clone()).collect() };
    assert_eq!(bodies(&of_kind(&again, Kind::Fact)), bodies(&of_kind(&found, Kind::Fact)));
    let pitfalls = of_kind(&again, Kind::AntiPattern);
    assert_eq!(bodies(&pitfalls), bodies(&of_kind(&found, Kind::AntiPattern)));
    assert_eq!(pitfalls[0].about.source.as_deref(), Some("log.jsonl#L9-L12"));
}

#[test]
fn an_answered_question_is_a_decision() {
    let lines = [
        claude_line(1, "assistant", call("q", "AskUserQuestion", json!({"questions": []}))),
        claude_line(
            2,
            "user",
            result(
                "q",
                "User has answered your questions: \"Which database for the cache?\"=\"SQLite\". You can now continue.",
                false,
            ),
        ),
    ];
    let found = drafts(lines.join("\n").as_bytes());
    let decisions = of_kind(&found, Kind::Decision);
    let Body::Decision(decision) = &decisions[0].body else { unreachable!() };
    assert_eq!(decision.decision, "Which database for the cache? SQLite");
    assert_eq!(decisions[0].about.source.as_deref(), Some("log.jsonl#L2"));
}
