//! What is certain about individuals: the only remaining value of a private attribute, or values that are ruled out.
//!
//! Where every individual has one row, the bins that a span's individuals can be in, over all worlds, are known exactly
//! ([`crate::span`]). Where some have several rows, an individual is counted unless exchanging them with others who
//! have the same spans in all rows shows another possibility. The count is then an upper bound.

use super::persons::Persons;
use super::view::View;
use crate::error::Result;
use crate::span::{Linking, Said, Sensitive};
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

/// Of whom something is certain.
#[derive(Debug, Clone, Default)]
pub(super) struct Certain {
    /// Whether each span has such individuals. Where all have one row, those of a span are alike.
    pub(super) of_span: Vec<bool>,
    /// Whether each individual is one; empty where all have one row.
    pub(super) of_subject: Vec<bool>,
}

/// What is certain about one private attribute.
#[derive(Debug, Clone, Default)]
pub(super) struct Certainty {
    /// One value is left.
    pub(super) exposed: Certain,
    /// A value that was possible is ruled out.
    pub(super) excluded: Certain,
}

/// How many of the values that a span distinguishes are left, and how many were possible. None of either where it
/// distinguishes none.
struct Left {
    left: usize,
    possible: usize,
}

pub(super) struct Judge<'a> {
    pub(super) linking: &'a Linking<'a>,
    pub(super) views: &'a [View<'a>],
}

impl Judge<'_> {
    /// By the values that occur in each span of a table, where every individual has one row.
    pub(super) fn by_values(&self, sensitive: usize, distinct: &[u32]) -> Certainty {
        if let Some(said) = &self.linking.sensitive[sensitive].said {
            return self.by_sets(sensitive, said);
        }
        let left = |(span, &left): (usize, &u32)| {
            let telling = self.linking.sensitive[sensitive].telling(span);
            let possible = telling.map_or(0, |telling| self.possible(sensitive, span, telling));
            Left { left: left as usize, possible }
        };
        collect(distinct.iter().enumerate().map(left))
    }

    /// By the sets of values that the cells of each span of a table state, where every individual has one row.
    fn by_sets(&self, sensitive: usize, said: &Said) -> Certainty {
        let rows = (0_u32..).zip(&self.linking.span_of_row);
        let mut cells: Vec<(u32, u32)> =
            rows.map(|(row, &span)| (span, self.views[sensitive].cell(row))).collect();
        cells.par_sort_unstable();
        cells.dedup();
        let mut certainty = Certainty::default();
        for span in cells.chunk_by(|a, b| a.0 == b.0) {
            let union = said.union(span.iter().map(|&(_, cell)| cell));
            certainty.exposed.of_span.push(union.is_one);
            certainty.excluded.of_span.push(union.excludes);
        }
        certainty
    }

    /// By the bins that are open to each span of a model, where every individual has one row.
    pub(super) fn by_bins(&self, sensitive: usize, possible: &[Vec<bool>]) -> Result<Certainty> {
        let spans = 0..self.linking.spans;
        let left: Vec<Left> = spans
            .into_par_iter()
            .map(|span| self.left(sensitive, span, &possible[span]))
            .collect::<Result<_>>()?;
        Ok(collect(left.into_iter()))
    }

    fn left(&self, sensitive: usize, span: usize, open: &[bool]) -> Result<Left> {
        let attribute = &self.linking.sensitive[sensitive];
        let (Some(bins), Some(telling)) = (&self.linking.bins, attribute.telling(span)) else {
            return Ok(Left { left: 0, possible: 0 });
        };
        let telling_of = &attribute.tellings[telling];
        let possible = self.possible(sensitive, span, telling);
        let (mut seen, mut left) = (vec![false; telling_of.locals], 0);
        for (&bin, _) in bins.reach[span].iter().zip(open).filter(|&(_, &open)| open) {
            for cell in bins.tells.cells(span, bin, sensitive)? {
                let seen = &mut seen[telling_of.local_of_cell[cell as usize] as usize];
                left += usize::from(!std::mem::replace(seen, true));
            }
            if left == possible {
                break;
            }
        }
        Ok(Left { left, possible })
    }

    /// How many of the values that a span distinguishes its individuals can have, before populations are known.
    fn possible(&self, sensitive: usize, span: usize, telling: usize) -> usize {
        let told = self.linking.bins.as_ref().and_then(|bins| bins.tells.possible(span, sensitive));
        let attribute = self.attribute(sensitive);
        told.unwrap_or(attribute.tellings[telling].possible) + usize::from(attribute.open)
    }

    /// By exchanging whole individuals, some of whom have several rows.
    pub(super) fn by_persons(
        &self,
        sensitive: usize,
        persons: &Persons,
        subjects: usize,
    ) -> Result<Certainty> {
        let none = || Certain { of_span: vec![false; self.linking.spans], of_subject: vec![false; subjects] };
        let mut certainty = Certainty { exposed: none(), excluded: none() };
        let mut rows = RowCells { judge: self, sensitive, known: HashMap::new() };
        for class in persons.classes() {
            let (exposed, excluded) = match &self.attribute(sensitive).said {
                Some(said) => self.of_class_by_sets(sensitive, said, persons, class),
                None => rows.of_class(persons, class)?,
            };
            for (is_certain, certain) in
                [(exposed, &mut certainty.exposed), (excluded, &mut certainty.excluded)]
            {
                if is_certain {
                    class.iter().for_each(|&subject| certain.of_subject[subject as usize] = true);
                    for &row in persons.rows_of(class[0]) {
                        let span = self.linking.span_of_row[row as usize] as usize;
                        certain.of_span[span] |= self.attribute(sensitive).telling(span).is_some();
                    }
                }
            }
        }
        Ok(certainty)
    }

    /// Whether individuals with the same groups in all rows are exposed by the cells of a table, and whether a value is
    /// excluded for them.
    fn of_class_by_sets(
        &self,
        sensitive: usize,
        said: &Said,
        persons: &Persons,
        class: &[u32],
    ) -> (bool, bool) {
        let mut common: Option<HashSet<u32>> = None;
        let mut cells_of_span: HashMap<u32, HashSet<u32>> = HashMap::new();
        for &subject in class {
            let cells = persons.rows_of(subject).iter().map(|&row| {
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
        (exposed, cells_of_span.values().any(excludes))
    }

    fn attribute(&self, sensitive: usize) -> &Sensitive {
        &self.linking.sensitive[sensitive]
    }
}

fn collect(left: impl Iterator<Item = Left>) -> Certainty {
    let mut certainty = Certainty::default();
    for Left { left, possible } in left {
        certainty.exposed.of_span.push(left == 1 && possible > 1);
        certainty.excluded.of_span.push(left < possible);
    }
    certainty
}

/// What the bin of a row leaves of an attribute.
struct RowCells<'j> {
    judge: &'j Judge<'j>,
    sensitive: usize,
    known: HashMap<(u32, u32), Vec<u32>>,
}

impl RowCells<'_> {
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

    /// Whether individuals with the same spans in all rows are exposed, and whether a value is excluded for them.
    ///
    /// They are exposed if some value, as one of their spans distinguishes it, is what a row of each of them must have;
    /// and a value is excluded that no row of any of them in some span can have.
    fn of_class(&mut self, persons: &Persons, class: &[u32]) -> Result<(bool, bool)> {
        let (judge, sensitive) = (self.judge, self.sensitive);
        let attribute = judge.attribute(sensitive);
        let telling_of = |row: &u32| {
            let span = judge.linking.span_of_row[*row as usize] as usize;
            attribute.telling(span).map(|telling| (span, telling))
        };
        let told: HashMap<usize, usize> = persons.rows_of(class[0]).iter().filter_map(telling_of).collect();
        let values = |telling: usize| &attribute.tellings[telling].local_of_cell;
        let mut left: HashMap<usize, HashSet<u32>> = HashMap::new();
        let mut common: Option<HashSet<(usize, u32)>> = None;
        for &subject in class {
            let mut certain = HashSet::new();
            for row in persons.rows_of(subject) {
                let Some((span, own)) = telling_of(row) else { continue };
                let cells = self.cells(*row)?;
                left.entry(span).or_default().extend(cells.iter().map(|&cell| values(own)[cell as usize]));
                for &telling in told.values() {
                    let mut locals = cells.iter().map(|&cell| values(telling)[cell as usize]);
                    let first = locals.next();
                    if let Some(only) = first.filter(|only| locals.all(|local| local == *only)) {
                        certain.insert((telling, only));
                    }
                }
            }
            common = Some(match common {
                Some(before) => before.intersection(&certain).copied().collect(),
                None => certain,
            });
        }
        let several = |telling: usize| {
            let spans = told.iter().filter(|(_, own)| **own == telling);
            spans.map(|(&span, _)| judge.possible(sensitive, span, telling)).any(|possible| possible > 1)
        };
        let exposed = common.is_some_and(|common| common.iter().any(|&(telling, _)| several(telling)));
        let fewer = |(&span, &telling): (&usize, &usize)| {
            left.get(&span).map_or(0, HashSet::len) < judge.possible(sensitive, span, telling)
        };
        Ok((exposed, told.iter().any(fewer)))
    }
}
