//! `mnemic changes`: what was done last, as the units that `undo` takes back, and what was forgotten,
//! which nothing takes back.

use crate::args::whole;
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, gap, one_line, plain, width};
use crate::report::Done;
use crate::times::age;
use crate::view;
use mnemic_engine::model::{At, Change, RecordId, Timestamp, Tombstone, Verb};
use mnemic_engine::{Engine, Levels, StoreName};
use serde_json::{Value, json};

/// How many memories of a change are named.
const SHOWN: usize = 2;

/// Characters of what one of them says, and of why it was done.
const TEXT_WIDTH: usize = 72;
const REASON_WIDTH: usize = 80;

/// List the last changes, the newest first, and what was forgotten
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic changes --limit 5")]
pub(crate) struct Args {
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<usize>("20"))]
    limit: usize,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let mut changes = Vec::new();
    for (store, change) in engine.changes(args.limit)? {
        // One more than is shown tells that there are more.
        let records = engine.records_of(store, &change.id, SHOWN + 1)?;
        changes.push(Listed { store, change, records });
    }
    let forgotten = engine.forgotten(args.limit)?;
    call.out.answer(
        || {
            json!({
                "items": changes.iter().map(of).collect::<Vec<Value>>(),
                "forgotten": forgotten.iter().map(of_forgotten).collect::<Vec<Value>>(),
            })
        },
        || tell(&changes, &forgotten, args.limit, &engine, call),
    )
}

struct Listed {
    store: StoreName,
    change: Change,
    records: Vec<RecordId>,
}

fn of(listed: &Listed) -> Value {
    let mut value = view::change(&listed.change);
    value["store"] = listed.store.as_str().into();
    value["records"] = json!(listed.records);
    value
}

fn of_forgotten((store, stone): &(StoreName, Tombstone)) -> Value {
    json!({
        "id": stone.id,
        "at": stone.at,
        "actor": stone.actor,
        "reason": stone.reason,
        "store": store.as_str(),
    })
}

/// The newest of both: each what it was, and below it what of.
fn tell(
    changes: &[Listed],
    forgotten: &[(StoreName, Tombstone)],
    most: usize,
    engine: &Engine,
    call: &Invocation,
) -> Done {
    let made = changes.iter().map(|one| (one.change.at, Told::of(one)));
    let gone = forgotten.iter().map(|(_, stone)| (stone.at, Told::of_forgotten(stone)));
    let mut all: Vec<(Timestamp, Told)> = made.chain(gone).collect();
    all.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    if all.is_empty() {
        call.out.note("there are none");
    }
    let width = changes.iter().map(|one| one.change.id.0.len()).max().unwrap_or(0);
    for (at, told) in all.iter().take(most) {
        told.line(*at, width, call)?;
        told.objects(engine, call)?;
    }
    Ok(())
}

/// What a person reads of a change, or of what no change brings back.
struct Told<'a> {
    /// What `undo` knows it by; nothing of what was forgotten.
    id: &'a str,
    what: String,
    why: Option<String>,
    objects: &'a [RecordId],
}

impl<'a> Told<'a> {
    fn of(Listed { change, records, .. }: &'a Listed) -> Told<'a> {
        let why = match (&change.undoes, &change.reason) {
            (Some(undone), _) => Some(format!("undoes {undone}")),
            (None, reason) => reason.clone(),
        };
        let what = format!("{} by {}", change.verb, one_line(&change.actor.to_string(), 40));
        Told { id: &change.id.0, what, why, objects: records }
    }

    fn of_forgotten(stone: &'a Tombstone) -> Told<'a> {
        let what = format!("{} by {}", Verb::Forget, one_line(&stone.actor.to_string(), 40));
        let objects = std::slice::from_ref(&stone.id);
        Told { id: "", what, why: stone.reason.clone(), objects }
    }

    fn line(&self, at: Timestamp, ids: usize, call: &Invocation) -> Done {
        let gap = gap(self.id, ids);
        let (id, when) = (call.out.paint(KEY, self.id), age(at, call.now));
        let beside = ids + width(&self.what) + width(&when) + 6;
        let room = call.out.room(beside, REASON_WIDTH);
        let why = self.why.as_deref().map(|why| format!(": {}", one_line(why, room)));
        let (why, when) = (why.unwrap_or_default(), call.out.paint(FAINT, &when));
        call.out.line(&format!("{id}{gap}  {}{why}  {when}", self.what))
    }

    /// Each by its id and the beginning of what it says, where it still says something.
    fn objects(&self, engine: &Engine, call: &Invocation) -> Done {
        for record in self.objects.iter().take(SHOWN) {
            let id = plain(record.as_str());
            let room = call.out.room(width(&id) + 4, TEXT_WIDTH);
            let text = match engine.show(record.as_str(), At::LATEST) {
                Ok(shown) => one_line(&Levels::line(&shown.version.content), room),
                Err(_) => String::new(),
            };
            call.out.line(format!("  {id}  {text}").trim_end())?;
        }
        if self.objects.len() > SHOWN {
            call.out.line("  and more")?;
        }
        Ok(())
    }
}
