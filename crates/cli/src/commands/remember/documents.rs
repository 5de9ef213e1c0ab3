//! The flags of the longer kinds: skills, episodes and resources.

use super::about::AboutArgs;
use crate::args::{choice, pair};
use crate::report;
use mnemic_engine::Result;
use mnemic_engine::model::body::{Episode, Outcome, Remedy, Resource, Skill, Step};
use mnemic_engine::model::{Body, policy};
use std::io::Read;
use std::path::{Path, PathBuf};

/// How to do something, step by step
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mnemic remember skill release --trigger \"a version is ready\" \\
    --step \"run the tests\" --step \"tag it: git tag -s vX.Y\" --done-when \"the tag is pushed\"")]
pub(crate) struct SkillArgs {
    name: String,
    #[arg(long)]
    description: Option<String>,
    /// When to reach for it
    #[arg(long, value_name = "WHEN")]
    trigger: Option<String>,
    /// A step, in order; may be given several times
    #[arg(long = "step", value_name = "STEP")]
    steps: Vec<String>,
    /// What must be there first; may be given several times
    #[arg(long, value_name = "THING")]
    needs: Vec<String>,
    /// How to tell that it is done; may be given several times
    #[arg(long, value_name = "CRITERION")]
    done_when: Vec<String>,
    /// What goes wrong and what then helps; may be given several times
    #[arg(long, value_name = "ERROR=FIX", value_parser = pair)]
    fix: Vec<(String, String)>,
    /// The whole skill in one line
    #[arg(long)]
    hint: Option<String>,
    #[command(flatten)]
    about: AboutArgs,
}

impl SkillArgs {
    pub(super) fn into_parts(self) -> (Body, AboutArgs) {
        let body = Skill {
            name: self.name,
            description: self.description,
            trigger: self.trigger,
            prerequisites: self.needs,
            steps: self.steps.into_iter().map(|action| Step { action, detail: None }).collect(),
            common_errors: self.fix.into_iter().map(|(error, fix)| Remedy { error, fix }).collect(),
            exit_criteria: self.done_when,
            hint: self.hint,
        };
        (Body::Skill(body), self.about)
    }
}

/// What happened in one task; never edited afterwards
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mnemic remember episode \"Move the store to WAL\" --outcome success --file store.rs --commit 4f2a9c1")]
pub(crate) struct EpisodeArgs {
    /// What it was about
    goal: String,
    #[arg(long, value_parser = choice(Outcome::ALL, Outcome::as_str))]
    outcome: Option<Outcome>,
    /// A file involved; may be given several times
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    #[arg(long)]
    agent: Option<String>,
    #[arg(long)]
    phase: Option<String>,
    /// Something to keep to; may be given several times
    #[arg(long = "constraint", value_name = "TEXT")]
    constraints: Vec<String>,
    /// Something it made; may be given several times
    #[arg(long = "artifact", value_name = "PATH")]
    artifacts: Vec<String>,
    #[arg(long)]
    commit: Option<String>,
    #[arg(long)]
    branch: Option<String>,
    #[command(flatten)]
    about: AboutArgs,
}

impl EpisodeArgs {
    pub(super) fn into_parts(self) -> (Body, AboutArgs) {
        let body = Episode {
            goal: self.goal,
            task_id: self.task,
            agent: self.agent,
            phase: self.phase,
            constraints: self.constraints,
            files: self.files,
            outcome: self.outcome,
            artifacts: self.artifacts,
            git_commit: self.commit,
            git_branch: self.branch,
            ..Episode::default()
        };
        (Body::Episode(body), self.about)
    }
}

/// A document, transcript or excerpt kept whole
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic remember resource \"Deploy notes\" --from notes.md --media-type text/markdown
  curl -s https://example.org/x | mnemic remember resource \"X\" --from - --origin https://example.org/x")]
pub(crate) struct ResourceArgs {
    title: String,
    #[arg(long, conflicts_with = "from")]
    text: Option<String>,
    /// Read the text from a file, or from standard input with `-`
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    from: Option<PathBuf>,
    #[arg(long, value_name = "TYPE")]
    media_type: Option<String>,
    /// Where it came from
    #[arg(long)]
    origin: Option<String>,
    #[command(flatten)]
    about: AboutArgs,
}

impl ResourceArgs {
    pub(super) fn into_parts(self) -> Result<(Body, AboutArgs)> {
        let text = match (self.text, &self.from) {
            (Some(text), _) => text,
            (None, Some(path)) => text_of(path)?,
            // A title and where it is found, as of a page that can be read there.
            (None, None) if self.origin.is_some() => String::new(),
            (None, None) => {
                return Err(report::invalid(
                    "the document has no text",
                    "name its file with `--from FILE`, pipe it in with `--from -`, or give `--text`",
                ));
            }
        };
        // A file names itself as its origin unless something better is known.
        let origin = self.origin.or_else(|| {
            let path = self.from.as_deref().filter(|path| *path != Path::new("-"))?;
            Some(path.display().to_string())
        });
        let body = Resource { title: self.title, text, media_type: self.media_type, origin };
        Ok((Body::Resource(body), self.about))
    }
}

fn text_of(path: &Path) -> Result<String> {
    let failed = |cause| report::file("read", path.display(), cause);
    // One byte more than a memory may hold is enough to be refused by it.
    let most = policy::MAX_BODY_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().take(most).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let file = std::fs::File::open(path).map_err(failed)?;
        file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 == most {
        return Err(report::invalid(
            format!("`{}` is longer than {} bytes", path.display(), policy::MAX_BODY_BYTES),
            "split it into several resources",
        ));
    }
    String::from_utf8(bytes).map_err(|_| {
        report::invalid(
            format!("`{}` is not UTF-8 text", path.display()),
            "binary data does not belong into a memory; keep the file and remember its path",
        )
    })
}
