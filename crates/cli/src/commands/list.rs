//! `mnemic list`: one line per memory, filtered.

use crate::args::{TimeArgs, choice, unit, whole};
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, gap, kind_name, one_line, plain, width};
use crate::report::Done;
use crate::times::{self, age};
use crate::view;
use mnemic_engine::model::{Author, Filter, Kind, ScopeLevel, Tier, Timestamp, Trust, Unit};
use mnemic_engine::{Cursor, Levels, Listed, Page};
use serde_json::{Value, json};

/// Beyond this a line would break on most terminals; ids and ages stand around it.
const TEXT_WIDTH: usize = 72;

/// Spaces between two columns.
const GAP: usize = 2;

/// List memories: the project's first, then yours, each the last recorded first
///
/// The age is that of the record; `mnemic timeline` goes by when things happened.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic list --kind decision --tag store
  mnemic list --match \"connection pool\" --since 2w
  mnemic list --as-of 2026-01-05
  mnemic list --ids --kind fact | xargs mnemic show")]
pub(crate) struct Args {
    /// Only this kind; may be given several times, as may the next five
    #[arg(long = "kind", value_name = "KIND", value_parser = choice(Kind::ALL, Kind::as_str))]
    kinds: Vec<Kind>,
    #[arg(long = "tier", value_name = "TIER", value_parser = choice(Tier::ALL, Tier::as_str))]
    tiers: Vec<Tier>,
    #[arg(long = "scope", value_name = "SCOPE", value_parser = choice(ScopeLevel::ALL, ScopeLevel::as_str))]
    scopes: Vec<ScopeLevel>,
    #[arg(long = "trust", value_name = "TRUST", value_parser = choice(Trust::ALL, Trust::as_str))]
    trusts: Vec<Trust>,
    /// What kind of writer it came from
    #[arg(long = "author", value_name = "AUTHOR", value_parser = choice(Author::ALL, Author::as_str))]
    authors: Vec<Author>,
    /// With this tag; several must all be there
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[arg(long)]
    category: Option<String>,
    /// Only what is pinned
    #[arg(long)]
    pinned: bool,
    #[arg(long, value_name = "0..1", value_parser = unit)]
    min_importance: Option<Unit>,
    /// First recorded at or after this time
    #[arg(long, value_name = "TIME", value_parser = times::argument, allow_hyphen_values = true)]
    since: Option<Timestamp>,
    /// First recorded before this time
    #[arg(long, value_name = "TIME", value_parser = times::argument, allow_hyphen_values = true)]
    until: Option<Timestamp>,
    /// Words that must all occur
    #[arg(long = "match", value_name = "WORDS")]
    words: Option<String>,
    /// Not what the namespace inherits from its parents
    #[arg(long)]
    namespace_only: bool,
    /// Also what is no longer true, or not yet
    #[arg(long)]
    all: bool,
    /// How many at most
    #[arg(long, value_name = "N", value_parser = whole::<usize>("20"))]
    limit: Option<usize>,
    /// Go on where the last page said
    #[arg(long, value_name = "CURSOR")]
    after: Option<Cursor>,
    /// Only ids
    #[arg(long)]
    ids: bool,
    #[command(flatten)]
    times: TimeArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let all = args.all;
    let ids = args.ids;
    let after = args.after;
    let page = call.engine()?.list_from(after, &filter(args, call)?)?;
    call.out.answer(
        || json!({ "items": page.items.iter().map(view::listed).collect::<Vec<Value>>(), "next": page.next }),
        || {
            if ids {
                page.items.iter().try_for_each(|item| call.out.line(&plain(item.version.id.as_str())))?;
            } else {
                lines(&page.items, call)?;
            }
            tell_rest(&page, all, call);
            Ok(())
        },
    )
}

fn filter(args: Args, call: &Invocation) -> Done<Filter> {
    let resolved = call.resolved()?;
    let at = if args.all { args.times.whenever() } else { args.times.at() };
    Ok(Filter {
        kinds: args.kinds,
        levels: args.scopes,
        namespaces: if args.namespace_only { vec![resolved.namespace.clone()] } else { vec![] },
        tiers: args.tiers,
        trusts: args.trusts,
        authors: args.authors,
        tags: args.tags,
        category: args.category,
        pinned: args.pinned.then_some(true),
        min_importance: args.min_importance,
        recorded_since: args.since,
        recorded_until: args.until,
        words: args.words,
        limit: args.limit.unwrap_or(resolved.list_limit),
        ..Filter::new(at)
    })
}

/// One line each: id, kind, what it says in short, how long ago it was recorded, which is what they
/// are sorted by.
pub(crate) fn lines(items: &[Listed], call: &Invocation) -> Done {
    let widest = |of: fn(&Listed) -> usize| items.iter().map(of).max().unwrap_or(0);
    let ids = widest(|item| item.version.id.as_str().len());
    let kinds = widest(|item| item.version.kind().as_str().len());
    for item in items {
        let version = &item.version;
        let id = plain(version.id.as_str());
        let gap = gap(&id, ids);
        let kind = format!("{:kinds$}", kind_name(version.kind()));
        let end = version.content.valid.to().filter(|end| *end <= call.now);
        let mut about = age(version.recorded.from(), call.now);
        if let Some(end) = end {
            about = format!("{about}, ended {}", age(end, call.now));
        }
        if version.content.tier == Tier::Archive {
            about.push_str(", archived");
        }
        if version.content.trust() == Trust::Quarantined {
            about.push_str(", quarantined");
        }
        let beside = ids + kinds + width(&about) + 3 * GAP;
        let text = one_line(&Levels::line(&version.content), call.out.room(beside, TEXT_WIDTH));
        let (id, about) = (call.out.paint(KEY, &id), call.out.paint(FAINT, &about));
        call.out.line(&format!("{id}{gap}  {kind}  {text}  {about}"))?;
    }
    Ok(())
}

fn tell_rest(page: &Page, all: bool, call: &Invocation) {
    if let Some(next) = &page.next {
        call.out.note(&format!("there is more: add `--after {next}`, or `--limit N`"));
    } else if page.items.is_empty() {
        call.out.note(match all {
            true => "nothing found",
            false => "nothing found; `--all` also shows what is no longer true",
        });
    }
}
