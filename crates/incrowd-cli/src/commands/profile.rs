//! `incrowd profile`: how identifying a table is, and a first policy.

use crate::Outcome;
use crate::args::{Common, Profile as Arguments};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::Result;
use incrowd::io::plan::{MissingRows, ReadPlan, Unlisted};
use incrowd::io::policy::{DraftAttribute, DraftDependency, PolicyDraft, PolicyFile};
use incrowd::io::write::write_new;
use incrowd::io::{Format, TableRead, read_table};
use incrowd::policy::{Dependency, Role};
use incrowd::profile::{FoundDependency, Profile, ProfileOptions, profile_with_progress};
use incrowd::table::{Column, Table};
use serde::Serialize;
use std::time::Instant;

/// What often stands for a missing value.
const MARKS: [&str; 8] = ["?", "NA", "N/A", "NaN", "null", "NULL", "-", ""];

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    profile: &'a Profile,
    seconds: f64,
}

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let plan = plan(arguments)?;
    let bar = Bar::new(common.quiet);
    let read = read_table(&arguments.file, &plan, common.threads, &bar)?;
    let mut options = ProfileOptions::default();
    options.few = arguments.few;
    let profile = profile_with_progress(&read.table, &options, &bar);
    if let Some(out) = &arguments.out {
        let text = draft(&plan, &read, &profile).render();
        write_new(out, common.force, |file| file.write_all(text.as_bytes()))?;
    }
    let document = Document { profile: &profile, seconds: start.elapsed().as_secs_f64() };
    console.result(&document, || text::profile::render(&profile))?;
    if let Some(out) = &arguments.out {
        console.note(&format!("a first policy is in {}: look over every guess", out.display()));
    }
    Ok(Outcome::Done)
}

/// How the table is read: missing values are kept, since nothing is released here.
fn plan(arguments: &Arguments) -> Result<ReadPlan> {
    if let Some(policy) = &arguments.policy {
        let file = PolicyFile::read(policy)?.file;
        // A profile is of every column: what the policy says of them is not looked at.
        return Ok(ReadPlan { missing_rows: MissingRows::Keep, unlisted: Unlisted::Keep, ..file });
    }
    Ok(ReadPlan { missing_rows: MissingRows::Keep, ..arguments.look.plan() })
}

/// A policy to begin with.
pub(crate) fn draft(plan: &ReadPlan, read: &TableRead, profile: &Profile) -> PolicyDraft {
    let class = profile.columns.iter().find(|column| column.guess.class);
    PolicyDraft {
        comment: "A first policy, guessed from the data. Look over every line: only the owner knows what an attacker may know."
            .to_owned(),
        class: class.map(|column| (column.name.clone(), column.guess.reason.clone())),
        subject: None,
        file: file_part(plan, read),
        attributes: profile
            .columns
            .iter()
            .map(|column| {
                let figures = format!(
                    "{} (singles out {} of the individuals by itself)",
                    column.guess.reason,
                    text::percent(column.unique)
                );
                DraftAttribute::new(&column.name, column.guess.role, Some(column.guess.kind), figures)
            })
            .collect(),
        dependencies: dependencies(profile),
        k: Some((10, "how many individuals everybody must be among; 10 is a usual start".to_owned())),
    }
}

fn file_part(plan: &ReadPlan, read: &TableRead) -> ReadPlan {
    let mut missing = plan.missing.clone();
    for mark in MARKS {
        if !missing.iter().any(|other| other == mark) && occurs(&read.table, mark) {
            missing.push(mark.to_owned());
        }
    }
    let text = matches!(read.format, Format::Csv | Format::Uci);
    ReadPlan {
        format: Some(read.format),
        delimiter: read.delimiter.filter(|_| text),
        missing_rows: if missing.is_empty() { MissingRows::Refuse } else { MissingRows::Drop },
        missing,
        ..plan.clone()
    }
}

fn occurs(table: &Table, mark: &str) -> bool {
    let categorical = |column: &&Column| column.values().numbers().is_none();
    table.columns().iter().filter(categorical).any(|column| column.values().find(mark).is_some())
}

/// Exact dependencies between attributes that may be kept; the owner strikes out what does not hold in the world.
fn dependencies(profile: &Profile) -> Vec<DraftDependency> {
    let kept = |name: &String| {
        let role = profile.columns.iter().find(|column| &column.name == name).map(|column| column.guess.role);
        matches!(role, Some(Role::Public | Role::Private))
    };
    let draft = |found: &FoundDependency| DraftDependency {
        dependency: Dependency { from: found.from.clone(), to: found.to.clone() },
        comment: if found.is_exact() {
            "in the data this always holds".to_owned()
        } else {
            format!("in the data this holds but for {}", text::counted(found.left_out, "individual"))
        },
    };
    profile.dependencies.iter().filter(|d| kept(&d.to) && d.from.iter().all(kept)).map(draft).collect()
}
