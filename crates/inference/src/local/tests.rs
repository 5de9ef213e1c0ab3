//! The whole way from text to vector: with a tiny model always, with the real one if it is there.

use super::measure::cosine;
use super::reference::Reference;
use super::*;

mod damage;
mod real;

/// The tiny model on one path.
fn tiny(folder: &Path, kernel: Kernel) -> Local {
    Local::new(Packed::map(&tiny::file(folder)).unwrap(), kernel)
}

const TEXTS: [&str; 6] = ["", "abc", "some words abc", "abcabc  abc", "é 日本", "x\ny"];

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
            let near = cosine(vector, &reference.encode(&local.tokenizer().ids(text)));
            assert!(near > 0.999, "{kernel:?} {text:?}: {near}");
        }
    }
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
