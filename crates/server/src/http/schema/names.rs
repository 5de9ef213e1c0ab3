//! Closed lists and small values with their schemas, taken from the lists themselves.

use mnemic_engine::consolidate::What;
use mnemic_engine::model::body::{Outcome, Resolution, Status};
use mnemic_engine::model::session::{Due, EventKind, Level, Quality, ThingKind};
use mnemic_engine::model::{
    Author, Kind, RecordId, Relation, ScopeLevel, Tier, Timestamp, Trust, Unit, Verb, Visibility,
};
use mnemic_engine::recall::context::Style;
use mnemic_engine::{Cursor, TaskType};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::str::FromStr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> RefOr<Schema> {
    let names: Vec<&str> = names.collect();
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
}

macro_rules! schema {
    ($name:ident, $called:literal, $schema:expr) => {
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                $schema
            }
        }
        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($called)
            }
        }
    };
}

/// A name out of a list of the model's.
macro_rules! named {
    ($($name:ident, $called:literal, $of:ty;)+) => { $(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $of);

        impl FromStr for $name {
            type Err = mnemic_engine::model::Invalid;
            fn from_str(text: &str) -> Result<$name, Self::Err> {
                text.parse().map($name)
            }
        }

        schema!($name, $called, one_of(<$of>::ALL.iter().map(|one| one.as_str())));
    )+ };
}

named! {
    KindName, "Kind", Kind;
    TierName, "Tier", Tier;
    TrustName, "Trust", Trust;
    AuthorName, "Author", Author;
    ScopeName, "Scope", ScopeLevel;
    VisibilityName, "Visibility", Visibility;
    RelationName, "Relation", Relation;
    OutcomeName, "Outcome", Outcome;
    StatusName, "ContradictionStatus", Status;
    ResolutionName, "Resolution", Resolution;
    VerbName, "Verb", Verb;
    SessionEventName, "SessionEventKind", EventKind;
    ThingName, "ThingKind", ThingKind;
    LevelName, "Level", Level;
    DueName, "Due", Due;
    QualityName, "WindowQuality", Quality;
}

/// The same for lists that do not read themselves.
macro_rules! listed {
    ($($name:ident, $called:literal, $of:ty;)+) => { $(
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name(pub $of);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = String::deserialize(deserializer)?;
                let found = <$of>::ALL.iter().copied().find(|one| one.as_str() == text);
                found.map($name).ok_or_else(|| {
                    let all: Vec<&str> = <$of>::ALL.iter().map(|one| one.as_str()).collect();
                    let text = text.escape_debug();
                    serde::de::Error::custom(format!("`{text}` is not one of {}", all.join(", ")))
                })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.as_str())
            }
        }

        schema!($name, $called, one_of(<$of>::ALL.iter().map(|one| one.as_str())));
    )+ };
}

listed! {
    TaskName, "TaskType", TaskType;
    StyleName, "Format", Style;
    WhatName, "ConsolidationAct", What;
}

/// A point in time after RFC 3339.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub Timestamp);

schema!(
    Time,
    "Time",
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .into()
);

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Share(pub Unit);

schema!(
    Share,
    "Share",
    ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0.0)).maximum(Some(1.0)).into()
);

/// The id of a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(pub RecordId);

impl Id {
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

schema!(
    Id,
    "Id",
    ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(200))
        .pattern(Some(VISIBLE))
        .into()
);

/// Where the next page of a list begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageCursor(pub Cursor);

schema!(
    PageCursor,
    "Cursor",
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(Cursor::PATTERN)).into()
);

/// Visible characters without spaces.
pub const VISIBLE: &str = "^[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$";

/// Text that says something: not blank, and no NUL in it.
pub const SAYING: &str = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$";

/// The name of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Space(pub mnemic_engine::model::Namespace);

schema!(
    Space,
    "Namespace",
    ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(100))
        .pattern(Some("^[A-Za-z0-9_./-]+$"))
        .into()
);
