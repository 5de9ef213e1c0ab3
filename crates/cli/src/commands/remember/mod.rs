//! `mnemic remember`: stores one memory from flags or a sentence, or any number from standard input.

mod about;
mod documents;
mod kinds;
mod stream;
mod subjects;

use crate::invocation::Invocation;
use crate::output::one_line;
use crate::report::{self, Done};
use crate::view;
use about::AboutArgs;
use kinds::KindArgs;
use mnemic_engine::model::Draft;
use mnemic_engine::model::body::Body;
use mnemic_engine::model::draft::About;
use mnemic_engine::secrets::Tally;
use mnemic_engine::{Engine, LONG_TEXT, Note, Outcome, Remembered, Screened, StoreName};
use std::fs::File;
use std::io::{self, BufReader, IsTerminal};
use std::path::PathBuf;

/// Store a memory: a sentence, one from flags, or thousands from standard input
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  mnemic remember Run the migrations before the server starts
  mnemic remember fact db.port 5432
  mnemic remember decision \"Use SQLite\" --because \"one file\" --rejected Postgres
  echo '{\"kind\":\"fact\",\"key\":\"db.port\",\"value\":\"5432\"}' | mnemic remember -
  mnemic remember --from memories.ndjson

Standard input may hold a JSON object, an array of them, one object per line (NDJSON), or
Markdown with the fields as YAML front matter. Fields have the names that
`mnemic show ID --json` prints; `kind` says what it is.")]
pub(crate) struct Args {
    #[command(subcommand)]
    kind: Option<KindArgs>,
    /// A sentence, kept as a decision where it tells one and else as a pattern; or `-` to read
    /// standard input
    #[arg(value_name = "TEXT | -", conflicts_with = "from")]
    words: Vec<String>,
    /// Read memories from standard input, the same as `-`
    #[arg(long, conflicts_with = "from")]
    stdin: bool,
    /// Read memories from a file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    from: Option<PathBuf>,
    /// Of many, leave the vectors to `mnemic embed`; until then they are found by words alone
    #[arg(long)]
    embed_later: bool,
    #[command(flatten)]
    about: AboutArgs,
}

/// What was said without naming a kind.
#[derive(Debug)]
enum Spoken {
    Nothing,
    Dash,
    Sentence(String),
}

/// A sentence has several words, and the first of them is no kind with a slip in it.
fn spoken(words: &[String]) -> mnemic_engine::Result<Spoken> {
    let sentence = words.join(" ");
    let several = sentence.split_whitespace().nth(1).is_some() || is_unspaced(&sentence);
    let first = words.first().map_or("", String::as_str);
    let meant = KindArgs::names().into_iter().find(|kind| is_slip(first, kind));
    match (sentence.trim(), meant) {
        ("", _) if words.is_empty() => Ok(Spoken::Nothing),
        ("", _) => Err(report::invalid("the text is empty", "say what is to be remembered")),
        ("-", _) => Ok(Spoken::Dash),
        (_, Some(kind)) if kind == first => Err(report::invalid(
            format!("`{kind}` stands after flags"),
            format!("name the kind first: mnemic remember {kind} … --tag TAG"),
        )),
        (_, Some(kind)) => Err(report::invalid(
            format!("`{first}` is not a kind of memory; did you mean `{kind}`?"),
            "a sentence that begins with this word: put all of it in quotes",
        )),
        _ if several => Ok(Spoken::Sentence(sentence)),
        _ => Err(report::invalid(
            format!("`{}` is neither a kind of memory nor a sentence", one_line(first, 40)),
            format!(
                "use one of {}, say a whole sentence, or `-` to read standard input",
                KindArgs::names().join(", ")
            ),
        )),
    }
}

/// Whether a text is more than a word in a script that puts no spaces between them.
fn is_unspaced(text: &str) -> bool {
    // Thai to Khmer, then Chinese and Japanese.
    let is_one = |c: &char| matches!(c, '\u{0e00}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}');
    text.chars().filter(is_one).nth(3).is_some()
}

/// A slip of the hand, not another word: the longer the name, the more may be amiss.
fn is_slip(word: &str, kind: &str) -> bool {
    let most = if kind.len() < 8 { 1 } else { 2 };
    strsim::osa_distance(&word.to_lowercase(), kind) <= most
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let note = args.about.note();
    if let Some(kind) = args.kind {
        let (body, about) = kind.into_parts()?;
        return from_flags(body, about, call);
    }
    let spoken = spoken(&args.words)?;
    if let Spoken::Sentence(statement) = spoken {
        let body = mnemic_engine::spoken(statement);
        let kind = body.kind();
        let (note, about) = (args.about.note(), args.about.into_about());
        if keep(Draft { body, about }, &note, &call.engine()?, call)? == Outcome::Created {
            let kept = format!("kept as {}", kind.with_article());
            call.out.note(&format!("{kept}; `mnemic remember --help` shows the other kinds"));
        }
        return Ok(());
    }
    if args.about.into_about() != About::default() {
        return Err(report::invalid(
            "flags such as `--tag` speak of one memory, and many may come in",
            "give each of them its own field, or name a kind and its text",
        )
        .into());
    }
    if let Some(path) = &args.from {
        let file = File::open(path).map_err(|cause| report::file("read", path.display(), cause))?;
        return stream::run(BufReader::with_capacity(1 << 16, file), note, args.embed_later, call);
    }
    if matches!(spoken, Spoken::Nothing) && !args.stdin && io::stdin().is_terminal() {
        let kinds = KindArgs::names().join(", ");
        return Err(report::invalid(
            "nothing to remember was given",
            format!("say a sentence, name a kind ({kinds}), or pipe memories in"),
        )
        .into());
    }
    stream::run(BufReader::with_capacity(1 << 16, io::stdin()), note, args.embed_later, call)
}

fn from_flags(body: Body, about: AboutArgs, call: &Invocation) -> Done {
    let note = about.note();
    let draft = Draft { body, about: about.into_about() };
    one(draft, &note, &call.engine()?, call)
}

/// Stores one memory and prints its id, and nothing else, on stdout.
pub(crate) fn one(draft: Draft, note: &Note, engine: &Engine, call: &Invocation) -> Done {
    keep(draft, note, engine, call).map(drop)
}

fn keep(draft: Draft, note: &Note, engine: &Engine, call: &Invocation) -> Done<Outcome> {
    let is_long = draft.body.full_text().len() > LONG_TEXT;
    let says_more = draft.about != About::default();
    let remembered = engine.remember(draft, note)?;
    call.out.answer(|| view::remembered(&remembered), || call.out.line(remembered.id.as_str()))?;
    tell(&remembered, call);
    if says_more && remembered.outcome == Outcome::Known {
        let edit = format!("what the flags say was left out: `mnemic edit {}`", remembered.id);
        call.out.note(&edit);
    }
    if is_long && engine.settings().meaning.is_there() {
        call.out.note("it is long: found by words at once, by meaning after `mnemic embed`");
    }
    Ok(remembered.outcome)
}

/// Says that what was written waits for a person; JSON has a place of its own for that.
pub(in crate::commands) fn tell_apart(screened: &Screened, call: &Invocation) {
    if screened.is_quarantined && !call.out.json {
        // What was replaced is told at the end, for all of them together.
        let apart = Screened { replaced: Tally::new(), ..screened.clone() };
        view::screened(&apart).iter().for_each(|warning| call.out.warn(warning));
    }
}

/// What is worth knowing beside the id.
fn tell(remembered: &Remembered, call: &Invocation) {
    match remembered.outcome {
        Outcome::Created => {}
        Outcome::Known if remembered.change.is_some() => {
            call.out.note("already known; now you vouch for it");
        }
        Outcome::Known => call.out.note("already known; nothing was written"),
        Outcome::Replayed => call.out.note("stored before under this key; nothing was written"),
    }
    tell_apart(&remembered.screened, call);
    if remembered.store == StoreName::User && call.project_is_missing() {
        call.out.note("kept in your own store: there is no project store here (`mnemic init`)");
    }
    if !remembered.superseded.is_empty() {
        call.out.note(&format!("superseded {}", view::ids(&remembered.superseded)));
    }
}
