//! What a damaged file may do: be refused, or give wrong numbers. Never a panic.

use super::*;
use crate::packing::verify;

/// Opens changed bytes as a file, and embeds if it opens.
fn with(bytes: &[u8]) -> Result<(), Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.mnw");
    std::fs::write(&path, bytes).unwrap();
    let local = local_from(&path)?;
    local.embed(&["some abc words"], Role::Passage).map(drop)
}

fn sound() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::read(tiny::file(folder.path())).unwrap()
}

#[test]
fn every_byte_of_the_header_is_guarded() {
    let sound = sound();
    with(&sound).unwrap();
    let header = 192 + 16 * (6 + 2 * 14);
    for at in 0..header {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x41;
        let error = with(&bytes).expect_err("a changed header is refused");
        let expected = matches!(error, Error::Damaged { .. } | Error::OtherFormat { .. });
        assert!(expected, "byte {at}: {error}");
    }
}

#[test]
fn a_cut_or_grown_file_is_refused() {
    let sound = sound();
    let end = sound.len();
    for length in [0, 1, 7, 8, 12, 100, 191, 192, 700, 736, end / 2, end - 64, end - 1] {
        let error = with(&sound[..length]).expect_err("a cut file is refused").to_string();
        assert!(error.contains("damaged.mnw` is not a sound file of packed weights"), "{error}");
    }
    let grown = [&sound[..], &[0; 64]].concat();
    assert!(with(&grown).is_err());
    assert!(with(b"something else entirely, though longer than a few bytes").is_err());
}

#[test]
fn damage_to_the_body_never_panics_and_is_found_by_verify() {
    let sound = sound();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.mnw");
    let mut dice = tiny::Dice::new(11);
    for round in 0..60 {
        let mut bytes = sound.clone();
        // Whole stretches, so that tables without an empty slot and infinite scales occur.
        let start = 736 + dice.roll() as usize % (bytes.len() - 736);
        let stop = (start + 1 + dice.roll() as usize % 2_000).min(bytes.len());
        let fill = [0, 0xff, 0x7f, (dice.roll() % 256) as u8][round % 4];
        if bytes[start..stop].iter().all(|&byte| byte == fill) {
            continue;
        }
        bytes[start..stop].fill(fill);
        let _ = with(&bytes);
        std::fs::write(&path, &bytes).unwrap();
        assert!(verify(&path).is_err(), "{start}..{stop} filled with {fill}");
    }
    std::fs::write(&path, &sound).unwrap();
    verify(&path).unwrap();
}

#[test]
fn the_format_is_named_when_it_is_another() {
    let mut bytes = sound();
    bytes[8] = 9;
    let error = with(&bytes).unwrap_err();
    let told = format!("is packed in format 9, and this mnemic reads format {FORMAT}");
    assert!(error.to_string().ends_with(&told), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("scripts/weights")));
}
