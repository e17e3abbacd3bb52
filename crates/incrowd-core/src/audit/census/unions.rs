//! Joint spans that may be several of the counted spans together.
//!
//! The spans of a joint audit may be divided further than an attacker can divide them ([`crate::span`]). If every
//! individual has one row, a requirement that holds in the pieces of a joint span holds in all of it. With several rows
//! a share can grow in a union (`docs/proofs.md`, "Individuals, weights, subjects"), so unions are checked as well: every
//! union of pieces that are connected by individuals with rows in several of them. Pieces without common individuals
//! need no check, since merging them keeps every requirement.
//!
//! If more than [`MOST`] pieces are connected, bounds on all of their unions are checked instead (`each_bound`). They
//! exist for a cap on confidence, alpha, beta and recursive diversity; entropy and t-closeness count as broken there.
//!
//! Running time: 2 to the power of [`MOST`] counts of each connected set of pieces. For bounds, the square of the number
//! of values in each piece.

use super::{Counter, population};
use crate::audit::exchange::{connect, root};
use crate::audit::measures::WorstMeasures;
use crate::audit::view::Tally;
use crate::guarantee::{Crowd, Histogram, Requirement, ValueCounts, recursive};
use crate::span::{Judgement, Linking};
use crate::table::{People, Table};
use hashbrown::HashMap;

/// The largest number of connected pieces whose unions are all counted.
const MOST: usize = 8;

/// The spans that individuals with rows in several of them connect, within what may be one joint span; ascending.
pub(super) fn connected_pieces(table: &Table, linking: &Linking<'_>) -> Vec<Vec<u32>> {
    let People::Subjects { of_row, .. } = table.people() else { return Vec::new() };
    if linking.within.is_empty() {
        return Vec::new();
    }
    let rows = linking.span_of_row.iter().zip(of_row);
    let mut held: Vec<(u32, u32, u32)> =
        rows.map(|(&span, &subject)| (linking.within[span as usize], subject, span)).collect();
    held.sort_unstable();
    let mut first: Vec<u32> = (0..linking.spans as u32).collect();
    for pair in held.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
        connect(&mut first, pair[0].2, pair[1].2);
    }
    let mut pieces: Vec<(u32, u32)> =
        (0..linking.spans as u32).map(|span| (root(&mut first, span), span)).collect();
    pieces.sort_unstable();
    let connected = pieces.chunk_by(|a, b| a.0 == b.0).filter(|pieces| pieces.len() > 1);
    connected.map(|pieces| pieces.iter().map(|&(_, span)| span).collect()).collect()
}

/// Whether only bounds of the unions of connected pieces are checked.
pub(super) fn is_bounded(pieces: &[u32]) -> bool {
    pieces.len() > MOST
}

/// What was found in the unions of connected pieces.
pub(super) struct UnionCounts {
    /// For each piece the requirements that some union with it breaks, one bit each.
    pub(super) broken: Vec<u64>,
    pub(super) worst: Vec<WorstMeasures>,
}

/// What is looked at: the chosen pieces, one bit each (of bounds, which concern all pieces, every bit), the place of an attribute, and its values.
type See<'s> = dyn FnMut(u64, usize, &Histogram<'_>) + 's;

impl Counter<'_> {
    /// Checks the unions of connected pieces.
    pub(super) fn count_unions(&self, pieces: &[u32]) -> UnionCounts {
        let mut broken = vec![0; pieces.len()];
        let mut worst = vec![WorstMeasures::default(); self.views.len()];
        let is_bounded = is_bounded(pieces);
        let unknown =
            self.bits(|asked| matches!(asked, Requirement::EntropyL(_) | Requirement::TCloseness(_)));
        // More values occur in a union than in its pieces.
        let known = !self.bits(|asked| matches!(asked, Requirement::DistinctL(_)));
        self.each_union(pieces, &mut |chosen, place, values| {
            let ordered = self.views[place].sensitive.ordered;
            if is_bounded {
                worst[place].note_bound(values, ordered);
            } else {
                worst[place].note(values, ordered);
            }
            if self.in_scope[place] {
                let crowd = Crowd {
                    population: u64::MAX,
                    alike: u64::MAX,
                    single_bin: false,
                    smallest_bin: u64::MAX,
                    histograms: &[*values],
                };
                let bits = self.broken(&crowd);
                let bits = if is_bounded { (bits & known) | unknown } else { bits };
                let of_pieces =
                    broken.iter_mut().enumerate().filter(|(piece, _)| is_bounded || chosen >> piece & 1 == 1);
                of_pieces.for_each(|(_, own)| *own |= bits);
            }
        });
        UnionCounts { broken, worst }
    }

    /// The c of recursive (c,l)-diversity of the unions of connected pieces.
    pub(super) fn recursive_of_unions(&self, pieces: &[u32], levels: &[u32]) -> Vec<f64> {
        let mut c = vec![0.0_f64; self.views.len()];
        self.each_union(pieces, &mut |_, place, values| {
            c[place] = c[place].max(recursive::measure(values, levels[place]));
        });
        c
    }

    fn bits(&self, of: impl Fn(&Requirement) -> bool) -> u64 {
        let asked = self.guarantee.requirements().iter().enumerate().filter(|(_, asked)| of(asked));
        asked.fold(0, |bits, (place, _)| bits | 1 << place)
    }

    fn each_union(&self, pieces: &[u32], see: &mut See<'_>) {
        if is_bounded(pieces) {
            return self.each_bound(pieces, see);
        }
        let mut tallies: Vec<Tally> = self.views.iter().map(|_| Tally::default()).collect();
        let (mut rows, mut subjects) = (Vec::new(), Vec::new());
        for chosen in (1_u64..1 << pieces.len()).filter(|chosen| chosen.count_ones() > 1) {
            rows.clear();
            let own = pieces.iter().enumerate().filter(|(piece, _)| chosen >> piece & 1 == 1);
            own.for_each(|(_, &span)| rows.extend(self.order.of(span as usize)));
            let population = population(self.table, &rows, &mut subjects);
            for (place, (view, tally)) in self.views.iter().zip(&mut tallies).enumerate() {
                // Spans of one joint span distinguish the same values.
                let span = pieces[0] as usize;
                let is_judged = view.sensitive.judged == Judgement::Fully;
                let values = tally.count(self.table, view, span, &rows, population).filter(|_| is_judged);
                values.iter().for_each(|values| see(chosen, place, values));
            }
        }
    }

    /// For each piece and each of its values v what is worse than every union: all individuals of the piece who have v,
    /// and of the others only those without rows in another piece.
    ///
    /// In a union, the individuals with v are at most the sum of those of its pieces, and the others at least the sum of
    /// those whose rows are all in one piece. A quotient of sums is at most the largest quotient.
    fn each_bound(&self, pieces: &[u32], see: &mut See<'_>) {
        let People::Subjects { of_row, .. } = self.table.people() else { return };
        let mut only: HashMap<u32, Option<u32>> = HashMap::new();
        for &piece in pieces {
            for &row in self.order.of(piece as usize) {
                let only = only.entry(of_row[row as usize]).or_insert(Some(piece));
                *only = only.filter(|&other| other == piece);
            }
        }
        for &piece in pieces {
            let is_own = |subject: u32| only[&subject] == Some(piece);
            let rows = self.order.of(piece as usize);
            for (place, view) in self.views.iter().enumerate() {
                let Some(telling) = view.sensitive.telling(piece as usize) else { continue };
                if view.sensitive.judged != Judgement::Fully {
                    continue;
                }
                let mut pairs: Vec<(u32, u32)> =
                    rows.iter().map(|&row| (view.local(telling, row), of_row[row as usize])).collect();
                pairs.sort_unstable();
                pairs.dedup();
                let mut people: Vec<u32> = pairs.iter().map(|&(_, subject)| subject).collect();
                people.sort_unstable();
                people.dedup();
                let own_people = people.iter().filter(|&&subject| is_own(subject)).count() as u64;
                let of_values = pairs.chunk_by(|a, b| a.0 == b.0).map(|pairs| {
                    let own = pairs.iter().filter(|&&(_, subject)| is_own(subject)).count() as u64;
                    (pairs[0].0, pairs.len() as u64, own)
                });
                let of_values: Vec<(u32, u64, u64)> = of_values.collect();
                let mut counts: Vec<(u32, u64)> =
                    of_values.iter().map(|&(value, _, own)| (value, own)).collect();
                for (value, &(_, individuals, own)) in of_values.iter().enumerate() {
                    counts[value].1 = individuals;
                    let others = own_people - own;
                    let whole = view.whole(telling);
                    see(
                        u64::MAX,
                        place,
                        &Histogram::new(ValueCounts::Occurring(&counts), individuals + others, whole),
                    );
                    counts[value].1 = own;
                }
            }
        }
    }
}
