//! From a draft to a table that can be released: its cells written out, its rows in an order that reveals nothing,
//! audited.

use super::draft::{Draft, LOST, Private};
use super::measures::measure;
use super::params::{CheckedTableParams, TableMethod};
use super::recoding::legend;
use super::represent::represented;
use super::task::Task;
use super::{MinedTable, TableSummary};
use crate::refused::prints_rare;
use incrowd_core::audit::{Report, audit_table, safe_harbor_breaks};
use incrowd_core::guarantee::{Preset, SeveralRows};
use incrowd_core::policy::Policy;
use incrowd_core::recoding::Recoding;
use incrowd_core::table::{Codes, Column, People, Table, Values};
use incrowd_core::words::{all, count, counted};
use incrowd_core::{Error, ErrorKind, Result};
use rayon::prelude::*;

/// Makes the release and audits it.
///
/// # Errors
/// When the audit could not be done or found a breach.
pub(crate) fn release(task: &Task<'_>, draft: &Draft, params: &CheckedTableParams) -> Result<MinedTable> {
    let (table, source_rows) = table(task, draft)?;
    if table.rows() == 0 {
        return Err(Error::unsatisfiable("no row can be released under this guarantee")
            .help("choose a weaker guarantee or another method"));
    }
    let reports = audits(&table, task.audited_under, params)?;
    let all = for_all_attributes(&table, task.audited_under, params)?;
    let measures = measure(task, draft, params.method);
    let report = Report::of_several(reports).ok_or_else(|| Error::internal("nothing was audited"))?;
    let report = report.of_sets(&params.sets, all.as_ref());
    if !report.holds {
        return Err(presets_of_sets());
    }
    let summary = TableSummary {
        rows: measures.rows,
        rows_lost: measures.rows_lost,
        k: report.k,
        groups: report.spans,
        exposed: report.exposed,
        max_confidence: report.max_confidence,
        suppressed: measures.suppressed,
        swapped: measures.swapped,
        loss: measures.loss,
        cm: measures.cm,
    };
    let warnings = report.warnings.iter().cloned().chain(left_out(task, draft));
    let warnings = warnings.chain(loss_warning(&summary, task, params.method));
    let warnings = warnings.chain(lost_rows(&summary, task, &source_rows)).collect();
    let mut recoding = Recoding::new(legend(task, draft, params.method), &table)?;
    if params.representatives {
        recoding = represented(task, recoding)?;
    }
    Ok(MinedTable { table, source_rows, summary, measures, recoding, report, warnings })
}

/// A word on private columns that the table does not contain.
fn left_out(task: &Task<'_>, draft: &Draft) -> Option<String> {
    let is_left_out = |place: &&usize| matches!(draft.private(**place), Some(Private::LeftOut));
    let name = |place: &usize| format!("`{}`", task.table.columns()[*place].name());
    let names: Vec<String> = task.private.iter().filter(is_left_out).map(name).collect();
    let column = if names.len() == 1 { "column" } else { "columns" };
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("the table does not contain the private {column} {names}: it shows only what its tree tests")
    })
}

/// From this share of cells or rows on, the owner is warned that the table has lost them.
const MUCH: f64 = 0.2;

/// A word on a table that has lost many cells or rows, and on what keeps more of them.
fn loss_warning(summary: &TableSummary, task: &Task<'_>, method: TableMethod) -> Option<String> {
    let lost = summary.rows_lost as f64 / (summary.rows + summary.rows_lost).max(1) as f64;
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let what = if summary.suppressed >= 1.0 {
        if let Some(why) = forbidden(task) {
            return Some(why);
        }
        "the table contains no public information: all public cells are suppressed".to_owned()
    } else if summary.groups == 1 {
        "the table contains no public information: all rows show the same public cells".to_owned()
    } else if lost >= MUCH {
        format!("{} of the rows are left out of the table", percent(lost))
    } else if summary.suppressed >= MUCH {
        format!("{} of the public cells are suppressed", percent(summary.suppressed))
    } else {
        return None;
    };
    Some(format!("{what}; {}", what_keeps_more(method)))
}

/// The warning about public columns that a preset forbids as they are, where it leaves nothing of any.
fn forbidden(task: &Task<'_>) -> Option<String> {
    if !task.guarantee.presets().contains(&Preset::HipaaSafeHarbor) {
        return None;
    }
    let broken = safe_harbor_breaks(task.attributes.iter().map(|attribute| attribute.column));
    let names: Vec<String> = broken.iter().map(|name| format!("`{name}`")).collect();
    let are = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| {
        format!(
            "the table contains no public information: the preset hipaa-safe-harbor does not allow {} as {} in the data; \
             shorten the values there (postal codes to three digits, dates to years, ages over 89 to one), or give the \
             columns the role \"ignored\"",
            all(&names),
            if are == "is" { "it is" } else { "they are" }
        )
    })
}

/// From this share of rows on, the owner is warned that they are not in the table.
const MANY: f64 = 0.05;
/// Of columns with more values than this, it is not said how many are gone.
const FEW_VALUES: usize = 50;

/// A warning about rows that are left out, and about values that therefore do not occur in the table.
fn lost_rows(summary: &TableSummary, task: &Task<'_>, source_rows: &[u32]) -> Option<String> {
    let all_rows = summary.rows + summary.rows_lost;
    if summary.rows_lost == 0 {
        return None;
    }
    let gone = |place: usize| {
        let column = &task.table.columns()[place];
        let values = column.values();
        if values.numbers().is_some() || values.len() > FEW_VALUES {
            return None;
        }
        let (mut has, mut keeps) = (vec![false; values.len() + 1], vec![false; values.len() + 1]);
        column.codes().iter().for_each(|code| has[code as usize] = true);
        source_rows.iter().for_each(|&row| keeps[column.code(row as usize) as usize] = true);
        let lost = (0..values.len()).filter(|&code| has[code] && !keeps[code]).count();
        let of = (0..values.len()).filter(|&code| has[code]).count();
        (lost > 0).then(|| format!("{lost} of {of} values of `{}`", column.name()))
    };
    let places = task.attributes.iter().map(|attribute| attribute.place).chain(task.private.iter().copied());
    let gone: Vec<String> = places.filter_map(gone).collect();
    let share = summary.rows_lost as f64 / all_rows as f64;
    if share < MANY && gone.is_empty() {
        return None;
    }
    let rows = counted(summary.rows_lost, "row");
    let is = if summary.rows_lost == 1 { "is" } else { "are" };
    let what = format!(
        "{rows} of {} ({:.1} %) {is} not in the table, because the guarantee leaves no group for them",
        count(all_rows),
        100.0 * share
    );
    Some(if gone.is_empty() { what } else { format!("{what}; no row is left of {}", all(&gone)) })
}

/// What makes a method keep more cells.
fn what_keeps_more(method: TableMethod) -> String {
    let less = "a weaker guarantee (such as a smaller k) or fewer public attributes";
    match method {
        TableMethod::Kactus | TableMethod::Kactus2 | TableMethod::Spans => format!(
            "{} keeps only what its tree tests and suppresses the rest, whatever k is; to keep more, try the method \
             mondrian first, then best",
            method.name()
        ),
        TableMethod::Mondrian | TableMethod::Finest => format!("{less} would keep more"),
        TableMethod::Tds | TableMethod::Tdr => {
            format!("to keep more, try the method mondrian first, then taxonomies with more levels, {less}")
        }
        TableMethod::Best | TableMethod::Cells | TableMethod::Effects | TableMethod::Aggregate => {
            format!("to keep more under the same guarantee, try the method mondrian; only then {less}")
        }
    }
}

/// Audits a table once for every set of attributes that some attacker knows.
///
/// # Errors
/// When it cannot be checked, or a requirement does not hold.
pub(crate) fn audits(table: &Table, policy: &Policy, params: &CheckedTableParams) -> Result<Vec<Report>> {
    let guarantee = &params.guarantee;
    let of_set = |set: &Vec<String>| audit_table(table, &policy.known_to(set), guarantee);
    let reports = match params.sets.as_slice() {
        [] => vec![audit_table(table, policy, guarantee)?],
        sets => sets.iter().map(of_set).collect::<Result<_>>()?,
    };
    match reports.iter().find(|report| !report.holds) {
        Some(report) => Err(prints_rare(report).unwrap_or_else(|| refused(table, report, params))),
        None => Ok(reports),
    }
}

/// The audit for an attacker who knows all public attributes, if the guarantee is about sets of them.
fn for_all_attributes(table: &Table, policy: &Policy, params: &CheckedTableParams) -> Result<Option<Report>> {
    (!params.sets.is_empty()).then(|| audit_table(table, policy, &params.guarantee)).transpose()
}

fn presets_of_sets() -> Error {
    Error::unsatisfiable(
        "a preset is judged for an attacker who knows all public attributes, and the table does not meet it: its groups \
         were made for attackers who each know one of the policy's `sets`",
    )
    .of_parameter("preset")
    .help("remove `sets` from the policy, or leave out the preset")
}

fn refused(table: &Table, report: &Report, params: &CheckedTableParams) -> Error {
    let mut error = Error::unsatisfiable(format!(
        "the table fails its audit: the guarantee is broken in {} with {}",
        counted(report.breaches.unwrap_or(0), "group"),
        counted(report.in_breach.unwrap_or(0), "individual")
    ));
    if params.as_printed {
        return error
            .of_parameter("as_printed")
            .help("kACTUS-2 as printed in its paper is unsafe; use the repaired method");
    }
    // The strict reading looks at all groups of an individual at once, which no method does.
    if params.guarantee.several_rows() == SeveralRows::Strict && table.has_several_rows() {
        return error.help("too few individuals have rows in the same groups: combine the rows of each individual into one, choose a smaller k, or set several-rows = \"counted\"");
    }
    error.kind = ErrorKind::Breach;
    error.help("nothing was released; this is a bug in incrowd, please report it")
}

/// The released table, and the row of the source each of its rows comes from.
fn table(task: &Task<'_>, draft: &Draft) -> Result<(Table, Vec<u32>)> {
    let public = task.attributes.iter().zip(&draft.columns).map(|(attribute, column)| {
        let texts = column.texts(attribute);
        let (values, number) = sorted(&texts);
        let of_group: Vec<u32> = column.of_group.iter().map(|&cell| number[cell as usize]).collect();
        (attribute.place, values, of_group)
    });
    let public: Vec<(usize, Values, Vec<u32>)> = public.collect();
    let order = order(task, draft, &public);
    let mut columns: Vec<(usize, Column)> = Vec::new();
    for (place, values, of_group) in public {
        let code = |&row: &u32| of_group[draft.group_of_row[row as usize] as usize];
        columns.push((place, column(task, place, values, order.iter().map(code))?));
    }
    for &place in &task.private {
        match draft.private(place) {
            None => columns.push((place, task.table.columns()[place].select(&order).compacted())),
            Some(Private::LeftOut) => {}
            Some(Private::Generalized { texts, of_row }) => {
                let (values, number) = sorted(texts);
                let code = |&row: &u32| number[of_row[row as usize] as usize];
                columns.push((place, column(task, place, values, order.iter().map(code))?));
            }
        }
    }
    columns.sort_by_key(|&(place, _)| place);
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    Ok((Table::new(columns, people(task.table, &order))?, order))
}

fn column(task: &Task<'_>, place: usize, values: Values, codes: impl Iterator<Item = u32>) -> Result<Column> {
    let codes = Codes::collect(values.len() + 1, codes);
    Ok(Column::new(task.table.columns()[place].name(), values, codes)?.compacted())
}

/// Texts as the values of a column, and the code of each text; equal texts have one.
fn sorted(texts: &[String]) -> (Values, Vec<u32>) {
    let mut values: Vec<&str> = texts.iter().map(String::as_str).collect();
    values.sort_unstable();
    values.dedup();
    let code = |text: &String| values.partition_point(|value| *value < text.as_str()) as u32;
    (Values::Categorical(values.iter().collect()), texts.iter().map(code).collect())
}

/// The rows that are released, ordered by what is released of them: by public cells, then by private values. The
/// source's own order could be known, and would identify individuals.
fn order(task: &Task<'_>, draft: &Draft, public: &[(usize, Values, Vec<u32>)]) -> Vec<u32> {
    let groups = draft.groups();
    let mut by_cells: Vec<u32> = (0..groups as u32).collect();
    let cells = |group: &u32| {
        let group = *group as usize;
        public.iter().map(move |(_, _, of_group)| of_group[group])
    };
    by_cells.par_sort_unstable_by(|a, b| cells(a).cmp(cells(b)));
    // Groups that read the same are one group to everyone else.
    let mut rank = vec![0_u32; groups];
    let mut next = 0;
    for (i, group) in by_cells.iter().enumerate() {
        next += u32::from(i > 0 && !cells(&by_cells[i - 1]).eq(cells(group)));
        rank[*group as usize] = next;
    }
    let ranks = if groups == 0 { 0 } else { next as usize + 1 };
    let mut ends = vec![0_usize; ranks + 1];
    let rank_of = |row: usize| match draft.group_of_row[row] {
        LOST => None,
        group => Some(rank[group as usize] as usize),
    };
    (0..draft.group_of_row.len()).filter_map(rank_of).for_each(|rank| ends[rank + 1] += 1);
    (0..ranks).for_each(|rank| ends[rank + 1] += ends[rank]);
    let mut rows = vec![0_u32; ends[ranks]];
    let mut next = ends.clone();
    for row in 0..draft.group_of_row.len() {
        if let Some(rank) = rank_of(row) {
            rows[next[rank]] = row as u32;
            next[rank] += 1;
        }
    }
    sort_within(task, draft, &mut rows, &ends);
    rows
}

/// Sorts the rows of each group by their private values, then by their weights.
fn sort_within(task: &Task<'_>, draft: &Draft, rows: &mut [u32], ends: &[usize]) {
    let code = |place: usize, row: u32| match draft.private(place) {
        Some(Private::LeftOut) => 0,
        Some(Private::Generalized { of_row, .. }) => of_row[row as usize],
        None => task.table.columns()[place].code(row as usize),
    };
    let key = |row: u32| task.private.iter().map(move |&place| code(place, row));
    let mut parts: Vec<&mut [u32]> = Vec::with_capacity(ends.len());
    let mut rest = rows;
    for pair in ends.windows(2) {
        let (part, after) = rest.split_at_mut(pair[1] - pair[0]);
        parts.push(part);
        rest = after;
    }
    let weight = |row: u32| task.table.weight(row as usize);
    match packed(task, code) {
        Some(keys) => parts.into_par_iter().for_each(|part| {
            part.sort_unstable_by_key(|&row| (keys[row as usize], weight(row)));
        }),
        None => parts.into_par_iter().for_each(|part| {
            part.sort_unstable_by(|&a, &b| key(a).cmp(key(b)).then_with(|| weight(a).cmp(&weight(b))));
        }),
    }
}

/// The private values of each row as one number that is ordered as they are, if they fit into it.
fn packed(task: &Task<'_>, code: impl Fn(usize, u32) -> u32 + Sync) -> Option<Vec<u64>> {
    let rows = task.table.rows() as u32;
    let bits = |&place: &usize| {
        let highest = (0..rows).into_par_iter().map(|row| code(place, row)).max().unwrap_or(0);
        u32::BITS - highest.leading_zeros()
    };
    let bits: Vec<u32> = task.private.iter().map(bits).collect();
    let pack = |row: u32| {
        let fields = task.private.iter().zip(&bits);
        fields.fold(0, |key, (&place, &bits)| key << bits | u64::from(code(place, row)))
    };
    (bits.iter().sum::<u32>() <= u64::BITS).then(|| (0..rows).into_par_iter().map(pack).collect())
}

/// The individuals of the released rows.
fn people(source: &Table, order: &[u32]) -> People {
    match source.people() {
        People::Weights(weights) => People::Weights(order.iter().map(|&row| weights[row as usize]).collect()),
        People::Subjects { of_row, .. } => {
            let subjects: Vec<u32> = order.iter().map(|&row| of_row[row as usize]).collect();
            People::of_subjects(&subjects)
        }
        _ => People::Rows,
    }
}
