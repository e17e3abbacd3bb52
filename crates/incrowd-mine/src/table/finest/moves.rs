//! Moves rows to groups that lose less by them.

use super::group::{Group, count};
use super::{MOVED, Search, total};
use incrowd_core::progress::Progress;
use rayon::prelude::*;

/// Passes end when one gains less than this share of the loss.
const ENOUGH: f64 = 0.001;

/// The most passes.
const PASSES: usize = 12;

/// Rows of larger groups are not tried one by one.
const SMALL: usize = 200;

/// Losses that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Rows that could leave a group.
struct Move {
    gain: f64,
    group: usize,
    rows: Vec<u32>,
}

impl Search<'_> {
    /// Moves rows as long as that lowers the loss.
    pub(super) fn move_rows(&self, groups: &mut Vec<Group>, progress: &dyn Progress) {
        let rows: u64 = groups.iter().map(|group| group.rows.len() as u64).sum();
        if rows * groups.len() as u64 > MOVED {
            return;
        }
        for _ in 0..PASSES {
            if progress.is_cancelled() {
                return;
            }
            let before = total(groups);
            self.pass(groups);
            progress.advance(1);
            if before - total(groups) <= ENOUGH * before {
                return;
            }
        }
    }

    fn pass(&self, groups: &mut Vec<Group>) {
        // What each row would cost elsewhere, by its number.
        let mut elsewhere = vec![f64::INFINITY; self.order.len()];
        let costs: Vec<Vec<f64>> = groups
            .par_iter()
            .enumerate()
            .map(|(place, group)| {
                // Nothing is gained by leaving a group that loses nothing.
                if group.loss <= 0.0 {
                    return Vec::new();
                }
                let cost = |&row: &u32| {
                    self.nearest(groups, row, Some(place)).map_or(f64::INFINITY, |(cost, _)| cost)
                };
                group.rows.iter().map(cost).collect()
            })
            .collect();
        for (group, costs) in groups.iter().zip(costs) {
            group.rows.iter().zip(costs).for_each(|(&row, cost)| elsewhere[row as usize] = cost);
        }
        let mut moves: Vec<Move> = groups
            .par_iter()
            .enumerate()
            .flat_map_iter(|(place, group)| self.moves(place, group, &elsewhere))
            .collect();
        // A stable sort: of equally good ones the first.
        moves.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let mut changed = vec![false; groups.len()];
        for candidate in moves {
            if !changed[candidate.group] {
                self.try_move(groups, &candidate, &mut changed);
            }
        }
        groups.retain(|group| !group.rows.is_empty());
    }

    /// What may leave a group to some gain: one row, all rows outside a narrower cell, all rows.
    fn moves(&self, place: usize, group: &Group, elsewhere: &[f64]) -> Vec<Move> {
        if group.loss <= 0.0 {
            return Vec::new();
        }
        let room = group.weight.saturating_sub(self.least);
        let mut sets: Vec<Vec<u32>> = vec![group.rows.clone()];
        if room > 0 && group.rows.len() < SMALL {
            sets.extend(group.rows.iter().map(|&row| vec![row]));
        }
        for (attribute, (ladder, counts)) in self.ladders.iter().zip(&group.counts).enumerate() {
            for codes in ladder.outside_narrower(counts, room) {
                let leaves = |row: &&u32| codes.contains(&self.codes(**row)[attribute]);
                sets.push(group.rows.iter().filter(leaves).copied().collect());
            }
        }
        let gain = |rows: &[u32]| {
            let cost: f64 = rows.iter().map(|&row| elsewhere[row as usize]).sum();
            if cost >= group.total() {
                f64::NEG_INFINITY
            } else {
                group.total() - self.total_without(group, rows) - cost
            }
        };
        let moves = sets.into_iter().map(|rows| Move { gain: gain(&rows), group: place, rows });
        moves.filter(|candidate| candidate.gain > EQUAL).collect()
    }

    /// What a group loses without some of its rows.
    fn total_without(&self, group: &Group, rows: &[u32]) -> f64 {
        let weight = group.weight - self.weight(rows);
        if weight == 0 {
            return 0.0;
        }
        let loss_of = |(place, ladder): (usize, &super::Ladder<'_>)| {
            let mut counts = group.counts[place].clone();
            for (code, leaving) in count(rows, |row| self.codes(row)[place]) {
                if let Ok(place) = counts.binary_search_by_key(&code, |&(other, _)| other) {
                    counts[place].1 -= leaving;
                }
            }
            ladder.loss(ladder.cover(&counts))
        };
        weight as f64 * self.ladders.iter().enumerate().map(loss_of).sum::<f64>()
    }

    /// Moves rows if that lowers the loss and all groups still meet the guarantee.
    fn try_move(&self, groups: &mut [Group], candidate: &Move, changed: &mut [bool]) {
        let own = candidate.group;
        let stay = |row: &&u32| !candidate.rows.contains(row);
        let kept: Vec<u32> = groups[own].rows.iter().filter(stay).copied().collect();
        let kept = Group::new(self, kept);
        if !kept.rows.is_empty() && !self.holds(&kept.rows, kept.weight) {
            return;
        }
        let (before, mut after) = (groups[own].total(), kept.total());
        let mut old = vec![(own, std::mem::replace(&mut groups[own], kept))];
        let mut is_better = true;
        for &row in &candidate.rows {
            let Some((cost, place)) = self.nearest(groups, row, Some(own)) else {
                is_better = false;
                break;
            };
            after += cost;
            if after >= before - EQUAL {
                is_better = false;
                break;
            }
            if old.iter().all(|&(other, _)| other != place) {
                old.push((place, groups[place].clone()));
            }
            groups[place].put(self, row);
        }
        let holds = |&(place, _): &(usize, Group)| {
            let group = &groups[place];
            group.rows.is_empty() || self.holds(&group.rows, group.weight)
        };
        if is_better && old.iter().all(holds) {
            old.iter().for_each(|&(place, _)| changed[place] = true);
        } else {
            old.into_iter().for_each(|(place, group)| groups[place] = group);
        }
    }
}
