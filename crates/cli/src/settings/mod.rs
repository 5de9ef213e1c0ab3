//! What holds for this run and where it was said: default < yours < project < environment < flag.

pub(crate) mod environment;
pub(crate) mod files;
mod hook;
mod key;
mod language;
mod meaning;
mod rerank;
mod secrets;

pub(crate) use hook::{HookSettings, Prompts};
pub(crate) use key::Key;
pub(crate) use language::{LanguageProvider, LanguageSettings};
pub(crate) use meaning::{MeaningSettings, Model};
pub(crate) use rerank::RerankSettings;

use mnemic_engine::Result;
use mnemic_engine::model::{Actor, Namespace, Visibility};
use mnemic_engine::secrets::Detector;
use std::fmt;
use std::path::{Path, PathBuf};

const DEFAULTS: &str = include_str!("defaults.toml");

/// Where a value was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    User(PathBuf),
    Project(PathBuf),
    Environment(&'static str),
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::User(path) | Origin::Project(path) => write!(f, "{}", path.display()),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// One value and its origin.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) key: Key,
    pub(crate) value: String,
    pub(crate) origin: Origin,
}

/// What was said on the command line.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    pub(crate) actor: Option<String>,
    pub(crate) namespace: Option<String>,
}

/// Every setting, checked.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) settings: Vec<Setting>,
    pub(crate) actor: Actor,
    pub(crate) namespace: Namespace,
    pub(crate) visibility: Visibility,
    pub(crate) list_limit: usize,
    pub(crate) block_limit: usize,
    /// Whose tokens are counted; empty for a cautious count.
    pub(crate) context_model: String,
    /// For jobs at the end of a command; none at 0.
    pub(crate) jobs_limit_ms: u64,
    /// Whether the files for people follow every change, and where they lie; empty for the usual place.
    pub(crate) files_on_change: bool,
    pub(crate) files_dir: PathBuf,
    pub(crate) meaning: MeaningSettings,
    pub(crate) rerank: RerankSettings,
    /// What is replaced before anything is kept.
    pub(crate) detector: Detector,
    pub(crate) hook: HookSettings,
    pub(crate) language: LanguageSettings,
}

impl Resolved {
    /// Whether the project's file has the last word on this.
    pub(crate) fn is_said_by_project(&self, key: Key) -> bool {
        let said = self.settings.iter().find(|setting| setting.key == key);
        said.is_some_and(|setting| matches!(setting.origin, Origin::Project(_)))
    }
}

/// Whether a value may stand in the file of a project.
pub(crate) fn check_in_project(key: Key, value: &str, path: &Path) -> Result<()> {
    if key == Key::SecretsDetect {
        secrets::detects(value, &Origin::Project(path.to_owned()))?;
    }
    Ok(())
}

/// Reads everything that has a say, for a project whose store lies in `store_dir`.
pub(crate) fn resolve(store_dir: &Path, flags: &Flags) -> Result<Resolved> {
    let mut layers = vec![(Origin::Default, files::parse(DEFAULTS, Path::new("defaults.toml"))?)];
    if let Some(path) = files::user() {
        let values = files::read(&path)?;
        layers.push((Origin::User(path), values));
    }
    let path = files::project(store_dir);
    let values = files::read(&path)?;
    layers.push((Origin::Project(path), values));
    for key in Key::ALL {
        let said = key.variable().and_then(|name| Some((name, environment::text(name)?)));
        if let Some((name, value)) = said {
            layers.push((Origin::Environment(name), vec![(*key, value)]));
        }
    }
    for (name, key, value) in
        [("--actor", Key::Actor, &flags.actor), ("--namespace", Key::Namespace, &flags.namespace)]
    {
        if let Some(value) = value {
            layers.push((Origin::Flag(name), vec![(key, value.clone())]));
        }
    }
    settle(layers, environment::text(environment::USER).as_deref())
}

/// The last layer that speaks wins; the value that wins must be sound.
fn settle(layers: Vec<(Origin, Vec<(Key, String)>)>, user: Option<&str>) -> Result<Resolved> {
    let mut settings: Vec<Setting> = Vec::new();
    for (origin, values) in layers {
        for (key, value) in values {
            let setting = Setting { key, value: with_user(value, user), origin: origin.clone() };
            match settings.iter_mut().find(|earlier| earlier.key == key) {
                Some(earlier) => *earlier = setting,
                None => settings.push(setting),
            }
        }
    }
    let said = |key: Key| {
        let setting = settings.iter().find(|setting| setting.key == key);
        setting.expect("the defaults name every key, a test says so")
    };
    let value = |key: Key| -> Result<&str> {
        let setting = said(key);
        key.check(&setting.value).map_err(|wrong| {
            let error = mnemic_engine::Error::from(wrong);
            error.because(format!("it was said by: {}", setting.origin))
        })?;
        Ok(&setting.value)
    };
    let said_by_project = |table: &str| {
        let personal = |one: &&Setting| {
            let key = one.key;
            key.as_str().starts_with(table)
                && key.is_personal()
                && matches!(one.origin, Origin::Project(_))
        };
        settings.iter().find(personal).map(|one| one.key)
    };
    Ok(Resolved {
        actor: Actor::parse(value(Key::Actor)?)?,
        namespace: Namespace::parse(value(Key::Namespace)?)?,
        visibility: value(Key::Visibility)?.parse()?,
        list_limit: Key::ListLimit.number(value(Key::ListLimit)?, usize::MAX)?,
        block_limit: Key::BlockLimit.number(value(Key::BlockLimit)?, usize::MAX)?,
        context_model: value(Key::ContextModel)?.to_owned(),
        detector: Detector::new(
            secrets::detects(value(Key::SecretsDetect)?, &said(Key::SecretsDetect).origin)?,
            secrets::personal(value(Key::SecretsPersonal)?)?,
            secrets::rules(value(Key::SecretsRules)?)?,
        ),
        jobs_limit_ms: value(Key::JobsLimit)?.parse().unwrap_or_default(),
        files_on_change: Key::FilesOnChange.flag(value(Key::FilesOnChange)?)?,
        files_dir: value(Key::FilesDir)?.into(),
        meaning: MeaningSettings {
            model: Model::parse(value(Key::MeaningModel)?)?,
            weights: value(Key::MeaningWeights)?.into(),
            url: value(Key::MeaningUrl)?.to_owned(),
            remote_model: value(Key::MeaningRemoteModel)?.to_owned(),
            api_key_env: value(Key::MeaningApiKeyEnv)?.to_owned(),
            dimensions: value(Key::MeaningDimensions)?.parse().unwrap_or_default(),
            query_prefix: value(Key::MeaningQueryPrefix)?.to_owned(),
            passage_prefix: value(Key::MeaningPassagePrefix)?.to_owned(),
            said_by_project: said_by_project("meaning."),
        },
        rerank: RerankSettings {
            url: value(Key::RerankUrl)?.to_owned(),
            model: value(Key::RerankModel)?.to_owned(),
            api_key_env: value(Key::RerankApiKeyEnv)?.to_owned(),
            said_by_project: said_by_project("rerank."),
        },
        hook: HookSettings {
            is_on: hook::Switch::parse(value(Key::HookEnabled)?)? == hook::Switch::On,
            deadline: hook::milliseconds(Key::HookDeadline, value(Key::HookDeadline)?)?,
            session_deadline: hook::milliseconds(
                Key::HookSessionDeadline,
                value(Key::HookSessionDeadline)?,
            )?,
            prompts: Prompts::parse(value(Key::HookPrompts)?)?,
            budget: Key::HookBudget.number(value(Key::HookBudget)?, hook::MOST_HOOK_TOKENS)?,
        },
        language: LanguageSettings::of(&settings, value)?,
        settings,
    })
}

/// Fills in the login name; without one the colon before it goes, too.
fn with_user(value: String, user: Option<&str>) -> String {
    match user {
        Some(user) => value.replace("$USER", user),
        None => value.replace(":$USER", "").replace("$USER", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(origin: Origin, text: &str) -> (Origin, Vec<(Key, String)>) {
        (origin, files::parse(text, Path::new("x.toml")).unwrap())
    }

    #[test]
    fn the_last_to_speak_wins_and_is_named() {
        let layers = vec![
            layer(Origin::Default, DEFAULTS),
            layer(Origin::User("u".into()), "namespace = \"mine\"\n[list]\nlimit = 5\n"),
            layer(Origin::Project("p".into()), "namespace = \"ours\"\n"),
            (Origin::Flag("--actor"), vec![(Key::Actor, "agent:codex".into())]),
        ];
        let resolved = settle(layers, Some("alice")).unwrap();
        let origin = |key| resolved.settings.iter().find(|s| s.key == key).unwrap().origin.clone();
        assert_eq!(resolved.namespace.as_str(), "ours");
        assert_eq!(origin(Key::Namespace), Origin::Project("p".into()));
        assert_eq!((resolved.list_limit, origin(Key::ListLimit)), (5, Origin::User("u".into())));
        assert_eq!(resolved.actor.to_string(), "agent:codex");
        assert_eq!(origin(Key::BlockLimit), Origin::Default);
    }

    #[test]
    fn the_defaults_name_every_key() {
        let resolved = settle(vec![layer(Origin::Default, DEFAULTS)], Some("alice")).unwrap();
        assert_eq!(resolved.settings.len(), Key::ALL.len());
        assert_eq!(resolved.actor.to_string(), "human:alice");
        let nobody = settle(vec![layer(Origin::Default, DEFAULTS)], None).unwrap();
        assert_eq!(nobody.actor.to_string(), "human");
    }

    #[test]
    fn a_broken_file_is_named_with_its_line() {
        for (text, line) in [
            ("namespace = \"a\"\nlist = {\n", "line 2"),
            ("\n\ncolour = \"red\"\n", "line 3"),
            ("[list]\nlimit = \"many\"\n", "line 2"),
            ("visibility = \"secret\"\n", "line 1"),
        ] {
            let wrong = files::parse(text, Path::new("/x/config.toml")).unwrap_err();
            assert!(wrong.message().contains(line), "{text}: {wrong:?}");
            assert!(wrong.message().contains("/x/config.toml"));
        }
    }

    #[test]
    fn a_wrong_winner_names_its_origin() {
        let layers = vec![
            layer(Origin::Default, DEFAULTS),
            (Origin::Environment("MNEMIC_ACTOR"), vec![(Key::Actor, "robot:x".into())]),
        ];
        let wrong = settle(layers, None).unwrap_err();
        assert!(wrong.chain().join(" ").contains("MNEMIC_ACTOR"));
    }
}
