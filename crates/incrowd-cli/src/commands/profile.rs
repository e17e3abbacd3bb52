//! `incrowd profile`: measures how identifying a table is, and writes a first policy.

use super::flags;
use super::mining::{existing, options};
use crate::Outcome;
use crate::args::{Common, Profile as Arguments};
use crate::console::Console;
use crate::documents::Timed;
use crate::text;
use incrowd::guarantee::Preset;
use incrowd::io::policy::PolicyFile;
use incrowd::profile::ColumnProfile;
use incrowd::{Error, Result, TableProfile};
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    check_preset(arguments)?;
    let job = options(common).profile(&arguments.file).few(arguments.few);
    let job = match &arguments.policy {
        Some(policy) => job.policy(PolicyFile::read_layout(policy)?),
        None if arguments.look.is_silent() => job,
        None => job.plan(arguments.look.plan()),
    };
    let without_policy = arguments.policy.is_none();
    let profile = job.run().map_err(|error| if without_policy { flags::of_layout(error) } else { error })?;
    if let Some(out) = &arguments.out {
        profile.write_policy_as(out, existing(common))?;
    }
    profile.table().and_then(names_warning).iter().for_each(|warning| console.warn(warning));
    let document = Timed::new(&profile, start);
    let safe_harbor = arguments.preset == Some(Preset::HipaaSafeHarbor);
    let listed = |profile: &TableProfile| text::profile::safe_harbor(&profile.profile.columns);
    let found = profile.table().filter(|_| safe_harbor).map(listed).unwrap_or_default();
    console.result(&document, || text::profile::render(&profile) + &found)?;
    if let Some(out) = &arguments.out {
        let advice =
            if profile.baskets().is_some() { "list the private items in it" } else { "review every guess" };
        console.note(&format!("first policy written to {}: {advice}", out.display()));
    }
    Ok(Outcome::Done)
}

/// Refuses a preset that asks nothing of a profile.
fn check_preset(arguments: &Arguments) -> Result<()> {
    match arguments.preset {
        None | Some(Preset::HipaaSafeHarbor) => Ok(()),
        Some(_) => Err(Error::parameters("a profile does not answer the questions of this preset")
            .of_parameter("preset")
            .help("give it to a mining command, an audit or a report; a profile takes hipaa-safe-harbor")),
    }
}

/// A warning about names that the file does not have, or that are probably several.
fn names_warning(profile: &TableProfile) -> Option<String> {
    let columns = &profile.profile.columns;
    if profile.columns_are_numbered {
        return Some(format!(
            "no header was found, so the first line is read as a row and the columns are called {}; if there are lines above \
             the header, such as a title, skip them with --skip-lines N; if there is no header, name the columns with \
             --names NAME,NAME,...",
            numbered(columns)
        ));
    }
    let [column] = columns.as_slice() else { return None };
    let delimiter = DELIMITERS.into_iter().find(|(character, _)| column.name.contains(*character));
    delimiter.map(|(_, word)| {
        format!("the table has only one column, and its name contains `{word}`: if this separates cells, give it as --delimiter")
    })
}

/// Usual delimiters, and how each is given.
const DELIMITERS: [(char, &str); 4] = [(';', ";"), (',', ","), ('\t', "tab"), ('|', "|")];

/// The first name and the last.
fn numbered(columns: &[ColumnProfile]) -> String {
    match columns {
        [first, .., last] => format!("{} to {}", first.name, last.name),
        _ => "column1".to_owned(),
    }
}
