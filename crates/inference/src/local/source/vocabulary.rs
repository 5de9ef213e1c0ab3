//! The vocabulary out of a Hugging Face `tokenizer.json` of the byte-level BPE kind.

use std::collections::HashMap;

use serde::Deserialize;

use crate::local::tokens::Merge;

#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// The token of each single byte.
    pub(crate) first: [u16; 256],
    /// In order of rank: the earlier ones are done first.
    pub(crate) merges: Vec<Merge>,
    /// The marks around every text.
    pub(crate) start: u16,
    pub(crate) end: u16,
}

#[derive(Deserialize)]
struct File {
    model: Model,
    pre_tokenizer: Splitting,
    post_processor: Marks,
}

#[derive(Deserialize)]
struct Splitting {
    #[serde(rename = "type")]
    kind: String,
    add_prefix_space: bool,
}

#[derive(Deserialize)]
struct Marks {
    cls: (String, u16),
    sep: (String, u16),
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<String, u16>,
    merges: Vec<Pair>,
}

/// Written as one string with a space in older files, as a list in newer ones.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Pair {
    Spaced(String),
    Listed(String, String),
}

impl Vocabulary {
    pub(super) fn read(json: &[u8]) -> Result<Vocabulary, String> {
        let file: File = serde_json::from_slice(json)
            .map_err(|error| format!("its tokenizer cannot be read: {error}"))?;
        if file.pre_tokenizer.kind != "ByteLevel" || file.pre_tokenizer.add_prefix_space {
            return Err("its tokenizer splits in a way that is not known".to_owned());
        }
        let vocab = &file.model.vocab;
        let id = |token: &str| {
            vocab.get(token).copied().ok_or_else(|| format!("it has no token `{token}`"))
        };
        let mut first = [0; 256];
        for (slot, char) in first.iter_mut().zip(byte_chars()) {
            *slot = id(char.encode_utf8(&mut [0; 4]))?;
        }
        let merge = |pair: &Pair| {
            let (left, right) = pair.halves()?;
            let joined = id(&format!("{left}{right}"))?;
            Ok(Merge { left: id(left)?, right: id(right)?, joined })
        };
        let merges: Vec<Merge> =
            file.model.merges.iter().map(merge).collect::<Result<_, String>>()?;
        if merges.len() > usize::from(u16::MAX) {
            return Err("it has more than 65535 merges".to_owned());
        }
        let Marks { cls, sep } = file.post_processor;
        Ok(Vocabulary { first, merges, start: cls.1, end: sep.1 })
    }
}

impl Pair {
    pub(crate) fn halves(&self) -> Result<(&str, &str), String> {
        match self {
            Pair::Spaced(both) => {
                both.split_once(' ').ok_or_else(|| format!("the merge `{both}` is not a pair"))
            }
            Pair::Listed(left, right) => Ok((left, right)),
        }
    }
}

/// The character that stands for each byte: itself where it is visible in Latin-1, otherwise the
/// next unused one from U+0100 on. So did GPT-2, and so do all vocabularies of its kind.
pub(super) fn byte_chars() -> [char; 256] {
    let mut next = 0x100;
    std::array::from_fn(|byte| {
        let visible = matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
        let code = if visible {
            byte as u32
        } else {
            next += 1;
            next - 1
        };
        char::from_u32(code).expect("small numbers outside the surrogates are characters")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stand_for_what_vocabularies_of_this_kind_write() {
        let chars = byte_chars();
        for (byte, char) in [(b'a', 'a'), (b' ', 'Ġ'), (b'\n', 'Ċ'), (0, 'Ā'), (0xad, 'Ń')] {
            assert_eq!(chars[usize::from(byte)], char, "{byte}");
        }
        let different: std::collections::HashSet<char> = chars.into_iter().collect();
        assert_eq!(different.len(), 256);
    }
}
