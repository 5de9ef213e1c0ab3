//! A foreign file is read whole and stays as it was, to the byte, whoever has it open.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use super::*;
use std::collections::BTreeMap;

struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let dir =
            std::env::temp_dir().join(format!("mnemic-foreign-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Dir(dir)
    }

    /// Every file and its bytes; the shared memory of a journal is no data.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path());
        let is_data = |path: &PathBuf| !path.to_string_lossy().ends_with("-shm");
        entries.filter(is_data).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn made(path: &Path, wal: bool) -> Connection {
    let owner = Connection::open(path).unwrap();
    if wal {
        owner.pragma_update(None, "journal_mode", "wal").unwrap();
    }
    owner
        .execute_batch(
            "CREATE TABLE \"odd \"\"name\" (id INTEGER, text TEXT, raw BLOB, n REAL);
             INSERT INTO \"odd \"\"name\" VALUES (2, 'b', x'7b7d', 0.5), (1, 'a', x'ff', 1e999);",
        )
        .unwrap();
    owner
}

fn ids(foreign: &Foreign, among: Among<'_>, order: &[&str]) -> Vec<i64> {
    let mut ids = Vec::new();
    foreign
        .rows::<Error>("odd \"name", among, order, &mut |row| {
            ids.push(row["id"].as_i64().unwrap());
            Ok(())
        })
        .unwrap();
    ids
}

#[test]
fn rows_come_as_json_and_what_is_missing_is_no_error() {
    let dir = Dir::new("rows");
    let path = dir.0.join("a b?.db");
    drop(made(&path, false));
    let foreign = Foreign::open(&path).unwrap();
    assert_eq!(foreign.tables().unwrap(), ["odd \"name"]);
    assert_eq!(ids(&foreign, Among::All, &["gone", "id"]), [1, 2]);
    assert_eq!(ids(&foreign, Among::Is("text", "b"), &[]), [2]);
    assert_eq!(ids(&foreign, Among::Begins("text", "a"), &[]), [1]);
    assert_eq!(ids(&foreign, Among::Is("gone", "b"), &[]), Vec::<i64>::new());
    foreign.rows::<Error>("gone", Among::All, &[], &mut |_| panic!("no table")).unwrap();
    let mut rows = Vec::new();
    let mut keep = |row: Row| {
        rows.push(Value::Object(row));
        Ok::<(), Error>(())
    };
    foreign.rows("odd \"name", Among::All, &["id"], &mut keep).unwrap();
    assert_eq!(rows[0], serde_json::json!({"id": 1, "text": "a", "raw": null, "n": null}));
    assert_eq!(rows[1], serde_json::json!({"id": 2, "text": "b", "raw": "{}", "n": 0.5}));
}

#[test]
fn nothing_of_it_changes_whatever_its_journal() {
    for (name, wal, in_use) in
        [("plain", false, false), ("closed", true, false), ("busy", true, true)]
    {
        let dir = Dir::new(name);
        let path = dir.0.join("it.db");
        let owner = made(&path, wal);
        let owner = if in_use { Some(owner) } else { None };
        let before = dir.files();
        let foreign = Foreign::open(&path).unwrap();
        assert_eq!(ids(&foreign, Among::All, &["id"]), [1, 2], "{name}");
        drop(foreign);
        assert_eq!(dir.files(), before, "{name}");
        drop(owner);
    }
}

#[test]
fn a_journal_that_its_owner_left_behind_is_read_and_stays() {
    let dir = Dir::new("left");
    let path = dir.0.join("it.db");
    let owner = made(&path, true);
    // As a killed owner leaves them: both files, and nobody there.
    let left = Dir::new("left-copy");
    for ending in ["", "-wal"] {
        fs::copy(beside(&path, ending), beside(&left.0.join("it.db"), ending)).unwrap();
    }
    drop(owner);
    let before = left.files();
    let foreign = Foreign::open(&left.0.join("it.db")).unwrap();
    assert_eq!(ids(&foreign, Among::All, &["id"]), [1, 2]);
    drop(foreign);
    assert_eq!(left.files(), before);
    assert!(!left.0.join("it.db-shm").exists());
}

#[test]
fn what_is_no_database_is_said() {
    let dir = Dir::new("other");
    let path = dir.0.join("it.db");
    fs::write(&path, "hello").unwrap();
    assert!(Foreign::open(&path).is_err());
    fs::write(&path, [MAGIC.as_slice(), &[7; 4000]].concat()).unwrap();
    let broken = Foreign::open(&path).and_then(|foreign| foreign.tables());
    assert!(broken.is_err());
}
