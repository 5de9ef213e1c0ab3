//! Statements as developers write them, and what they claim.

use super::*;

fn one(text: &str) -> String {
    let found = claims(text);
    let Some(claim) = found.first() else { return "nothing".to_owned() };
    let holds = if claim.holds { "" } else { "not " };
    format!(
        "{} | {} | {holds}{}",
        claim.entity.join(" "),
        claim.attribute,
        claim.said.to_lowercase()
    )
}

#[test]
fn statements_become_claims() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        ("The API listens on port 8080", "api | port | 8080"),
        ("port of the API: 8080", "api | port | 8080"),
        ("8080 is the port of the API", "api | port | 8080"),
        ("The API's port is 8080", "api | port | 8080"),
        ("api port = 8080", "api | port | 8080"),
        ("we use pnpm instead of npm", " | package manager | pnpm"),
        ("pnpm replaced npm", " | package manager | pnpm"),
        ("npm was replaced by pnpm", " | package manager | pnpm"),
        ("deploy from main", " | deploy branch | main"),
        ("We deploy billing from main", "bill | deploy branch | main"),
        ("the owner of billing is Ann", "bill | owner | ann"),
        ("Ann owns billing", "bill | owner | ann"),
        ("Ann is the owner of billing", "bill | owner | ann"),
        ("billing is owned by Ann", "bill | owner | ann"),
        ("Ann is responsible for billing", "bill | owner | ann"),
        ("gateway timeout is 30 s", "gateway | timeout | 30 s"),
        ("the gateway times out after 30 seconds", "gateway | timeout | 30 seconds"),
        ("bumped the gateway timeout to 60s", "gateway | timeout | 60s"),
        ("the gateway timeout changed from 30 s to 60 s", "gateway | timeout | 60 s"),
        ("the API moved from port 8080 to 9090", "api | port | 9090"),
        ("we no longer use npm", " | package manager | not npm"),
        ("never use npm", " | package manager | not npm"),
        ("prefer tabs over spaces", " | indentation | tabs"),
        ("The default branch is main", " | default branch | main"),
        ("main is the default branch of webshop", "webshop | default branch | main"),
        ("the release of atlas is due on Friday", "atlas ship | deadline | friday"),
        ("the deadline for atlas is March 5", "atlas | deadline | march 5"),
        ("the cache is enabled", "cach | status | enabled"),
        ("tracing is turned off in staging", "stage trace | status | off"),
        ("the cluster has 3 nodes", "cluster node | count | 3"),
        ("billing is written in Rust", "bill | language | rust"),
        ("we run Node 20", "node | version | 20"),
        ("the logs live in /var/log/app", "log | location | /var/log/app"),
        ("we use zod2 for validation", "verifi | tool | zod2"),
        ("The logo is blue", "logo | colour | blue"),
        ("Ann works at Initech", "ann | employer | initech"),
        ("Ann lives in Berlin", "ann | location | berlin"),
        ("max_connections = 100", "max_connections | value | 100"),
        ("we made trunk the default branch of atlas", "atlas | default branch | trunk"),
        ("atlas picked pnpm as its package manager", "atlas | package manager | pnpm"),
        ("we appointed Rosa as owner of atlas", "atlas | owner | rosa"),
        ("the default branch of atlas has been trunk since May", "atlas | default branch | trunk"),
        ("atlas was rolled back to 2.0.1", "atlas | version | 2.0.1"),
        ("atlas is overseen by Rosa", "atlas | owner | rosa"),
        ("atlas serves traffic on 8080", "atlas | port | 8080"),
        (
            "deploy/values.yaml holds the config of atlas",
            "atlas configur | location | deploy/values.yaml",
        ),
        (
            "the config of atlas is deploy/values.yaml",
            "atlas configur | location | deploy/values.yaml",
        ),
        ("the box holds apples", "nothing"),
        ("atlas should be complete by June 30", "atlas | deadline | june 30"),
        ("we switched tracing on in atlas", "atlas trace | status | on"),
        ("we install atlas with pnpm", "atlas | package manager | pnpm"),
        ("The weather is nice", "nothing"),
        ("", "nothing"),
    ] {
        if one(text) != expected {
            wrong.push(format!("{text}: {} instead of {expected}", one(text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
