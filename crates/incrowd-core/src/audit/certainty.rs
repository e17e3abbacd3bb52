//! What is certain about individuals: the only remaining value of a private attribute, or values that are ruled out.
//!
//! If every individual has one row, the bins that a span's individuals can be in, over all worlds, are known exactly
//! ([`crate::span`]). If some have several rows, an individual is counted unless an exchange of parts of their rows
//! with others who have the same spans there ([`super::exchange`]) shows another possibility. The count is then an
//! upper bound.

use super::exchange::Exchange;
use super::view::View;
use crate::error::Result;
use crate::span::{CellContents, Linking, Sensitive};
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

/// The individuals about whom something is certain.
#[derive(Debug, Clone, Default)]
pub(super) struct CertainIndividuals {
    /// Whether each span has such individuals. If all individuals have one row, those of a span are alike.
    pub(super) of_span: Vec<bool>,
    /// Whether each individual is one of them; empty if all have one row.
    pub(super) of_subject: Vec<bool>,
}

/// What is certain about one private attribute.
#[derive(Debug, Clone, Default)]
pub(super) struct Certainty {
    /// One value is left.
    pub(super) exposed: CertainIndividuals,
    /// A value that was possible is ruled out.
    pub(super) excluded: CertainIndividuals,
    /// One value is certainly left: those of `exposed` for whom this is no bound. If individuals have several rows, those
    /// with a row in a span in which every row must have the same value.
    pub(super) sure: CertainIndividuals,
}

/// How many of the values that a span distinguishes are left, and how many were possible. Both are 0 if it
/// distinguishes none.
struct Remains {
    left: usize,
    possible: usize,
    /// Whether one value left is an inference.
    tells: bool,
}

pub(super) struct Judge<'a> {
    pub(super) linking: &'a Linking<'a>,
    pub(super) views: &'a [View<'a>],
}

impl Judge<'_> {
    /// By the values that occur in each span of a table, where every individual has one row.
    pub(super) fn by_values(&self, sensitive: usize, distinct: &[u32]) -> Certainty {
        if self.attribute(sensitive).judged.is_unknown() {
            return self.everyone(0);
        }
        if let Some(said) = &self.linking.sensitive[sensitive].said {
            return self.by_sets(sensitive, said);
        }
        let left = |(span, &left): (usize, &u32)| {
            let telling = self.linking.sensitive[sensitive].telling(span);
            let possible = telling.map_or(0, |telling| self.possible(sensitive, span, telling));
            Remains { left: left as usize, possible, tells: possible > 1 }
        };
        let mut certainty = collect(distinct.iter().enumerate().map(left));
        certainty.sure.of_span.clone_from(&certainty.exposed.of_span);
        let settled = self.attribute(sensitive).settled.iter();
        certainty.exposed.of_span.iter_mut().zip(settled).for_each(|(exposed, settled)| *exposed |= settled);
        let ruled_out = self.attribute(sensitive).ruled_out.iter();
        certainty.excluded.of_span.iter_mut().zip(ruled_out).for_each(|(excluded, ruled)| *excluded |= ruled);
        certainty
    }

    /// By the sets of values that the cells of each span of a table state, where every individual has one row.
    fn by_sets(&self, sensitive: usize, said: &CellContents) -> Certainty {
        let rows = (0_u32..).zip(&self.linking.span_of_row);
        let mut cells: Vec<(u32, u32)> =
            rows.map(|(row, &span)| (span, self.views[sensitive].cell(row))).collect();
        cells.par_sort_unstable();
        cells.dedup();
        let mut certainty = Certainty::default();
        for span in cells.chunk_by(|a, b| a.0 == b.0) {
            let union = said.union(span.iter().map(|&(_, cell)| cell));
            certainty.exposed.of_span.push(union.is_one);
            certainty.sure.of_span.push(union.is_one);
            certainty.excluded.of_span.push(union.excludes);
        }
        certainty
    }

    /// By the bins that are open to each span of a model, where every individual has one row.
    pub(super) fn by_bins(&self, sensitive: usize, possible: &[Vec<bool>]) -> Result<Certainty> {
        if self.attribute(sensitive).judged.is_unknown() {
            return Ok(self.everyone(0));
        }
        let spans = 0..self.linking.spans;
        let left: Vec<Remains> = spans
            .into_par_iter()
            .map(|span| self.left(sensitive, span, &possible[span]))
            .collect::<Result<_>>()?;
        let certainty = collect(left.into_iter());
        Ok(Certainty { sure: certainty.exposed.clone(), ..certainty })
    }

    /// Everything may be certain of every individual.
    fn everyone(&self, subjects: usize) -> Certainty {
        let all =
            CertainIndividuals { of_span: vec![true; self.linking.spans], of_subject: vec![true; subjects] };
        let none = CertainIndividuals {
            of_span: vec![false; self.linking.spans],
            of_subject: vec![false; subjects],
        };
        Certainty { exposed: all.clone(), excluded: all, sure: none }
    }

    fn left(&self, sensitive: usize, span: usize, open: &[bool]) -> Result<Remains> {
        let attribute = &self.linking.sensitive[sensitive];
        let (Some(bins), Some(telling)) = (&self.linking.bins, attribute.telling(span)) else {
            return Ok(Remains { left: 0, possible: 0, tells: false });
        };
        let telling_of = &attribute.tellings[telling];
        let possible = self.possible(sensitive, span, telling);
        let (mut seen, mut left) = (vec![false; telling_of.locals], 0);
        let mut see = |cell: usize| {
            let seen = &mut seen[telling_of.local_of_cell[cell] as usize];
            left += usize::from(!std::mem::replace(seen, true));
            left
        };
        let mut all = bins.reach[span].iter().zip(open).filter(|&(_, &open)| open).map(|(&bin, _)| bin);
        if let Some(cells) = bins.tells.cells_of_all(&mut all, sensitive) {
            cells.iter().for_each(|cell| _ = see(cell));
        } else {
            for bin in all {
                let cells = bins.tells.cells(span, bin, sensitive)?;
                if cells.into_iter().map(|cell| see(cell as usize)).last() == Some(possible) {
                    break;
                }
            }
        }
        Ok(Remains { left, possible, tells: self.tells(sensitive, span, telling) })
    }

    /// Whether one value left is an inference: another was possible, or the model states the attribute though relations
    /// leave one value of it.
    fn tells(&self, sensitive: usize, span: usize, telling: usize) -> bool {
        let attribute = &self.linking.sensitive[sensitive];
        let is_stated = self.linking.bins.is_some() && attribute.tellings[telling].states_one();
        is_stated || self.possible(sensitive, span, telling) > 1
    }

    /// How many of the values that a span distinguishes its individuals can have, before populations are known.
    fn possible(&self, sensitive: usize, span: usize, telling: usize) -> usize {
        let told = self.linking.bins.as_ref().and_then(|bins| bins.tells.possible(span, sensitive));
        let attribute = self.attribute(sensitive);
        told.unwrap_or(attribute.tellings[telling].possible) + usize::from(attribute.open)
    }

    /// By exchanging parts of individuals, some of whom have several rows.
    pub(super) fn by_exchange(
        &self,
        sensitive: usize,
        exchange: &Exchange,
        subjects: usize,
        distinct: &[u32],
    ) -> Result<Certainty> {
        if self.attribute(sensitive).judged.is_unknown() {
            return Ok(self.everyone(subjects));
        }
        let none = || CertainIndividuals {
            of_span: vec![false; self.linking.spans],
            of_subject: vec![false; subjects],
        };
        let sure = self.sure(sensitive, distinct, exchange, subjects)?;
        let mut certainty = Certainty { exposed: none(), excluded: none(), sure };
        let mut rows = RowCells::new(self, sensitive, exchange, subjects);
        for class in exchange.classes() {
            let (exposed, is_excluded) = match &self.attribute(sensitive).said {
                Some(said) => self.of_class_by_sets(sensitive, said, exchange, class),
                None => (rows.exposed(class)?, rows.is_excluded(class)?),
            };
            let excluded = if is_excluded { class.clone() } else { Vec::new() };
            for (parts, certain) in [(exposed, &mut certainty.exposed), (excluded, &mut certainty.excluded)] {
                for part in parts {
                    certain.of_subject[exchange.subject_of(part) as usize] = true;
                    for &row in exchange.rows_of(part) {
                        let span = self.linking.span_of_row[row as usize] as usize;
                        certain.of_span[span] |= self.attribute(sensitive).telling(span).is_some();
                    }
                }
            }
        }
        Ok(certainty)
    }

    /// The individuals with a row in a span in which every row must have the same value: in a table, all rows of the
    /// group have it; in a model, every non-empty bin of the span leaves only it. Populations of the bins of rules are not
    /// published.
    fn sure(
        &self,
        sensitive: usize,
        distinct: &[u32],
        exchange: &Exchange,
        subjects: usize,
    ) -> Result<CertainIndividuals> {
        let of_span = match &self.linking.bins {
            None => self.by_values(sensitive, distinct).sure.of_span,
            Some(_) if self.linking.derived.is_some() => vec![false; self.linking.spans],
            Some(bins) => {
                let is_sure = |span: usize| {
                    let left = self.left(sensitive, span, &vec![true; bins.reach[span].len()])?;
                    Ok(left.left == 1 && left.tells)
                };
                (0..self.linking.spans).into_par_iter().map(is_sure).collect::<Result<Vec<bool>>>()?
            }
        };
        let mut of_subject = vec![false; subjects];
        for part in exchange.parts() {
            let mut spans = exchange.rows_of(part).iter().map(|&row| self.linking.span_of_row[row as usize]);
            of_subject[exchange.subject_of(part) as usize] |= spans.any(|span| of_span[span as usize]);
        }
        Ok(CertainIndividuals { of_span, of_subject })
    }

    /// Which of some parts of individuals with the same groups in all rows are exposed by the cells of a table, and
    /// whether a value is excluded for them.
    fn of_class_by_sets(
        &self,
        sensitive: usize,
        said: &CellContents,
        exchange: &Exchange,
        class: &[u32],
    ) -> (Vec<u32>, bool) {
        let mut common: Option<HashSet<u32>> = None;
        let mut cells_of_span: HashMap<u32, HashSet<u32>> = HashMap::new();
        for &part in class {
            let cells = exchange.rows_of(part).iter().map(|&row| {
                let cell = self.views[sensitive].cell(row);
                cells_of_span.entry(self.linking.span_of_row[row as usize]).or_default().insert(cell);
                cell
            });
            let certain: HashSet<u32> = cells.filter_map(|cell| said.only(cell)).collect();
            common = Some(match common {
                Some(before) => before.intersection(&certain).copied().collect(),
                None => certain,
            });
        }
        let exposed = said.tells() && common.is_some_and(|common| !common.is_empty());
        let excludes = |cells: &HashSet<u32>| said.union(cells.iter().copied()).excludes;
        let excluded = cells_of_span.values().any(excludes);
        (if exposed { class.to_vec() } else { Vec::new() }, excluded)
    }

    /// The span of a row and what it distinguishes; `None` if nothing.
    fn telling_of(&self, sensitive: usize, row: u32) -> Option<(usize, usize)> {
        let span = self.linking.span_of_row[row as usize] as usize;
        self.attribute(sensitive).telling(span).map(|telling| (span, telling))
    }

    fn attribute(&self, sensitive: usize) -> &Sensitive {
        &self.linking.sensitive[sensitive]
    }
}

fn collect(left: impl Iterator<Item = Remains>) -> Certainty {
    let mut certainty = Certainty::default();
    for Remains { left, possible, tells } in left {
        certainty.exposed.of_span.push(left == 1 && tells);
        certainty.excluded.of_span.push(left < possible);
    }
    certainty
}

/// What the bin of a row leaves of an attribute.
struct RowCells<'j> {
    judge: &'j Judge<'j>,
    sensitive: usize,
    exchange: &'j Exchange,
    /// For each individual the tellings of their spans by which one value left is an inference; ascending.
    tellings_of: Vec<Vec<usize>>,
    known: HashMap<(u32, u32), Vec<u32>>,
}

impl<'j> RowCells<'j> {
    fn new(judge: &'j Judge<'j>, sensitive: usize, exchange: &'j Exchange, subjects: usize) -> Self {
        let mut tellings_of = vec![Vec::new(); subjects];
        for part in exchange.parts() {
            let own: &mut Vec<usize> = &mut tellings_of[exchange.subject_of(part) as usize];
            for row in exchange.rows_of(part) {
                let told = judge.telling_of(sensitive, *row);
                let told = told.filter(|&(span, telling)| judge.tells(sensitive, span, telling));
                own.extend(told.map(|(_, telling)| telling));
            }
        }
        tellings_of.iter_mut().for_each(|tellings| {
            tellings.sort_unstable();
            tellings.dedup();
        });
        Self { judge, sensitive, exchange, tellings_of, known: HashMap::new() }
    }

    fn cells(&mut self, row: u32) -> Result<&[u32]> {
        let linking = self.judge.linking;
        let span = linking.span_of_row[row as usize];
        let Some(bins) = &linking.bins else {
            let cell = self.judge.views[self.sensitive].cell(row);
            return Ok(self.known.entry((0, cell)).or_insert_with(|| vec![cell]));
        };
        let bin = bins.of_row[row as usize];
        if !self.known.contains_key(&(span, bin)) {
            let cells = bins.tells.cells(span as usize, bin, self.sensitive)?;
            self.known.insert((span, bin), cells);
        }
        Ok(&self.known[&(span, bin)])
    }

    /// The parts of a class whose individuals are exposed: in each part of the class, some row must have the same
    /// value, as one of the individual's spans distinguishes it.
    fn exposed(&mut self, class: &[u32]) -> Result<Vec<u32>> {
        let mut shared: HashMap<usize, bool> = HashMap::new();
        let mut exposed = Vec::new();
        for &part in class {
            let mut is_exposed = false;
            for telling in self.tellings_of[self.exchange.subject_of(part) as usize].clone() {
                let known = shared.get(&telling).copied();
                let one = known.map_or_else(|| self.share_one(class, telling), Ok)?;
                shared.insert(telling, one);
                is_exposed |= one;
            }
            if is_exposed {
                exposed.push(part);
            }
        }
        Ok(exposed)
    }

    /// Whether in each part of a class some row must have the same value, as a telling distinguishes it.
    fn share_one(&mut self, class: &[u32], telling: usize) -> Result<bool> {
        let (judge, sensitive) = (self.judge, self.sensitive);
        let local_of_cell = &judge.attribute(sensitive).tellings[telling].local_of_cell;
        let mut common: Option<HashSet<u32>> = None;
        for &part in class {
            let mut certain = HashSet::new();
            for &row in self.exchange.rows_of(part) {
                if judge.telling_of(sensitive, row).is_some() {
                    let mut locals = self.cells(row)?.iter().map(|&cell| local_of_cell[cell as usize]);
                    let first = locals.next();
                    certain.extend(first.filter(|only| locals.all(|local| local == *only)));
                }
            }
            let both: HashSet<u32> = match common {
                Some(before) => before.intersection(&certain).copied().collect(),
                None => certain,
            };
            if both.is_empty() {
                return Ok(false);
            }
            common = Some(both);
        }
        Ok(common.is_some())
    }

    /// Whether a value is excluded for the parts of a class: no row of any of them in some span can have it.
    fn is_excluded(&mut self, class: &[u32]) -> Result<bool> {
        let (judge, sensitive) = (self.judge, self.sensitive);
        let tellings = &judge.attribute(sensitive).tellings;
        let mut left: HashMap<(usize, usize), HashSet<u32>> = HashMap::new();
        for &part in class {
            for &row in self.exchange.rows_of(part) {
                let Some((span, own)) = judge.telling_of(sensitive, row) else { continue };
                let locals = &tellings[own].local_of_cell;
                let cells = self.cells(row)?.iter().map(|&cell| locals[cell as usize]);
                left.entry((span, own)).or_default().extend(cells);
            }
        }
        let fewer = |(&(span, telling), left): (&(usize, usize), &HashSet<u32>)| {
            left.len() < judge.possible(sensitive, span, telling)
        };
        Ok(left.iter().any(fewer))
    }
}
