//! Choices of which a project or a person makes one: package managers, databases, editors.

use foldhash::HashMap;
use std::sync::OnceLock;

/// What is chosen, and what may be; other spellings of one choice are joined by `=`.
#[rustfmt::skip]
const CHOICES: &[(&str, &str)] = &[
    ("package manager", "npm pnpm yarn bun"),
    ("python packages", "pip poetry pipenv conda uv pdm"),
    ("database", "postgres=postgresql mysql sqlite=sqlite3 mongodb=mongo mariadb oracle dynamodb cockroachdb cassandra duckdb couchdb"),
    ("cache", "redis memcached valkey"),
    ("queue", "kafka rabbitmq nats sqs pulsar"),
    ("language", "rust python=py java javascript=js typescript=ts golang=go ruby php kotlin swift scala elixir zig haskell c++=cpp c#=csharp perl clojure dart"),
    ("frontend framework", "react=react.js=reactjs vue=vue.js=vuejs svelte angular solidjs preact ember"),
    ("web framework", "django flask fastapi express rails actix axum spring gin laravel nestjs koa rocket fiber"),
    ("test runner", "jest vitest mocha jasmine pytest unittest rspec junit nextest"),
    ("browser tests", "cypress playwright selenium puppeteer"),
    ("bundler", "webpack vite rollup esbuild parcel turbopack"),
    ("linter", "eslint biome oxlint pylint flake8 ruff"),
    ("formatter", "prettier black dprint yapf"),
    ("ci", "jenkins circleci travis buildkite teamcity drone"),
    ("cloud", "aws gcp azure heroku vercel netlify digitalocean hetzner"),
    ("editor", "vim neovim=nvim emacs vscode intellij zed sublime"),
    ("shell", "bash zsh fish powershell"),
    ("indentation", "tabs=tab spaces=space"),
    ("merge strategy", "rebase=rebasing squash=squashing"),
    ("api style", "rest graphql grpc soap"),
    ("theme", "dark light"),
    ("quotes", "single double"),
    ("naming", "camelcase snake_case=snakecase kebab-case pascalcase"),
    ("operating system", "linux=ubuntu windows macos"),
    ("chat", "slack discord mattermost"),
    ("tracker", "jira linear asana trello"),
    ("orm", "prisma drizzle typeorm sequelize sqlalchemy diesel"),
    ("containers", "docker podman"),
    ("infrastructure", "terraform=opentofu pulumi ansible cloudformation"),
    ("monitoring", "datadog newrelic grafana"),
    ("state library", "redux zustand mobx"),
    ("styling", "tailwind bootstrap sass"),
    ("date library", "moment dayjs luxon jiff chrono"),
    ("http client", "axios fetch got reqwest ureq"),
    ("schema library", "zod yup joi"),
    ("runtime", "node=node.js=nodejs deno"),
    ("format", "json yaml=yml toml xml csv protobuf msgpack"),
    ("colour", "red blue green yellow orange purple pink black white grey=gray brown teal violet"),
];

fn table() -> &'static HashMap<&'static str, (&'static str, &'static str)> {
    static TABLE: OnceLock<HashMap<&'static str, (&'static str, &'static str)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = HashMap::default();
        for (what, members) in CHOICES {
            for member in members.split(' ') {
                let spellings: Vec<&str> = member.split('=').collect();
                for spelling in &spellings {
                    table.insert(*spelling, (*what, spellings[0]));
                }
            }
        }
        table
    })
}

/// What is chosen by this word, and the chosen thing in its usual spelling.
pub(crate) fn choice(text: &str) -> Option<(&'static str, &'static str)> {
    table().get(text).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_choice_meet() {
        assert_eq!(choice("postgresql"), choice("postgres"));
        assert_eq!(choice("pnpm"), Some(("package manager", "pnpm")));
        assert_ne!(choice("npm"), choice("pnpm"));
        assert_eq!(choice("banana"), None);
    }
}
