//! Words that mean the same, and words that are a kind of another: what one sentence says of a
//! poodle holds for a dog, what it says of slicing holds for cutting.

use foldhash::HashMap;
use std::sync::OnceLock;

use crate::claims::reading::lemma;

/// The chosen word first, then others for it.
#[rustfmt::skip]
const SAME: &[&str] = &[
    // Things of everyday life.
    "man guy gentleman", "woman lady", "child kid", "photo picture photograph", "phone telephone cellphone",
    "bike bicycle", "motorcycle motorbike", "couch sofa", "road street roadway", "lawn yard", "forest wood",
    "big large huge great giant", "small little tiny", "fast quick rapid swift", "quickly fast rapidly swiftly",
    "grey gray", "speak talk", "start begin launch", "end finish complete conclude", "hop leap jump bounce",
    "pistol gun", "gather assemble", "pan skillet", "rope cord", "shut close", "toss throw hurl", "ill sick",
    "near beside close next", "ocean sea", "fire shoot", "lawn grass", "spray squirt", "bonfire campfire", "stone rock", "silent quiet", "auto car automobile", "meal food",
    "biker bicyclist cyclist", "motorcyclist motorcycler", "soccer football", "hill mound", "muddy dirty",
    "exercise workout", "hike trek", "path trail", "blond blonde", "fetch retrieve",
    "naked nude", "rabbit bunny", "bathe wash", "grab seize", "scream yell shout", "observe watch",
    "glance look stare", "hit strike", "fix repair mend", "check examine inspect", "rifle gun", "shop store", "garbage trash rubbish", "purse handbag bag", "attach fit", "put place lay", "clap applaud", "practice train", "pet stroke", "sit seat", "boat ship", "lift raise", "hurry rush", "sofa couch", "street road", "sidewalk pavement", "crowd throng", "pour spill", "fence barrier", "chop cut", "enjoy like", "fall drop", "fasten attach",
    "shirtless topless", "outside outdoors outdoor", "inside indoors indoor", "smile grin", "bowl pot",
    // Words of developers.
    "repository repo", "database db", "configuration config settings cfg", "production prod live", "development dev",
    "environment env", "authentication auth", "documentation docs doc", "application app", "directory dir folder",
    "package pkg", "dependency deps dep", "kubernetes k8s", "javascript js", "typescript ts", "python py", "golang go",
    "postgres postgresql", "mongo mongodb", "administrator admin", "parameter param", "argument arg", "function func fn",
    "message msg", "request req", "response resp", "maximum max", "minimum min", "information info",
    "delete remove erase", "create add make", "modify change edit alter", "utilize use employ utilise",
    "require need", "permit allow let", "forbid prohibit disallow ban", "enable activate", "disable deactivate",
    "favor prefer favour", "choose pick select", "fail break", "error failure", "bug defect", "latest newest",
    "ship release publish", "mandatory required obligatory", "optional voluntary", "must shall", "merge combine",
    "retry reattempt", "invoke call", "execute run", "verify check validate", "obtain get", "keep retain",
    "store save persist", "reside live", "engineer developer programmer", "color colour", "program programme",
    "server backend", "client frontend", "test spec", "variable var", "identifier id",
];

/// A kind of: each word of the left is one of what stands right.
#[rustfmt::skip]
const KINDS: &[(&str, &str)] = &[
    ("man woman child adult lady boy girl baby toddler teenager student player singer chef cook rider surfer \
      cyclist biker motorcyclist skateboarder snowboarder swimmer dancer officer trainer hiker jockey performer \
      musician artist worker pedestrian climber runner skater skier jumper goalkeeper guitarist teacher racer \
      gymnast drummer clown soldier doctor driver cowboy bride cheerleader mechanic owner user developer", "person"),
    ("boy girl toddler baby teenager", "child"), ("boy", "man"), ("girl", "woman"),
    ("dog cat horse monkey panda tiger lion deer rhino kangaroo bird fish frog snake mouse pig cow lemur ferret \
      rabbit bear elephant badger cheetah bull hamster squirrel turtle camel", "animal"),
    ("puppy poodle dachshund daschund terrier hound retriever collie bulldog", "dog"), ("kitten", "cat"), ("kitten puppy", "animal"),
    ("parrot owl duck seagull eagle pigeon", "bird"), ("pony foal", "horse"), ("jet airplane plane", "aircraft"),
    ("carrot potato onion tomato pepper broccoli mushroom garlic cucumber okra eggplant capsicum zucchini", "vegetable"),
    ("banana apple orange lemon watermelon strawberry pineapple", "fruit"),
    ("vegetable fruit meat bread egg cheese pizza fish pasta noodle rice steak beef pork chicken butter sausage soup \
      potato onion tomato carrot banana shrimp prawn okra bamboo mushroom broccoli dough", "food"),
    ("beef pork chicken steak sausage ham bacon", "meat"), ("milk juice beer soda wine coffee tea", "drink"),
    ("guitar piano flute violin drum harp trumpet keyboard saxophone cello banjo", "instrument"),
    ("car jeep truck bus van motorcycle bike train scooter tractor", "vehicle"), ("jeep convertible", "car"),
    ("soccer tennis rugby baseball basketball hockey football volleyball", "sport"),
    ("rifle pistol revolver shotgun", "gun"), ("sword knife gun axe", "weapon"),
    ("shirt jacket coat dress hat pants jeans shorts sweater sweatshirt jersey uniform suit vest costume scarf", "clothes"),
    ("doll teddy", "toy"), ("lake river pond ocean sea pool stream waterfall", "water"),
    ("slice chop dice carve mince", "cut"), ("fry boil bake grill roast saute stew", "cook"), ("cook bake fry", "prepare"),
    ("sprint jog race dash rush", "run"), ("stroll hike trek march stride", "walk"), ("wade", "walk"),
    ("mix whisk beat", "stir"), ("gallop trot", "run"), ("draw paint sketch write", "make"), ("strum", "play"),
    ("shatter smash", "break"), ("wrestle box spar", "fight"), ("devour chew munch nibble graze bite", "eat"),
    ("sip gulp slurp lick", "drink"), ("whisper shout chat", "speak"), ("munch", "chew"), ("burrow", "dig"),
("pack load insert pour sprinkle drop", "put"), ("bonfire campfire", "fire"), ("box bottle bag", "container"), ("doze nap", "sleep"), ("speed", "drive"), ("perch", "sit"), ("scrub rinse wipe wash", "clean"), ("giggle", "laugh"),
    ("pnpm npm yarn bun cargo pip poetry", "manager"), ("postgres mysql sqlite mongo mariadb", "database"),
    ("rust python java typescript javascript golang kotlin ruby", "language"),
];

struct Kin {
    chosen: HashMap<String, String>,
    kinds: HashMap<String, Vec<String>>,
}

fn kin() -> &'static Kin {
    static KIN: OnceLock<Kin> = OnceLock::new();
    KIN.get_or_init(|| {
        let mut chosen = HashMap::default();
        for row in SAME {
            let mut words = row.split_whitespace().map(lemma);
            let Some(first) = words.next() else { continue };
            for word in words {
                chosen.entry(word.into_owned()).or_insert_with(|| first.to_string());
            }
        }
        let name = |word: &str| {
            let word = lemma(word).into_owned();
            chosen.get(&word).cloned().unwrap_or(word)
        };
        let mut kinds: HashMap<String, Vec<String>> = HashMap::default();
        for (members, kind) in KINDS {
            for member in members.split_whitespace() {
                kinds.entry(name(member)).or_default().push(name(kind));
            }
        }
        Kin { chosen, kinds }
    })
}

/// The word that stands for this stem and all that mean the same.
pub(crate) fn chosen(stem: &str) -> &str {
    kin().chosen.get(stem).map_or(stem, String::as_str)
}

/// What a word, as [`chosen`] gives it, is a kind of.
pub(crate) fn kinds_of(word: &str) -> &'static [String] {
    kin().kinds.get(word).map_or(&[], Vec::as_slice)
}

/// Whether one of these, or what they are a kind of in turn, is this kind.
pub(crate) fn lead_to(kinds: &[String], kind: &str) -> bool {
    // Poodle, dog, animal: no chain of the table is longer.
    fn reach(kinds: &[String], kind: &str, steps: u8) -> bool {
        kinds.iter().any(|next| next == kind || steps > 0 && reach(kinds_of(next), kind, steps - 1))
    }
    reach(kinds, kind, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(word: &str, kind: &str) -> bool {
        let of = |word| chosen(&lemma(word)).to_owned();
        {
            let (word, kind) = (of(word), of(kind));
            word == kind || lead_to(kinds_of(&word), &kind)
        }
    }

    #[test]
    fn kinds_go_one_way_and_names_both() {
        assert!(holds("puppy", "animal") && !holds("animal", "puppy"));
        assert!(holds("slicing", "cut") && !holds("cutting", "slice"));
        assert!(holds("repo", "repository") && holds("repository", "repo"));
        assert!(!holds("man", "woman") && !holds("port", "host"));
    }
}
