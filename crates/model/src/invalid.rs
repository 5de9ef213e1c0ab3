//! The one way in which a value can be refused: which field, what is wrong, what to do instead.

use std::fmt;

/// A value that was refused before anything was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The field as the user wrote it, e.g. `importance`.
    pub field: String,
    /// What is wrong with it, with the value in backticks.
    pub problem: String,
    /// What would be accepted.
    pub hint: String,
}

impl Invalid {
    pub fn new(
        field: impl Into<String>,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Invalid { field: field.into(), problem: problem.into(), hint: hint.into() }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.field, self.problem)
    }
}

impl std::error::Error for Invalid {}

/// Declares an enum whose variants have one lower-case name each, used alike in Rust, SQL, JSON and
/// on the command line.
macro_rules! named {
    (
        $(#[$meta:meta])*
        $name:ident, $field:literal { $($(#[$vmeta:meta])* $variant:ident = $text:literal),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every variant, in the order of the specification.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::Invalid;
            fn from_str(text: &str) -> Result<Self, $crate::Invalid> {
                // As it is stored; people write it in more ways.
                $(if text == $text { return Ok($name::$variant); })+
                let wanted = text.trim().to_ascii_lowercase().replace('-', "_");
                $(if wanted == $text { return Ok($name::$variant); })+
                let names: Vec<&str> = Self::ALL.iter().map(|v| v.as_str()).collect();
                Err($crate::Invalid::new(
                    $field,
                    format!("`{text}` is not one of its values"),
                    format!("use one of: {}", names.join(", ")),
                ))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(d)?;
                text.parse().map_err(|e: $crate::Invalid| {
                    serde::de::Error::custom(format!("{e}; {}", e.hint))
                })
            }
        }
    };
}
pub(crate) use named;
