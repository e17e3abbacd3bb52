//! The first policy for a table.

use super::PolicyReads;
use crate::show::{counted, percent};
use incrowd_core::policy::{Dependency, Role};
use incrowd_core::profile::{ColumnProfile, FoundDependency, Profile, Understood};
use incrowd_core::table::Kind;
use incrowd_io::policy::{DraftAttribute, DraftDependency, PolicyDraft};
use incrowd_io::{Decimal, Format, MissingRows, ReadPlan};

/// How the file is read, with what was detected in it.
pub(super) fn file_part(plan: &ReadPlan, format: Format, delimiter: Option<u8>) -> ReadPlan {
    let is_text = matches!(format, Format::Csv | Format::Uci);
    plan.clone().with_format(format).with_delimiter(delimiter.filter(|_| is_text))
}

/// The initial k and the reason.
pub(super) fn initial_k() -> (u64, String) {
    (10, "the minimum number of individuals in every group; 10 is a common choice".to_owned())
}

/// Drafts a first policy.
pub(super) fn draft(
    file: ReadPlan,
    understood: &Understood,
    profile: &Profile,
    reads: &PolicyReads,
) -> PolicyDraft {
    let missing_rows = match (reads.rows_with_missing.total, reads.keeps_missing) {
        (0, _) => MissingRows::Refuse,
        (_, true) => MissingRows::Keep,
        (_, false) => MissingRows::Drop,
    };
    let file = file.with_missing_rows(missing_rows);
    let class = profile.columns.iter().find(|column| column.guess.class);
    let comment = format!(
        "A first policy, guessed from the data. Review every line: only the owner knows what an attacker may know.\n{reads}"
    );
    let attribute = |column: &ColumnProfile| attribute(column, understood, &file);
    let mut draft = PolicyDraft::new(comment);
    draft.class = class.map(|column| (column.name.clone(), column.guess.reason.clone()));
    draft.subject = understood.subject.clone().map(|name| {
        (name, "identifies individuals with several rows: k counts individuals, not rows".to_owned())
    });
    draft.attributes = profile.columns.iter().map(attribute).collect();
    draft.dependencies = dependencies(profile);
    draft.k = Some(initial_k());
    draft.confidence = class.and_then(|class| confidence(class, understood));
    draft.file = file;
    draft
}

fn attribute(column: &ColumnProfile, understood: &Understood, file: &ReadPlan) -> DraftAttribute {
    let guess = &column.guess;
    let singles_out = format!("alone it singles out {} of the individuals", percent(column.unique));
    let comment = format!("{} ({singles_out})", guess.reason);
    let mut attribute = DraftAttribute::new(&column.name, guess.role, Some(guess.kind), comment);
    attribute.taxonomy.clone_from(&guess.taxonomy);
    attribute.date_order = understood.dates.get(&column.name).copied().flatten();
    let is_read = matches!(guess.role, Role::Public | Role::Private);
    let has_commas =
        is_read && guess.kind == Kind::Numeric && understood.decimal_commas.contains(&column.name);
    attribute.decimal = has_commas.then_some(Decimal::Comma);
    let is_text = matches!(file.format, Some(Format::Csv | Format::Uci | Format::Frame));
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
        percent(share)
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
            format!("holds in the data except for {}", counted(found.left_out, "individual"))
        },
    };
    profile.dependencies.iter().filter(|d| kept(&d.to) && d.from.iter().all(kept)).map(draft).collect()
}
