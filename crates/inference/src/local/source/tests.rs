//! The tiny model written the way others write, and read back.

use serde_json::{Value, json};

use super::*;
use crate::local::tiny;
use crate::mapped::bytes;

/// Tensors one after the other, and the list of them.
#[derive(Default)]
struct Tensors {
    list: Vec<Value>,
    body: Vec<u8>,
}

impl Tensors {
    fn matrix(&mut self, name: &str, matrix: &Matrix) {
        let shape = json!([matrix.codes.len() / matrix.width, matrix.width]);
        let content = [bytes(&matrix.codes), bytes(&matrix.scales)].concat();
        self.list.push(
            json!({"name": name, "dtype": "i8", "shape": shape, "len": content.len(), "group": 64}),
        );
        self.body.extend(content);
    }

    fn floats(&mut self, name: &str, floats: &[f32]) {
        let content = bytes(floats);
        self.list.push(json!({
            "name": name, "dtype": "f32", "shape": [floats.len()], "len": content.len(), "group": 0,
        }));
        self.body.extend(content);
    }

    fn norm(&mut self, name: &str, norm: &[f32]) {
        let (gains, offsets) = norm.split_at(norm.len() / 2);
        self.floats(&format!("{name}.w"), gains);
        self.floats(&format!("{name}.b"), offsets);
    }

    fn of(source: &Source) -> Tensors {
        let mut tensors = Tensors::default();
        tensors.matrix("word_emb", &source.tokens);
        let unused = vec![9.0; 2 * source.shape.hidden];
        tensors.floats("pos_emb", &[&unused, &source.positions[..]].concat());
        tensors.floats("type_emb", &vec![0.0; source.shape.hidden]);
        tensors.norm("emb_ln", &source.norm);
        for (nth, layer) in source.layers.iter().enumerate() {
            for (at, name) in ["qkv", "ao", "f1", "f2"].into_iter().enumerate() {
                tensors.matrix(&format!("l{nth}.{name}.w"), &layer.matrices[at]);
                tensors.floats(&format!("l{nth}.{name}.b"), &layer.bias[at]);
            }
            tensors.norm(&format!("l{nth}.aln"), &layer.attention_norm);
            tensors.norm(&format!("l{nth}.fln"), &layer.last_norm);
        }
        tensors
    }
}

/// A `.hmsemb` file of the tiny model, with its header changed as the test likes.
fn written(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let source = tiny::source();
    let (shape, tokenizer) = (source.shape, tokenizer(&source).to_string());
    let Tensors { list, body } = Tensors::of(&source);
    let mut header = json!({
        "meta": {"model": "someone/tiny", "pooling": "cls", "max_length": shape.window},
        "arch": {
            "hidden": shape.hidden, "layers": shape.layers, "heads": 6, "intermediate": shape.inner,
            "vocab": shape.vocabulary, "layer_norm_eps": 1e-12, "position_offset": 2,
        },
        "tokenizer_len": tokenizer.len(),
        "tensors": list,
    });
    change(&mut header);
    let header = header.to_string();
    let length = (header.len() as u64).to_le_bytes();
    [b"HMSEMB01", &length[..], header.as_bytes(), tokenizer.as_bytes(), &body].concat()
}

fn tokenizer(source: &Source) -> Value {
    let mut vocab = serde_json::Map::new();
    for (byte, char) in vocabulary::byte_chars().into_iter().enumerate() {
        vocab.insert(char.to_string(), json!(byte));
    }
    for (token, id) in [("ab", 256), ("abc", 257), ("Ġabc", 258), ("<s>", 259), ("</s>", 260)] {
        vocab.insert(token.to_owned(), json!(id));
    }
    json!({
        "model": {"vocab": vocab, "merges": ["a b", ["ab", "c"], "Ġ abc"]},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
        "post_processor": {"cls": ["<s>", source.shape.start], "sep": ["</s>", source.shape.end]},
    })
}

#[test]
fn what_was_written_is_read() {
    let (read, due) = (hmsemb::read(&written(|_| ())).unwrap(), tiny::source());
    assert_eq!(read.shape, due.shape);
    assert_eq!(read.vocabulary.first, due.vocabulary.first);
    assert_eq!(read.vocabulary.merges, due.vocabulary.merges);
    assert_eq!(read.positions, due.positions);
    assert_eq!(read.tokens.codes, due.tokens.codes);
    assert_eq!(read.layers[1].matrices[3].scales, due.layers[1].matrices[3].scales);
    assert_eq!(read.layers[1].last_norm, due.layers[1].last_norm);
}

#[test]
fn packing_a_download_gives_what_the_source_gives() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("tiny.hmsemb"), folder.path().join("packed.mnw"));
    std::fs::write(&from, written(|_| ())).unwrap();
    pack(&from, &to).unwrap();
    assert_eq!(std::fs::read(&to).unwrap(), std::fs::read(tiny::file(folder.path())).unwrap());
}

#[test]
fn what_cannot_be_packed_is_told() {
    let changed = |at: &'static str, value: Value| {
        written(|header| *header.pointer_mut(at).expect("the header has it") = value)
    };
    let sound = written(|_| ());
    for (bytes, expected) in [
        (changed("/meta/pooling", json!("mean")), "only models with `cls` pooling"),
        (changed("/arch/heads", json!(4)), "only models with `cls` pooling"),
        (changed("/arch/hidden", json!(32)), "only models with `cls` pooling"),
        (changed("/arch/vocab", json!(70_000)), "its vocabulary has not 1 to 65535 tokens"),
        (changed("/arch/position_offset", json!(50)), "`pos_emb` has fewer rows"),
        (changed("/tensors/0/group", json!(32)), "`word_emb` is not 261 × 192 in groups of 64"),
        (changed("/tensors/3/name", json!("other")), "it has no `emb_ln.w` of type f32"),
        (changed("/tensors/0/len", json!(1_u64 << 40)), "`word_emb` is cut off"),
        (changed("/tokenizer_len", json!(9)), "its tokenizer cannot be read"),
        (sound[..sound.len() - 1].to_vec(), "`l1.fln.b` is cut off"),
        ([&sound[..], b"x"].concat(), "it is longer than it says"),
        (sound[..30].to_vec(), "its header is cut off"),
        (b"PK".to_vec(), "it does not begin with HMSEMB01"),
    ] {
        let error = hmsemb::read(&bytes).expect_err(expected);
        assert!(error.contains(expected), "{error:?} is not {expected:?}");
    }
}
