//! `incrowd profile`: measures how identifying a table is, and writes a first policy.

use super::mining::{existing, options};
use crate::Outcome;
use crate::args::{Common, Profile as Arguments};
use crate::console::Console;
use crate::text;
use incrowd::io::policy::PolicyFile;
use incrowd::{DataProfile, Result};
use serde::Serialize;
use std::time::Instant;

/// The document of `--json`.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    profile: &'a DataProfile,
    seconds: f64,
}

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let job = options(common).profile(&arguments.file).few(arguments.few);
    let job = match &arguments.policy {
        Some(policy) => job.policy(PolicyFile::read(policy)?),
        None if arguments.look.is_silent() => job,
        None => job.plan(arguments.look.plan()),
    };
    let profile = job.run()?;
    if let Some(out) = &arguments.out {
        profile.write_policy_as(out, existing(common))?;
    }
    let document = Document { profile: &profile, seconds: start.elapsed().as_secs_f64() };
    console.result(&document, || text::profile::render(&profile))?;
    if let Some(out) = &arguments.out {
        let advice =
            if profile.baskets().is_some() { "list the private items in it" } else { "review every guess" };
        console.note(&format!("first policy written to {}: {advice}", out.display()));
    }
    Ok(Outcome::Done)
}
