//! `memory-tool`: files that an agent keeps below `/memories`. Each is a resource with its path as
//! title, so it is found by recall, has a history, and is forgotten like any other memory.

mod command;
mod path;
mod text;

pub use command::MemoryFileCommand;

use super::theirs::is_theirs;
use crate::entry::Screened;
use crate::{Engine, Error, ErrorKind, Note, Outcome, Result, StoreName};
use mnemic_model::body::{Body, Resource};
use mnemic_model::{
    At, Draft, Filter, Kind, Patch, RecordId, Tier, Trust, Truth, Verb, Version, Visibility,
};
use mnemic_store::{Read, Write};
use path::FilePath;
use serde_json::{Value, json};

/// The category by which these resources are told from others.
const CATEGORY: &str = "memories";

/// One file as it is now.
struct File {
    path: FilePath,
    id: RecordId,
    text: String,
    version: Version,
}

impl Engine {
    /// Carries out one command of the file memory tool. The answer, and the message of an error, are
    /// to the letter what clients of that tool expect.
    pub fn memory_file(&self, command: &MemoryFileCommand, note: &Note) -> Result<String> {
        use MemoryFileCommand as C;
        match command {
            C::View { path, view_range } => self.view_file(path, *view_range),
            C::Create { path, file_text } => self.create_file(path, file_text, note),
            C::StrReplace { path, old_str, new_str } => {
                self.edit_file(path, note, |text| text::replaced(path, text, old_str, new_str))
            }
            C::Insert { path, insert_line, insert_text } => self.edit_file(path, note, |text| {
                let text = text::inserted(text, *insert_line, insert_text)?;
                Ok((text, format!("The file {path} has been edited.")))
            }),
            C::Delete { path } => self.delete_files(path, note),
            C::Rename { old_path, new_path } => self.rename_files(old_path, new_path, note),
        }
    }

    fn view_file(&self, given: &str, range: Option<(i64, i64)>) -> Result<String> {
        let path = FilePath::parse(given)?;
        let read = self.store(self.main_store()?)?.read()?;
        let files = self.files(read.as_ref())?;
        if let Some(file) = files.iter().find(|file| file.path == path) {
            return text::numbered(given, file.readable()?, range);
        }
        let below: Vec<(&str, usize)> = files
            .iter()
            .filter_map(|file| Some((path.below(&file.path)?, file.text.len())))
            .collect();
        if below.is_empty() && !path.is_root() {
            return Err(missing(given));
        }
        Ok(text::listing(given, &path, &below))
    }

    fn create_file(&self, given: &str, text: &str, note: &Note) -> Result<String> {
        let path = FilePath::parse(given)?;
        let body = Body::Resource(Resource {
            title: path.as_str().to_owned(),
            text: text.to_owned(),
            ..Resource::default()
        });
        let parts = self.vectors_ahead(&[&body]).pop().unwrap_or_default();
        let (store, mut tx) = self.files_in_hand()?;
        let files = self.files(tx.as_ref())?;
        let is_taken =
            |file: &File| file.path == path || path.below(&file.path).is_some() || path.is_root();
        if path.is_root() || files.iter().any(is_taken) {
            return Err(Error::new(ErrorKind::Conflict, format!("File {given} already exists")));
        }
        refuse_inside_of_a_file(&files, &path)?;
        let mut draft = Draft::new(body);
        draft.about.category = Some(CATEGORY.to_owned());
        let mut begun = Some(self.begin(tx.as_mut(), Verb::File, note)?);
        let made = self.take_in(tx.as_mut(), store, draft, &parts, note, &mut begun)?;
        if made.outcome == Outcome::Known {
            // The same text was here under this title, and becomes the file.
            let patch = Patch { category: Some(Some(CATEGORY.to_owned())), ..Patch::default() };
            self.patch_in(tx.as_mut(), store, &made.id, &patch, Verb::File, note)?;
        }
        self.put_down(store, tx)?;
        Ok(with_remark(format!("File created successfully at: {given}"), &made.screened))
    }

    fn edit_file(
        &self,
        given: &str,
        note: &Note,
        change: impl FnOnce(&str) -> Result<(String, String)>,
    ) -> Result<String> {
        let path = FilePath::parse(given)?;
        let (store, mut tx) = self.files_in_hand()?;
        let files = self.files(tx.as_ref())?;
        let Some(file) = files.iter().find(|file| file.path == path) else {
            let is_dir =
                path.is_root() || files.iter().any(|file| path.below(&file.path).is_some());
            return Err(match is_dir {
                true => path::refused(format!("The path {given} is not a file.")),
                false => missing(given),
            });
        };
        let (text, said) = change(file.readable()?)?;
        let patch = of_body("text", json!(text));
        let edited = self.patch_in(tx.as_mut(), store, &file.id, &patch, Verb::File, note)?;
        self.put_down(store, tx)?;
        Ok(with_remark(said, &edited.screened))
    }

    fn delete_files(&self, given: &str, note: &Note) -> Result<String> {
        let path = FilePath::parse(given)?;
        if path.is_root() {
            return Err(path::refused("Cannot delete the /memories directory itself".into()));
        }
        let (store, mut tx) = self.files_in_hand()?;
        let gone = self.files_at(tx.as_ref(), &path, given)?;
        for file in &gone {
            self.refuse_to_remove(tx.as_ref(), file)?;
        }
        let change = self.begin(tx.as_mut(), Verb::File, note)?;
        for file in &gone {
            tx.retract(&file.id, &change.id)?;
        }
        self.put_down(store, tx)?;
        Ok(format!("Successfully deleted {given}"))
    }

    fn rename_files(&self, old: &str, new: &str, note: &Note) -> Result<String> {
        let (from, to) = (FilePath::parse(old)?, FilePath::parse(new)?);
        if from.is_root() {
            return Err(path::refused("Cannot rename the /memories directory itself".into()));
        }
        let (store, mut tx) = self.files_in_hand()?;
        let files = self.files(tx.as_ref())?;
        let is_taken = |file: &File| file.path == to || to.below(&file.path).is_some();
        if to.is_root() || files.iter().any(is_taken) {
            let taken = format!("The destination {new} already exists");
            return Err(Error::new(ErrorKind::Conflict, taken));
        }
        let moving = self.files_at(tx.as_ref(), &from, old)?;
        if from.below(&to).is_some() {
            return Err(path::refused(format!("The destination {new} lies inside of {old}")));
        }
        refuse_inside_of_a_file(&files, &to)?;
        let change = note.change.clone().unwrap_or_else(|| self.new_change_id());
        let note = Note { change: Some(change), ..note.clone() };
        for file in &moving {
            let Some(path) = file.path.moved(&from, &to) else { continue };
            let patch = of_body("title", json!(path.as_str()));
            self.patch_in(tx.as_mut(), store, &file.id, &patch, Verb::File, &note)?;
        }
        self.put_down(store, tx)?;
        Ok(format!("Successfully renamed {old} to {new}"))
    }

    /// The store that files lie in, and a transaction: what is looked at there stays so until the
    /// end, so that two agents never make the same file.
    fn files_in_hand(&self) -> Result<(StoreName, Box<dyn Write + '_>)> {
        let store = self.main_store()?;
        Ok((store, self.store(store)?.write()?))
    }

    fn put_down(&self, store: StoreName, tx: Box<dyn Write + '_>) -> Result<()> {
        tx.commit()?;
        self.tend(self.store(store)?);
        Ok(())
    }

    /// All files, in the order of their paths.
    fn files(&self, read: &dyn Read) -> Result<Vec<File>> {
        let filter = Filter {
            kinds: vec![Kind::Resource],
            namespaces: vec![self.settings.namespace.clone()],
            category: Some(CATEGORY.to_owned()),
            ..Filter::new(At { truth: Truth::Now, known: None })
        };
        let mut files: Vec<File> = read.list(&filter)?.into_iter().filter_map(File::of).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|later, first| later.path == first.path);
        Ok(files)
    }

    /// The file at a path, or all that lie below it.
    fn files_at(&self, read: &dyn Read, path: &FilePath, given: &str) -> Result<Vec<File>> {
        let mut files = self.files(read)?;
        files.retain(|file| file.path == *path || path.below(&file.path).is_some());
        match files.is_empty() {
            true => {
                let missing = format!("The path {given} does not exist");
                Err(Error::new(ErrorKind::NotFound, missing))
            }
            false => Ok(files),
        }
    }

    /// What a person stands for, made binding or shared is not an agent's to take away.
    fn refuse_to_remove(&self, read: &dyn Read, file: &File) -> Result<()> {
        if self.settings.actor.is_human() {
            return Ok(());
        }
        let content = &file.version.content;
        let is_binding = matches!(content.tier, Tier::Mandate | Tier::Guardrail);
        let is_kept =
            content.pinned || is_binding || content.scope.visibility == Visibility::Shared;
        if is_kept || is_theirs(read, &file.version)? {
            let path = file.path.as_str();
            let denied = format!("{path} is kept by a person and cannot be deleted by an agent");
            return Err(Error::new(ErrorKind::Denied, denied)
                .hint(format!("a person can: `mnemic forget {}`", file.id)));
        }
        Ok(())
    }
}

impl File {
    fn of(version: Version) -> Option<File> {
        let Body::Resource(resource) = &version.content.body else { return None };
        let path = FilePath::parse(&resource.title).ok().filter(|path| !path.is_root())?;
        Some(File { path, id: version.id.clone(), text: resource.text.clone(), version })
    }

    /// Its text, unless it is withheld.
    fn readable(&self) -> Result<&str> {
        if self.version.content.trust() != Trust::Quarantined {
            return Ok(&self.text);
        }
        let path = self.path.as_str();
        Err(Error::new(
            ErrorKind::Denied,
            format!("{path} is quarantined until a person looks at it"),
        )
        .hint(format!("a person can: `mnemic review`, then `mnemic confirm {}`", self.id)))
    }
}

fn of_body(field: &str, value: Value) -> Patch {
    let mut patch = Patch::default();
    patch.body.insert(field.into(), value);
    patch
}

fn missing(given: &str) -> Error {
    let message = format!("The path {given} does not exist. Please provide a valid path.");
    Error::new(ErrorKind::NotFound, message)
}

/// What was said, and what of the text did not get in as it was: whoever wrote it would miss it later.
fn with_remark(mut said: String, screened: &Screened) -> String {
    if !screened.replaced.is_empty() {
        said.push_str("\nSecrets in it were replaced by placeholders and are not kept.");
    }
    if screened.is_quarantined {
        said.push_str(
            "\nIt reads like an order to an agent and is in quarantine: nobody is shown it until a \
             person accepts it.",
        );
    }
    said
}

fn refuse_inside_of_a_file(files: &[File], path: &FilePath) -> Result<()> {
    match files.iter().find(|file| file.path.below(path).is_some()) {
        Some(file) => {
            Err(path::refused(format!("The path {} is not a directory.", file.path.as_str())))
        }
        None => Ok(()),
    }
}
