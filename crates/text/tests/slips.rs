//! What reading a slip costs among many words.

use mnemic_text::slips::Typed;
use std::time::Instant;

/// Run it in release to see what a question with a slip costs among so many words.
#[test]
#[ignore = "measures"]
fn among_many_words_it_is_found_soon() {
    let letters = b"etaoinshrdlucmfwypvbgkjqxz";
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let word = |next: &mut dyn FnMut(usize) -> usize| -> String {
        let length = 4 + next(6);
        // The frequent letters more often, as in words.
        (0..length).map(|_| char::from(letters[next(26).min(next(26))])).collect()
    };
    let mut words: Vec<String> = (0..20_000).map(|_| format!("d{}", word(&mut next))).collect();
    words.push("databas".to_owned());
    let typed = Typed::of("databse").expect("a word");
    let began = Instant::now();
    let found: Vec<_> = words.iter().filter_map(|word| typed.meant(word, &|_| false)).collect();
    println!("among {} that begin alike: {:?}", words.len(), began.elapsed());
    assert!(found.iter().any(|meant| meant.word == "database"));
}
