//! The whole way from text to vector: with a tiny model always, with the real one if it is there.

use super::measure::cosine;
use super::reference::Reference;
use super::*;
use std::ops::Range;

mod damage;
mod real;

/// The tiny model on one path.
fn tiny(folder: &Path, kernel: Kernel) -> Local {
    Local::new(Packed::map(&tiny::file(folder)).unwrap(), kernel)
}

const TEXTS: [&str; 6] = ["", "abc", "some words abc", "abcabc  abc", "é 日本", "x\ny"];

/// The words of a text.
fn words(text: &str) -> Vec<Range<usize>> {
    let place = |word: &str| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    };
    text.split_whitespace().map(place).collect()
}

#[test]
fn all_paths_give_the_same_bits_near_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    for kernel in Kernel::all() {
        let (local, portable) = (tiny(folder.path(), kernel), Kernel::all()[0]);
        let vectors = local.embed(&TEXTS, Role::Passage).unwrap();
        assert_eq!(vectors, tiny(folder.path(), portable).embed(&TEXTS, Role::Passage).unwrap());
        let reference = Reference::new(&local.packed);
        for (text, vector) in TEXTS.iter().zip(&vectors) {
            assert!((cosine(vector, vector) - 1.0).abs() < 1e-6, "{text:?}");
            let near = cosine(vector, &reference.encode(&local.tokenizer().ids(text).into())[0]);
            assert!(near > 0.999, "{kernel:?} {text:?}: {near}");
        }
    }
}

#[test]
fn parts_too_are_the_same_on_all_paths_and_near_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    let local = tiny(folder.path(), Kernel::best());
    let reference = Reference::new(&local.packed);
    for text in TEXTS {
        let parts = words(text);
        let passage = Passage { text, parts: &parts };
        let vectors = local.embed_parts(&[passage]).unwrap().remove(0);
        assert_eq!(vectors[..1], local.embed(&[text], Role::Passage).unwrap(), "{text:?}");
        for kernel in Kernel::all() {
            let other = tiny(folder.path(), kernel).embed_parts(&[passage]).unwrap().remove(0);
            assert_eq!(other, vectors, "{kernel:?} {text:?}");
        }
        let (ids, found) = local.tokenizer().ids_and_parts(text, &parts);
        let found: Vec<_> = found.into_iter().flatten().collect();
        assert_eq!(found.len(), parts.len(), "{text:?}");
        let expected = reference.encode(&Tokens { ids, parts: found });
        assert_eq!(expected.len(), vectors.len());
        for (expected, vector) in expected.iter().zip(&vectors) {
            let near = cosine(vector, expected);
            assert!(near > 0.998, "{text:?}: {near}");
        }
    }
}

#[test]
fn a_part_that_is_all_of_a_text_means_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let local = tiny(folder.path(), Kernel::best());
    for text in &TEXTS[1..] {
        let parts = std::slice::from_ref(&(0..text.len())).to_vec();
        let vectors = local.embed_parts(&[Passage { text, parts: &parts }]).unwrap().remove(0);
        assert!(cosine(&vectors[0], &vectors[1]) > 0.9999, "{text:?}");
    }
}

#[test]
fn a_part_does_not_depend_on_its_company() {
    let folder = tempfile::tempdir().unwrap();
    let local = tiny(folder.path(), Kernel::best());
    let texts: Vec<(&str, Vec<Range<usize>>)> =
        TEXTS.iter().cycle().take(50).map(|text| (*text, words(text))).collect();
    let passage = |(text, parts): &'_ (&'static str, Vec<Range<usize>>)| -> Vec<Vec<Vector>> {
        local.embed_parts(&[Passage { text, parts }]).unwrap()
    };
    let all: Vec<Passage<'_>> = texts.iter().map(|(text, parts)| Passage { text, parts }).collect();
    let together = local.embed_parts(&all).unwrap();
    assert_eq!(together.len(), texts.len());
    for (text, vectors) in texts.iter().zip(together) {
        assert_eq!(passage(text), [vectors], "{text:?}");
    }
    assert!(local.embed_parts(&[]).unwrap().is_empty());
}

#[test]
fn a_part_beyond_the_window_is_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let local = tiny(folder.path(), Kernel::best());
    let text = format!("{}some abc", "word ".repeat(20));
    let parts = words(&text);
    let vectors = local.embed_parts(&[Passage { text: &text, parts: &parts }]).unwrap().remove(0);
    assert_eq!(vectors.len(), 1 + parts.len());
    let alone = local.embed(&["word", "some", "abc"], Role::Passage).unwrap();
    assert_ne!(vectors[1], alone[0], "within the window, where it stands");
    assert_eq!(
        vectors[19..],
        [alone[0].clone(), alone[0].clone(), alone[1].clone(), alone[2].clone()]
    );
}

#[test]
fn a_vector_does_not_depend_on_its_company() {
    let folder = tempfile::tempdir().unwrap();
    let local = tiny(folder.path(), Kernel::best());
    let many: Vec<&str> = TEXTS.iter().copied().cycle().take(50).collect();
    let together = local.embed(&many, Role::Passage).unwrap();
    for (text, vector) in many.iter().zip(together) {
        assert_eq!(local.embed(&[text], Role::Query).unwrap(), [vector], "{text:?}");
    }
    assert!(local.embed(&[], Role::Query).unwrap().is_empty());
}

#[test]
fn a_vector_does_not_depend_on_what_the_bench_was_used_for() {
    let folder = tempfile::tempdir().unwrap();
    let used = tiny(folder.path(), Kernel::best());
    for text in ["abc ".repeat(30).as_str(), "abc", "some words abc", "x\ny"] {
        let fresh = tiny(folder.path(), Kernel::best()).embed(&[text], Role::Query).unwrap();
        assert_eq!(used.embed(&[text], Role::Query).unwrap(), fresh, "{text:?}");
    }
}

#[test]
fn text_beyond_the_window_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let local = tiny(folder.path(), Kernel::best());
    let long = "word ".repeat(10_000);
    let ids = local.tokenizer().ids(&long);
    assert_eq!(ids.len(), local.window());
    assert_eq!((ids[0], ids[39]), (259, 260));
    let cut = &long[..38];
    assert_eq!(
        local.embed(&[&long], Role::Passage).unwrap(),
        local.embed(&[cut], Role::Passage).unwrap()
    );
}

#[test]
fn parts_are_found_among_the_ids() {
    let folder = tempfile::tempdir().unwrap();
    let local = tiny(folder.path(), Kernel::best());
    let parts = |text: &str, parts: &[Range<usize>]| local.tokenizer().ids_and_parts(text, parts).1;
    // `abc` and ` abc` are one id each, and so is what is not joined: a byte.
    assert_eq!(parts("abc abc xy", &[0..3, 4..7, 8..10]), [Some(1..2), Some(2..3), Some(4..6)]);
    assert_eq!(parts("abc abc xy", &[0..10, 9..10, 3..3]), [Some(1..6), Some(5..6), None]);
    assert_eq!(parts("日本", &[0..3, 3..6]), [Some(1..4), Some(4..7)]);
    let long = "x".repeat(50);
    assert_eq!(parts(&long, &[0..38, 0..39, 40..50]), [Some(1..39), None, None]);
}

#[test]
fn merges_apply_within_words() {
    let folder = tempfile::tempdir().unwrap();
    let local = tiny(folder.path(), Kernel::best());
    assert_eq!(local.tokenizer().ids("abc abc,ab"), [259, 257, 258, 44, 256, 260]);
}

#[test]
fn packing_keeps_every_weight_within_half_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let (local, source) = (tiny(folder.path(), Kernel::best()), tiny::source());
    let linear = local.packed.linear(1, packed::Place::Widen);
    let matrix = source.layers[1].matrix(packed::Place::Widen);
    for (at, weight) in matrix.numbers().into_iter().enumerate() {
        let (output, input) = (at / matrix.width, at % matrix.width);
        let code = linear.codes[packed::code_place(matrix.width, output, input)];
        let scale =
            linear.scales[packed::scale_place(linear.groups(), output, input / packed::GROUP)];
        let stored = (f32::from(code) - 128.0) * scale;
        assert!((stored - weight).abs() <= 0.501 * scale, "{output} {input}: {stored} {weight}");
    }
    assert_eq!(linear.bias, source.layers[1].bias[packed::Place::Widen as usize]);
    let model = local.model();
    assert_eq!((model.name.as_str(), model.dimensions), ("tiny", 192));
    assert_eq!(model.generation.len(), 12);
}

#[test]
fn without_weights_it_says_what_to_do() {
    let missing = local_from(Path::new("no/such/file.mnw")).unwrap_err();
    assert_eq!(missing.to_string(), "cannot read the weights `no/such/file.mnw`");
    match local_with(None) {
        Ok(embedder) => assert_eq!(embedder.model().dimensions, 384),
        Err(error) => {
            assert!(matches!(error, Error::NoWeights), "{error}");
            assert!(error.hint().is_some_and(|hint| hint.contains("scripts/weights")));
        }
    }
}
