//! Information loss of a released table: every measure over cells, groups and rows. Defined, with sources, in
//! `docs/measures.md`.

use super::cell::{Cell, Interval, parts_of};
use super::draft::{Draft, LOST};
use super::params::TableMethod;
use super::task::{Attribute, Task};
use incrowd_core::table::People;
use incrowd_core::taxonomy::TaxonomyNode;
use rayon::prelude::*;

/// The information loss of a released table.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Measures {
    /// The rows released.
    pub rows: u64,
    /// The rows not released.
    pub rows_lost: u64,
    /// The share of suppressed public cells; those of lost rows count.
    pub suppressed: f64,
    /// The share of released public cells that are not true of their row.
    pub swapped: f64,
    /// The loss metric: the mean share of an attribute's values that a cell covers (Iyengar 2002); lost rows count 1.
    /// `None` where cells are means: they cover one value, which is not true of their rows.
    pub loss: Option<f64>,
    /// The loss metric over released rows alone.
    pub loss_released: Option<f64>,
    /// The normalized certainty penalty (Xu and others 2006): as the loss metric, but several names count as their share of
    /// all names. `None` where the loss metric is not defined.
    pub ncp: Option<f64>,
    /// The loss metric for each public attribute, without its weight; empty where it is not defined.
    pub loss_of: Vec<AttributeLoss>,
    /// The entropy that cells lose, as a share of what suppressing everything loses (Gionis and Tassa 2009).
    pub entropy_loss: f64,
    /// Σ of squared group sizes, lost rows counting as many as there are rows (Bayardo and Agrawal 2005).
    pub discernibility: f64,
    /// Rows per group.
    pub average_group: f64,
    /// Rows per group, where all lost rows together are one more group, as ARX counts them.
    pub average_class_size: f64,
    /// Rows per group divided by the required k (LeFevre and others 2006), where there is one.
    pub average_group_by_k: Option<f64>,
    /// The individuals with a class other than the most frequent one of their group; lost individuals count. None
    /// without a private class.
    pub cm: Option<u64>,
}

/// The loss of one attribute.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct AttributeLoss {
    /// The attribute.
    pub attribute: String,
    /// Its mean loss per cell.
    pub loss: f64,
}

/// The sums over the cells of one attribute.
#[derive(Default, Clone, Copy)]
struct Sums {
    suppressed: u64,
    swapped: u64,
    loss: f64,
    ncp: f64,
    entropy: f64,
    most_entropy: f64,
}

pub(crate) fn measure(task: &Task<'_>, draft: &Draft, method: TableMethod) -> Measures {
    let sizes = sizes(task, draft);
    let rows: u64 = sizes.iter().sum();
    let total: u64 = (0..task.table.rows()).map(|row| u64::from(task.table.weight(row))).sum();
    let lost = total - rows;
    let sums: Vec<Sums> =
        (0..task.attributes.len()).into_par_iter().map(|i| sums(task, draft, i, lost)).collect();
    let cells = (total * task.attributes.len() as u64).max(1) as f64;
    let released = (rows * task.attributes.len() as u64).max(1) as f64;
    let groups = sizes.iter().filter(|&&size| size > 0).count().max(1) as f64;
    let most: f64 = sums.iter().map(|sums| sums.most_entropy).sum();
    let entropy: f64 = sums.iter().map(|sums| sums.entropy).sum();
    let loss_of = task.attributes.iter().zip(&sums).map(|(attribute, sums)| AttributeLoss {
        attribute: attribute.column.name().to_owned(),
        loss: sums.loss / total.max(1) as f64,
    });
    // Weights are 1 on average, so the sum is one of as many cells.
    let weighted = |of: &dyn Fn(&Sums) -> f64| {
        task.attributes.iter().zip(&sums).map(|(attribute, sums)| attribute.weight * of(sums)).sum::<f64>()
    };
    let is_defined = method != TableMethod::Aggregate;
    Measures {
        rows,
        rows_lost: lost,
        suppressed: sums.iter().map(|sums| sums.suppressed).sum::<u64>() as f64 / cells,
        swapped: sums.iter().map(|sums| sums.swapped).sum::<u64>() as f64 / released,
        loss: is_defined.then(|| weighted(&|sums| sums.loss) / cells),
        loss_released: is_defined.then(|| weighted(&|sums| sums.loss - lost as f64) / released),
        ncp: is_defined.then(|| weighted(&|sums| sums.ncp) / cells),
        loss_of: if is_defined { loss_of.collect() } else { Vec::new() },
        entropy_loss: if most > 0.0 { entropy / most } else { 0.0 },
        discernibility: sizes.iter().map(|&size| (size as f64).powi(2)).sum::<f64>()
            + lost as f64 * total as f64,
        average_group: rows as f64 / groups,
        average_class_size: total as f64 / (groups + f64::from(u8::from(lost > 0))),
        average_group_by_k: task.guarantee.asked_k().map(|k| rows as f64 / groups / k as f64),
        cm: task.class.map(|class| minority(task, draft, class)),
    }
}

/// The rows of each group.
fn sizes(task: &Task<'_>, draft: &Draft) -> Vec<u64> {
    let mut sizes = vec![0; draft.groups()];
    for (row, &group) in draft.group_of_row.iter().enumerate().filter(|&(_, &group)| group != LOST) {
        sizes[group as usize] += u64::from(task.table.weight(row));
    }
    sizes
}

/// The individuals who do not have their group's most frequent class, and the lost ones. An individual counts once for
/// each class they have in a group, as in trees.
fn minority(task: &Task<'_>, draft: &Draft, class: usize) -> u64 {
    let column = &task.table.columns()[class];
    // Where rows are individuals, a row stands for itself.
    let (subjects, weight): (Option<&[u32]>, _) = match task.table.people() {
        People::Subjects { of_row, .. } => (Some(of_row), None),
        _ => (None, Some(|row: u32| u64::from(task.table.weight(row as usize)))),
    };
    let held = |(row, &group): (usize, &u32)| {
        (group, column.code(row), subjects.map_or(row as u32, |of_row| of_row[row]))
    };
    let mut held: Vec<(u32, u32, u32)> = draft.group_of_row.iter().enumerate().map(held).collect();
    held.par_sort_unstable();
    held.dedup();
    let size = |some: &[(u32, u32, u32)]| -> u64 {
        weight.as_ref().map_or(some.len() as u64, |weight| some.iter().map(|&(_, _, row)| weight(row)).sum())
    };
    let not_most = |group: &[(u32, u32, u32)]| {
        let most = group.chunk_by(|a, b| a.1 == b.1).map(size).max().unwrap_or(0);
        size(group) - if group[0].0 == LOST { 0 } else { most }
    };
    held.chunk_by(|a, b| a.0 == b.0).map(not_most).sum()
}

fn sums(task: &Task<'_>, draft: &Draft, index: usize, lost: u64) -> Sums {
    let attribute = &task.attributes[index];
    let column = &draft.columns[index];
    let values = attribute.column.values().len() + 1;
    let mut of_value = vec![0_u64; values];
    // How often each cell is given to each value; cells are few where rows are many.
    let mut of_pair = std::collections::HashMap::<(u32, u32), u64>::new();
    for (row, &group) in draft.group_of_row.iter().enumerate() {
        let weight = u64::from(task.table.weight(row));
        let code = attribute.code(row as u32);
        of_value[code as usize] += weight;
        if group != LOST {
            *of_pair.entry((column.of_group[group as usize], code)).or_default() += weight;
        }
    }
    let total: u64 = of_value.iter().sum();
    let covered = |cell: &Cell| -> u64 {
        let codes = (0..values as u32).filter(|&code| of_value[code as usize] > 0);
        codes.filter(|&code| cell.covers(code, attribute)).map(|code| of_value[code as usize]).sum()
    };
    let known: Vec<(f64, f64, u64)> = column
        .cells
        .par_iter()
        .map(|cell| (loss(cell, attribute), certainty_penalty(cell, attribute), covered(cell)))
        .collect();
    let mut sums = Sums { suppressed: lost, loss: lost as f64, ncp: lost as f64, ..Sums::default() };
    let mut pairs: Vec<_> = of_pair.into_iter().collect();
    // Sums of floating-point numbers depend on their order.
    pairs.sort_unstable();
    for ((cell, code), n) in pairs {
        let (loss, penalty, covered) = known[cell as usize];
        let is_true = column.cells[cell as usize].covers(code, attribute);
        sums.suppressed += if column.cells[cell as usize].is_suppressed(attribute) { n } else { 0 };
        sums.swapped += if is_true { 0 } else { n };
        sums.loss += loss * n as f64;
        sums.ncp += penalty * n as f64;
        let held = of_value[code as usize];
        // A cell that is not true reveals nothing about the value.
        let covered = if is_true { covered } else { total };
        sums.entropy += n as f64 * (covered as f64 / held as f64).log2();
    }
    let all = of_value.iter().filter(|&&held| held > 0);
    sums.most_entropy = all.map(|&held| held as f64 * (total as f64 / held as f64).log2()).sum();
    let kept: f64 = sums.entropy;
    sums.entropy = kept + lost_entropy(task, draft, attribute, &of_value, total);
    sums
}

/// What lost rows lose: everything.
fn lost_entropy(
    task: &Task<'_>,
    draft: &Draft,
    attribute: &Attribute<'_>,
    of_value: &[u64],
    total: u64,
) -> f64 {
    let lost = draft.group_of_row.iter().enumerate().filter(|&(_, &group)| group == LOST);
    let of_row = |row: usize| {
        let held = of_value[attribute.code(row as u32) as usize];
        f64::from(task.table.weight(row)) * (total as f64 / held as f64).log2()
    };
    lost.map(|(row, _)| of_row(row)).sum()
}

/// The share of an attribute's values that a cell covers, besides one: 0 for a value, 1 for anything.
pub(crate) fn loss(cell: &Cell, attribute: &Attribute<'_>) -> f64 {
    match cell {
        Cell::Value(_) | Cell::Number(_) => 0.0,
        Cell::Any => 1.0,
        Cell::Group(TaxonomyNode::ROOT) if attribute.is_date() => 1.0,
        Cell::Group(node) if attribute.is_date() => {
            attribute.days_of(*node).map_or(0.0, |days| loss_of_numbers(&days, attribute))
        }
        Cell::Group(node) => attribute.taxonomy.as_ref().map_or(1.0, |taxonomy| {
            share_besides_one(taxonomy.leaf_count(*node), taxonomy.leaf_count(TaxonomyNode::ROOT))
        }),
        Cell::OneOf(codes) => share_besides_one(leaves_of(codes, attribute), attribute.domain_size()),
        // Of a constant number, too: the cell does not show it.
        Cell::Interval(interval) if interval.is_anything(attribute) => 1.0,
        Cell::Interval(interval) => {
            if let Some(leaves) = attribute.leaves_within(interval) {
                return share_besides_one(leaves, attribute.domain_size());
            }
            loss_of_numbers(&interval.shown(attribute), attribute)
        }
    }
}

/// The normalized certainty penalty of a cell: numbers as in the loss metric; of several names their share of all.
fn certainty_penalty(cell: &Cell, attribute: &Attribute<'_>) -> f64 {
    let share = |some: usize, all: usize| if some > 1 { some as f64 / all.max(1) as f64 } else { 0.0 };
    match cell {
        Cell::Group(node) if !attribute.is_date() => attribute.taxonomy.as_ref().map_or(1.0, |taxonomy| {
            share(taxonomy.leaf_count(*node), taxonomy.leaf_count(TaxonomyNode::ROOT))
        }),
        Cell::OneOf(codes) => share(leaves_of(codes, attribute), attribute.domain_size()),
        Cell::Interval(interval) => match attribute.leaves_within(interval) {
            Some(leaves) => share(leaves, attribute.domain_size()),
            None => loss(cell, attribute),
        },
        _ => loss(cell, attribute),
    }
}

/// How many values a set names: a group of the taxonomy in it stands for all of its values, also for those that do not
/// occur.
fn leaves_of(codes: &[u32], attribute: &Attribute<'_>) -> usize {
    let Some(taxonomy) = attribute.taxonomy.as_ref().filter(|_| !attribute.is_date()) else {
        return codes.len();
    };
    let leaves = |part: Cell| match part {
        Cell::Group(node) => taxonomy.leaf_count(node),
        _ => 1,
    };
    parts_of(codes, attribute).map(leaves).sum()
}

/// The width of an interval as a share of the range.
fn loss_of_numbers(interval: &Interval, attribute: &Attribute<'_>) -> f64 {
    let (low, high) = attribute.range;
    let from = interval.low.unwrap_or(low).max(low);
    let to = interval.high.unwrap_or(high).min(high);
    if high > low { ((to - from) / (high - low)).clamp(0.0, 1.0) } else { 0.0 }
}

fn share_besides_one(some: usize, all: usize) -> f64 {
    if all <= 1 {
        return 0.0;
    }
    some.saturating_sub(1) as f64 / (all - 1) as f64
}
