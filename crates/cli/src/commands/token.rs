//! `mnemic token`: who may come in through `mnemic serve`.

use crate::args::{choice, within};
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, plain};
use crate::report::Done;
use crate::times::age;
use mnemic_engine::model::policy::Deed;
use mnemic_engine::model::{Kind, Namespace, Verb};
use mnemic_server::http::token::{Grant, Made, Reach, TOKENS_FILE, Tokens, Wish};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Make, list and revoke tokens for `mnemic serve`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic token create --name codex --scope write
  mnemic token list
  mnemic token revoke codex")]
pub(crate) struct Args {
    /// The file of tokens, in place of the one beside the store
    #[arg(long, value_name = "PATH", global = true)]
    token_file: Option<PathBuf>,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Make a token and show it once
    #[command(after_help = "\
Examples:
  mnemic token create --name ci --scope read --days 30
  mnemic token create --name codex --scope write --only-namespace web --only-kind fact
  mnemic token create --name alice --scope admin --person")]
    Create(CreateArgs),
    /// List the tokens there are, without their secrets
    #[command(after_help = "Example:\n  mnemic token list --json")]
    List,
    /// Take a token back; it is refused from the next request on
    #[command(after_help = "Example:\n  mnemic token revoke codex")]
    Revoke {
        /// The name of the token, or its id
        name: String,
    },
}

#[derive(Debug, clap::Args)]
struct CreateArgs {
    /// Who will use it; its writes are signed with this name
    #[arg(long)]
    name: String,
    /// How far it reaches: read, write (and read), admin (and forget, import, consolidate)
    #[arg(long, default_value = "read", value_parser = choice(&Reach::ALL, Reach::as_str))]
    scope: Reach,
    /// What it writes is the word of a person, trusted as such
    #[arg(long)]
    person: bool,
    /// Only this namespace, and for reading its parents
    #[arg(long, value_name = "NAME", value_parser = namespace)]
    only_namespace: Option<Namespace>,
    /// Only this kind; may be given several times
    #[arg(long = "only-kind", value_name = "KIND", value_parser = choice(Kind::ALL, Kind::as_str))]
    only_kinds: Vec<Kind>,
    /// It ends after so many days
    #[arg(long, value_name = "N", value_parser = within::<u32>(1, 36_500, 90))]
    days: Option<u32>,
}

fn namespace(text: &str) -> Result<Namespace, String> {
    Namespace::parse(text).map_err(|wrong| format!("{}; {}", wrong.problem, wrong.hint))
}

/// The file of tokens: the one named, or the one beside the store that verbs work on.
pub(super) fn file(named: Option<&Path>, call: &Invocation) -> Done<PathBuf> {
    if let Some(path) = named {
        return Ok(path.to_owned());
    }
    let engine = call.engine()?;
    Ok(engine.path_of(engine.main_store()?)?.with_file_name(TOKENS_FILE))
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    if !matches!(args.action, Action::List) {
        call.require(Deed::GiveAccess)?;
    }
    let tokens = Tokens::at(file(args.token_file.as_deref(), call)?);
    match args.action {
        Action::Create(args) => create(args, &tokens, call),
        Action::List => list(&tokens, call),
        Action::Revoke { name } => {
            let grant = tokens.revoke(&name)?;
            note(Verb::TakeAccess, &grant, call)?;
            call.out.answer(
                || view(&grant),
                || call.out.line(&format!("revoked {}", plain(&grant.name))),
            )
        }
    }
}

fn create(args: CreateArgs, tokens: &Tokens, call: &Invocation) -> Done {
    let wish = Wish {
        person: args.person,
        namespace: args.only_namespace,
        kinds: args.only_kinds,
        expires_at: args.days.map(|days| call.now.plus_seconds(i64::from(days) * 86_400)),
        ..Wish::new(args.name, args.scope)
    };
    let made = make(wish, tokens, call)?;
    call.out.answer(
        || {
            let mut view = view(&made.grant);
            view["token"] = json!(made.token.reveal());
            view
        },
        || {
            call.out.line(made.token.reveal())?;
            call.out.note("it is shown this once and kept only as a hash");
            Ok(())
        },
    )
}

/// A token that the audit log knows of; what it cannot note is not given.
pub(super) fn make(wish: Wish, tokens: &Tokens, call: &Invocation) -> Done<Made> {
    let made = tokens.create(wish, call.now, call.engine_settings()?.random.as_ref())?;
    if let Err(failure) = note(Verb::GiveAccess, &made.grant, call) {
        tokens.revoke(&made.grant.id)?;
        return Err(failure);
    }
    Ok(made)
}

/// A file of tokens may be made before there is a store; then there is nowhere to note it.
fn note(verb: Verb, grant: &Grant, call: &Invocation) -> Done {
    let engine = call.engine()?;
    if engine.main_store().is_ok() {
        let who = if grant.person { "human" } else { "agent" };
        let Grant { id, name, scope, .. } = grant;
        engine.audit_access(verb, &format!("token {id} {scope} {who}:{name}"))?;
    }
    Ok(())
}

fn view(grant: &Grant) -> Value {
    json!({
        "id": grant.id,
        "name": grant.name,
        "scope": grant.scope,
        "person": grant.person,
        "namespace": grant.namespace,
        "kinds": grant.kinds,
        "created_at": grant.created_at,
        "expires_at": grant.expires_at,
    })
}

fn list(tokens: &Tokens, call: &Invocation) -> Done {
    let grants = tokens.list()?;
    call.out.answer(
        || json!({ "items": grants.iter().map(|grant| view(grant)).collect::<Vec<Value>>() }),
        || {
            grants.iter().try_for_each(|grant| call.out.line(&line(grant, call)))?;
            if grants.is_empty() {
                call.out.note("there are none; `mnemic token create --name NAME` makes one");
            }
            Ok(())
        },
    )
}

fn line(grant: &Grant, call: &Invocation) -> String {
    let mut about = vec![grant.scope.to_string()];
    about.extend(grant.person.then(|| "a person".to_owned()));
    about.extend(grant.namespace.iter().map(|name| format!("only {name}")));
    about.extend(grant.kinds.iter().map(|kind| format!("only {kind}")));
    about.push(format!("made {}", age(grant.created_at, call.now)));
    match grant.expires_at {
        Some(end) if end <= call.now => about.push("expired".to_owned()),
        Some(end) => about.push(format!("until {}", end.to_jiff().strftime("%F"))),
        None => {}
    }
    let name = call.out.paint(KEY, &plain(&grant.name));
    format!("{}  {name}  {}", grant.id, call.out.paint(FAINT, &about.join(", ")))
}
