//! Words that exclude one another where all else is the same.

use foldhash::HashMap;
use std::sync::OnceLock;

use super::kin::chosen;
use crate::claims::reading::lemma;

/// Pairs of words of content; each word of the left against each of the right.
#[rustfmt::skip]
const OPPOSITES: &[(&str, &str)] = &[
    // Of developers.
    ("enable enabled", "disable disabled"), ("sync synchronous synchronously blocking", "async asynchronous asynchronously nonblocking non-blocking"),
    ("allow accept permit", "deny reject forbid block refuse disallow prohibit"), ("use adopt", "avoid skip shun"),
    ("increase raise grow", "decrease reduce lower shrink"), ("include", "exclude omit"), ("require required mandatory", "optional"),
    ("public", "private internal"), ("mutable", "immutable"), ("static", "dynamic"), ("open", "close closed"),
    ("start", "stop end"), ("add", "remove"), ("create", "delete destroy"), ("install", "uninstall"), ("mount", "unmount"),
    ("lock", "unlock"), ("encrypt encrypted", "decrypt decrypted unencrypted plaintext"), ("compress", "decompress uncompressed"), ("commit", "revert"),
    ("upgrade", "downgrade"), ("approve", "reject"), ("pass succeed", "fail"), ("success", "failure"), ("true", "false"), ("yes", "no"),
    ("stable", "unstable flaky"), ("supported", "unsupported deprecated"), ("manual manually", "automatic automatically automated"),
    ("local locally", "remote remotely"), ("online", "offline"), ("eager eagerly", "lazy lazily"), ("strict", "lenient loose permissive"),
    ("stateful", "stateless"), ("blocking", "nonblocking"), ("valid", "invalid"), ("safe", "unsafe dangerous"), ("visible", "hidden invisible"),
    ("sensitive", "insensitive"), ("signed", "unsigned"), ("nullable", "nonnull non-null"), ("sequential sequentially serially", "parallel concurrently"),
    ("single", "multiple"), ("ascending", "descending"), ("opt-in", "opt-out"), ("inbound incoming", "outbound outgoing"),
    ("read", "write"), ("push", "pull"), ("import", "export"), ("upload", "download"), ("client", "server"), ("frontend", "backend"),
    ("production", "staging development"), ("horizontal horizontally", "vertical vertically"), ("relative", "absolute"), ("explicit explicitly", "implicit implicitly"),
    ("case-sensitive", "case-insensitive"), ("writable", "readonly read-only"), ("healthy", "unhealthy"), ("reachable", "unreachable"),
    ("available", "unavailable down"), ("active", "inactive idle"), ("known", "unknown"), ("complete finished done", "incomplete unfinished pending"),
    ("secure", "insecure"), ("trusted", "untrusted"), ("backward", "forward"), ("newest latest", "oldest"), ("shared", "exclusive separate"),
    ("cached", "uncached"), ("prefer love like", "dislike hate avoid"), ("keep", "discard drop remove"), ("merge", "split"), ("possible", "impossible"),
    ("correct right", "wrong incorrect"), ("compatible", "incompatible"), ("same", "different"), ("connect connected", "disconnect disconnected"),
    // Of everyday life.
    ("big large huge tall", "small little tiny short"), ("fast quickly", "slow slowly"), ("hot", "cold"), ("old elderly", "young"), ("old", "new"), ("early", "late"),
    ("full", "empty"), ("wet", "dry"), ("clean", "dirty"), ("clean", "dirty soil"), ("high", "low"), ("hard", "easy soft"), ("light bright", "dark"), ("light", "heavy"), ("happy happily", "sad sadly unhappy"),
    ("rich", "poor"), ("strong", "weak"), ("thick", "thin"), ("wide", "narrow"), ("long", "short"), ("deep", "shallow"), ("loud noisy", "quiet silent"),
    ("good", "bad"), ("cheap", "expensive"), ("first", "last"), ("best", "worst"), ("more most", "less least fewer"), ("all every everything always", "none nothing never"),
    ("day", "night"), ("morning", "evening"), ("indoors indoor inside", "outdoors outdoor outside"), ("near", "far"), ("front", "behind back"), ("top", "bottom"), ("left", "right"),
    ("speak talk sing", "silent"), ("sleep", "wake awake"), ("love", "hate"), ("win", "lose"), ("buy", "sell"), ("give", "take receive"), ("catch hit", "miss"),
    ("laugh smile", "cry frown"), ("rise", "fall sink"), ("follow chase", "lead shun avoid"), ("watch listen attend", "ignore"), ("grant", "deny refuse"), ("reveal show", "hide conceal"), ("arrive enter", "leave depart exit"),
    ("alive", "dead"), ("dressed clothed", "naked nude"), ("crowded", "deserted empty"), ("hold carry", "drop"), ("fill", "drain"), ("freeze", "melt thaw"), ("eat", "fast"), ("tie", "untie"), ("wrap pack", "unwrap unpack"), ("dress", "undress"),
    ("immobile motionless still", "swim run move"), ("together", "alone apart"), ("calmly calm", "angry angrily"),
    ("careful carefully", "careless carelessly recklessly"), ("attentively", "carelessly"), ("male", "female"), ("ancient", "modern"), ("put_on", "take_off"), ("turn_on", "turn_off"), ("switch_on", "switch_off"), ("switched_on", "switched_off"),
    ("get_in get_on", "get_off get_out"), ("pick_up", "put_down"), ("play", "put_down put_away"), ("opt_in", "opt_out"), ("scale_up", "scale_down"), ("roll_out", "roll_back"), ("check_in", "check_out"), ("log_in", "log_out"), ("put_in", "take_out"),
    ("put pour", "take_out remove take_off"), ("come_in", "go_out"), ("ride", "get_off get_out"), ("sit_down", "stand_up get_up"), ("go_up climb_up", "go_down climb_down"),
];

/// Pairs of small words, which count only where nothing else differs.
#[rustfmt::skip]
const SMALL: &[(&str, &str)] = &[
    ("on", "off"), ("in into onto inside", "out outside"), ("up", "down"), ("onto", "off"), ("into", "off"), ("before", "after"), ("over above", "under below beneath"),
    ("with", "without"), ("from", "to"), ("towards toward", "away"), ("always", "never"), ("must", "optional"), ("more", "less"), ("all every each", "some few"),
    ("everyone everybody", "nobody"), ("many", "few"), ("first", "last"), ("minimum", "maximum"), ("min", "max"), ("least", "most"), ("upper", "lower"),
    ("in", "off"), ("until", "after"), ("inside within", "outside beyond"),
];

/// Two words that say one thing.
#[rustfmt::skip]
const PHRASES: &[(&str, &str, &str)] = &[
    ("take", "off", "take_off"), ("put", "on", "put_on"), ("turn", "on", "turn_on"), ("turn", "off", "turn_off"), ("switch", "on", "switch_on"), ("switch", "off", "switch_off"),
    ("get", "in", "get_in"), ("get", "on", "get_on"), ("get", "off", "get_off"), ("get", "out", "get_out"), ("pick", "up", "pick_up"), ("put", "down", "put_down"),
    ("put", "away", "put_away"), ("opt", "in", "opt_in"), ("opt", "out", "opt_out"), ("scale", "up", "scale_up"), ("scale", "down", "scale_down"),
    ("roll", "out", "roll_out"), ("roll", "back", "roll_back"), ("log", "in", "log_in"), ("log", "out", "log_out"), ("take", "out", "take_out"), ("turn", "down", "reject"),
    ("far", "from", "far"), ("stand", "up", "stand_up"), ("get", "up", "get_up"), ("sit", "down", "sit_down"), ("go", "up", "go_up"), ("go", "down", "go_down"),
];

/// Each word with all that it excludes.
type Opposites = HashMap<String, Vec<String>>;

fn opposites_of(table: &[(&str, &str)], name: impl Fn(&str) -> String) -> Opposites {
    let mut opposites = Opposites::default();
    for (left, right) in table {
        for one in left.split_whitespace() {
            for other in right.split_whitespace() {
                let (one, other) = (name(one), name(other));
                if one != other {
                    opposites.entry(other.clone()).or_default().push(one.clone());
                    opposites.entry(one).or_default().push(other);
                }
            }
        }
    }
    opposites
}

fn excludes(opposites: &Opposites, one: &str, other: &str) -> bool {
    opposites.get(one).is_some_and(|excluded| excluded.iter().any(|word| word == other))
}

/// Whether two stems, as [`chosen`] gives them, exclude one another.
pub(crate) fn are_opposites(one: &str, other: &str) -> bool {
    static WORDS: OnceLock<Opposites> = OnceLock::new();
    let words = WORDS.get_or_init(|| opposites_of(OPPOSITES, |it| chosen(&lemma(it)).to_owned()));
    excludes(words, one, other) || is_undone(one, other) || is_undone(other, one)
}

/// Whether two small words, as they are written, exclude one another.
pub(crate) fn are_small_opposites(one: &str, other: &str) -> bool {
    static WORDS: OnceLock<Opposites> = OnceLock::new();
    excludes(WORDS.get_or_init(|| opposites_of(SMALL, str::to_owned)), one, other)
}

/// What two stems say together, where they say one thing.
pub(crate) fn phrase(one: &str, other: &str) -> Option<&'static str> {
    let found = PHRASES.iter().find(|(first, second, _)| *first == one && *second == other);
    found.map(|(_, _, meaning)| *meaning)
}

/// `unsupported` of `supported`, `non-blocking` of `blocking`, `misconfigured` of `configured`.
fn is_undone(one: &str, other: &str) -> bool {
    let known = other.len() >= 5;
    known
        && ["un", "non", "non-", "dis", "de-"]
            .iter()
            .any(|before| one.strip_prefix(before) == Some(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_found_in_any_form_and_order() {
        let of = |word: &str| chosen(&lemma(word)).to_owned();
        for (one, other) in [
            ("enabled", "disabling"),
            ("sync", "async"),
            ("allows", "denied"),
            ("using", "avoid"),
            ("increased", "lowering"),
            ("big", "tiny"),
            ("supported", "unsupported"),
            ("passes", "fail"),
            ("public", "private"),
        ] {
            assert!(are_opposites(&of(one), &of(other)), "{one} {other}");
            assert!(are_opposites(&of(other), &of(one)), "{other} {one}");
        }
        for (one, other) in [("enable", "enabled"), ("big", "huge"), ("port", "host")] {
            assert!(!are_opposites(&of(one), &of(other)), "{one} {other}");
        }
    }

    #[test]
    fn small_words_and_phrases() {
        assert!(are_small_opposites("before", "after") && are_small_opposites("off", "on"));
        assert!(!are_small_opposites("in", "at"));
        assert_eq!(phrase("take", "off"), Some("take_off"));
    }
}
