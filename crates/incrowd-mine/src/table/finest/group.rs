//! A group of rows and what it loses.

use super::Search;
use super::ladder::{Counts, Cover};

#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) rows: Vec<u32>,
    /// The number of source rows that these represent.
    pub(super) weight: u64,
    /// For each attribute the codes that occur.
    pub(super) counts: Vec<Counts>,
    /// For each attribute what they need.
    pub(super) covers: Vec<Cover>,
    /// What each row loses, over all attributes.
    pub(super) loss: f64,
}

impl Group {
    pub(super) fn new(search: &Search<'_>, rows: Vec<u32>) -> Self {
        let counts: Vec<Counts> =
            (0..search.ladders.len()).map(|place| count(&rows, |row| search.codes(row)[place])).collect();
        let covers: Vec<Cover> =
            search.ladders.iter().zip(&counts).map(|(ladder, counts)| ladder.cover(counts)).collect();
        let loss = search.loss(&covers);
        Self { weight: search.weight(&rows), rows, counts, covers, loss }
    }

    /// What all rows lose.
    pub(super) fn total(&self) -> f64 {
        self.weight as f64 * self.loss
    }

    /// Takes in a row.
    pub(super) fn put(&mut self, search: &Search<'_>, row: u32) {
        let of_group = self.counts.iter_mut().zip(&mut self.covers);
        for ((ladder, &code), (counts, cover)) in search.ladders.iter().zip(search.codes(row)).zip(of_group) {
            let place = counts.binary_search_by_key(&code, |&(other, _)| other);
            *cover = ladder.with(*cover, code, place.is_err());
            match place {
                Ok(place) => counts[place].1 += 1,
                Err(place) => counts.insert(place, (code, 1)),
            }
        }
        self.rows.push(row);
        self.weight += u64::from(search.weight_of(row));
        self.loss = search.loss(&self.covers);
    }

    /// What each row would lose with another row, if that is less than a limit.
    pub(super) fn loss_with(&self, search: &Search<'_>, codes: &[u32], limit: f64) -> Option<f64> {
        let mut loss = 0.0;
        for (place, (ladder, &code)) in search.ladders.iter().zip(codes).enumerate() {
            let cover = self.covers[place];
            // Only the number of names depends on whether a code is there already.
            let is_new = !matches!(cover, Cover::Names(_))
                || self.counts[place].binary_search_by_key(&code, |&(other, _)| other).is_err();
            loss += ladder.loss(ladder.with(cover, code, is_new));
            if loss >= limit {
                return None;
            }
        }
        Some(loss)
    }
}

impl Search<'_> {
    /// The loss of a row of a group, over all attributes.
    pub(super) fn loss(&self, covers: &[Cover]) -> f64 {
        self.ladders.iter().zip(covers).map(|(ladder, &cover)| ladder.loss(cover)).sum()
    }

    /// The number of source rows that these rows represent.
    pub(super) fn weight(&self, rows: &[u32]) -> u64 {
        rows.iter().map(|&row| u64::from(self.weight_of(row))).sum()
    }

    /// The codes of a row.
    pub(super) fn codes(&self, row: u32) -> &[u32] {
        let attributes = self.ladders.len();
        &self.codes[row as usize * attributes..(row as usize + 1) * attributes]
    }

    /// The group, other than one, that loses least by taking in a row of this weight, with the loss.
    pub(super) fn nearest(&self, groups: &[Group], row: u32, without: Option<usize>) -> Option<(f64, usize)> {
        let (codes, weight) = (self.codes(row), f64::from(self.weight_of(row)));
        let mut best: Option<(f64, usize)> = None;
        for (place, group) in groups.iter().enumerate() {
            if Some(place) == without || group.rows.is_empty() {
                continue;
            }
            let after = group.weight as f64 + weight;
            let limit = best.map_or(f64::INFINITY, |(cost, _)| (cost + group.total()) / after);
            if let Some(loss) = group.loss_with(self, codes, limit) {
                best = Some((after * loss - group.total(), place));
            }
        }
        best
    }
}

/// How often each code occurs.
pub(super) fn count(rows: &[u32], code: impl Fn(u32) -> u32) -> Counts {
    let mut codes: Vec<u32> = rows.iter().map(|&row| code(row)).collect();
    codes.sort_unstable();
    codes.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}
