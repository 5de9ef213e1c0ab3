//! Pairs for each rule, and pairs that only look like them.

use super::*;

fn rule(a: &str, b: &str) -> Option<Rule> {
    match judge(a, b).verdict {
        Verdict::Contradicts(conflict) => Some(conflict.rule),
        _ => None,
    }
}

#[test]
fn each_rule_finds_its_pairs() {
    let mut wrong = Vec::new();
    for (a, b, expected) in [
        ("The API listens on port 8080", "port of the API: 9090", Rule::Slot),
        ("Ann owns billing", "the owner of billing is Bob", Rule::Slot),
        ("billing is written in Rust", "billing is implemented in Go", Rule::Slot),
        ("the cache is enabled", "the cache is turned off", Rule::Slot),
        ("we use npm", "use pnpm instead of npm", Rule::Changed),
        ("the API listens on port 8080", "the API moved from port 8080 to 9090", Rule::Changed),
        ("we use npm", "we no longer use npm", Rule::Changed),
        (
            "Always squash commits before merging",
            "Never squash commits before merging",
            Rule::Denial,
        ),
        ("There is no cat drinking milk", "A kitten is drinking milk", Rule::Denial),
        ("Nobody reviews migrations", "The team lead reviews migrations", Rule::Denial),
        ("Avoid global state in handlers", "Use global state in handlers", Rule::Opposites),
        ("The handler is synchronous", "The handler is asynchronous", Rule::Opposites),
        ("Run the linter before the commit", "Run the linter after the commit", Rule::Opposites),
        (
            "The parser allows trailing commas",
            "The parser rejects trailing commas",
            Rule::Opposites,
        ),
        (
            "Each worker spawns 20 threads at startup",
            "Each worker spawns 50 threads at startup",
            Rule::Numbers,
        ),
        ("The parser depends on the lexer", "The lexer depends on the parser", Rule::Roles),
        ("Standup is at 9:15", "Standup is at 9:45", Rule::Numbers),
        ("We move offices on 1 February", "We move offices on 1 March", Rule::Numbers),
    ] {
        if rule(a, b) != Some(expected) {
            wrong.push(format!("{a} / {b}: {:?} instead of {expected:?}", rule(a, b)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_only_looks_like_a_contradiction_is_none() {
    for (a, b) in [
        ("The API listens on port 8080", "The worker listens on port 9090"),
        ("The API listens on port 8080", "The API listened on port 9090 until March"),
        ("The timeout of the API is 30 s", "The API times out after 30,000 ms"),
        ("The request timeout is 30 s", "The connection timeout is 60 s"),
        ("billing uses Postgres", "billing uses PostgreSQL"),
        ("billing uses Postgres", "billing uses Redis"),
        ("Ann owns billing", "Ann owns search"),
        ("the owner of billing is Ann", "the owner of billing is Ann Smith"),
        ("Deploy from main", "Never deploy on Friday"),
        ("Use npm if the lockfile is missing", "Do not use npm"),
        ("A man is sitting in a field", "A man is standing in a field"),
        ("Step 1 of the release is the tag", "Step 2 of the release is the tag"),
        ("Is the port 8080?", "The port is 9090"),
        ("The cache is not disabled", "The cache is enabled"),
        ("Not only tests run in CI", "Tests run in CI"),
    ] {
        assert_eq!(rule(a, b), None, "{a} / {b}: {:?}", judge(a, b));
    }
}

#[test]
fn what_says_the_same_is_the_same() {
    for (a, b) in [
        ("The API listens on port 8080", "Port of the API: 8080"),
        ("Ann owns billing", "billing is owned by Ann"),
        ("Use tabs.", "use  tabs"),
    ] {
        assert_eq!(judge(a, b).verdict, Verdict::Same, "{a} / {b}");
    }
}

#[test]
fn a_conflict_names_its_words_in_the_order_asked() {
    let Verdict::Contradicts(conflict) =
        judge("The API listens on port 9090", "The API listens on port 8080").verdict
    else {
        panic!("two ports contradict")
    };
    assert_eq!((conflict.first.as_str(), conflict.second.as_str()), ("9090", "8080"));
    assert_eq!(conflict.about, "port of API");
}

/// Each tells what became of another thing: none says anything of the others.
#[test]
fn changes_of_different_things_do_not_contradict_each_other() {
    let told = [
        "We replaced Sentry with GlitchTip.",
        "The kitchen oven was replaced by a Smeg.",
        "The feature store was replaced by Tecton.",
        "The build cache was replaced by BuildBuddy.",
        "Ingress was replaced by traefik.",
        "We replaced npm with pnpm in the frontend.",
        "We moved from Mailgun to Postmark.",
        "We moved from GitHub to Forgejo.",
        "Translations were moved from Lingo to Babelworks.",
        "The exporter was switched from CSV to Parquet.",
        "The web app switched from prettier to biome.",
        "The yoga class was moved to Tuesdays.",
        "The reading group was moved to 19:30.",
        "Log retention was raised to 90 days.",
        "The limit of the CSV import was raised to 200 MB.",
        "We switched our payroll provider to Personio.",
        "We switched to Linear.",
        "We dropped Jira for Linear in March.",
        "I changed my dentist, I now go to Dr. Kahn.",
        "The espresso machine was swapped for a Rocket.",
        "Marta left; the data platform team is now led by Jonas.",
        "Secrets were migrated from Vault to AWS Secrets Manager.",
        "The old printer was replaced by a Brother.",
        "Redis was replaced by Valkey.",
        "Support replaced the phone line with a chat.",
        "We swapped the whiteboard for a Miro board.",
    ];
    let mut wrong = Vec::new();
    for (place, one) in told.iter().enumerate() {
        for other in told[..place]
            .iter()
            .filter(|other| !(one.contains("Linear") && other.contains("Linear")))
        {
            for (one, other) in [(one, other), (other, one)] {
                if let Verdict::Contradicts(conflict) = judge(one, other).verdict {
                    wrong.push(format!("{one} / {other}: {conflict:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
