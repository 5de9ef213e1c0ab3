//! The real model, where its weights are at hand.

use super::*;

/// The packed file named by the environment, or the one built in.
fn real() -> Option<Packed> {
    let named = env::var_os("MNEMIC_WEIGHTS").filter(|path| !path.is_empty());
    let named = named.as_deref().map(Path::new).or(left_beside());
    let packed = match (named, built_in()) {
        (Some(path), _) => Packed::map(path).unwrap(),
        (None, Some(bytes)) => Packed::open(Bytes::Within(bytes), "the built-in weights").unwrap(),
        (None, None) => {
            eprintln!("skipped: no weights; run scripts/weights");
            return None;
        }
    };
    Some(packed)
}

/// Texts with the ids that the model's original tokenizer gives them.
const IDS: &[(&str, &[u16])] = &[
    ("", &[]),
    ("Hello world", &[31414, 232]),
    (
        "The parser doesn't accept empty input; we've seen it fail.",
        &[133, 48946, 630, 75, 3264, 5802, 8135, 131, 52, 348, 450, 24, 5998, 4],
    ),
    (
        "They'll say I'm late, you're not, he'd know.",
        &[1213, 581, 224, 38, 437, 628, 6, 47, 214, 45, 6, 37, 1017, 216, 4],
    ),
    ("DON'T PANIC", &[42737, 108, 565, 29975, 2371]),
    (
        "  two spaces before, three   between, one after ",
        &[1437, 80, 5938, 137, 6, 130, 1437, 1437, 227, 6, 65, 71, 1437],
    ),
    ("line one\nline two\n\n\tindented", &[1902, 65, 50118, 1902, 80, 50140, 50117, 2028, 9663]),
    (
        "fn main() -> Result<(), Error> { println!(\"{}\", 1 + 2); }",
        &[
            42441, 1049, 43048, 43839, 33868, 41552, 49196, 37943, 15698, 25522, 49867, 328, 46469,
            45152, 24303, 1297, 112, 2055, 132, 4397, 35524,
        ],
    ),
    (
        "Version 2.0.13 was released on 2024-03-07 at 09:15 UTC.",
        &[
            47322, 132, 4, 288, 4, 1558, 21, 703, 15, 15294, 12, 3933, 12, 3570, 23, 12087, 35,
            996, 33440, 4,
        ],
    ),
    (
        "naïve café, Ångström, Zürich, œuvre",
        &[
            2133, 48350, 26059, 6, 952, 5782, 2590, 6031, 3671, 119, 6, 525, 2768, 5691, 6, 2742,
            9085, 13996, 241,
        ],
    ),
    (
        "日本語のテキストと中文",
        &[
            47954, 8210, 44636, 11582, 48537, 17772, 48018, 49312, 49587, 49615, 48281, 47643,
            47240, 6382,
        ],
    ),
    (
        "Привет, мир! Ещё раз.",
        &[
            25417, 4333, 24269, 35328, 42907, 25482, 35555, 6, 18697, 4394, 35328, 24269, 328,
            18697, 15722, 22063, 23171, 22063, 3602, 1437, 24269, 26161, 25417, 18400, 4,
        ],
    ),
    (
        "हिन्दी में एक वाक्य",
        &[
            14238, 9253, 14238, 9470, 14238, 11423, 22919, 8384, 14238, 18164, 22919, 7471, 22214,
            2840, 22919, 6382, 14238, 9264, 22214, 9357, 14238, 15722, 22214, 8906, 35636, 14238,
            15722, 22919, 8384, 14238, 10965,
        ],
    ),
    (
        "العربية ١٢٣",
        &[43321, 41688, 29434, 41117, 26174, 38419, 36963, 5543, 26068, 7258, 26068, 2469],
    ),
    (
        "party 🎉🎉 time 👩\u{200d}🚀",
        &[
            6493, 8103, 12736, 23171, 6569, 12736, 23171, 86, 26964, 15375, 17, 8384, 6569, 15113,
            7471,
        ],
    ),
    (
        "½ cup, x² + y₃, Ⅷ, ①",
        &[
            14989, 4946, 6, 3023, 40632, 2055, 1423, 24987, 9264, 862, 6, 14333, 5782, 6248, 6,
            14333, 3602, 21402,
        ],
    ),
    ("a\u{a0}b\u{2003}c\u{3000}d", &[102, 50141, 428, 17, 862, 438, 48516, 7471, 417]),
    (
        "https://example.com/a/b?c=d&e=%20f#g",
        &[
            13082, 640, 46781, 4, 175, 73, 102, 73, 428, 116, 438, 5214, 417, 947, 242, 5214, 207,
            844, 506, 10431, 571,
        ],
    ),
    (
        "snake_case camelCase SCREAMING_CASE kebab-case",
        &[
            22617, 5113, 1215, 11173, 35579, 38834, 4998, 28057, 1862, 1215, 347, 24199, 7321, 428,
            873, 12, 11173,
        ],
    ),
    ("----------------========", &[24524, 48273]),
    (
        "pneumonoultramicroscopicsilicovolcanoconiosis",
        &[
            642, 45042, 261, 39513, 4040, 46473, 3866, 1517, 2857, 22586, 1417, 1168, 7424, 33955,
            38115,
        ],
    ),
    ("\u{200b}zero\u{200b}width", &[13635, 18556, 13635, 36097]),
];

#[test]
fn tokens_are_those_of_the_original() {
    let Some(packed) = real() else { return };
    let local = Local::new(packed, Kernel::best());
    for (text, ids) in IDS {
        assert_eq!(local.tokenizer().ids(text), [&[0], *ids, &[2]].concat(), "{text:?}");
    }
    // The one difference: marks within a text are text.
    assert_eq!(local.tokenizer().ids("</s>"), [0, 49138, 29, 15698, 2]);
}

#[test]
fn the_vector_is_that_of_an_independent_computation() {
    let Some(packed) = real() else { return };
    let local = Local::new(packed, Kernel::best());
    let text = "The staging database moved to port 5433 last week.";
    let vector = local.embed(&[text], Role::Passage).unwrap().swap_remove(0);
    // Its first dimensions, computed in f32 by other means.
    let expected = [-0.04959, 0.0004, 0.04568, -0.04225, -0.04959, 0.01328, 0.02327, 0.00478];
    for (found, expected) in vector.iter().zip(expected) {
        assert!((found - expected).abs() < 6e-3, "{found} is not {expected}");
    }
}

#[test]
fn all_paths_give_the_same_bits_close_to_f32() {
    let Some(packed) = real() else { return };
    let reference = Reference::new(&packed);
    let encoder = |kernel| Encoder { packed: &packed, kernel };
    let tokenizer = |text: &str| Local::new(real().unwrap(), Kernel::best()).tokenizer().ids(text);
    let halves = |text: &str| {
        let ids = tokenizer(text);
        let (half, end) = (ids.len().div_ceil(2), ids.len() - 1);
        let parts = [1..half, half..end].into_iter().filter(|part| !part.is_empty()).collect();
        Tokens { ids, parts }
    };
    let texts: Vec<Tokens> = IDS.iter().map(|(text, _)| halves(text)).collect();
    let vectors = encoder(Kernel::best()).encode(&texts, &mut Bench::default()).unwrap();
    for kernel in Kernel::all() {
        assert_eq!(
            encoder(kernel).encode(&texts, &mut Bench::default()).unwrap(),
            vectors,
            "{kernel:?}"
        );
    }
    let expected = texts.iter().flat_map(|text| reference.encode(text));
    for (expected, vector) in expected.zip(&vectors) {
        let near = cosine(vector, &expected);
        assert!(near > 0.998, "{near}");
    }
}

/// What a part says is found by it, and what it does not say itself by what is around it.
#[test]
fn a_part_is_read_where_it_stands() {
    let Some(packed) = real() else { return };
    let local = Local::new(packed, Kernel::best());
    let first = "The staging database of the billing team moved last week.";
    let text = format!("{first} It listens on port 5433 now. We had soup for lunch.");
    let soup = text.find("We had").unwrap();
    let parts = [first.len() + 1..soup - 1, soup..text.len()];
    let passage = Passage { text: &text, parts: &parts };
    let vectors = local.embed_parts(&[passage]).unwrap().remove(0);
    let alone: Vec<&str> = parts.iter().map(|part| &text[part.clone()]).collect();
    let alone = local.embed(&alone, Role::Passage).unwrap();
    let near = |question: &str, vector: &[f32]| {
        cosine(&local.embed(&[question], Role::Query).unwrap()[0], vector)
    };
    let lunch = "What did we eat for lunch?";
    assert!(near(lunch, &vectors[2]) > near(lunch, &vectors[0]) + 0.05);
    assert!(near(lunch, &vectors[2]) > near(lunch, &vectors[1]) + 0.05);
    let port = "Which port does the staging database of billing use?";
    assert!(near(port, &vectors[1]) > near(port, &vectors[2]) + 0.05);
    assert!(near(port, &vectors[1]) > near(port, &alone[0]) + 0.05, "billing is named before it");
}

#[test]
fn meaning_counts_more_than_words() {
    let Some(packed) = real() else { return };
    let local = Local::new(packed, Kernel::best());
    let texts = [
        "How do I restart the server?",
        "To bring the service up again, run systemctl restart.",
        "The server at the restaurant brought us the wrong soup.",
    ];
    let vectors = local.embed(&texts, Role::Passage).unwrap();
    let (meant, worded) = (cosine(&vectors[0], &vectors[1]), cosine(&vectors[0], &vectors[2]));
    assert!(meant > worded, "{meant} against {worded}");
}
