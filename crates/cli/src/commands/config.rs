//! `mnemic config`: the settings with their origin, and changing one.

use crate::args::choice;
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, gap, plain, width};
use crate::report::{self, Done};
use crate::settings::{Key, Setting, check_in_project, files};
use mnemic_engine::model::policy::Deed;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Show settings and where they were said, or change one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic config
  mnemic config get namespace
  mnemic config set list.limit 50 --user

Later in this row wins: default, your file, the project's file, environment, flag.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Print one value
    #[command(after_help = "Example:\n  mnemic config get namespace")]
    Get {
        #[arg(value_parser = choice(Key::ALL, Key::as_str))]
        key: Key,
    },
    /// Write one value into a file; its other lines stay as they are
    #[command(after_help = "Example:\n  mnemic config set namespace backend --project")]
    Set {
        #[arg(value_parser = choice(Key::ALL, Key::as_str))]
        key: Key,
        value: String,
        /// Into your own file, for all projects
        #[arg(long, conflicts_with = "project")]
        user: bool,
        /// Into the project's file; the usual choice where there is a project store
        #[arg(long)]
        project: bool,
    },
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    match args.action {
        None => table(call),
        Some(Action::Get { key }) => get(key, call),
        Some(Action::Set { key, value, user, project }) => {
            call.require(Deed::Configure)?;
            let place = call.project();
            let path = if project || (!user && place.exists && !key.is_personal()) {
                let path = files::project(&place.dir);
                check_in_project(key, &value, &path)?;
                path
            } else {
                own_file()?
            };
            files::set(&path, key, &value)?;
            call.out.note(&format!("written to {}", path.display()));
            call.out
                .answer(|| json!({ "key": key.as_str(), "value": value, "path": path }), || Ok(()))
        }
    }
}

fn own_file() -> Done<PathBuf> {
    files::user().ok_or_else(|| {
        let hint = "set HOME or XDG_CONFIG_HOME, or use `--project`";
        report::invalid("there is no home for your settings", hint).into()
    })
}

fn table(call: &Invocation) -> Done {
    let settings = &call.resolved()?.settings;
    call.out.answer(
        || json!({ "settings": settings.iter().map(view).collect::<Vec<Value>>() }),
        || {
            let widest = |of: fn(&Setting) -> usize| settings.iter().map(of).max().unwrap_or(0);
            let keys = widest(|setting| setting.key.as_str().len());
            let values = widest(|setting| width(&plain(&setting.value)));
            for setting in settings {
                let key = call.out.paint(KEY, &format!("{:keys$}", setting.key.as_str()));
                let value = plain(&setting.value);
                let gap = gap(&value, values);
                let origin = call.out.paint(FAINT, &setting.origin.to_string());
                call.out.line(&format!("{key}  {value}{gap}  {origin}"))?;
            }
            Ok(())
        },
    )
}

fn get(key: Key, call: &Invocation) -> Done {
    for setting in call.resolved()?.settings.iter().filter(|setting| setting.key == key) {
        call.out.answer(|| view(setting), || call.out.line(&plain(&setting.value)))?;
    }
    Ok(())
}

fn view(setting: &Setting) -> Value {
    json!({
        "key": setting.key.as_str(),
        "value": setting.value,
        "origin": setting.origin.to_string(),
    })
}
