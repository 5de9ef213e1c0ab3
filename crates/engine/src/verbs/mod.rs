//! One file per verb, or per handful that belong together.

pub(crate) mod backup;
pub(crate) mod block;
pub(crate) mod cite;
pub(crate) mod capture;
pub(crate) mod context;
pub(crate) mod continuity;
pub(crate) mod diff;
pub(crate) mod economics;
pub(crate) mod edit;
pub(crate) mod embed;
pub(crate) mod forget;
pub(crate) mod layers;
pub(crate) mod link;
pub(crate) mod maintain;
pub(crate) mod namespace;
pub(crate) mod predict;
pub(crate) mod read;
pub(crate) mod recall;
pub(crate) mod remember;
pub(crate) mod resolve;
pub(crate) mod session;
pub(crate) mod settle;
pub(crate) mod transfer;
pub(crate) mod undo;
pub(crate) mod usage;
pub(crate) mod vault;
