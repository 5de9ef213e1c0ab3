//! English function words: in every text, so they tell none apart.

/// At most eight letters each. Contractions stand as the index writes them, without their
/// apostrophe. Not in it: words that are also names or dates (`may`, `will` stays because the verb
/// is by far more frequent), and negations, which change what a text says.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "arent", "as", "at", "be",
    "been", "being", "but", "by", "can", "could", "couldnt", "did", "didnt", "do", "does",
    "doesnt", "doing", "dont", "each", "else", "etc", "for", "from", "had", "hadnt", "has",
    "hasnt", "have", "havent", "having", "he", "her", "here", "hers", "hes", "him", "his", "how",
    "i", "if", "im", "in", "into", "is", "isnt", "it", "itd", "itll", "its", "ive", "just", "me",
    "mine", "my", "of", "on", "or", "our", "ours", "shall", "she", "shes", "should", "shouldnt",
    "so", "some", "such", "than", "that", "thats", "the", "their", "theirs", "them", "then",
    "there", "theres", "these", "they", "theyre", "theyve", "this", "those", "to", "too", "us",
    "very", "was", "wasnt", "we", "were", "werent", "weve", "what", "whats", "when", "where",
    "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "wouldnt", "you",
    "youd", "youll", "your", "youre", "yours", "youve",
];

/// Each word as a number, where its hash says or in the next free slot; 0 is a free one. Every word
/// of every text is looked up here, so it has to be faster than comparing strings.
const TABLE: [u64; SLOTS] = table();
const SLOTS: usize = 512;

pub(super) fn is_stop_word(word: &str) -> bool {
    let Some(packed) = packed(word.as_bytes()) else { return false };
    let mut slot = slot(packed);
    while TABLE[slot] != 0 {
        if TABLE[slot] == packed {
            return true;
        }
        slot = (slot + 1) % SLOTS;
    }
    false
}

/// Words of one to eight bytes as a number other than 0.
const fn packed(word: &[u8]) -> Option<u64> {
    if word.is_empty() || word.len() > 8 || word[0] == 0 {
        return None;
    }
    let mut number = 0;
    let mut at = 0;
    while at < word.len() {
        number = number << 8 | word[at] as u64;
        at += 1;
    }
    Some(number)
}

/// Fibonacci hashing: the upper bits of the product depend on all letters.
const fn slot(packed: u64) -> usize {
    (packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize
}

const fn table() -> [u64; SLOTS] {
    let mut table = [0; SLOTS];
    let mut at = 0;
    while at < STOP_WORDS.len() {
        let packed =
            packed(STOP_WORDS[at].as_bytes()).expect("stop words have one to eight letters");
        let mut slot = slot(packed);
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = packed;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_word_is_found_and_others_are_not() {
        assert!(STOP_WORDS.is_sorted());
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
        for word in ["", "\0", "\0a", "database", "a\0", "cache", "über"] {
            assert!(!is_stop_word(word), "{word:?}");
        }
    }
}
