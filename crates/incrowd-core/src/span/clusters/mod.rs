//! Spans of clusterings by nearest centroid.
//!
//! For an individual with public coordinates a, cell i can be reached iff some private b in the declared box is nearest
//! to centroid i, that is `2(c_j − c_i)·b ≤ w_j − w_i + |c_j|² − |c_i|²` for all j, with w the squared public
//! distances; strictly so for j before i, since the first centroid wins ties. One private number gives an interval for
//! each i (the lower envelope of parabolas), several a small linear program, which evidence from other individuals
//! mostly makes unnecessary (`several`); private names are tried in every combination that declared dependencies leave
//! (`choices`). The three-way update of the VLDB paper is wrong here: a cut can change the spans of other clusters, so
//! spans are always derived again from the centroids.
//!
//! Work: at most m² steps for each different public point with m centroids and one private number. With several private
//! numbers it is about as much, plus a program of m rows for each cell of a point that no evidence decides. All this is
//! multiplied by the number of combinations of private names, or by fewer if all cells are reached before the last
//! combination.
//!
//! Where many centroids are tried, rows and public points are put in blocks of neighbours (`near`), and most cells are
//! decided for a whole block.
//!
//! The function is exact: coordinates, centres, scales and ranges are the numbers that the doubles represent, and
//! squared distances are compared as real numbers. Doubles are used if a bound on the rounding error (`measure`) leaves
//! no doubt; everything else is decided in whole numbers of any length (`exact`, `simplex`). So a result depends
//! neither on units nor on which evidence was found first. Exceeding the stated limits on steps is an error.

mod cells;
mod choices;
mod dyadic;
mod envelope;
mod exact;
mod measure;
mod near;
mod programs;
mod several;
mod simplex;
mod space;
#[cfg(test)]
mod tests;

pub use near::nearby_order;
pub use space::ClusterSpace;

use super::{Bins, Cells, Linking, Sensitive, Tells, by_number};
use crate::error::{Error, Result};
use crate::model::Clusters;
use crate::policy::Policy;
use crate::table::Table;
use cells::{CellsOf, is_marked, mark};
use hashbrown::HashMap;
use near::{Blocks, Settled};
use rayon::prelude::*;
use several::Evidence;

/// Public points are worked on in blocks of this many.
const BLOCK: usize = 1 << 10;

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, clusters: &'a Clusters) -> Result<Linking<'a>> {
    let space = ClusterSpace::new(table, policy, clusters.axes())?;
    let centers: Vec<&[f64]> = clusters.centroids().iter().map(|c| c.center.as_slice()).collect();
    let nearest = space.nearest(&centers);
    space.link(&centers, &nearest)
}

impl ClusterSpace<'_> {
    /// The nearest centroid of every row, the first one on a tie. Takes time in rows × centroids × attributes.
    ///
    /// # Panics
    /// When a centre is shorter than the axes are wide.
    pub fn nearest(&self, centers: &[&[f64]]) -> Vec<u32> {
        let cells = CellsOf::new(self, centers.to_vec());
        if let Some(near) = &self.near {
            return self.nearest_in_blocks(&cells, &near.rows);
        }
        let of_row = |places: &mut Vec<space::Place>, row: usize| {
            places.clear();
            places.extend(self.places(row));
            cells.nearest(places)
        };
        (0..self.rows).into_par_iter().map_init(Vec::new, of_row).collect()
    }

    fn nearest_in_blocks(&self, cells: &CellsOf<'_, '_>, blocks: &Blocks) -> Vec<u32> {
        let mut found = vec![0; self.rows];
        let of_block = |(places, candidates): &mut (Vec<space::Place>, Vec<usize>),
                        (block, (found, rows)): (usize, (&mut [u32], &[u32]))| {
            cells.candidates(blocks.extents(block), &[], candidates);
            if let [one] = candidates[..] {
                return found.fill(one as u32);
            }
            for (found, &row) in found.iter_mut().zip(rows) {
                places.clear();
                places.extend(self.places(row as usize));
                *found = cells.nearest_of(places, candidates.iter().copied());
            }
        };
        let work = found.par_chunks_mut(near::BLOCK).zip(blocks.rows.par_chunks(near::BLOCK)).enumerate();
        work.with_min_len(BLOCK / near::BLOCK).for_each_init(Default::default, of_block);
        blocks.place.par_iter().map(|&place| found[place as usize]).collect()
    }

    /// Groups every individual by span, given the [nearest](ClusterSpace::nearest) centroid of every row.
    ///
    /// # Errors
    /// When it takes too many steps to decide which cells someone can be in.
    ///
    /// # Panics
    /// When a centre is shorter than the axes are wide, or `nearest` is of other centroids.
    pub fn link<'l>(&self, centers: &[&[f64]], nearest: &[u32]) -> Result<Linking<'l>> {
        let cells = CellsOf::new(self, centers.to_vec());
        let words = centers.len().div_ceil(64).max(1);
        let mut reach = vec![0_u64; self.points.count as usize * words];
        // Anyone who is in a cell can be there.
        for (&point, &cell) in self.points.of_row.iter().zip(nearest) {
            mark(&mut reach[point as usize * words..][..words], cell as usize);
        }
        // Without private axes, the only possible cell is the true one.
        if !(self.ranges.is_empty() && self.choices.is_empty()) {
            self.reach(&cells, &mut reach, words)?;
        }
        Ok(self.join(nearest, &reach, centers.len()))
    }

    /// Marks all cells that an individual at each public point can be in. All other blocks start with the evidence that
    /// the first block finds, and keep their own evidence to themselves, so that nothing depends on threads.
    fn reach(&self, cells: &CellsOf<'_, '_>, reach: &mut [u64], words: usize) -> Result<()> {
        let first_rows: Vec<u32>;
        let rows = if let Some(near) = &self.near {
            &near.points.rows
        } else {
            first_rows = self.points.first_rows();
            &first_rows
        };
        let of_block = |evidence: &mut Evidence, (place, (reach, rows)): (usize, (&mut [u64], &[u32]))| {
            let parts = reach.chunks_mut(near::BLOCK * words).zip(rows.chunks(near::BLOCK));
            for (part, (reach, rows)) in (place * (BLOCK / near::BLOCK)..).zip(parts) {
                self.reach_of(cells, (part, rows), reach, words, evidence)?;
            }
            Ok::<(), Error>(())
        };
        let (first, others) = rows.split_at(rows.len().min(BLOCK));
        let (reach_of_first, reach_of_others) = reach.split_at_mut(first.len() * words);
        let mut evidence = Evidence::of(cells);
        of_block(&mut evidence, (0, (reach_of_first, first)))?;
        let blocks = reach_of_others.par_chunks_mut(BLOCK * words).zip(others.par_chunks(BLOCK)).enumerate();
        blocks.try_for_each(|(place, block)| of_block(&mut evidence.clone(), (place + 1, block)))
    }

    /// The same for public points that are near each other, if the space is in blocks: first together, and one by one
    /// for cells that this does not decide.
    fn reach_of(
        &self,
        cells: &CellsOf<'_, '_>,
        (block, rows): (usize, &[u32]),
        reach: &mut [u64],
        words: usize,
        evidence: &mut Evidence,
    ) -> Result<()> {
        let settled = match &self.near {
            Some(near) => cells.settle(rows, near.points.extents(block), evidence)?,
            None => Settled::nothing(words),
        };
        let mut places = Vec::new();
        for (marks, &row) in reach.chunks_mut(words).zip(rows) {
            marks.iter_mut().zip(&settled.reached).for_each(|(mark, reached)| *mark |= reached);
            if settled.decides(marks, cells.centers.len()) {
                continue;
            }
            places.clear();
            places.extend(self.places(row as usize));
            cells.reach(row as usize, &mut places, marks, &settled.barred, evidence)?;
        }
        Ok(())
    }

    /// Joins public points of equal reach into spans.
    fn join<'l>(&self, nearest: &[u32], reach: &[u64], centroids: usize) -> Linking<'l> {
        let words = centroids.div_ceil(64).max(1);
        let mut number: HashMap<&[u64], u32> = HashMap::new();
        let mut spans: Vec<Vec<u32>> = Vec::new();
        let mut span_of = |marks| {
            *number.entry(marks).or_insert_with_key(|marks| {
                spans.push((0..centroids as u32).filter(|&cell| is_marked(marks, cell as usize)).collect());
                spans.len() as u32 - 1
            })
        };
        let span_of_point: Vec<u32> = reach.chunks(words).map(&mut span_of).collect();
        let bins = bins(nearest, &spans, centroids);
        let silent = |cells: &Vec<u32>| if cells.len() == 1 { Sensitive::SILENT } else { 0 };
        let cluster = Sensitive {
            telling_of_span: spans.iter().map(silent).collect(),
            about: self.private_attributes(),
            ..Sensitive::plain("cluster", Cells::Bin, bins.count)
        };
        Linking {
            span_of_row: self.points.of_row.iter().map(|&point| span_of_point[point as usize]).collect(),
            spans: spans.len(),
            single_bin: spans.iter().map(|cells| cells.len() == 1).collect(),
            sensitive: vec![cluster],
            joint: None,
            bins: Some(bins),
            derived: None,
            within: Vec::new(),
            first_trees: Vec::new(),
            rules: Box::new(move |span| {
                let names: Vec<String> = spans[span].iter().map(|cell| (cell + 1).to_string()).collect();
                format!("nearest to centroid {}", names.join(" or "))
            }),
            order: by_number(),
        }
    }
}

/// The non-empty cells.
fn bins(nearest: &[u32], spans: &[Vec<u32>], centroids: usize) -> Bins {
    const EMPTY: u32 = u32::MAX;
    let mut occupied = vec![false; centroids];
    nearest.iter().for_each(|&cell| occupied[cell as usize] = true);
    let place: Vec<usize> = (0..centroids).filter(|&cell| occupied[cell]).collect();
    let mut number_of_cell = vec![EMPTY; centroids];
    (0..).zip(&place).for_each(|(bin, &cell)| number_of_cell[cell] = bin);
    let held = |cells: &Vec<u32>| -> Vec<u32> {
        cells.iter().map(|&cell| number_of_cell[cell as usize]).filter(|&bin| bin != EMPTY).collect()
    };
    Bins {
        of_row: nearest.iter().map(|&cell| number_of_cell[cell as usize]).collect(),
        count: place.len(),
        place,
        reach: spans.iter().map(held).collect(),
        divided: false,
        tells: Box::new(CellTells { cells: spans.iter().map(Vec::len).collect() }),
    }
}

/// Being in a cluster means being in that cluster.
struct CellTells {
    /// How many clusters each span contains, those without individuals included.
    cells: Vec<usize>,
}

impl Tells for CellTells {
    fn cells(&self, _span: usize, bin: u32, _sensitive: usize) -> Result<Vec<u32>> {
        Ok(vec![bin])
    }

    fn possible(&self, span: usize, _sensitive: usize) -> Option<usize> {
        Some(self.cells[span])
    }
}
