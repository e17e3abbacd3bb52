//! What the spans of an ensemble reveal about private attributes, and what being in a bin means for them.

use super::super::flow::occupied_pairs;
use super::super::relations::Combination;
use super::super::tied::untested;
use super::super::{Cells, Judgement, Sensitive, Telling, Tellings, Tells};
use super::Frame;
use super::interned::CellSets;
use super::tracked::Tracked;
use crate::bits::Bits;
use crate::error::Result;
use crate::table::{Column, Kind, Table};
use rayon::prelude::*;
use std::sync::Arc;

/// The most pairs of spans and bins that are listed, and the most combinations that are examined.
const MOST_PAIRS: usize = 1 << 26;
const MOST_STEPS: usize = 1 << 31;

/// What relations leave possible, for each span and bin.
#[derive(Clone)]
pub(super) struct Combinations {
    /// For each component and kind the possible combinations.
    kinds: Arc<Vec<Vec<Vec<Combination>>>>,
    /// For each span the kind of each component.
    kinds_of_span: Vec<Vec<u32>>,
    /// For each component the tested attributes: their places, for each vector the set it leaves, and the sets.
    tested: Vec<Vec<(usize, SetsOfBins)>>,
    /// The class's place in a component, and the class value of each of its values.
    class: Option<((usize, usize), Vec<u32>)>,
    /// The number of possible class values.
    classes: usize,
}

/// For each vector of leaves the set of cells it leaves, and the sets.
type SetsOfBins = Option<Arc<(Vec<u32>, CellSets)>>;

fn sets_of_bins(tracked: &Tracked<'_>) -> SetsOfBins {
    let followed = tracked.followed.as_ref()?;
    Some(Arc::new((followed.set_of_bin.clone(), followed.sets.clone())))
}

impl Combinations {
    pub(super) fn new(frame: &Frame<'_>, example: &[u32]) -> Self {
        let components = &frame.components;
        let kinds_of = |&row: &u32| components.iter().map(|c| c.kind_of_row[row as usize]).collect();
        let tested = |number: usize| {
            let own = |tracked: &Tracked<'_>| {
                let (_, place) = tracked.tied.filter(|tied| tied.0 == number)?;
                Some((place, sets_of_bins(tracked)))
            };
            frame.tracked.iter().filter_map(own).collect()
        };
        let class = frame.class_tied.map(|(number, place)| {
            let codes = components[number].codes[place].iter();
            ((number, place), codes.map(|&code| frame.class.of_code[code as usize]).collect())
        });
        Self {
            kinds: Arc::new(components.iter().map(|component| component.kinds.clone()).collect()),
            kinds_of_span: example.iter().map(kinds_of).collect(),
            tested: (0..components.len()).map(tested).collect(),
            class,
            classes: frame.class.order.len(),
        }
    }

    /// The combinations of a component that are possible for a span in a bin.
    fn left(&self, component: usize, span: usize, bin: (u32, u32)) -> impl Iterator<Item = &Combination> {
        let kind = self.kinds_of_span[span][component];
        let passes = move |combination: &&Combination| {
            let passes = |(place, sets): &(usize, SetsOfBins)| {
                sets.as_ref()
                    .is_none_or(|sets| sets.1.has(sets.0[bin.0 as usize], combination[*place] as usize))
            };
            let has_class = |((number, place), of_value): &((usize, usize), Vec<u32>)| {
                *number != component || of_value[combination[*place] as usize] == bin.1
            };
            self.tested[component].iter().all(passes) && self.class.as_ref().is_none_or(has_class)
        };
        self.kinds[component][kind as usize].iter().filter(passes)
    }

    /// Whether an individual of a span can be in a bin, as far as relations matter.
    fn allow(&self, span: usize, bin: (u32, u32)) -> bool {
        (0..self.kinds.len()).all(|component| self.left(component, span, bin).next().is_some())
    }

    /// Whether the cells that bins leave are known, of every attribute that relations name.
    fn are_known(&self) -> bool {
        self.tested.iter().flatten().all(|(_, sets)| sets.is_some())
    }

    /// The steps that it takes to find out.
    fn steps(&self, span: usize) -> usize {
        let kinds = self.kinds.iter().zip(&self.kinds_of_span[span]);
        kinds.map(|(kinds, &kind)| kinds[kind as usize].len()).sum()
    }

    /// The values of a component's attribute that are possible in a bin, ascending.
    fn values(&self, (component, place): (usize, usize), span: usize, bin: (u32, u32)) -> Vec<u32> {
        listed(self.left(component, span, bin).map(|combination| combination[place]))
    }

    /// The values of a component's attribute that are possible for a span at all.
    fn possible(&self, (component, place): (usize, usize), span: usize) -> Vec<u32> {
        let kind = self.kinds_of_span[span][component];
        listed(self.kinds[component][kind as usize].iter().map(|combination| combination[place]))
    }

    /// The class values that are possible for a span.
    fn class_values(&self, span: usize) -> Vec<u32> {
        match &self.class {
            None => (0..self.classes as u32).collect(),
            Some((tied, of_value)) => {
                listed(self.possible(*tied, span).into_iter().map(|value| of_value[value as usize]))
            }
        }
    }

    /// The number of class values that are possible for a span.
    pub(super) fn classes(&self, span: usize) -> usize {
        self.class_values(span).len()
    }
}

fn listed(values: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut values: Vec<u32> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// For each span the bins (by vector and class) it reaches, given the vectors; `None` if they are too many.
pub(super) fn with_class(
    reach: &[Vec<u32>],
    place: &[(u32, u32)],
    known_class: impl Fn(usize) -> Option<u32> + Sync,
    combinations: &Combinations,
) -> Option<Vec<Vec<u32>>> {
    let vectors = place.iter().map(|bin| bin.0).max().map_or(0, |last| last as usize + 1);
    let mut of_vector: Vec<Vec<u32>> = vec![Vec::new(); vectors];
    (0..).zip(place).for_each(|(bin, &(vector, _))| of_vector[vector as usize].push(bin));
    let bins = |span: usize| reach[span].iter().flat_map(|&vector| &of_vector[vector as usize]).copied();
    let spans = 0..reach.len();
    let pairs: usize = spans.clone().into_par_iter().map(|span| bins(span).count()).sum();
    let steps: usize =
        spans.clone().into_par_iter().map(|span| bins(span).count() * combinations.steps(span)).sum();
    if pairs > MOST_PAIRS || steps > MOST_STEPS || !combinations.are_known() {
        return None;
    }
    let of_span = |span: usize| {
        let class = known_class(span);
        let is_reached = |bin: &u32| {
            let bin = place[*bin as usize];
            class.is_none_or(|class| class == bin.1) && combinations.allow(span, bin)
        };
        let mut bins: Vec<u32> = bins(span).filter(is_reached).collect();
        bins.sort_unstable();
        bins
    };
    Some(spans.into_par_iter().map(of_span).collect())
}

/// For each span the bins that its own individuals are in. Exchanging individuals of one span leaves these open to each
/// of them, whatever else is possible, so nothing is missed that is certain.
pub(super) fn occupied(span_of_row: &[u32], spans: usize, bin_of_row: &[u32]) -> Vec<Vec<u32>> {
    let mut reach = vec![Vec::new(); spans];
    let bins = bin_of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let pairs = occupied_pairs(span_of_row, spans, bin_of_row, bins);
    pairs.into_iter().for_each(|(span, bin)| reach[span as usize].push(bin));
    reach
}

/// A private attribute that spans reveal something about.
#[derive(Clone)]
enum Revealed {
    /// The class.
    Class,
    /// A tested attribute that no relation names: for each vector the set of cells it leaves, and their cells.
    Tested(Arc<(Vec<u32>, CellSets)>),
    /// An attribute of a component, tested or not.
    Tied(usize, usize),
    /// An attribute with too many values to be followed.
    Unknown,
}

/// What the spans reveal something about, each with the attribute tracked, in the order of [`sensitive`].
fn revealed<'f, 'a>(frame: &'f Frame<'a>) -> Vec<(Revealed, Option<&'f Tracked<'a>>)> {
    let class = (!frame.class.public).then_some((Revealed::Class, None));
    let tested = frame.tracked.iter().map(|tracked| {
        let revealed = match (&tracked.followed, tracked.tied) {
            (Some(_), Some((component, place))) if is_followed(frame, component) => {
                Revealed::Tied(component, place)
            }
            (None, _) | (_, Some(_)) => Revealed::Unknown,
            (Some(_), None) => sets_of_bins(tracked).map_or(Revealed::Unknown, Revealed::Tested),
        };
        (revealed, Some(tracked))
    });
    let is_told = |component, place| {
        let here = Some((component, place));
        frame.class_tied == here || frame.tracked.iter().any(|tracked| tracked.tied == here)
    };
    let follow = untested(&frame.components, is_told).map(|(component, place)| {
        let tied = Revealed::Tied(component, place);
        (if is_followed(frame, component) { tied } else { Revealed::Unknown }, None)
    });
    class.into_iter().chain(tested).chain(follow).collect()
}

/// Whether all tested attributes of a component are followed: what is possible of one depends on all of them.
fn is_followed(frame: &Frame<'_>, component: usize) -> bool {
    let own = |tracked: &&Tracked<'_>| tracked.tied.is_some_and(|tied| tied.0 == component);
    frame.tracked.iter().filter(own).all(|tracked| tracked.followed.is_some())
}

/// What the spans can reveal about private attributes: the class, those tested, and those that relations tie to them.
pub(super) fn sensitive(
    table: &Table,
    frame: &Frame<'_>,
    combinations: &Combinations,
    reach: &[Vec<u32>],
    place: &[(u32, u32)],
) -> Vec<Sensitive> {
    let is_told = |component, place| {
        let here = Some((component, place));
        frame.class_tied == here || frame.tracked.iter().any(|tracked| tracked.tied == here)
    };
    let mut untested = untested(&frame.components, is_told);
    let beside = frame.tracked.iter().any(|tracked| tracked.tied.is_some());
    let of_one = |(revealed, tracked): (Revealed, Option<&Tracked<'_>>)| match (revealed, tracked) {
        (Revealed::Class, _) => class(table, frame, combinations, reach.len()),
        (Revealed::Tested(_), Some(tracked)) if beside => beside_relations(table, tracked, reach, place),
        (Revealed::Tested(_), Some(tracked)) => tested(table, tracked),
        (Revealed::Tied(component, own), _) => {
            if tracked.is_none() {
                untested.next();
            }
            let stated = tracked.is_some_and(|tracked| tracked.has_choice);
            let tied = tied(table, frame, combinations, ((component, own), stated), reach, place);
            Sensitive { judged: Judgement::Exposure, ..tied }
        }
        (_, Some(tracked)) => unknown(table, tracked.column, reach.len()),
        (_, None) => {
            let (component, own) = untested.next().unwrap_or_default();
            unknown(table, frame.components[component].columns[own], reach.len())
        }
    };
    revealed(frame).into_iter().map(of_one).collect()
}

fn class(table: &Table, frame: &Frame<'_>, combinations: &Combinations, spans: usize) -> Sensitive {
    let (classes, column) = (frame.class.order.len(), frame.class.column);
    let mut tellings = Tellings::default();
    for span in 0..spans {
        let telling = Telling::of_class(classes, combinations.class_values(span));
        tellings.push(telling.map(|telling| telling.in_order(&frame.class.order)));
    }
    let source = Cells::Column { column: position(table, column), cell_of_code: frame.class.of_code.clone() };
    Sensitive { is_class: true, ..of_tellings(column, source, classes, tellings) }
}

fn tested(table: &Table, tracked: &Tracked<'_>) -> Sensitive {
    let Some(followed) = &tracked.followed else { return unknown(table, tracked.column, 0) };
    let mut tellings = Tellings::default();
    for &division in &followed.division_of_span {
        let (parts, locals) = followed.divisions.get(division);
        let telling = Telling { local_of_cell: parts.to_vec(), locals, possible: locals };
        tellings.push((locals > 1).then(|| telling.in_order(&followed.map.order)));
    }
    let cell_of_code = followed.map.cell_of_code.clone();
    let source = Cells::Column { column: position(table, tracked.column), cell_of_code };
    let intervals = followed.map.intervals.clone();
    Sensitive { intervals, ..of_tellings(tracked.column, source, followed.map.cells, tellings) }
}

/// A tested attribute that no relation names, in trees that also test one that relations name: these may leave some
/// tests out of reach. So its values are distinguished only as the bins that individuals have distinguish them: too
/// many individuals may count as exposed, never too few.
fn beside_relations(
    table: &Table,
    tracked: &Tracked<'_>,
    reach: &[Vec<u32>],
    place: &[(u32, u32)],
) -> Sensitive {
    let Some(followed) = &tracked.followed else { return unknown(table, tracked.column, reach.len()) };
    let of_span = |bins: &Vec<u32>| {
        let sets = listed(bins.iter().map(|&bin| followed.set_of_bin[place[bin as usize].0 as usize]));
        let left = |set: u32| (0..followed.map.cells).map(|cell| followed.sets.has(set, cell)).collect();
        let marks: Vec<Vec<bool>> = sets.into_iter().map(left).collect();
        Telling::by_marks(followed.map.cells, marks.iter().map(Vec::as_slice))
    };
    let found: Vec<Option<Telling>> = reach.par_iter().map(of_span).collect();
    let mut tellings = Tellings::default();
    for telling in found {
        tellings.push(telling.map(|telling| telling.in_order(&followed.map.order)));
    }
    let cell_of_code = followed.map.cell_of_code.clone();
    let source = Cells::Column { column: position(table, tracked.column), cell_of_code };
    let judged = of_tellings(tracked.column, source, followed.map.cells, tellings);
    let intervals = followed.map.intervals.clone();
    Sensitive { judged: Judgement::Exposure, intervals, ..judged }
}

/// An attribute that relations name. Its values are distinguished as the bins that individuals have distinguish them:
/// coarser than all bins do, so that too many individuals may count as exposed, never too few.
fn tied(
    table: &Table,
    frame: &Frame<'_>,
    combinations: &Combinations,
    ((number, own), stated): ((usize, usize), bool),
    reach: &[Vec<u32>],
    place: &[(u32, u32)],
) -> Sensitive {
    let component = &frame.components[number];
    let (column, values) = (component.columns[own], component.codes[own].len());
    let marked = |listed: Vec<u32>| {
        let mut marks = vec![false; values];
        listed.into_iter().for_each(|value| marks[value as usize] = true);
        marks
    };
    let of_span = |span: usize| {
        let possible = combinations.possible((number, own), span);
        if stated && possible.len() == 1 {
            return Some(Telling::of_one(values));
        }
        let bins = reach[span].iter().map(|&bin| place[bin as usize]);
        let marks: Vec<Vec<bool>> =
            bins.map(|bin| marked(combinations.values((number, own), span, bin))).collect();
        let telling = Telling::by_marks(values, marks.iter().map(Vec::as_slice))?;
        let locals = listed(possible.into_iter().map(|value| telling.local_of_cell[value as usize]));
        (locals.len() > 1).then_some(Telling { possible: locals.len(), ..telling })
    };
    let found: Vec<Option<Telling>> = (0..reach.len()).into_par_iter().map(of_span).collect();
    let (mut tellings, order) = (Tellings::default(), (0..values as u32).collect::<Vec<_>>());
    found.into_iter().for_each(|telling| tellings.push(telling.map(|telling| telling.in_order(&order))));
    let source =
        Cells::Column { column: position(table, column), cell_of_code: component.value_of_code(own) };
    of_tellings(column, source, values, tellings)
}

fn unknown(table: &Table, column: &Column, spans: usize) -> Sensitive {
    let cell_of_code = vec![0; column.values().len() + 1];
    let source = Cells::Column { column: position(table, column), cell_of_code };
    let silent = Tellings { of_span: vec![Sensitive::SILENT; spans], ..Tellings::default() };
    Sensitive { judged: Judgement::Nothing, ..of_tellings(column, source, 1, silent) }
}

fn of_tellings(column: &Column, source: Cells, cells: usize, tellings: Tellings) -> Sensitive {
    Sensitive {
        ordered: column.kind() != Kind::Categorical,
        tellings: tellings.all,
        telling_of_span: tellings.of_span,
        ..Sensitive::plain(column.name(), source, cells)
    }
}

fn position(table: &Table, column: &Column) -> usize {
    table.columns().iter().position(|other| other.name() == column.name()).unwrap_or_default()
}

/// What being in a bin of an ensemble means for private attributes.
pub(super) struct EnsembleTells {
    /// The vector of leaves and the class of each bin.
    place: Vec<(u32, u32)>,
    told: Vec<Revealed>,
    combinations: Combinations,
}

impl EnsembleTells {
    pub(super) fn new(frame: &Frame<'_>, place: Vec<(u32, u32)>, combinations: Combinations) -> Self {
        let told = revealed(frame).into_iter().map(|(revealed, _)| revealed).collect();
        Self { place, told, combinations }
    }
}

impl Tells for EnsembleTells {
    fn cells(&self, span: usize, bin: u32, sensitive: usize) -> Result<Vec<u32>> {
        let (vector, class) = self.place[bin as usize];
        Ok(match &self.told[sensitive] {
            Revealed::Class => vec![class],
            Revealed::Tested(sets) => sets.1.listed(sets.0[vector as usize]).collect(),
            Revealed::Tied(component, place) => {
                self.combinations.values((*component, *place), span, (vector, class))
            }
            Revealed::Unknown => Vec::new(),
        })
    }

    fn cells_of_all(&self, bins: &mut dyn Iterator<Item = u32>, sensitive: usize) -> Option<Bits> {
        let Revealed::Tested(sets) = &self.told[sensitive] else { return None };
        Some(sets.1.union(bins.map(|bin| sets.0[self.place[bin as usize].0 as usize])))
    }
}
