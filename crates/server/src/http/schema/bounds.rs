//! Bounds that the document declares, kept when a request is read.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A text of at most so many characters, or none.
pub(crate) fn brief<'de, D: Deserializer<'de>, const MOST: usize>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    match Option::<String>::deserialize(deserializer)? {
        Some(text) => fits::<D, MOST>(text).map(Some),
        None => Ok(None),
    }
}

/// A text of at most so many characters.
pub(crate) fn short<'de, D: Deserializer<'de>, const MOST: usize>(
    deserializer: D,
) -> Result<String, D::Error> {
    fits::<D, MOST>(String::deserialize(deserializer)?)
}

/// A text of at least one character, and at most so many.
pub(crate) fn named<'de, D: Deserializer<'de>, const MOST: usize>(
    deserializer: D,
) -> Result<String, D::Error> {
    match short::<D, MOST>(deserializer)? {
        text if text.is_empty() => Err(D::Error::custom("an empty text names nothing")),
        text => Ok(text),
    }
}

/// A number up to so much, or none.
pub(crate) fn up_to<'de, D: Deserializer<'de>, const MOST: u32>(
    deserializer: D,
) -> Result<Option<u32>, D::Error> {
    match Option::<u32>::deserialize(deserializer)? {
        Some(number) if number > MOST => {
            Err(D::Error::custom(format!("{number}, and it may be up to {MOST}")))
        }
        number => Ok(number),
    }
}

fn fits<'de, D: Deserializer<'de>, const MOST: usize>(text: String) -> Result<String, D::Error> {
    match text.chars().count() {
        length if length > MOST => {
            Err(D::Error::custom(format!("a text of {length} characters, and at most {MOST} fit")))
        }
        _ => Ok(text),
    }
}

/// A list of at most so many.
pub(crate) fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>, const MOST: usize>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let all = Vec::<T>::deserialize(deserializer)?;
    match all.len() {
        length if length > MOST => {
            Err(D::Error::custom(format!("a list of {length}, and at most {MOST} fit")))
        }
        _ => Ok(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Ask {
        #[serde(default, deserialize_with = "brief::<_, 3>")]
        reason: Option<String>,
        #[serde(default, deserialize_with = "few::<_, u8, 2>")]
        numbers: Vec<u8>,
        #[serde(default, deserialize_with = "up_to::<_, 9>")]
        amount: Option<u32>,
    }

    #[derive(Debug, Deserialize)]
    struct Name(#[serde(deserialize_with = "named::<_, 3>")] String);

    #[test]
    fn bounds_are_kept_in_characters() {
        let read = |text: &str| serde_json::from_str::<Ask>(text);
        assert_eq!(read("{}").expect("nothing said").reason, None);
        assert_eq!(read(r#"{"reason":"äöü"}"#).expect("three").reason.as_deref(), Some("äöü"));
        assert!(read(r#"{"reason":"abcd"}"#).is_err());
        assert_eq!(read(r#"{"numbers":[1,2]}"#).expect("two").numbers, [1, 2]);
        assert!(read(r#"{"numbers":[1,2,3]}"#).is_err());
        assert_eq!(read(r#"{"amount":9}"#).expect("nine").amount, Some(9));
        assert_eq!(read(r#"{"amount":null}"#).expect("none").amount, None);
        assert!(read(r#"{"amount":10}"#).is_err());
    }

    #[test]
    fn a_name_is_not_empty() {
        let read = |text: &str| serde_json::from_str::<Name>(text).map(|name| name.0);
        assert_eq!(read(r#""äöü""#).expect("three"), "äöü");
        assert!(read(r#""""#).is_err());
        assert!(read(r#""abcd""#).is_err());
    }
}
