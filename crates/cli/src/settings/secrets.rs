//! The settings of `secrets`: what is replaced before anything is kept.

use super::{Key, Origin};
use mnemic_engine::model::Invalid;
use mnemic_engine::secrets::{Personal, UserRule};

pub(super) fn is_on(value: &str) -> Result<bool, Invalid> {
    match value {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err(Invalid::new(
            Key::SecretsDetect.as_str(),
            format!("`{value}` is neither on nor off"),
            "use on or off",
        )),
    }
}

/// A project's file comes with the project, perhaps from a stranger: it must not make us keep what
/// we would otherwise leave out.
pub(super) fn detects(value: &str, origin: &Origin) -> Result<bool, Invalid> {
    match (is_on(value)?, origin) {
        (false, Origin::Project(_)) => Err(Invalid::new(
            Key::SecretsDetect.as_str(),
            "a project's file may not switch it off",
            "say so in your own file: `mnemic config set secrets.detect off --user`",
        )),
        (on, _) => Ok(on),
    }
}

/// Names with commas between them; none for an empty value.
pub(super) fn personal(value: &str) -> Result<Vec<Personal>, Invalid> {
    let names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
    let mut found = Vec::new();
    for name in names {
        let one = Personal::parse(name).ok_or_else(|| {
            Invalid::new(
                Key::SecretsPersonal.as_str(),
                format!("`{name}` is not one of email, phone, card, iban and ip"),
                "use some of email, phone, card, iban, ip, with commas between them",
            )
        })?;
        found.push(one);
    }
    Ok(found)
}

pub(super) fn rules(value: &str) -> Result<Vec<UserRule>, Invalid> {
    UserRule::parse_all(value).map_err(|wrong| {
        Invalid::new(
            Key::SecretsRules.as_str(),
            wrong.to_string(),
            "write one rule a line, e.g. badge=B-[0-9]{6}",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_adds_and_never_takes_away() {
        let project = Origin::Project("p".into());
        assert!(detects("off", &project).is_err());
        assert_eq!(detects("on", &project), Ok(true));
        assert_eq!(detects("off", &Origin::User("u".into())), Ok(false));
        assert!(personal("email, iban").is_ok_and(|found| found.len() == 2));
        assert!(personal("name").is_err() && rules("x").is_err() && is_on("maybe").is_err());
    }
}
