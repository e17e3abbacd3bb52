//! Spans: what an attacker who knows every individual's public attributes can distinguish.
//!
//! [`link`] carries out the linking attack on a model (VLDB Journal 2008, Definition 6): it puts the individuals of a
//! table into groups of equal span, without enumerating the private domain. [`link_table`] does this for a table, whose
//! groups are its rows of equal public values. What the groups then reveal is computed in [`crate::audit`].
//!
//! This is the one place where anonymity is decided. It uses nothing of a miner's bookkeeping, although miners call
//! parts of it ([`crate::audit`] lists which). The feature `naive` derives the same spans directly from the definition,
//! without code of this module, so that tests can compare the two.

mod allowance;
mod answers;
pub(crate) mod bind;
mod cells;
pub mod channels;
mod class;
mod clusters;
mod counted;
mod days;
mod ensemble;
mod flow;
mod groups;
mod joint;
mod partition;
mod populate;
pub(crate) mod possible;
mod reached;
pub(crate) mod relations;
pub(crate) mod rules;
mod said;
mod telling;
mod tied;
mod told;
mod transport;
mod tree;

pub use cells::as_model_sees;
pub use clusters::{ClusterSpace, nearby_order};
pub(crate) use counted::{branch_classes, check_listed, public_cells};
pub(crate) use days::days_of_cell;
pub use days::{ANY_DATE, InDays, all_in_days, in_days, known_in_days, private_in_days};
pub(crate) use days::{released_in_days, table_in_days};
pub use ensemble::FirstTrees;
pub(crate) use joint::{JointPart, joined};
pub(crate) use partition::link_source_groups;
pub use partition::{described_cells, link_table};
pub(crate) use partition::{known_columns, link_columns};
pub use populate::populate;
pub use relations::{Tie, tied_known, ties};
pub(crate) use said::{CellContents, canonical, extent_of_numbers, is_interval, values_of_set};
pub use said::{is_recoded_cell, states_one_value};
pub(crate) use telling::Telling;
use telling::{Tellings, occurring_first};

use crate::bits::Bits;
use crate::error::Result;
use crate::guarantee::PrivateItem;
use crate::model::Model;
use crate::policy::Policy;
use crate::table::Table;
use std::cmp::Ordering;

/// The individuals of a table, grouped by span.
pub struct Linking<'a> {
    /// The span of each row, or the part of one where relations divide spans into parts (`joint`).
    pub span_of_row: Vec<u32>,
    /// The number of non-empty spans, or parts of them.
    pub spans: usize,
    /// For each span, whether it has a single bin; empty if none has.
    pub single_bin: Vec<bool>,
    /// What the spans can reveal about private attributes.
    pub sensitive: Vec<Sensitive>,
    /// Where relations tie private attributes to others, `spans` are parts of spans: individuals with the same bins,
    /// for whom each bin reveals the same. The span of each part, and how many spans there are. `None` if every part is
    /// a span.
    pub(crate) joint: Option<(Vec<u32>, usize)>,
    /// Of several releases: for each span a number that is the same for spans that may be parts of one joint span. Empty
    /// if every joint span is a span, or if merging spans keeps every requirement.
    pub(crate) within: Vec<u32>,
    /// The bins of a model; `None` for a table, where every bin belongs to one span.
    pub(crate) bins: Option<Bins>,
    /// For rules: what their supports reveal, with a list of the cells below some limits. The populations of their bins
    /// are not published.
    pub(crate) derived: Option<Box<Derive<'a>>>,
    /// For ensembles: what the first tree, the first two trees, and so on reveal.
    pub(crate) first_trees: Vec<FirstTrees>,
    /// How each span reads, without private values.
    pub(crate) rules: Box<dyn Fn(usize) -> String + Send + Sync + 'a>,
    /// Which of two spans a report names first if both are of the same size.
    pub(crate) order: Box<SpanOrder<'a>>,
}

/// An order of spans. Where possible it is one of their contents, so that reports do not depend on the order of rows.
pub(crate) type SpanOrder<'a> = dyn Fn(usize, usize) -> Ordering + Send + Sync + 'a;

/// Spans in the order of their numbers, which follow rows.
pub(crate) fn by_number<'a>() -> Box<SpanOrder<'a>> {
    Box::new(|a, b| a.cmp(&b))
}

/// Computes what published supports reveal.
pub(crate) type Derive<'a> = dyn Fn(&channels::Limits) -> Result<Derived> + Send + Sync + 'a;

/// What published supports reveal.
pub(crate) struct Derived {
    /// For each span the most that the smallest cell its individuals can be in is known to have; `u64::MAX` where none
    /// is known to be non-empty. Empty where no smallest bin is required.
    pub(crate) of_span: Vec<u64>,
    /// The cells below what is required of them, the smallest first.
    pub(crate) channels: Vec<channels::Cell>,
    /// The items of the cells.
    pub(crate) items: Vec<String>,
    /// The number of connected rules that are too many to be searched as a whole, so that further cells may be small; 0
    /// if every cell was looked at.
    pub(crate) unsearched: u64,
    /// Whether no cell below the smallest bin can follow but those found.
    pub(crate) is_proven: bool,
}

/// The bins of a model and who can be in them.
pub(crate) struct Bins {
    /// The bin of each row, among the non-empty ones.
    pub(crate) of_row: Vec<u32>,
    /// The number of non-empty bins.
    pub(crate) count: usize,
    /// The place of each of them among all bins of the model: by leaf (its node's number) and class, or by centroid.
    /// Empty for rules.
    pub(crate) place: Vec<usize>,
    /// For each span the bins it contains, of the non-empty ones; ascending.
    pub(crate) reach: Vec<Vec<u32>>,
    /// Whether relations may have divided spans further than their bins do.
    pub(crate) divided: bool,
    /// What being in a bin means for a private attribute.
    pub(crate) tells: Box<dyn Tells>,
}

/// What being in a bin means for private attributes.
pub(crate) trait Tells: Send + Sync {
    /// The cells of a sensitive attribute that an individual of this span can have in this bin.
    fn cells(&self, span: usize, bin: u32, sensitive: usize) -> Result<Vec<u32>>;

    /// The cells that an individual of this span can have in some of the bins, where all bins are looked at faster than
    /// one by one.
    fn cells_of_all(&self, _bins: &mut dyn Iterator<Item = u32>, _sensitive: usize) -> Option<Bits> {
        None
    }

    /// How many of the values that the span distinguishes its individuals can have as long as populations are not
    /// known; `None` if all of them.
    fn possible(&self, _span: usize, _sensitive: usize) -> Option<usize> {
        None
    }
}

/// A private attribute of a release, divided into the cells that it can distinguish somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sensitive {
    /// The attribute's name.
    pub name: String,
    /// The private attributes that an attacker who knows the cell learns of: itself, or those a cluster depends on.
    pub(crate) about: Vec<String>,
    /// Whether it is the class.
    pub is_class: bool,
    /// Whether its cells have an order.
    pub ordered: bool,
    /// Where a row's cell comes from.
    pub(crate) source: Cells,
    /// The number of cells.
    pub(crate) cells: usize,
    /// For each cell of numbers the numbers in it, if cells are intervals; one of missing values comes after them.
    pub(crate) intervals: Vec<Interval>,
    /// Whether other values than those of the cells are possible.
    pub(crate) open: bool,
    /// The different ways in which spans distinguish its cells.
    pub(crate) tellings: Vec<Telling>,
    /// The telling of each span, [`Sensitive::SILENT`] where it reveals nothing; empty if all have the first.
    pub(crate) telling_of_span: Vec<u32>,
    /// The contents of the cells of a table, where some are not single values.
    pub(crate) said: Option<Box<CellContents>>,
    /// How much of what spans reveal about it is known.
    pub(crate) judged: Judgement,
    /// For several releases: whether one of them already leaves the individuals of each span a single one of the values
    /// that it distinguishes, however many all of them distinguish; empty if none can.
    pub(crate) settled: Vec<bool>,
    /// For several releases: whether all of them together may rule out a value for the individuals of each span that
    /// none alone rules out; empty if they cannot.
    pub(crate) ruled_out: Vec<bool>,
}

/// The possible numbers above its start, up to its end. None if the start is not below the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub(crate) start: f64,
    pub(crate) end: f64,
}

// Ends are thresholds and ends of ranges, which are numbers.
impl Eq for Interval {}

/// How much of what spans reveal about a private attribute is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Judgement {
    /// All of it.
    #[default]
    Fully,
    /// Who may be exposed to it, at most. Requirements on its values cannot be judged.
    Exposure,
    /// Nothing: every individual may be exposed to it.
    Nothing,
    /// Nothing, because a table does not contain it, and a dependency ties it to what the table contains.
    Absent,
}

impl Judgement {
    /// Whether every individual may be exposed.
    pub(crate) fn is_unknown(self) -> bool {
        matches!(self, Self::Nothing | Self::Absent)
    }
}

impl Sensitive {
    /// A span that reveals nothing about the attribute.
    pub(crate) const SILENT: u32 = u32::MAX;

    /// An attribute whose cells every span distinguishes.
    pub(crate) fn plain(name: &str, source: Cells, cells: usize) -> Self {
        let whole = Telling { local_of_cell: (0..cells as u32).collect(), locals: cells, possible: cells };
        let tellings = vec![whole];
        let (name, about) = (name.to_owned(), vec![name.to_owned()]);
        Self {
            name,
            about,
            is_class: false,
            ordered: false,
            source,
            cells,
            intervals: Vec::new(),
            open: false,
            tellings,
            telling_of_span: Vec::new(),
            said: None,
            judged: Judgement::Fully,
            settled: Vec::new(),
            ruled_out: Vec::new(),
        }
    }

    /// What a guarantee's scope sees of it.
    pub(crate) fn contained(&self) -> PrivateItem<'_> {
        if self.is_class {
            return PrivateItem::class(&self.name);
        }
        PrivateItem::derived(&self.name, self.about.iter().map(String::as_str))
    }

    /// How a span distinguishes the cells, if it does.
    pub(crate) fn telling(&self, span: usize) -> Option<usize> {
        match self.telling_of_span.get(span) {
            Some(&Self::SILENT) => None,
            Some(&telling) => Some(telling as usize),
            None => Some(0),
        }
    }
}

/// Where a row's cell of a sensitive attribute comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cells {
    /// From a column of the table: the cell of each code.
    Column {
        /// The column's place in the table.
        column: usize,
        /// The cell of each code.
        cell_of_code: Vec<u32>,
    },
    /// The row's bin is the cell.
    Bin,
}

/// Groups the individuals of `table` by their span under `model`, as seen by an attacker who knows the public
/// attributes of `policy`.
///
/// Takes time linear in the rows for a given model; rows are split only by tests an attacker can follow.
///
/// # Errors
/// When the table lacks a column of the model or contains a value outside its declared domain, or the policy gives an
/// attribute no usable role.
pub fn link<'a>(table: &'a Table, policy: &Policy, model: &'a Model) -> Result<Linking<'a>> {
    policy.check_whole(table)?;
    match model {
        Model::Tree(tree) => tree::link(table, policy, tree),
        Model::Ensemble(ensemble) => ensemble::link(table, policy, ensemble),
        Model::Clusters(clusters) => clusters::link(table, policy, clusters),
        Model::Rules(rules) => rules::link(table, policy, rules),
    }
}

impl Linking<'_> {
    /// The description of a span, without private values.
    pub fn rule(&self, span: usize) -> String {
        (self.rules)(span)
    }

    /// For each row the first part of its span: equal for rows of equal span, where `span_of_row` may distinguish parts
    /// of one.
    pub fn whole_span_of_row(&self) -> Vec<u32> {
        let mut first = vec![u32::MAX; self.joint_spans()];
        (0..self.spans as u32).for_each(|part| {
            let slot = &mut first[self.joint_of(part as usize)];
            *slot = part.min(*slot);
        });
        self.span_of_row.iter().map(|&part| first[self.joint_of(part as usize)]).collect()
    }

    /// The number of spans, their parts taken together.
    pub(crate) fn joint_spans(&self) -> usize {
        self.joint.as_ref().map_or(self.spans, |joint| joint.1)
    }

    /// The span that a part belongs to.
    pub(crate) fn joint_of(&self, part: usize) -> usize {
        self.joint.as_ref().map_or(part, |joint| joint.0[part] as usize)
    }

    /// For each part the individuals of its span, given those of the parts.
    pub(crate) fn joint_populations(&self, table: &Table, parts: &[u64]) -> Vec<u64> {
        let Some((joint, count)) = &self.joint else { return parts.to_vec() };
        let of_row: Vec<u32> = self.span_of_row.iter().map(|&part| joint[part as usize]).collect();
        let sizes = crate::group::sizes(&of_row, *count, table);
        joint.iter().map(|&span| sizes[span as usize]).collect()
    }

    /// For each span, which of the bins it reaches its individuals can be in, given all populations.
    pub(crate) fn possible_bins(&self) -> Option<Vec<Vec<bool>>> {
        self.bins.as_ref().map(|bins| flow::possible(&self.span_of_row, bins))
    }

    /// For each span the most individuals in the smallest of its cells (the individuals of the span in one bin) that
    /// have 1 to `limit` − 1 in every world; [`u64::MAX`] where there is none.
    pub(crate) fn smallest_cells(&self, table: &Table, limit: u64) -> Vec<u64> {
        let Some(bins) = &self.bins else { return Vec::new() };
        let joint = |&part: &u32| self.joint_of(part as usize) as u32;
        let span_of_row: Vec<u32> = self.span_of_row.iter().map(joint).collect();
        let mut reach = vec![Vec::new(); self.joint_spans()];
        (0..).zip(&bins.reach).for_each(|(part, reached)| reach[self.joint_of(part)].clone_from(reached));
        let transport = transport::Transport::new(table, &span_of_row, &reach, bins);
        let of_span = transport.smallest_cells(limit);
        (0..self.spans).map(|part| of_span[self.joint_of(part)]).collect()
    }
}

/// How a span reads that has individuals of several sorts.
fn alternatives(texts: impl Iterator<Item = String>) -> String {
    let texts: std::collections::BTreeSet<String> = texts.collect();
    let more = if texts.len() > 3 { " or others" } else { "" };
    texts.into_iter().take(3).collect::<Vec<_>>().join(" or ") + more
}

/// Rows are worked on in blocks of this many, whatever the number of threads, so that results do not depend on it.
const BLOCK: usize = 1 << 18;
