//! Which rows of an individual with several rows can be exchanged without the individual's other rows.
//!
//! Two spans are connected if rows of both are in one bin, directly or through others. Exchanging the rows of two
//! individuals in connected spans, where both have the same spans there, changes no population: no bin of these rows is
//! a bin of any other row (`docs/proofs.md`, Theorem 5a). So certainty is judged by these parts of individuals.

use crate::span::Linking;
use crate::table::{People, Table};
use hashbrown::HashMap;

/// The parts of individuals that can be exchanged on their own: all rows of one individual in connected spans.
pub(super) struct Exchange {
    /// The rows, part by part, and where the rows of each part begin; the last entry is their end.
    rows: Vec<u32>,
    start: Vec<u32>,
    /// The individual of each part.
    subject_of: Vec<u32>,
    /// Parts with the same spans, equally often.
    classes: Vec<Vec<u32>>,
}

impl Exchange {
    /// The parts of all individuals; `None` if every individual has one row.
    pub(super) fn of(table: &Table, linking: &Linking<'_>) -> Option<Self> {
        let People::Subjects { of_row, .. } = table.people() else { return None };
        if !table.has_several_rows() {
            return None;
        }
        let connected = connected(linking);
        let part = |row: u32| {
            let span = linking.span_of_row[row as usize];
            (of_row[row as usize], connected[linking.joint_of(span as usize)], span)
        };
        let mut rows: Vec<u32> = (0..of_row.len() as u32).collect();
        rows.sort_unstable_by_key(|&row| (part(row), row));
        let mut this = Self { rows: Vec::new(), start: vec![0], subject_of: Vec::new(), classes: Vec::new() };
        let mut number: HashMap<Vec<u32>, usize> = HashMap::new();
        for own in rows.chunk_by(|&a, &b| (part(a).0, part(a).1) == (part(b).0, part(b).1)) {
            let spans: Vec<u32> = own.iter().map(|&row| part(row).2).collect();
            let class = *number.entry(spans).or_insert(this.classes.len());
            if class == this.classes.len() {
                this.classes.push(Vec::new());
            }
            this.classes[class].push(this.subject_of.len() as u32);
            this.subject_of.push(part(own[0]).0);
            this.rows.extend(own);
            this.start.push(this.rows.len() as u32);
        }
        Some(this)
    }

    /// The classes: parts of individuals, any two of which can be exchanged.
    pub(super) fn classes(&self) -> &[Vec<u32>] {
        &self.classes
    }

    /// The rows of a part.
    pub(super) fn rows_of(&self, part: u32) -> &[u32] {
        &self.rows[self.start[part as usize] as usize..self.start[part as usize + 1] as usize]
    }

    /// The individual of a part.
    pub(super) fn subject_of(&self, part: u32) -> u32 {
        self.subject_of[part as usize]
    }

    /// All parts.
    pub(super) fn parts(&self) -> std::ops::Range<u32> {
        0..self.subject_of.len() as u32
    }
}

/// For each span, the first span it is connected with. In a table no span is connected with another. Supports of rules
/// count the different individuals of many bins together, so for rules all spans are connected.
fn connected(linking: &Linking<'_>) -> Vec<u32> {
    let mut first: Vec<u32> = (0..linking.joint_spans() as u32).collect();
    if linking.derived.is_some() {
        first.fill(0);
        return first;
    }
    let Some(bins) = &linking.bins else { return first };
    let mut span_of_bin = vec![u32::MAX; bins.count];
    for (&span, &bin) in linking.span_of_row.iter().zip(&bins.of_row) {
        let span = linking.joint_of(span as usize) as u32;
        let other = &mut span_of_bin[bin as usize];
        if *other == u32::MAX {
            *other = span;
        }
        connect(&mut first, span, *other);
    }
    (0..first.len() as u32).map(|span| root(&mut first, span)).collect()
}

/// Connects two spans, and so everything that is connected with them.
pub(super) fn connect(first: &mut [u32], one: u32, other: u32) {
    let (a, b) = (root(first, one), root(first, other));
    first[a.max(b) as usize] = a.min(b);
}

/// The first span that a span is connected with.
pub(super) fn root(first: &mut [u32], mut span: u32) -> u32 {
    while first[span as usize] != span {
        first[span as usize] = first[first[span as usize] as usize];
        span = first[span as usize];
    }
    span
}
