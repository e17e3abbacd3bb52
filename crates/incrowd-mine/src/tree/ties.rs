//! What declared dependencies let an attacker exclude, and how a miner deals with it.
//!
//! Where a dependency ties private attributes to known ones, not every private value is possible for every individual,
//! and individuals can be distinguished by what is possible for them (`docs/proofs.md`). A tree is grown as if they
//! were: every individual starts in the span of those with the same possibilities, which is at least as fine as the
//! spans of every tree. Where that alone breaks the guarantee, or where it requires more than a number of individuals,
//! private attributes that are tied are not tested. The class is always released, so those it is tied to always count.
//!
//! The joint spans of earlier releases, if there are any, distinguish individuals from the start in the same way.

use super::task::Task;
use hashbrown::HashMap;
use incrowd_core::Result;
use incrowd_core::guarantee::SingleBin;
use incrowd_core::span::{Tie, ties};
use incrowd_core::table::Table;

impl Task<'_> {
    /// Heeds what the policy's dependencies tie together in a table that has the rows of the task.
    ///
    /// # Errors
    /// When a dependency names a column that is not there, or leaves too much possible to be listed.
    pub(crate) fn tie(&mut self, table: &Table) -> Result<()> {
        let Some(policy) = self.policy.filter(|_| !self.guarantee.is_idle()) else { return Ok(()) };
        let class = (!self.class.known).then(|| self.class.column.name());
        let private = self.attributes.iter().filter(|attribute| !attribute.known);
        let names: Vec<&str> =
            class.into_iter().chain(private.map(|attribute| attribute.column.name())).collect();
        let is_plain = self.guarantee.single_bin() == SingleBin::Counted;
        let only_counts = is_plain && self.guarantee.is_only_k().is_some();
        let (mut kinds, mut left_out) = (None, Vec::new());
        let (with_class, others): (Vec<Tie>, Vec<Tie>) = ties(table, policy, &names)?
            .into_iter()
            .partition(|tie| class.is_some_and(|class| tie.has(class)));
        for tie in with_class {
            kinds = Some(joined(kinds.as_deref(), &tie.kind_of_row));
            if !only_counts {
                left_out.extend(tie.attributes);
            }
        }
        for tie in others {
            let with = joined(kinds.as_deref(), &tie.kind_of_row);
            let earlier = policy.earlier_spans(table).map(|column| column.codes().iter().collect::<Vec<_>>());
            let apart = earlier.as_deref().map_or_else(|| with.clone(), |spans| joined(Some(spans), &with));
            if only_counts && self.is_large(table, &apart) {
                kinds = Some(with);
            } else {
                left_out.extend(tie.attributes);
            }
        }
        self.tied = kinds.is_some();
        if let Some(earlier) = policy.earlier_spans(table) {
            let spans: Vec<u32> = earlier.codes().iter().collect();
            kinds = Some(joined(kinds.as_deref(), &spans));
        }
        self.kind_of_row = kinds.filter(|kinds| kinds.iter().any(|&kind| kind > 0));
        self.leave_out(&left_out);
        Ok(())
    }

    /// Whether every individual of the same kind, and of the same class if it is known, is a group that is large
    /// enough.
    fn is_large(&self, table: &Table, kinds: &[u32]) -> bool {
        let class: Vec<u32> =
            if self.class.known { self.class.column.codes().iter().collect() } else { Vec::new() };
        let groups = if self.class.known { joined(Some(&class), kinds) } else { kinds.to_vec() };
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for (row, &group) in (0..).zip(&groups) {
            rows.resize(rows.len().max(group as usize + 1), Vec::new());
            rows[group as usize].push(row);
        }
        let k = self.guarantee.asked_k().unwrap_or(1);
        rows.iter().filter(|rows| !rows.is_empty()).all(|rows| table.individuals_among(rows) >= k)
    }

    /// Tests none of these private attributes.
    fn leave_out(&mut self, names: &[String]) {
        let is_out = |name: &str| names.iter().any(|other| other == name);
        for attribute in self.attributes.iter().filter(|a| !a.known && is_out(a.column.name())) {
            self.warnings.push(format!(
                "private `{}` is not tested: a declared dependency ties it to attributes that are public or would be released",
                attribute.column.name()
            ));
        }
        let mut kept = self
            .attributes
            .iter()
            .map(|a| a.known || !is_out(a.column.name()))
            .collect::<Vec<_>>()
            .into_iter();
        let mut keeps = kept.clone();
        self.attributes.retain(|_| kept.next().unwrap_or(true));
        self.in_scope.retain(|_| keeps.next().unwrap_or(true));
    }
}

/// Numbers the pairs of two numberings in order of first appearance.
fn joined(one: Option<&[u32]>, other: &[u32]) -> Vec<u32> {
    let mut number: HashMap<(u32, u32), u32> = HashMap::new();
    let pair = |row: usize| (one.map_or(0, |one| one[row]), other[row]);
    (0..other.len())
        .map(|row| {
            let next = number.len() as u32;
            *number.entry(pair(row)).or_insert(next)
        })
        .collect()
}
