//! The first policy for a table.

use super::PolicyReads;
use super::cap::Proposal;
use crate::show::{counted, percent};
use incrowd_core::guarantee::Scope;
use incrowd_core::policy::{Dependency, Role};
use incrowd_core::profile::{ColumnProfile, FoundDependency, Profile, RecognizedTable};
use incrowd_core::table::Kind;
use incrowd_io::policy::{DraftAttribute, DraftDependency, PolicyDraft};
use incrowd_io::{Decimal, Format, MissingRows, ReadPlan, TableRead};

/// How the file is read, with what was detected in it.
pub(super) fn file_part(plan: &ReadPlan, read: &TableRead) -> ReadPlan {
    let is_text = matches!(read.format, Format::Csv | Format::Uci);
    // A policy states the kinds of its columns.
    let mut plan = plan.clone();
    plan.codes = false;
    if read.header == Some(false) {
        // Without a header a policy has to name the columns.
        plan.header = Some(false);
        plan.names.get_or_insert_with(|| read.names.clone());
    }
    plan.with_format(read.format).with_delimiter(read.delimiter.filter(|_| is_text))
}

/// The initial k and the reason.
pub(super) fn initial_k() -> (u64, String) {
    (10, "the minimum number of individuals in every group; 10 is a common choice".to_owned())
}

/// Drafts a first policy.
pub(super) fn draft(
    file: ReadPlan,
    understood: &RecognizedTable,
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
    draft.subject = understood.subject.clone().map(|name| (name, SUBJECT.to_owned()));
    draft.attributes = profile.columns.iter().map(attribute).collect();
    draft.dependencies = dependencies(profile);
    draft.k = Some(initial_k());
    if let Some(Proposal { cap, except }) = Proposal::new(profile, understood) {
        (draft.confidence, draft.of, draft.except) = (Some(cap), Some(Scope::All), except);
    }
    draft.file = file;
    draft
}

fn attribute(column: &ColumnProfile, understood: &RecognizedTable, file: &ReadPlan) -> DraftAttribute {
    let guess = &column.guess;
    let mut comment = format!("{} ({} unique)", guess.reason, percent(column.unique));
    if let Some(texts) = understood.values_like_marks.get(&column.name) {
        let texts = quoted(texts);
        comment += &format!(
            "\n{texts} is read as a value; if it means that the value is missing, set missing = [{texts}]"
        );
    }
    if guess.undecided {
        comment += UNDECIDED;
    }
    let mut attribute = DraftAttribute::new(&column.name, guess.role, Some(guess.kind), comment);
    attribute.undecided = guess.undecided;
    attribute.taxonomy.clone_from(&guess.taxonomy);
    attribute.date_order = understood.dates.get(&column.name).copied().flatten();
    let is_read = matches!(guess.role, Role::Public | Role::Private);
    let has_commas =
        is_read && guess.kind == Kind::Numeric && understood.decimal_commas.contains(&column.name);
    attribute.decimal = has_commas.then_some(Decimal::Comma);
    let has_own_marks = matches!(file.format, Some(Format::Arff | Format::Parquet));
    if is_read && !has_own_marks {
        attribute.missing = own_marks(file, understood.marks.get(&column.name));
    }
    attribute
}

/// The marks of an attribute, which replace those of the file; none if those of the file are enough.
fn own_marks(file: &ReadPlan, marks: Option<&Vec<String>>) -> Vec<String> {
    let own: Vec<&String> = marks.into_iter().flatten().filter(|mark| !file.missing.contains(mark)).collect();
    if own.is_empty() { Vec::new() } else { file.missing.iter().chain(own).cloned().collect() }
}

/// What to decide about a column for which nothing suggests a role.
const UNDECIDED: &str = "\nAs a public attribute it can be used for linking, and its values are not protected.\n\
    Make it private if others must not learn them. In either case delete the line `undecided`.";

/// What a subject column means for k.
const SUBJECT: &str = "identifies individuals with several rows: k counts individuals, not rows.\n\
    An attacker who knows several rows of an individual, such as all visits of a patient, can combine what the release\n\
    states about each of them. To count only individuals who have the same groups in all of their rows, set\n\
    several-rows = \"strict\" under [guarantee]; this works only if individuals have few rows each.";

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

/// Texts in quotes, as they are written in a policy.
fn quoted(texts: &[String]) -> String {
    texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(", ")
}
