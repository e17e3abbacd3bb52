//! One file a command: its arguments become a plan, and the plan is run.

pub(crate) mod audit;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod generate;
mod guarantee;
pub(crate) mod predict;
pub(crate) mod profile;
pub(crate) mod rules;
pub(crate) mod show;
pub(crate) mod table;
pub(crate) mod tree;
