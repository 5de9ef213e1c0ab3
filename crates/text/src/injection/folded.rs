//! A text as patterns read it: nothing hidden, one case, single spaces; and what was hidden in it.

use super::signals;
use crate::normalise::is_hidden;
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;

/// Lower case, compatibility forms, white space as one space, line breaks kept as one, emphasis
/// dropped.
pub(super) fn folded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut gap = None;
    let mut push = |c: char| {
        if c.is_whitespace() {
            let is_break = c == '\n' || c == '\r';
            gap = Some(gap.unwrap_or(false) || is_break);
            return;
        }
        if is_hidden(c) || matches!(c, '*' | '`' | '\u{ad}') {
            return;
        }
        if let Some(is_break) = gap.take()
            && !plain.is_empty()
        {
            plain.push(if is_break { '\n' } else { ' ' });
        }
        match c.is_ascii() {
            true => plain.push(c.to_ascii_lowercase()),
            false => plain.extend(twin(c).to_lowercase()),
        }
    };
    for line in text.split_inclusive('\n') {
        match line.is_ascii() {
            true => line.chars().for_each(&mut push),
            false => line.nfkc().for_each(&mut push),
        }
    }
    plain
}

/// Letters of other scripts that pass for Latin ones.
pub(super) fn twin(c: char) -> char {
    match c {
        'а' => 'a',
        'е' => 'e',
        'о' => 'o',
        'р' => 'p',
        'с' => 'c',
        'у' => 'y',
        'х' => 'x',
        'і' => 'i',
        'ѕ' => 's',
        'А' => 'A',
        'Е' => 'E',
        'О' => 'O',
        'І' => 'I',
        'ο' => 'o',
        'α' => 'a',
        'ι' => 'i',
        '’' | '‘' => '\'',
        c => c,
    }
}

/// A word with Latin letters and letters of another script that pass for Latin ones.
fn is_of_two_scripts(word: &str) -> bool {
    !word.is_ascii()
        && word.chars().any(|c| c.is_ascii_alphabetic())
        && word.chars().any(|c| c.is_alphabetic() && twin(c) != c)
}

/// Characters that hide text or turn it around. A joiner inside an emoji is no secret.
pub(super) fn hidden(text: &str) -> BTreeSet<usize> {
    let mut met = BTreeSet::new();
    if text.is_ascii() {
        return met;
    }
    let (mut tags, mut turns, mut selectors, mut inside, mut run) = (0, 0, 0, 0, 0);
    let mut before = ' ';
    // The flags of some countries are spelled with tags.
    let mut in_flag = false;
    for c in text.chars() {
        let is_tag = matches!(c, '\u{e0000}'..='\u{e007f}');
        in_flag = c == '\u{1f3f4}' || (in_flag && is_tag);
        match c {
            '\u{e0000}'..='\u{e007f}' if !in_flag => tags += 1,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => turns += 1,
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
                run += 1;
                selectors = selectors.max(run);
                continue;
            }
            '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
                if before.is_ascii_alphanumeric() || is_hidden(before) =>
            {
                inside += 1;
            }
            _ => {}
        }
        run = 0;
        before = c;
    }
    if text.split(|c: char| !c.is_alphanumeric()).any(is_of_two_scripts) {
        met.insert(signals::TWINS);
    }
    if tags > 0 || selectors > 2 {
        met.insert(signals::SMUGGLED);
    }
    if turns > 1 {
        met.insert(signals::TURNED);
    }
    if inside > 2 {
        met.insert(signals::BETWEEN);
    }
    met
}
