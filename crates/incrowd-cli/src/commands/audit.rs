//! `incrowd audit`: checks whether a release or table meets its guarantee.

use super::{database, flags, mining};
use crate::Outcome;
use crate::args::{Audit, Common, UnlistedFlag};
use crate::console::Console;
use crate::documents::Timed;
use crate::text;
use incrowd::io::Unlisted;
use incrowd::io::policy::PolicyFile;
use incrowd::{Error, ErrorKind, OpenOptions, Result};
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(arguments: &Audit, common: &Common, console: &Console) -> Result<Outcome> {
    let by_flags = arguments.policy.is_none();
    audit(arguments, common, console).map_err(|error| if by_flags { flags::of_roles(error) } else { error })
}

fn audit(arguments: &Audit, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    check_sources(arguments)?;
    let (options, policy) = (mining::options(common), policy_of(arguments)?);
    let request = arguments.guarantee.request();
    let risk = &arguments.risk;
    if arguments.release.len() > 1 {
        return together(arguments, policy, &options, console);
    }
    let report = match (&arguments.table, arguments.release.first()) {
        (Some(table), _) => {
            let audit = database::audit_table(&options, table, policy)?;
            let audit = audit.request(request).risk_threshold(risk.risk_threshold);
            let audit = match (&risk.population, risk.population_size) {
                (Some(file), _) => audit.population(file),
                (None, Some(size)) => audit.population_size(size),
                (None, None) => audit,
            };
            audit.without(arguments.without.clone()).run().map_err(flags::of_audit)?
        }
        (None, Some(release)) => {
            let audit = database::audit(&options, release, arguments.data.as_deref(), policy)?;
            let audit = audit.request(request).risk_threshold(risk.risk_threshold);
            let audit = match (&risk.population, risk.population_size) {
                (Some(file), _) => audit.population(file),
                (None, Some(size)) => audit.population_size(size),
                (None, None) => audit,
            };
            let has_data = arguments.data.is_some();
            audit.run().map_err(|error| with_table(flags::of_audit(error), release, has_data))?
        }
        (None, None) => return Err(nothing()),
    };
    report.warnings.iter().for_each(|warning| console.warn(warning));
    let document = Timed::new(&report, start);
    console.result(&document, || text::audit::render(&report))?;
    Ok(if report.holds { Outcome::Done } else { Outcome::Breach })
}

/// The policy of the file, or the one that flags state.
fn policy_of(arguments: &Audit) -> Result<PolicyFile> {
    if let Some(path) = &arguments.policy {
        return PolicyFile::read(path);
    }
    let roles = &arguments.roles;
    if roles.public.is_empty() {
        return Err(Error::parameters("an audit needs to know what an attacker knows")
            .of_parameter("public")
            .help("name the columns that an attacker may know with --public, or give a policy file with --policy"));
    }
    let unlisted = match roles.unlisted {
        UnlistedFlag::Refuse => Unlisted::Refuse,
        UnlistedFlag::Ignored => Unlisted::Skip,
    };
    let plan = roles.look.plan().with_unlisted(unlisted);
    let mut policy = PolicyFile::of_roles(&roles.public, &roles.private, plan)?;
    policy.policy.subject.clone_from(&roles.subject);
    Ok(policy)
}

fn nothing() -> Error {
    Error::parameters("nothing to audit").help("name a release file, or a table with --table")
}

/// Refuses a release or data next to a table.
fn check_sources(arguments: &Audit) -> Result<()> {
    let refused = |what: &str, parameter: &'static str, help: &str| {
        Err(Error::parameters(what).of_parameter(parameter).help(help))
    };
    match (&arguments.table, arguments.release.first()) {
        (None, None) => Err(nothing()),
        (Some(_), Some(_)) => refused(
            "a release was named as well, and only one of the two can be audited at a time",
            "table",
            "for a release, leave --table out: its file names the released table; for the table alone, leave the \
             release out",
        ),
        (Some(_), None) if arguments.data.is_some() => {
            refused("a table is audited on its own, not against its source", "data", "leave --data out")
        }
        (None, _) if !arguments.without.is_empty() => refused(
            "columns can be left out only of a table given with --table",
            "without",
            "give the table with --table",
        ),
        _ => Ok(()),
    }
}

/// Audits several releases together.
fn together(
    arguments: &Audit,
    policy: PolicyFile,
    options: &OpenOptions,
    console: &Console,
) -> Result<Outcome> {
    let start = Instant::now();
    let risk = &arguments.risk;
    if risk.population.is_some() {
        return Err(Error::parameters("a population is counted for one release at a time")
            .of_parameter("population")
            .help("audit the releases one by one, or give --population-size"));
    }
    let data = arguments.data.as_ref().ok_or_else(|| {
        Error::parameters("releases are audited together against the table that they were made from, and no table was given")
            .help("give that table as --data")
    })?;
    database::refuse(data)?;
    let audit = options.audit_together(&arguments.release, data, policy);
    let mut report = audit.request(arguments.guarantee.request()).run().map_err(flags::of_audit)?;
    report.together.risk = report.together.risk.with_threshold(risk.risk_threshold)?;
    if let Some(size) = risk.population_size {
        report.together.risk = report.together.risk.with_population_size(size)?;
    }
    report.together.warnings.iter().for_each(|warning| console.warn(warning));
    console.result(&Timed::new(&report, start), || text::together::render(&report))?;
    Ok(if report.holds { Outcome::Done } else { Outcome::Breach })
}

/// Adds to the help of an error about a file that may be a table, by the ending of its name.
fn with_table(mut error: Error, release: &Path, has_data: bool) -> Error {
    let ending = release.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let may_be_table = ["csv", "tsv", "arff", "parquet"].contains(&ending.to_ascii_lowercase().as_str());
    // Without data, files with the other endings are audited as tables.
    let was_read_as_model = has_data || ending.eq_ignore_ascii_case("tsv");
    if may_be_table && was_read_as_model && error.kind == ErrorKind::Input && error.place.line.is_none() {
        let table = format!("to audit a table: incrowd audit --table {} --policy FILE", release.display());
        error.help = Some(error.help.map_or_else(|| table.clone(), |help| format!("{help}; {table}")));
    }
    error
}
