//! How people state one thing: wordings that rules were made with, and wordings kept from them.

/// One attribute: its noun, its values, and how it is stated. `{e}` is the thing, `{v}` the value.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) noun: &'static str,
    pub(super) of: Things,
    /// Each value with another way to write it, if there is one.
    pub(super) values: &'static [(&'static str, &'static str)],
    pub(super) open: &'static [&'static str],
    /// Written before the rules were widened, which was done knowing these sentences and their score
    /// but not which of them went wrong. Trust `fresh`.
    pub(super) held: &'static [&'static str],
    /// Written after the last rule.
    pub(super) fresh: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Things {
    Services,
    People,
}

/// Names that look alike on purpose.
#[rustfmt::skip]
pub(super) const SERVICES: &[&str] = &[
    "billing", "the billing worker", "the search API", "the search index", "checkout", "the checkout gateway", "atlas", "atlas-sync",
    "the image resizer", "the mail relay", "the ledger exporter", "ledger", "the admin panel", "the metrics collector", "the webhook relay",
    "the audit trail", "fraud-check", "the session store", "the catalogue importer", "the pricing engine", "the invoice renderer",
    "the staging gateway", "the production gateway", "user-profile", "the nightly export", "the recommendation model",
];
#[rustfmt::skip]
pub(super) const PEOPLE: &[&str] = &[
    "Ann", "Bruno", "Chidi", "Dora", "Emre", "Farah", "Goran", "Hana", "Ivo", "Jutta", "Kofi", "Lena", "Mateo", "Nadia", "Oleg", "Priya",
];
#[rustfmt::skip]
const STAFF: &[(&str, &str)] = &[
    ("Quentin", "Quentin"), ("Rosa", "Rosa"), ("Sanjay", "Sanjay"), ("Tomas", "Tomas"), ("Ulla", "Ulla"), ("Viktor", "Viktor"), ("Wanda", "Wanda"), ("Yusuf", "Yusuf"),
];

#[rustfmt::skip]
pub(super) const ATTRIBUTES: &[Attribute] = &[
    Attribute { noun: "port", of: Things::Services,
        values: &[("8080", "8080"), ("9090", "9090"), ("3000", "3000"), ("5432", "5432"), ("8443", "8443"), ("7001", "7001")],
        open: &["{e} listens on port {v}", "the port of {e} is {v}", "port of {e}: {v}", "{e} is now bound to port {v}", "{v} is the port of {e}"],
        held: &["you can reach {e} on port {v}", "{e} accepts connections on port {v}", "for {e} the port is set to {v}"],
        fresh: "{e} is up on port {v}" },
    Attribute { noun: "version", of: Things::Services,
        values: &[("1.4.2", "v1.4.2"), ("2.0.1", "v2.0.1"), ("3.7.0", "3.7"), ("0.9.13", "v0.9.13"), ("2.1.4", "v2.1.4")],
        open: &["{e} is pinned to version {v}", "the version of {e} is {v}", "{e} runs version {v}", "{e} was upgraded to {v}"],
        held: &["version {v} of {e} is deployed", "we are on version {v} of {e}", "{e} version = {v}"],
        fresh: "the current version of {e} is {v}" },
    Attribute { noun: "owner", of: Things::Services, values: STAFF,
        open: &["{v} owns {e}", "the owner of {e} is {v}", "{e} is owned by {v}", "{v} is the maintainer of {e}", "{v} is responsible for {e}"],
        held: &["{e} belongs to {v}", "{v} looks after {e}", "owner of {e}: {v}", "as of today {v} is in charge of {e}"],
        fresh: "{v} took over {e}" },
    Attribute { noun: "default branch", of: Things::Services,
        values: &[("main", "main"), ("master", "master"), ("trunk", "trunk"), ("develop", "develop")],
        open: &["the default branch of {e} is {v}", "{v} is the default branch of {e}", "default branch of {e}: {v}"],
        held: &["{e} has {v} as its default branch", "in {e} the default branch is called {v}"],
        fresh: "we made {v} the default branch of {e}" },
    Attribute { noun: "deploy branch", of: Things::Services,
        values: &[("main", "main"), ("release", "release"), ("production", "production"), ("stable", "stable")],
        open: &["we deploy {e} from {v}", "{e} is deployed from {v}", "deploy {e} from {v}"],
        held: &["releases of {e} are cut from {v}", "always ship {e} from {v}"],
        fresh: "deployments of {e} come from {v}" },
    Attribute { noun: "package manager", of: Things::Services,
        values: &[("npm", "npm"), ("pnpm", "pnpm"), ("yarn", "yarn"), ("bun", "bun")],
        open: &["{e} uses {v}", "we use {v} for {e}", "use {v} in {e}", "the package manager of {e} is {v}"],
        held: &["{e} has standardised on {v}", "for {e} we went with {v}", "stick to {v} in {e}"],
        fresh: "{e} is installed with {v}" },
    Attribute { noun: "location of the config", of: Things::Services,
        values: &[("config/app.toml", "./config/app.toml"), ("/etc/app.conf", "/etc/app.conf"), ("src/settings.rs", "./src/settings.rs"), ("deploy/values.yaml", "deploy/values.yaml")],
        open: &["the config of {e} lives in {v}", "the config of {e} is stored in {v}", "the config of {e} is located at {v}", "config path of {e}: {v}"],
        held: &["you find the config of {e} in {v}", "we keep the config of {e} in {v}", "the config of {e} sits in {v}"],
        fresh: "look for the config of {e} in {v}" },
    Attribute { noun: "deadline", of: Things::Services,
        values: &[("March 5", "March 5"), ("March 19", "March 19"), ("April 2", "April 2"), ("June 30", "June 30")],
        open: &["the deadline for {e} is {v}", "{e} is due on {v}", "deadline of {e}: {v}", "{v} is the deadline for {e}"],
        held: &["{e} must be finished by {v}", "{e} has to be ready by {v}", "the due date for {e} is {v}"],
        fresh: "{e} needs to be delivered by {v}" },
    Attribute { noun: "timeout", of: Things::Services,
        values: &[("30 s", "30 seconds"), ("60 s", "1 minute"), ("5 s", "5000 ms"), ("90 s", "90 seconds"), ("2 s", "2000 ms")],
        open: &["the timeout of {e} is {v}", "{e} times out after {v}", "{e} has a timeout of {v}", "timeout of {e} = {v}"],
        held: &["calls to {e} are aborted after {v}", "{e} gives up after {v}", "{e} uses a {v} timeout"],
        fresh: "{e} waits {v} before it times out" },
    Attribute { noun: "memory limit", of: Things::Services,
        values: &[("512 MB", "512MB"), ("1 GB", "1024 MB"), ("2 GB", "2048 MB"), ("256 MB", "256MB")],
        open: &["the memory limit of {e} is {v}", "memory limit for {e}: {v}", "{e} has a memory limit of {v}"],
        held: &["{v} is the memory limit of {e}", "the memory limit of {e} was raised to {v}"],
        fresh: "we set the memory limit of {e} to {v}" },
    Attribute { noun: "language", of: Things::Services,
        values: &[("Rust", "Rust"), ("Python", "Python"), ("TypeScript", "TypeScript"), ("Kotlin", "Kotlin"), ("Elixir", "Elixir")],
        open: &["{e} is written in {v}", "the language of {e} is {v}", "{e} is implemented in {v}"],
        held: &["we wrote {e} in {v}", "{e} is coded in {v}", "{v} is the language of {e}"],
        fresh: "{e} is a {v} project" },
    Attribute { noun: "database", of: Things::Services,
        values: &[("Postgres", "PostgreSQL"), ("MySQL", "MySQL"), ("SQLite", "SQLite"), ("MongoDB", "Mongo")],
        open: &["{e} uses {v}", "the database of {e} is {v}", "{e} stores its data in {v}", "{e} is backed by {v}"],
        held: &["{e} runs on {v}", "{v} is the database of {e}", "{e} persists to {v}"],
        fresh: "the data of {e} is in {v}" },
    Attribute { noun: "tracing status", of: Things::Services,
        values: &[("enabled", "turned on"), ("disabled", "turned off")],
        open: &["tracing is {v} for {e}", "tracing in {e} is {v}", "tracing of {e}: {v}"],
        held: &["for {e}, tracing has been {v}", "we have tracing {v} in {e}"],
        fresh: "tracing for {e} is currently {v}" },
    Attribute { noun: "number of replicas", of: Things::Services,
        values: &[("2", "two"), ("3", "three"), ("5", "five"), ("8", "eight")],
        open: &["{e} has {v} replicas", "the number of replicas of {e} is {v}", "{e} runs {v} replicas"],
        held: &["there are {v} replicas of {e}", "replica count of {e}: {v}"],
        fresh: "{e} is scaled to {v} replicas" },
    Attribute { noun: "colour", of: Things::Services,
        values: &[("blue", "blue"), ("green", "green"), ("orange", "orange"), ("teal", "teal")],
        open: &["the colour of {e} is {v}", "{e} is {v}", "{v} is the colour of {e}"],
        held: &["colour of {e}: {v}", "the color of {e} was changed to {v}"],
        fresh: "we painted {e} {v}" },
    Attribute { noun: "log retention", of: Things::Services,
        values: &[("30 days", "30 days"), ("7 days", "one week"), ("90 days", "90 days"), ("14 days", "2 weeks")],
        open: &["the log retention of {e} is {v}", "logs of {e} are kept for {v}", "log retention of {e}: {v}"],
        held: &["we keep the logs of {e} for {v}", "logs of {e} are deleted after {v}"],
        fresh: "{e} logs are retained for {v}" },
    Attribute { noun: "log level", of: Things::Services,
        values: &[("debug", "debug"), ("info", "info"), ("warn", "warn"), ("error", "error")],
        open: &["the log level of {e} is {v}", "log level for {e}: {v}", "the log level of {e} is set to {v}"],
        held: &["{e} has its log level at {v}", "{v} is the log level of {e}"],
        fresh: "set the log level of {e} to {v}" },
    Attribute { noun: "license", of: Things::Services,
        values: &[("MIT", "MIT"), ("Apache-2.0", "Apache-2.0"), ("GPL-3.0", "GPL-3.0"), ("BSD-3-Clause", "BSD-3-Clause")],
        open: &["{e} is licensed under {v}", "the license of {e} is {v}", "{e} is released under {v}"],
        held: &["{e} is published under the {v} license", "license of {e}: {v}"],
        fresh: "{e} comes with the {v} license" },
    Attribute { noun: "employer", of: Things::People,
        values: &[("Initech", "Initech"), ("Globex", "Globex"), ("Umbrella", "Umbrella"), ("Hooli", "Hooli")],
        open: &["{e} works at {v}", "{e} works for {v}", "the employer of {e} is {v}"],
        held: &["{e} is employed by {v}", "{v} is the employer of {e}"],
        fresh: "{e} has a job at {v}" },
    Attribute { noun: "city", of: Things::People,
        values: &[("Berlin", "Berlin"), ("Lisbon", "Lisbon"), ("Oslo", "Oslo"), ("Nairobi", "Nairobi")],
        open: &["{e} lives in {v}", "{e} is based in {v}"],
        held: &["{e} resides in {v}", "{e} moved to {v}"],
        fresh: "{e}'s home town is {v}" },
    Attribute { noun: "editor", of: Things::People,
        values: &[("Vim", "vim"), ("Emacs", "emacs"), ("Zed", "zed"), ("Neovim", "nvim")],
        open: &["{e} uses {v}", "{e} prefers {v}", "the editor of {e} is {v}"],
        held: &["{e} likes {v} best", "{e}'s editor is {v}"],
        fresh: "{e} edits code in {v}" },
    Attribute { noun: "indentation", of: Things::People,
        values: &[("tabs", "tabs"), ("spaces", "spaces")],
        open: &["{e} prefers {v}", "{e} uses {v} for indentation"],
        held: &["{e} wants {v}", "{e} indents with {v}"],
        fresh: "{e} always goes for {v}" },
];

/// Another time; `{n}` is the noun.
pub(super) const OTHER_TIMES: &[&str] = &[
    "until March the {n} of {e} was {v}",
    "the {n} of {e} used to be {v}",
    "previously the {n} of {e} was {v}",
    "in 2021 the {n} of {e} was {v}",
    "last year the {n} of {e} was {v}",
    "next quarter the {n} of {e} will be {v}",
];

/// A change from one value to another; `{o}` is the old one.
pub(super) const CHANGES: &[&str] = &[
    "the {n} of {e} changed from {o} to {v}",
    "we changed the {n} of {e} from {o} to {v}",
    "the {n} of {e} was moved from {o} to {v}",
    "the {n} of {e} is {v} instead of {o}",
];

/// A denial of a value.
pub(super) const DENIALS: &[&str] =
    &["the {n} of {e} is not {v}", "the {n} of {e} is no longer {v}"];
