//! `mnemic namespace`: named parts of a store, which see what their parents hold.

mod detect;

use crate::args::{TimeArgs, namespace};
use crate::invocation::Invocation;
use crate::output::{counted, plain};
use crate::report::{Done, Failure};
use crate::{prompt, view};
use mnemic_engine::model::{Body, Filter, Kind, Namespace};
use mnemic_engine::{Engine, NamespaceView, Note, Result};
use serde_json::{Value, json};

/// Make and manage namespaces
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic namespace create backend
  mnemic namespace create billing --parent backend
  mnemic --namespace billing list")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    /// Why, for the history
    #[arg(long, global = true)]
    reason: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List namespaces
    #[command(after_help = "Example:\n  mnemic namespace list")]
    List {
        #[command(flatten)]
        times: TimeArgs,
    },
    /// Make a namespace
    #[command(after_help = "Example:\n  mnemic namespace create billing --parent backend")]
    Create {
        #[arg(value_parser = namespace)]
        name: Namespace,
        /// What it inherits from; the root if none is named
        #[arg(long, value_name = "NS", value_parser = namespace)]
        parent: Option<Namespace>,
        #[arg(long)]
        description: Option<String>,
    },
    /// Remove a namespace that holds nothing
    #[command(after_help = "Example:\n  mnemic namespace delete billing --yes")]
    Delete {
        #[arg(value_parser = namespace)]
        name: Namespace,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Copy all memories of one namespace into another
    #[command(after_help = "Example:\n  mnemic namespace copy billing billing-next")]
    Copy {
        #[arg(value_parser = namespace)]
        from: Namespace,
        #[arg(value_parser = namespace)]
        to: Namespace,
    },
    /// Move all memories of one namespace into another
    #[command(after_help = "Example:\n  mnemic namespace merge billing-next billing")]
    Merge {
        #[arg(value_parser = namespace)]
        from: Namespace,
        #[arg(value_parser = namespace)]
        to: Namespace,
    },
    /// Count the memories of each namespace
    #[command(after_help = "Example:\n  mnemic namespace stats")]
    Stats,
    /// Suggest a name from the git remote or the directory
    #[command(after_help = "Example:\n  mnemic config set namespace $(mnemic namespace detect)")]
    Detect,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    if matches!(args.action, Action::Detect) {
        return detect::run(call);
    }
    let engine = call.engine()?;
    let note = Note { reason: args.reason, ..Note::default() };
    match args.action {
        Action::List { times } => tell(&list(&engine, &times)?, call),
        Action::Create { name, parent, description } => {
            let id = engine.namespace_create(&name, parent.as_ref(), description, &note)?;
            call.out.answer(|| json!({ "id": id, "name": name }), || call.out.line(id.as_str()))
        }
        Action::Delete { name, yes } => {
            prompt::agree(&format!("Remove namespace {name}?"), yes, "namespace delete")?;
            engine.namespace_delete(&name, &note)?;
            call.out.answer(
                || json!({ "name": name, "deleted": true }),
                || call.out.line(&format!("{name} is removed")),
            )
        }
        Action::Copy { from, to } => {
            moved("copied", engine.namespace_copy(&from, &to, &note)?, &from, &to, call)
        }
        Action::Merge { from, to } => {
            moved("moved", engine.namespace_merge(&from, &to, &note)?, &from, &to, call)
        }
        Action::Stats => stats(&engine, call),
        Action::Detect => Ok(()), // answered above, without a store
    }
}

/// The namespaces there are, or were at a time.
fn list(engine: &Engine, times: &TimeArgs) -> Result<Vec<NamespaceView>> {
    if !times.is_given() {
        return engine.namespaces();
    }
    let filter = Filter { kinds: vec![Kind::Namespace], ..Filter::new(times.at()) };
    let items = engine.list(&filter)?.items.into_iter();
    let views = items.filter_map(|item| match item.version.content.body {
        Body::Namespace(body) => Some(NamespaceView {
            store: item.store,
            name: body.name,
            parent: body.parent,
            description: body.description,
        }),
        _ => None,
    });
    Ok(views.collect())
}

fn tell(views: &[NamespaceView], call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "items": views.iter().map(view::namespace).collect::<Vec<Value>>() }),
        || {
            let rows = views.iter().map(|view| {
                let parent = view.parent.as_ref().map_or(Namespace::ROOT, Namespace::as_str);
                let from =
                    if view.name.is_root() { "the root".into() } else { format!("under {parent}") };
                let about = view.description.as_deref().unwrap_or_default();
                (
                    view.name.as_str(),
                    format!("{} store, {from}  {about}", view.store).trim_end().to_owned(),
                )
            });
            call.out.table(rows)?;
            if views.is_empty() {
                call.out.note("there are none; `mnemic namespace create NAME` makes one");
            }
            Ok(())
        },
    )
}

fn moved(done: &str, n: usize, from: &Namespace, to: &Namespace, call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "from": from, "to": to, "memories": n }),
        || {
            let memories = counted(n as u64, "memory", "memories");
            call.out.line(&format!("{memories} {done} from {from} to {to}"))
        },
    )
}

fn stats(engine: &Engine, call: &Invocation) -> Result<(), Failure> {
    let stats = engine.namespace_stats()?;
    call.out.answer(
        || json!({ "items": stats.iter().map(view::namespace_stats).collect::<Vec<Value>>() }),
        || {
            for entry in &stats {
                let memories = counted(entry.memories, "memory", "memories");
                call.out.line(&format!(
                    "{}  {memories}  {} store",
                    plain(&entry.name),
                    entry.store
                ))?;
            }
            Ok(())
        },
    )
}
