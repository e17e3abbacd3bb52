//! `incrowd profile`: measures how identifying a table is, and writes a first policy.

use super::mining::{existing, options};
use crate::Outcome;
use crate::args::{Common, Profile as Arguments};
use crate::console::Console;
use crate::documents::Timed;
use crate::text;
use incrowd::Result;
use incrowd::io::policy::PolicyFile;
use std::time::Instant;

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
    let document = Timed::new(&profile, start);
    console.result(&document, || text::profile::render(&profile))?;
    if let Some(out) = &arguments.out {
        let advice =
            if profile.baskets().is_some() { "list the private items in it" } else { "review every guess" };
        console.note(&format!("first policy written to {}: {advice}", out.display()));
    }
    Ok(Outcome::Done)
}
