//! `mnemic context`: what an agent should read now, within its budget.

use crate::args::{choice, number, whole};
use crate::invocation::Invocation;
use crate::output::counted;
use crate::report::{Done, invalid};
use crate::settings::files;
use crate::view;
use mnemic_engine::recall::context::{
    Assembled, BUILT_IN, Handout, Profile, Profiles, Segment, Style,
};
use mnemic_engine::tokens::Encoding;
use mnemic_engine::{Context, ContextAsk, Engine, Error, ErrorKind, TaskType};
use std::path::Path;

/// What a profile without a budget says; nobody wants to read that number.
const UNBOUND: usize = 1_000_000;

/// Assemble what an agent should read now
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic context fix the login timeout --file src/auth.rs
  mnemic context --profile brief
  mnemic context \"why is the build slow\" --profile answer --budget 800 --format markdown
  mnemic context \"write the importer\" --profile fresh --requires \"store api\"
  mnemic context --list-profiles
  mnemic context --print-profiles | less

The text says what it recalls as data inside a marked block, never as instructions. Profiles are
data: put your own into profiles.toml beside either configuration file.")]
pub(crate) struct Args {
    /// What the agent is about to do, or wants to know
    #[arg(value_name = "TASK")]
    words: Vec<String>,
    /// Which mix of memories: brief, working, task, answer, fresh, or one of yours
    #[arg(long, default_value = "working", value_name = "NAME")]
    profile: String,
    /// The most tokens, in place of the profile's
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>("2000"))]
    budget: Option<usize>,
    /// The model that reads it; decides how tokens are counted [default: setting context.model]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// How full the agent's window is, 0 to 1: the fuller, the less and the sharper
    #[arg(long, value_name = "0..1", value_parser = number(0.0, 1.0, "0.6"))]
    window_fill: Option<f64>,
    /// In which form
    #[arg(long, value_name = "FORM", value_parser = choice(Style::ALL, Style::as_str))]
    format: Option<Style>,
    /// A file at hand; may be given several times
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// The id or name of the task
    #[arg(long, value_name = "ID")]
    task_id: Option<String>,
    /// What kind of work it is; otherwise found out from the words
    #[arg(long, value_name = "TYPE", value_parser = choice(&TaskType::ALL, TaskType::as_str))]
    task: Option<TaskType>,
    /// The session that it is for: notes what it was shown and takes in what it will need
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Fill the budget also with what lacks evidence
    #[arg(long)]
    fill: bool,
    #[command(flatten)]
    contracts: ContractArgs,
    /// Do not count the memories as loaded
    #[arg(long)]
    no_usage: bool,
    /// Name the profiles there are
    #[arg(long)]
    list_profiles: bool,
    /// Print those built in as TOML, with what each field means: copy one and change it
    #[arg(long, conflicts_with = "list_profiles")]
    print_profiles: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "With --profile fresh, for a subagent or a new phase")]
struct ContractArgs {
    /// What the work depends on; may be given several times, as may the next two
    #[arg(long, value_name = "NAME")]
    requires: Vec<String>,
    /// What it makes for others
    #[arg(long, value_name = "NAME")]
    provides: Vec<String>,
    /// What it changes
    #[arg(long, value_name = "NAME")]
    affects: Vec<String>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    if args.list_profiles {
        return list(&profiles(call)?, call);
    }
    if args.print_profiles {
        let text = BUILT_IN.trim_end();
        return call.out.answer(|| serde_json::json!({ "toml": text }), || call.out.line(text));
    }
    let engine = call.finding_engine()?;
    let is_quiet = args.no_usage;
    let is_fresh = args.profile == "fresh";
    let segment = args.segment();
    let wanted = args.ask(&engine, call)?;
    let shown = if is_fresh {
        let handout = engine.hand_out(&wanted, &segment)?;
        tell_handout(&handout, call)?;
        handout.pack
    } else {
        let context = engine.context(&wanted)?;
        tell(&context, call)?;
        context.assembled
    };
    // The text leaves first: what is counted must have been handed over.
    call.out.flush()?;
    if is_quiet || shown.shown.is_empty() {
        return Ok(());
    }
    let noted = match &wanted.session {
        Some(session) => engine.note_shown_in(session, &shown),
        None => engine.note_shown(&shown),
    };
    match noted {
        Err(error) if error.kind != ErrorKind::ReadOnly => {
            call.out.warn(&format!("that these were used is not counted: {}", error.message()));
            Ok(())
        }
        _ => Ok(()),
    }
}

impl Args {
    fn ask(self, engine: &Engine, call: &Invocation) -> Done<ContextAsk> {
        let mut wanted = engine.context_ask(self.words.join(" "), self.profile);
        wanted.question.now = call.now;
        wanted.question.task = self.task;
        wanted.ask.budget = self.budget;
        wanted.ask.fullness = self.window_fill;
        wanted.ask.style = self.format;
        wanted.files = self.files;
        wanted.task = self.task_id;
        wanted.fill = self.fill;
        wanted.session = self.session.map(|name| engine.session_named(&name)).transpose()?;
        wanted.profiles = profiles(call)?;
        let model = self.model.unwrap_or(call.resolved()?.context_model.clone());
        if !model.is_empty() {
            wanted.counter = Encoding::for_model(&model);
        }
        Ok(wanted)
    }

    fn segment(&self) -> Segment {
        Segment {
            task: self.words.join(" "),
            requires: self.contracts.requires.clone(),
            provides: self.contracts.provides.clone(),
            affects: self.contracts.affects.clone(),
        }
    }
}

/// The profiles built in, then yours, then the project's.
pub(crate) fn profiles(call: &Invocation) -> Done<Profiles> {
    let project = call.project().dir.join("profiles.toml");
    let yours = files::user().map(|path| path.with_file_name("profiles.toml"));
    let mut profiles = Profiles::built_in();
    for path in yours.into_iter().chain([project]) {
        profiles = with_file(profiles, &path)?;
    }
    Ok(profiles)
}

fn with_file(profiles: Profiles, path: &Path) -> Done<Profiles> {
    if !path.exists() {
        return Ok(profiles);
    }
    let text = std::fs::read_to_string(path)
        .map_err(|cause| crate::report::file("read", path.display(), cause))?;
    let added = profiles.with(&text).map_err(|wrong| {
        Error::from(wrong).because(format!("it stands in `{}`", path.display()))
    })?;
    Ok(added)
}

fn list(profiles: &Profiles, call: &Invocation) -> Done {
    let all: Vec<&Profile> = profiles.iter().collect();
    if all.is_empty() {
        return Err(invalid("there is no profile", "remove the empty profiles.toml").into());
    }
    let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
    let told = |one: &Profile| match one.budget {
        Some(budget) => format!("{:<6} tokens  {}", budget, one.about),
        None => format!("any number     {}", one.about),
    };
    call.out.answer(
        || serde_json::json!({ "profiles": names }),
        || call.out.table(all.iter().map(|one| (one.name.as_str(), told(one)))),
    )
}

fn tell(context: &Context, call: &Invocation) -> Done {
    call.out.answer(|| view::context::context(context), || text_of(&context.assembled, call))
}

fn tell_handout(handout: &Handout, call: &Invocation) -> Done {
    call.out.answer(
        || view::context::handout(handout),
        || {
            text_of(&handout.pack, call)?;
            let kept = handout.pointers.tokens;
            call.out.note(&format!("for yourself, pointers of {kept} tokens: see `--json`"));
            Ok(())
        },
    )
}

fn text_of(assembled: &Assembled, call: &Invocation) -> Done {
    match &assembled.empty {
        Some(why) => call.out.note(&format!("no context: {why}")),
        None => {
            call.out.line(assembled.text.trim_end_matches('\n'))?;
            let Assembled { tokens, budget, shown, .. } = assembled;
            let memories = counted(shown.len() as u64, "memory", "memories");
            let of = if *budget < UNBOUND { format!(" of {budget}") } else { String::new() };
            call.out.note(&format!("{memories}, {tokens}{of} tokens"));
        }
    }
    Ok(())
}
