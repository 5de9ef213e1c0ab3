//! The words of a text: what the full-text index stores and what a query asks it for.

mod chunks;
mod fold;
mod humps;
mod reading;
mod sigils;

pub(crate) use chunks::{Class, trimmed, visit};
pub(crate) use humps::humps;
pub use humps::spelled;
pub(crate) use reading::LONGEST;
pub(crate) use sigils::{runs, sigilled};

use chunks::{Chunk, chunks};
use reading::Reading;

/// Bump whenever [`index_terms`] changes its output: the store then rebuilds its index.
pub const WORDS_GENERATION: u32 = 1;

/// One chunk of a query. It is met by terms that hold `whole`, or `parts` next to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryChunk {
    /// The chunk as it stands: a word, a path, `c++`. `None` for scripts without spaces and for
    /// overlong runs.
    pub whole: Option<String>,
    /// The pieces that, as a phrase, mean the same. Empty where only the whole will do.
    pub parts: Vec<String>,
}

impl QueryChunk {
    fn is_met_by(&self, terms: &[String]) -> bool {
        let whole = self.whole.as_ref().is_some_and(|whole| terms.contains(whole));
        whole || self.is_phrase_in(terms)
    }

    fn is_phrase_in(&self, terms: &[String]) -> bool {
        !self.parts.is_empty()
            && terms.windows(self.parts.len()).any(|window| window == self.parts.as_slice())
    }
}

/// The terms under which a text is found, in text order.
///
/// Terms are folded (NFKC, lower case, no diacritics), at most 64 characters long and free of
/// white space, quotes and control characters. Each chunk gives its whole form, then its words,
/// then what lies inside those: the humps of an identifier, the characters of a dense script,
/// words with their sigil.
pub fn index_terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    visit(text, |class, chunk| match is_plain(class, chunk) {
        true => terms.push(chunk.to_ascii_lowercase()),
        false => {
            let chunk = Chunk::of(class, chunk);
            chunk.iter().for_each(|chunk| Reading::of(chunk).into_terms(&mut terms));
        }
    });
    terms
}

/// Most chunks are words that hold nothing but themselves; they need no closer reading.
fn is_plain(class: Class, chunk: &str) -> bool {
    let goes_on = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let Some((first, rest)) = chunk.as_bytes().split_first() else { return false };
    class == Class::Spaced
        && chunk.len() <= LONGEST
        && first.is_ascii_alphanumeric()
        && rest.iter().all(goes_on)
}

/// What a query asks for, chunk by chunk; empty if it holds nothing to look for.
pub fn query_chunks(text: &str) -> Vec<QueryChunk> {
    chunks(text).iter().map(|chunk| Reading::of(chunk).into_query()).collect()
}

/// Whether the terms of a text meet every chunk of the query. An empty query matches nothing.
pub fn matches(text_terms: &[String], query: &[QueryChunk]) -> bool {
    !query.is_empty() && query.iter().all(|chunk| chunk.is_met_by(text_terms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_by_kind_of_chunk() {
        for (text, expected) in [
            ("Hello, World!", "hello world"),
            ("don't", "dont"),
            ("I use C++.", "i use c++ c"),
            ("C#", "c# c"),
            ("rm -rf /", "rm -rf rf"),
            ("src/main.rs", "src/main.rs src main rs .rs"),
            ("E0382", "e0382"),
            ("error[E0382]:", "error[e0382 error e0382"),
            ("getUserName", "getusername get user name"),
            ("HTTPServer2", "httpserver2 http server2"),
            ("lib/getUser.ts", "lib/getuser.ts lib getuser ts get user .ts"),
            ("café cafe\u{301}", "cafe cafe"),
            ("日本語", "日本 本語 日 本 語"),
            ("語", "語"),
            ("テキスト", "テキ キス スト テ キ ス ト"),
            ("Привет", "привет"),
            ("العربية", "العربية"),
            ("हिन्दी", "हिन्दी"),
            ("🎉", "🎉"),
            ("🎉🚀", "🎉🚀 🎉 🚀"),
            ("std::vec::Vec", "std::vec::vec std vec vec"),
            ("@types/node", "@types/node types node @types"),
            ("#123", "#123 123"),
            ("f(x)", "f(x f x"),
            ("https://a.dev/x?y=1", "https://a.dev/x?y=1 https a dev x y 1 .dev"),
            ("... — -> !?", ""),
        ] {
            assert_eq!(index_terms(text).join(" "), expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn plain_words_are_read_as_all_others_are(text in "([A-Za-z0-9_+#.]{1,4}|[A-Za-z]{60,70}|é| ){0,12}") {
            let mut closely = Vec::new();
            chunks(&text).iter().for_each(|chunk| Reading::of(chunk).into_terms(&mut closely));
            proptest::prop_assert_eq!(index_terms(&text), closely);
        }
    }

    #[test]
    fn query_chunks_by_kind_of_chunk() {
        for (text, whole, parts) in [
            ("word", Some("word"), ""),
            ("c++", Some("c++"), ""),
            ("C#,", Some("c#"), ""),
            ("--force", Some("--force"), ""),
            (".env", Some(".env"), ""),
            ("src/main.rs", Some("src/main.rs"), "src main rs"),
            ("std::vec", Some("std::vec"), "std vec"),
            ("getUserName", Some("getusername"), "get user name"),
            ("a/getUserName", Some("a/getusername"), "a getusername"),
            ("日本語", None, "日本 本語"),
            ("語", None, "語"),
        ] {
            let parts = parts.split_whitespace().map(str::to_owned).collect();
            let expected = QueryChunk { whole: whole.map(str::to_owned), parts };
            assert_eq!(query_chunks(text), [expected], "{text}");
        }
    }

    #[test]
    fn queries_find_what_a_person_would_expect() {
        for (text, query, found) in [
            ("We moved to C++17 last year", "c++", true),
            ("Plan C was chosen", "c++", false),
            ("run git push --force", "--force", true),
            ("use brute force", "--force", false),
            ("edit crates/text/src/main.rs:42", "src/main.rs", true),
            ("call get_user_name()", "getUserName", true),
            ("call getUserName()", "user name", true),
            ("東京都に住む", "京都に", true),
            ("東京都に住む", "京住", false),
            ("the CAFÉ", "cafe", true),
            ("fixes org/repo#123", "#123", true),
            ("one two", "one three", false),
            ("anything", "", false),
            ("anything", "\0 ?!", false),
        ] {
            let got = matches(&index_terms(text), &query_chunks(query));
            assert_eq!(got, found, "{query:?} in {text:?}");
        }
    }

    #[test]
    fn an_overlong_run_is_cut_and_still_found() {
        let run = "aB".repeat(50_000);
        let terms = index_terms(&run);
        assert!(terms.iter().all(|term| term.chars().count() <= 64));
        assert!(matches(&terms, &query_chunks(&run)));
    }
}
