//! Profiles: which memories may fill how much of a budget, in which order and form, as data.

mod read;

use super::level::Level;
use super::role::Role;
use mnemic_model::Invalid;
use mnemic_text::task::TaskType;
use std::collections::BTreeMap;

/// The built-in profiles, with what each setting means.
pub const BUILT_IN: &str = include_str!("profiles.toml");

/// The tier of `brief` whose memories bear no citation: they are shown whatever the session is
/// about, and nobody can be said to have ignored them.
pub const UNCITED: &str = "reference";

#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub name: String,
    /// What it is for; nothing where nobody says.
    pub about: String,
    /// The most tokens, when the caller does not say.
    pub budget: Option<usize>,
    pub style: Style,
    /// In the order in which they are filled and shown.
    pub tiers: Vec<TierRule>,
}

impl Profile {
    /// Whether it takes what answers a question and nothing beside: what matters whatever is asked
    /// has no place in it.
    pub fn only_answers(&self) -> bool {
        let mut roles = self.tiers.iter().flat_map(|tier| &tier.fill).flat_map(|fill| &fill.roles);
        roles.all(|role| *role == Role::Best)
    }
}

/// One part of a budget and what may fill it.
#[derive(Debug, Clone, PartialEq)]
pub struct TierRule {
    pub name: String,
    pub heading: String,
    /// Of the budget, 0 to 1.
    pub share: f64,
    pub mark: Mark,
    /// Only what a person vouched for.
    pub vouched: bool,
    /// The most of a text that is shown.
    pub level: Level,
    pub most: usize,
    /// Shown whole wherever a text fits by itself.
    pub whole: bool,
    /// For answers to one question: how much more the best scores count than the next.
    pub focus: Option<f64>,
    pub fill: Vec<Fill>,
}

/// One sort of memory that a tier takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Fill {
    /// Any of these will do.
    pub roles: Vec<Role>,
    pub least_score: f64,
    pub least_importance: f64,
    pub level: Option<Level>,
    /// Before all that is not first.
    pub first: bool,
    /// As much of the whole budget as there is, whatever the share of the tier: what must be read has no
    /// room of its own to keep to.
    pub beyond: bool,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $field:literal { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($variant),+ }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            pub fn parse(text: &str) -> Result<$name, Invalid> {
                $name::ALL.iter().copied().find(|one| one.as_str() == text).ok_or_else(|| {
                    Invalid::new(
                        $field,
                        format!("`{}` is not a {}", text.escape_debug(), $field),
                        concat!("use one of: ", words!(@list $($word),+)),
                    )
                })
            }
        }
    };
    (@list $first:literal $(, $rest:literal)*) => { concat!($first $(, ", ", $rest)*) };
}

words! {
    /// What binds an agent, what warns it, what informs it.
    Mark, "mark" { Mandate = "mandate", Guardrail = "guardrail", Reference = "reference" }
}

words! {
    /// The form of the whole.
    Style, "style" {
        Text = "text",
        Terse = "terse",
        Markdown = "markdown",
        Json = "json",
        Task = "task",
    }
}

impl Mark {
    /// The letter of its citations.
    pub fn letter(self) -> char {
        match self {
            Mark::Mandate => 'M',
            Mark::Guardrail => 'G',
            Mark::Reference => 'R',
        }
    }
}

/// All profiles by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Profiles(BTreeMap<String, Profile>);

impl Profiles {
    pub fn built_in() -> Profiles {
        let profiles = read::profiles(BUILT_IN).expect("a test reads the profiles compiled in");
        Profiles(profiles.into_iter().map(|profile| (profile.name.clone(), profile)).collect())
    }

    /// These and a person's own, which take the place of those of the same name.
    pub fn with(mut self, toml: &str) -> Result<Profiles, Invalid> {
        for profile in read::profiles(toml)? {
            self.0.insert(profile.name.clone(), profile);
        }
        Ok(self)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Profile> {
        self.0.values()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The profile of that name, or its own form for this type of task if there is one.
    pub fn choose(&self, name: &str, task: Option<TaskType>) -> Result<&Profile, Invalid> {
        let special = task.and_then(|task| self.0.get(&format!("{name}-{}", task.as_str())));
        special.or_else(|| self.0.get(name)).ok_or_else(|| {
            let names: Vec<&str> = self.names().collect();
            Invalid::new(
                "profile",
                format!("there is no profile `{}`", name.escape_debug()),
                format!("use one of: {}", names.join(", ")),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(profile: &Profile) -> Vec<(&str, f64)> {
        let budget = profile.budget.unwrap_or(1) as f64;
        profile.tiers.iter().map(|tier| (tier.name.as_str(), tier.share * budget)).collect()
    }

    #[test]
    fn only_a_brief_has_the_tier_without_citations() {
        for profile in Profiles::built_in().iter() {
            let has_it = profile.tiers.iter().any(|tier| tier.name == UNCITED);
            assert_eq!(has_it, profile.name == "brief", "{}", profile.name);
        }
        assert_eq!(Profiles::built_in().choose("brief", None).unwrap().style, Style::Terse);
    }

    #[test]
    fn the_built_in_ones_are_those_of_the_specification() {
        let profiles = Profiles::built_in();
        let brief = profiles.choose("brief", Some(TaskType::Debugging)).unwrap();
        assert_eq!(brief.budget, Some(400));
        assert_eq!(
            shares(brief),
            [("mandates", 150.0), ("guardrails", 100.0), ("reference", 150.0)]
        );
        let working = profiles.choose("working", Some(TaskType::Review)).unwrap();
        let names = ["critical", "relevant", "background", "index"];
        let expected = |tokens: [f64; 4]| names.into_iter().zip(tokens).collect::<Vec<_>>();
        assert_eq!(shares(working), expected([2000.0, 3000.0, 2000.0, 1000.0]));
        let debugging = profiles.choose("working", Some(TaskType::Debugging)).unwrap();
        assert_eq!(debugging.name, "working-debugging");
        assert_eq!(shares(debugging), expected([3000.0, 2500.0, 1500.0, 1000.0]));
        assert_eq!(profiles.choose("task", None).unwrap().budget, None);
    }

    #[test]
    fn only_an_answer_asks_for_nothing_beside() {
        for profile in Profiles::built_in().iter() {
            assert_eq!(profile.only_answers(), profile.name == "answer", "{}", profile.name);
        }
    }

    #[test]
    fn an_unknown_profile_is_named_with_those_there_are() {
        let error = Profiles::built_in().choose("short", None).unwrap_err();
        assert!(error.problem.contains("`short`") && error.hint.contains("brief"), "{error:?}");
    }
}
