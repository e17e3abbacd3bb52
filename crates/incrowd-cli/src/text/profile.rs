//! The profile of a table.

use super::{Grid, clean, count, counted, percent, profile_baskets};
use crate::console::{CARE, STRONG, paint};
use incrowd::io::policy::PolicyDraft;
use incrowd::policy::Role;
use incrowd::profile::{ColumnCombination, ColumnProfile, FoundDependency, Profile};
use incrowd::table::Kind;
use incrowd::{DataProfile, TableProfile};
use std::collections::BTreeMap;

pub(crate) fn render(profile: &DataProfile) -> String {
    match (profile.table(), profile.baskets()) {
        (Some(profile), _) => of_table(profile),
        (None, Some(profile)) => profile_baskets::render(profile),
        (None, None) => String::new(),
    }
}

/// The columns whose names suggest an identifier of the Safe Harbor method.
pub(crate) fn safe_harbor(columns: &[ColumnProfile]) -> String {
    let mut grid = Grid::new(&["column", "", "identifier of 45 CFR 164.514(b)(2)"]);
    let found = columns.iter().filter_map(|column| Some((column, column.safe_harbor?)));
    found.for_each(|(column, own)| {
        grid.line([clean(&column.name), own.letter.to_string(), own.name.to_owned()]);
    });
    format!("\n{}only column names were checked; other columns may also identify people\n", grid.render())
}

fn of_table(of_table: &TableProfile) -> String {
    let profile = &of_table.profile;
    let by = of_table.subject.as_ref().map(|subject| format!(", if {} identifies them", clean(subject)));
    let head = format!(
        "{}: {} of {}{}\n{}\n",
        paint(STRONG, "profile"),
        counted(profile.rows, "row"),
        counted(profile.individuals, "individual"),
        by.unwrap_or_default(),
        clean_lines(&of_table.policy_reads.to_string())
    );
    let parts = [
        head,
        columns(of_table),
        marks(of_table),
        combinations(profile),
        dependencies(&profile.dependencies),
        guarantee(&of_table.policy),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The guarantee of the first policy, and what it leaves out.
fn guarantee(policy: &PolicyDraft) -> String {
    let k = policy.k.iter().map(|(k, _)| format!("k = {k}"));
    let cap = policy.confidence.iter().map(|(cap, _)| format!("confidence <= {cap} of the private columns"));
    let asked: Vec<String> = k.chain(cap).collect();
    let except: Vec<String> = policy.except.iter().map(|name| clean(name)).collect();
    let except = match except.as_slice() {
        [] => String::new(),
        except => format!(" except {} (the policy states why)", except.join(", ")),
    };
    format!("  proposed guarantee: {}{except}\n", asked.join(" and "))
}

/// Which texts are read as missing values, and which that mark them elsewhere are read as values.
fn marks(of_table: &TableProfile) -> String {
    let line = |marks| clean(&by_marks(marks, &of_table.profile));
    let mut text = String::new();
    if !of_table.missing_marks.is_empty() {
        text += &format!("  missing values: {}\n", line(&of_table.missing_marks));
    }
    if !of_table.values_like_marks.is_empty() {
        text += &format!(
            "  read as values (set `missing` in the policy if they mark missing values): {}\n",
            line(&of_table.values_like_marks)
        );
    }
    text
}

/// The columns of each list of marks, in the order of the table: `"?" in age, town; "-" in job`.
fn by_marks(marks: &BTreeMap<String, Vec<String>>, profile: &Profile) -> String {
    let mut columns_of: Vec<(&Vec<String>, Vec<&str>)> = Vec::new();
    let marked = profile.columns.iter().filter_map(|column| marks.get_key_value(&column.name));
    for (column, texts) in marked {
        match columns_of.iter_mut().find(|(other, _)| *other == texts) {
            Some((_, columns)) => columns.push(column),
            None => columns_of.push((texts, vec![column])),
        }
    }
    let quoted = |texts: &[String]| texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>();
    let each = columns_of
        .iter()
        .map(|(texts, columns)| format!("{} in {}", quoted(texts).join(", "), columns.join(", ")));
    each.collect::<Vec<_>>().join("; ")
}

fn clean_lines(text: &str) -> String {
    text.lines().map(clean).collect::<Vec<_>>().join("\n")
}

fn columns(of_table: &TableProfile) -> String {
    let profile = &of_table.profile;
    let mut grid = Grid::new(&["column", "kind", ">distinct", ">missing", ">unique", "guess", "why"]);
    for column in &profile.columns {
        let kind = match column.guess.kind {
            Kind::Numeric if of_table.decimal_commas.contains(&column.name) => "numeric, decimal comma",
            Kind::Numeric => "numeric",
            Kind::Ordered => "ordered",
            Kind::Date => "date",
            _ => "categorical",
        };
        grid.line([
            clean(&column.name),
            kind.to_owned(),
            count(column.distinct),
            count(column.missing),
            percent(column.unique),
            match (column.guess.class, column.guess.subject) {
                (true, _) => format!("{}, class", role(column.guess.role)),
                (_, true) => format!("{}, subject", role(column.guess.role)),
                _ => role(column.guess.role).to_owned(),
            },
            column.guess.reason.clone(),
        ]);
    }
    let undecided = profile.columns.iter().any(|column| column.guess.undecided);
    grid.render() + if undecided { UNDECIDED } else { "" }
}

/// What the role of a column means for which nothing suggests one.
const UNDECIDED: &str = "  where nothing suggests a role, the guess is public: the column can be used for linking, and \
    its values are not\n  protected; make it private if others must not learn them\n";

fn role(role: Role) -> &'static str {
    match role {
        Role::Public => "public",
        Role::Private => "private",
        Role::Identifier => "identifier",
        Role::Ignored => "ignored",
    }
}

fn combinations(profile: &Profile) -> String {
    let few = format!(">in groups below {}", profile.few);
    let mut grid = Grid::new(&[">unique", few.as_str(), "columns that the attacker knows"]);
    for ColumnCombination { columns, unique, few, .. } in &profile.combinations {
        grid.line([percent(*unique), percent(*few), clean(&columns.join(", "))]);
    }
    if profile.combinations.is_empty() {
        return "  no combination of columns singles out an individual\n".to_owned();
    }
    let searched = counted(profile.search.looked_at as u64, "combination");
    let how = match (profile.search.exhaustive, profile.search.chosen_on) {
        (true, _) => String::new(),
        (false, None) => format!("  the most identifying of {searched} searched\n"),
        (false, Some(rows)) => {
            let rows = counted(rows as u64, "row");
            format!("  the most identifying of {searched}, chosen on {rows} and measured on all\n")
        }
    };
    grid.render() + &how
}

fn dependencies(found: &[FoundDependency]) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["dependencies", ""]);
    // A dependency in both directions is found twice and listed once.
    let twice = |i: usize| {
        found[i].both_ways
            && found[..i].iter().any(|d| d.from == [found[i].to.clone()] && [d.to.clone()] == *found[i].from)
    };
    for dependency in found.iter().enumerate().filter(|&(i, _)| !twice(i)).map(|(_, dependency)| dependency) {
        let arrow = if dependency.both_ways { "↔" } else { "→" };
        let how = if dependency.is_exact() {
            "always".to_owned()
        } else {
            format!("except for {}", counted(dependency.left_out, "individual"))
        };
        grid.line([
            paint(CARE, clean(&format!("{} {arrow} {}", dependency.from.join(" + "), dependency.to))),
            how,
        ]);
    }
    grid.render()
}
