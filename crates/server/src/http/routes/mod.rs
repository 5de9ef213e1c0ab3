//! The routes: one file for each group of verbs.

pub(crate) mod context;
pub(crate) mod contradictions;
pub(crate) mod graph;
pub(crate) mod jobs;
pub(crate) mod layers;
pub(crate) mod memories;
mod patch;
pub(crate) mod recall;
pub(crate) mod service;
pub(crate) mod sessions;
pub(crate) mod transfer;
pub(crate) mod upkeep;

use super::problem::Problem;
use crate::http::schema::bounds::brief;
use axum::Json;
use serde::Deserialize;

/// An answer in JSON, or why there is none.
pub(crate) type Answered<T> = Result<Json<T>, Problem>;

/// Why something is done.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Because {
    /// Why; it is kept with the change.
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[param(max_length = 1000)]
    pub(crate) reason: Option<String>,
}
