//! `mnemic install` and `uninstall`: connect a coding agent by editing its own files, and undo that.

use crate::args::choice;
use crate::hooks::Host;
use crate::install::places::{self, Homes};
use crate::install::{Change, Deed, Records, Scope, connect, disconnect};
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, STRONG, counted, plain};
use crate::report::{Done, invalid};
use anstyle::{AnsiColor, Style};
use mnemic_engine::Result;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Connect a coding agent: its hooks and its MCP server
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic install --for claude --dry-run
  mnemic install --for codex --for gemini
  mnemic install --for cursor --project

Edits the host's own files and keeps their formatting and comments; `--dry-run` shows every line
beforehand. What they were is kept beside
your own store, and `mnemic uninstall` brings it back.")]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    which: Which,
}

/// Disconnect a coding agent: its files become what they were
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic uninstall
  mnemic uninstall --for cursor --project --dry-run

A file that nobody else changed becomes what it was, to the byte. Of one that was edited meanwhile,
only our entries go.")]
pub(crate) struct UninstallArgs {
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, clap::Args)]
struct Which {
    /// The agent; may be given several times; `uninstall` takes all where none is named
    #[arg(long = "for", value_name = "HOST", value_parser = choice(Host::ALL, short).or(Host::as_str))]
    hosts: Vec<Host>,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Show every line while it is changed; `--dry-run` shows them before anything is
    #[arg(long)]
    diff: bool,
    /// For you, in all your projects; the usual choice
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// For everybody who works in this project: writes into the repository
    #[arg(long)]
    project: bool,
}

/// What people call a host.
pub(crate) fn short(host: Host) -> &'static str {
    match host {
        Host::ClaudeCode => "claude",
        other => other.as_str(),
    }
}

/// How much is told of what changes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// How many lines.
    Counts,
    /// Every line.
    Lines,
}

impl Which {
    fn detail(&self) -> Detail {
        if self.dry_run || self.diff { Detail::Lines } else { Detail::Counts }
    }

    fn scope(&self) -> Scope {
        if self.project { Scope::Project } else { Scope::User }
    }
}

/// What was done to the files of one host.
struct Connected {
    host: Host,
    changes: Vec<Change>,
}

pub(crate) fn install(args: InstallArgs, call: &Invocation) -> Done {
    let Which { hosts, dry_run, .. } = &args.which;
    let detail = args.which.detail();
    if hosts.is_empty() {
        let known: Vec<&str> = Host::ALL.iter().map(|host| short(*host)).collect();
        let hint = format!("mnemic install --for claude (or {})", known[1..].join(", "));
        return Err(invalid("no agent was named", hint).into());
    }
    let scope = args.which.scope();
    let done = connect_hosts(hosts, scope, *dry_run, call)?;
    answer(&done, *dry_run, detail, call)?;
    if !dry_run {
        call.out.note("connected; it counts from the next session of the agent on");
    }
    for path in done.iter().flat_map(|one| &one.changes).map(|change| &change.path) {
        if turns_hooks_off(&std::fs::read_to_string(path).unwrap_or_default()) {
            let path = path.display();
            call.out.warn(&format!("`disableAllHooks` in {path} keeps the agent from calling us"));
        }
    }
    if !dry_run && hosts.contains(&Host::Codex) {
        call.out.note("Codex asks before it runs new hooks: look at them there with /hooks");
    }
    if !dry_run && !call.project().exists {
        call.out
            .note("there is no store in this project yet: hooks stay silent until `mnemic init`");
    }
    Ok(())
}

pub(crate) fn uninstall(args: UninstallArgs, call: &Invocation) -> Done {
    let homes = homes(call)?;
    let records = records(call)?;
    let Which { hosts, dry_run, .. } = &args.which;
    let hosts = if hosts.is_empty() { Host::ALL } else { hosts };
    let scope = args.which.scope();
    let mut done = Vec::new();
    let mut failed = Vec::new();
    for host in hosts {
        let mut changes = Vec::new();
        // Backwards: the first file into a directory that was made for them is the last one out.
        for target in homes.targets(*host, scope).into_iter().rev() {
            match disconnect(&target, &records, *dry_run) {
                Ok(change) => changes.push(change),
                // A file that cannot be edited and does not name us is none of our business.
                Err(why) if names_us(&target.path) => failed.push(why),
                Err(_) => {}
            }
        }
        changes.reverse();
        done.push(Connected { host: *host, changes });
    }
    let left = left_in_project(hosts, scope, &homes);
    if args.which.hosts.is_empty() {
        done.retain(|one| one.changes.iter().any(|change| change.deed != Deed::Unchanged));
        if done.is_empty() && failed.is_empty() && left.is_empty() {
            call.out.note("no agent is connected");
        }
    }
    answer(&done, *dry_run, args.which.detail(), call)?;
    if !left.is_empty() {
        let left = left.join(", ");
        call.out.note(&format!(
            "the project's own files still connect {left}: `mnemic uninstall --project`"
        ));
    }
    // One of them ends the command; the others are told as well.
    let Some(last) = failed.pop() else { return Ok(()) };
    failed.iter().for_each(|why| call.out.warn(&why.to_string()));
    Err(last.into())
}

/// The agents that files of the project connect, where those of the person were asked for.
fn left_in_project(hosts: &[Host], scope: Scope, homes: &Homes) -> Vec<&'static str> {
    let is_left = |host: &&Host| {
        let targets = homes.targets(**host, Scope::Project);
        scope == Scope::User && targets.iter().any(|target| !target.programs().is_empty())
    };
    hosts.iter().filter(is_left).map(|host| short(*host)).collect()
}

fn names_us(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains("mnemic"))
}

/// All files of all hosts are tried before the first is written: one that cannot be edited changes
/// nothing.
fn connect_hosts(
    hosts: &[Host],
    scope: Scope,
    dry_run: bool,
    call: &Invocation,
) -> Done<Vec<Connected>> {
    let (homes, records) = (homes(call)?, records(call)?);
    let program = places::program(scope)?;
    let all = |dry_run: bool| -> Result<Vec<Connected>> {
        let one = |host: &Host| {
            let targets = homes.targets(*host, scope);
            let into = |target| connect(target, &program, &records, dry_run);
            let changes = targets.iter().map(into).collect::<Result<Vec<Change>>>()?;
            Ok(Connected { host: *host, changes })
        };
        hosts.iter().map(one).collect()
    };
    let would = all(true)?;
    Ok(if dry_run { would } else { all(false)? })
}

/// Whether a person has turned all hooks of Claude Code off.
fn turns_hooks_off(settings: &str) -> bool {
    let value = settings.split_once("\"disableAllHooks\"").map(|(_, value)| value.trim_start());
    value
        .and_then(|value| value.strip_prefix(':'))
        .is_some_and(|value| value.trim_start().starts_with("true"))
}

/// The agents that seem to be in use here and are not connected yet.
pub(crate) fn unconnected(call: &Invocation) -> Vec<Host> {
    let Ok(homes) = homes(call) else { return Vec::new() };
    let is_new = |host: &&Host| {
        let mut targets = homes.targets(**host, Scope::User);
        targets.extend(homes.targets(**host, Scope::Project));
        homes.has(**host) && targets.iter().all(|target| target.programs().is_empty())
    };
    Host::ALL.iter().filter(is_new).copied().collect()
}

/// Says what connecting them would change, before the person is asked whether it may.
pub(crate) fn preview(hosts: &[Host], call: &Invocation) -> Done {
    tell(&connect_hosts(hosts, Scope::User, true, call)?, true, Detail::Counts, call)
}

/// Connects them for the person, as `init` offers.
pub(crate) fn connect_all(hosts: &[Host], call: &Invocation) -> Done {
    tell(&connect_hosts(hosts, Scope::User, false, call)?, false, Detail::Counts, call)
}

/// Each file of a host that names us, with the programs that it names.
pub(crate) fn connections(call: &Invocation) -> Vec<(Host, PathBuf, Vec<String>)> {
    let Ok(homes) = homes(call) else { return Vec::new() };
    let mut found = Vec::new();
    for host in Host::ALL {
        for scope in [Scope::User, Scope::Project] {
            for target in homes.targets(*host, scope) {
                let programs = target.programs();
                if !programs.is_empty() {
                    found.push((*host, target.path, programs));
                }
            }
        }
    }
    found
}

fn homes(call: &Invocation) -> Result<Homes> {
    let store = call.project().dir;
    Homes::find(store.parent().unwrap_or(&call.dir))
}

fn records(call: &Invocation) -> Result<Records> {
    let place = call.personal().ok_or_else(|| {
        let hint = "set HOME or XDG_DATA_HOME";
        invalid("there is no place for backups of what would be changed", hint)
    })?;
    Ok(Records::at(&place.dir))
}

fn answer(done: &[Connected], dry_run: bool, detail: Detail, call: &Invocation) -> Done {
    let view = |one: &Connected| {
        let changes: Vec<Value> = one.changes.iter().map(change_view).collect();
        json!({ "host": one.host.as_str(), "files": changes })
    };
    call.out.answer(
        || json!({ "dry_run": dry_run, "hosts": done.iter().map(view).collect::<Vec<Value>>() }),
        || tell(done, dry_run, detail, call),
    )?;
    if dry_run {
        call.out.note("nothing was changed");
    }
    Ok(())
}

fn change_view(change: &Change) -> Value {
    json!({
        "path": change.path,
        "deed": change.deed.as_str(),
        "diff": change.diff,
        "backup": change.backup,
    })
}

fn tell(done: &[Connected], dry_run: bool, detail: Detail, call: &Invocation) -> Done {
    for one in done {
        for change in &one.changes {
            let would = if dry_run && change.deed != Deed::Unchanged { "would be " } else { "" };
            let deed = call.out.paint(STRONG, &format!("{would}{}", change.deed.as_str()));
            let path = plain(&change.path.to_string_lossy());
            let count = match detail {
                Detail::Counts => changed_lines(&change.diff),
                Detail::Lines => String::new(),
            };
            call.out.line(&format!("{}: {deed} {path}{count}", short(one.host)))?;
            let is_told = detail == Detail::Lines && !call.out.is_quiet();
            let diff = if is_told { &change.diff } else { &[][..] };
            for line in diff {
                let style = match line.as_bytes().first() {
                    Some(b'+') => KEY,
                    Some(b'-') => AnsiColor::Red.on_default(),
                    Some(b'@') => FAINT,
                    _ => Style::new(),
                };
                call.out.line(&call.out.paint(style, &plain(line)))?;
            }
            if let Some(backup) = &change.backup {
                call.out.note(&format!("what it was is kept in {}", backup.display()));
            }
        }
        if one.changes.iter().all(|change| change.deed == Deed::Unchanged) {
            call.out.note(&format!("{}: nothing to change", short(one.host)));
        }
    }
    Ok(())
}

/// ` (52 lines added, 1 line taken out)`; nothing where no line changes.
fn changed_lines(diff: &[String]) -> String {
    let count = |mark: char| diff.iter().filter(|line| line.starts_with(mark)).count() as u64;
    let told = [('+', "added"), ('-', "taken out")].map(|(mark, what)| (count(mark), what));
    let told = told.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> =
        told.map(|(count, what)| format!("{} {what}", counted(*count, "line", "lines"))).collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}

/// Whether a program that a host's file names can be started.
pub(crate) fn is_there(program: &str) -> bool {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.is_file();
    }
    let dirs = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&dirs).any(|dir| dir.join(program).is_file())
}
