//! `incrowd profile`: measures how identifying a table is, and writes a first policy.

use super::profile_baskets;
use crate::Outcome;
use crate::args::{Common, Profile as Arguments};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::Result;
use incrowd::io::policy::{DraftAttribute, DraftDependency, PolicyDraft, PolicyFile};
use incrowd::io::write::write_new;
use incrowd::io::{Decimal, Format, MissingRows, ReadPlan, Unlisted, looks_like_baskets, read_table};
use incrowd::policy::{Dependency, Role};
use incrowd::profile::{
    ColumnProfile, FoundDependency, Profile, ProfileOptions, Understood, profile_with_progress, understand,
};
use incrowd::table::{Kind, RowsLeftOut};
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::Instant;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    #[serde(flatten)]
    pub(crate) profile: Profile,
    /// The column that identifies individuals with several rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) subject: Option<String>,
    /// The columns of numbers with decimal commas.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) decimal_commas: BTreeSet<String>,
    /// The part of the table that a first policy reads.
    pub(crate) policy_reads: PolicyReads,
    seconds: f64,
}

/// The part of the table that a first policy reads.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PolicyReads {
    pub(crate) rows: u64,
    pub(crate) rows_left_out: RowsLeftOut,
    /// Whether rows with a missing value are kept, because there are too many to leave out.
    pub(crate) keeps_missing: bool,
    /// The rows with a missing value and the columns with missing values, whether the rows are kept or not.
    pub(crate) rows_with_missing: RowsLeftOut,
}

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    if arguments.policy.is_none() && arguments.look.is_silent() && looks_like_baskets(&arguments.file)? {
        return profile_baskets::run(arguments, common, console);
    }
    let plan = plan(arguments)?;
    let bar = Bar::new(common.quiet);
    let read = read_table(&arguments.file, &plan, common.threads, &bar)?;
    let (format, delimiter) = (read.format, read.delimiter);
    let understood = understand(read.table).map_err(|error| error.in_file(&arguments.file))?;
    let mut options = ProfileOptions::default();
    options.few = arguments.few;
    options.subject.clone_from(&understood.subject);
    let profile = profile_with_progress(&understood.table, &options, &bar);
    let reads = policy_reads(&understood, &profile);
    if let Some(out) = &arguments.out {
        let text = draft(file_part(&plan, format, delimiter, &reads), &understood, &profile, &reads).render();
        write_new(out, common.force, |file| file.write_all(text.as_bytes()))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let Understood { subject, decimal_commas, .. } = understood;
    let document = Document { profile, subject, decimal_commas, policy_reads: reads, seconds };
    console.result(&document, || text::profile::render(&document))?;
    if let Some(out) = &arguments.out {
        console.note(&format!("first policy written to {}: review every guess", out.display()));
    }
    Ok(Outcome::Done)
}

/// How the table is read. Missing values are kept, since nothing is released here.
fn plan(arguments: &Arguments) -> Result<ReadPlan> {
    if let Some(policy) = &arguments.policy {
        let file = PolicyFile::read(policy)?.file;
        // A profile covers every column, whether the policy lists it or not.
        return Ok(ReadPlan { missing_rows: MissingRows::Keep, unlisted: Unlisted::Keep, ..file });
    }
    Ok(ReadPlan { missing_rows: MissingRows::Keep, ..arguments.look.plan() })
}

/// The rows that the policy will read. Rows with a missing value are left out only if they are few.
fn policy_reads(understood: &Understood, profile: &Profile) -> PolicyReads {
    let is_read = |name: &str| {
        let column = profile.columns.iter().find(|column| column.name == name);
        column.is_some_and(|column| matches!(column.guess.role, Role::Public | Role::Private))
    };
    let with_missing = understood.left_out(is_read);
    let class = profile.columns.iter().find(|column| column.guess.class);
    let keeps_missing = Understood::keeps_rows(&with_missing) && class.is_none_or(|class| class.missing == 0);
    let none = RowsLeftOut { of: with_missing.of, ..RowsLeftOut::default() };
    let rows_left_out = if keeps_missing { none } else { with_missing.clone() };
    let rows = rows_left_out.of - rows_left_out.total;
    PolicyReads { rows, rows_left_out, keeps_missing, rows_with_missing: with_missing }
}

fn file_part(plan: &ReadPlan, format: Format, delimiter: Option<u8>, reads: &PolicyReads) -> ReadPlan {
    let is_text = matches!(format, Format::Csv | Format::Uci);
    let missing_rows = match (reads.rows_with_missing.total, reads.keeps_missing) {
        (0, _) => MissingRows::Refuse,
        (_, true) => MissingRows::Keep,
        (_, false) => MissingRows::Drop,
    };
    ReadPlan { format: Some(format), delimiter: delimiter.filter(|_| is_text), missing_rows, ..plan.clone() }
}

/// Drafts a first policy.
fn draft(file: ReadPlan, understood: &Understood, profile: &Profile, reads: &PolicyReads) -> PolicyDraft {
    let class = profile.columns.iter().find(|column| column.guess.class);
    let comment = format!(
        "A first policy, guessed from the data. Review every line: only the owner knows what an attacker may know.\n{}",
        text::profile::reads(reads)
    );
    let attribute = |column: &ColumnProfile| attribute(column, understood, &file);
    PolicyDraft {
        comment,
        class: class.map(|column| (column.name.clone(), column.guess.reason.clone())),
        subject: understood.subject.clone().map(|name| {
            (name, "identifies individuals with several rows: k counts individuals, not rows".to_owned())
        }),
        attributes: profile.columns.iter().map(attribute).collect(),
        dependencies: dependencies(profile),
        k: Some((10, "the minimum number of individuals in every group; 10 is a common choice".to_owned())),
        confidence: class.and_then(|class| confidence(class, understood)),
        file,
        ..PolicyDraft::default()
    }
}

fn attribute(column: &ColumnProfile, understood: &Understood, file: &ReadPlan) -> DraftAttribute {
    let guess = &column.guess;
    let singles_out = format!("alone it singles out {} of the individuals", text::percent(column.unique));
    let comment = format!("{} ({singles_out})", guess.reason);
    let mut attribute = DraftAttribute::new(&column.name, guess.role, Some(guess.kind), comment);
    attribute.taxonomy.clone_from(&guess.taxonomy);
    attribute.date_order = understood.dates.get(&column.name).copied().flatten();
    let is_read = matches!(guess.role, Role::Public | Role::Private);
    let has_commas =
        is_read && guess.kind == Kind::Numeric && understood.decimal_commas.contains(&column.name);
    attribute.decimal = has_commas.then_some(Decimal::Comma);
    let is_text = matches!(file.format, Some(Format::Csv | Format::Uci));
    if let Some(marks) = understood.marks.get(&column.name).filter(|_| is_read && is_text) {
        // The marks of an attribute replace those of the file.
        attribute.missing = file.missing.iter().chain(marks).cloned().collect();
    }
    attribute
}

/// A cap on confidence halfway between the share of the most frequent class value and certainty.
fn confidence(class: &ColumnProfile, understood: &Understood) -> Option<(f64, String)> {
    let share = understood.table.most_frequent_share(understood.table.column(&class.name)?);
    let digits = [100.0, 1000.0, 10_000.0];
    let cap =
        digits.iter().map(|tens| (f64::midpoint(1.0, share) * tens).ceil() / tens).find(|cap| *cap < 1.0)?;
    let why = format!(
        "no value of {} may be inferred with more confidence than this: k alone allows groups in which all have the same value.\n\
         The share of its most frequent value in the whole table is {}; no release can meet a lower cap.",
        class.name,
        text::percent(share)
    );
    Some((cap, why))
}

/// The dependencies between public and private attributes. The owner removes those that hold only in the data.
fn dependencies(profile: &Profile) -> Vec<DraftDependency> {
    let kept = |name: &String| {
        let role = profile.columns.iter().find(|column| &column.name == name).map(|column| column.guess.role);
        matches!(role, Some(Role::Public | Role::Private))
    };
    let draft = |found: &FoundDependency| DraftDependency {
        dependency: Dependency { from: found.from.clone(), to: found.to.clone() },
        comment: if found.is_exact() {
            "always holds in the data".to_owned()
        } else {
            format!("holds in the data except for {}", text::counted(found.left_out, "individual"))
        },
    };
    profile.dependencies.iter().filter(|d| kept(&d.to) && d.from.iter().all(kept)).map(draft).collect()
}
