//! Checks whether the statements of a release file about individuals can be true.
//!
//! The file is untrusted. A statement that the rows of the table or other statements rule out is an error: such a file
//! is not the one that was written with the table, and nothing in it can be relied on.

use super::super::certainty::CertainIndividuals;
use super::super::measures::AttributeMeasures;
use super::bounds::{Allowed, level};
use super::{ReleasedTable, StatedPeople, names};
use crate::audit::census::{Census, cells_of_table};
use crate::error::{Error, Result};
use crate::group::sizes;
use crate::policy::Policy;
use crate::printed::rare_in_table;
use crate::span::{Linking, known_columns};
use crate::table::{People, Table};

/// Measures that differ by less are the same.
const SAME: f64 = 1e-9;

/// How many individuals a group has, how many it does not have, and its rows beyond one for each individual.
struct GroupSize {
    people: u64,
    outside: u64,
    more_rows: u64,
}

impl StatedPeople {
    /// Fails unless the statements are about this table and its groups.
    pub(super) fn check_groups(
        &self,
        released: &ReleasedTable<'_>,
        policy: &Policy,
        linking: &Linking<'_>,
    ) -> Result<()> {
        let table = released.table;
        let by = names(&known_columns(table, policy, released.left_out));
        let mut rows = vec![0_u64; linking.spans];
        linking.span_of_row.iter().for_each(|&span| rows[span as usize] += 1);
        let private: Vec<&str> = linking.sensitive.iter().map(|sensitive| sensitive.name.as_str()).collect();
        let stated: Vec<&str> = self.attributes.iter().map(|measures| measures.name.as_str()).collect();
        let can_be = |(&people, &rows): (&u64, &u64)| (1..=rows).contains(&people);
        let sum: u64 = self.groups.iter().fold(0, |sum, &people| sum.saturating_add(people));
        let fits = self.by == by
            && private == stated
            && self.exposed_to.len() == private.len()
            && self.excluded_to.len() == private.len()
            && (self.most_frequent.is_empty() || self.most_frequent.len() == private.len())
            && matches!(table.people(), People::Rows)
            && self.groups.len() == rows.len()
            && self.groups.iter().zip(&rows).all(can_be)
            && self.individuals <= sum
            && self.groups.iter().all(|&people| people <= self.individuals);
        if fits {
            return Ok(());
        }
        Err(Error::input(
            "the individuals stated in the release file do not match the table under this policy",
        )
        .help("audit the table under the policy it was made with, or make it again"))
    }

    /// Fails if the rows of the table rule out a statement about the individuals of its groups. `by_rows` is the report
    /// if each row is an individual.
    pub(super) fn check_figures(
        &self,
        released: &ReleasedTable<'_>,
        policy: &Policy,
        linking: &Linking<'_>,
        by_rows: &Census,
        allowed: &[Allowed<'_>],
    ) -> Result<()> {
        let exposed: Vec<&CertainIndividuals> =
            by_rows.certain.iter().map(|certain| &certain.exposed).collect();
        let excluded: Vec<&CertainIndividuals> =
            by_rows.certain.iter().map(|certain| &certain.excluded).collect();
        self.check_certain("exposed", self.exposed, &self.exposed_to, &exposed)?;
        self.check_certain("excluded", self.excluded, &self.excluded_to, &excluded)?;
        self.check_persons(released.table, linking)?;
        self.check_printed(released, policy)?;
        for (stated, allowed) in self.attributes.iter().zip(allowed) {
            if let Some(key) = too_good(stated, &allowed.best()) {
                return Err(ruled_out(key).of_attribute(&stated.name));
            }
        }
        for (sensitive, &share) in linking.sensitive.iter().zip(&self.most_frequent) {
            let column = released.table.require(&sensitive.name)?;
            let mut rows = vec![0_u64; column.values().len() + 1];
            column.codes().iter().for_each(|code| rows[code as usize] += 1);
            let most = rows.into_iter().filter(|&n| n > 0).map(|n| n.min(self.individuals));
            let all = self.individuals.max(1) as f64;
            let least = level(most.clone(), self.individuals).ceil() / all;
            let most = most.max().unwrap_or(0) as f64 / all;
            if !(least - SAME..=most + SAME).contains(&share) {
                return Err(ruled_out("most_frequent").of_attribute(&sensitive.name));
            }
        }
        Ok(())
    }

    /// All individuals of a group are exposed, or have a value excluded, if its rows leave no other possibility.
    fn check_certain(
        &self,
        key: &str,
        all: u64,
        of_each: &[u64],
        certain: &[&CertainIndividuals],
    ) -> Result<()> {
        let can_be = |stated: u64, certain: &[&CertainIndividuals]| {
            (self.least(certain)..=self.individuals).contains(&stated)
        };
        let most = of_each.iter().fold(0_u64, |sum, &one| sum.saturating_add(one));
        let fits = of_each.iter().zip(certain).all(|(&stated, &certain)| can_be(stated, &[certain]))
            && can_be(all, certain)
            && of_each.iter().all(|&one| one <= all)
            && all <= most;
        if fits { Ok(()) } else { Err(ruled_out(key)) }
    }

    /// At least how many individuals are exposed, in total and of each attribute: as stated, or as the rows show it.
    ///
    /// # Errors
    /// When the rows, or other statements, rule out what is stated.
    pub(super) fn surely_exposed(&self, by_rows: &Census) -> Result<(u64, Vec<u64>)> {
        let sure: Vec<&CertainIndividuals> = by_rows.certain.iter().map(|certain| &certain.sure).collect();
        let each: Vec<u64> = sure.iter().map(|&one| self.least(&[one])).collect();
        let shown = (self.least(&sure), each);
        let Some(all) = self.exposed_at_least else { return Ok(shown) };
        let most = |sure: &[&CertainIndividuals]| -> u64 {
            let groups = self.groups.iter().enumerate();
            let in_sure = groups.filter(|(group, _)| sure.iter().any(|one| one.of_span[*group]));
            in_sure.fold(0_u64, |sum, (_, &people)| sum.saturating_add(people))
        };
        let stated = &self.exposed_to_at_least;
        let fits = |stated: u64, exposed: u64, sure: &[&CertainIndividuals]| {
            (self.least(sure)..=most(sure).min(exposed)).contains(&stated)
        };
        let all_fit = stated.len() == sure.len()
            && fits(all, self.exposed, &sure)
            && stated
                .iter()
                .zip(&self.exposed_to)
                .zip(&sure)
                .all(|((&own, &exposed), &one)| fits(own, exposed, &[one]));
        if all_fit { Ok((all, stated.clone())) } else { Err(ruled_out("exposed_at_least")) }
    }

    /// The fewest individuals who can be in groups where something is certain.
    fn least(&self, certain: &[&CertainIndividuals]) -> u64 {
        let is_certain = |group: usize| certain.iter().any(|certain| certain.of_span[group]);
        let groups = || self.groups.iter().enumerate();
        let largest = groups().filter(|(group, _)| is_certain(*group)).map(|(_, &people)| people).max();
        let others: u64 = groups().filter(|(group, _)| !is_certain(*group)).map(|(_, &people)| people).sum();
        largest.map_or(0, |largest| largest.max(self.individuals.saturating_sub(others)))
    }

    /// k, and who is alone over all of their rows.
    fn check_persons(&self, table: &Table, linking: &Linking<'_>) -> Result<()> {
        let counts = |group: &usize| !linking.single_bin.get(*group).copied().unwrap_or(false);
        let smallest = (0..linking.spans).filter(counts).map(|group| self.groups[group]).min();
        if self.k > smallest.unwrap_or(self.individuals) {
            return Err(ruled_out("k"));
        }
        let has_several = table.rows() as u64 > self.individuals;
        // The only one in a group, outside it, or with two rows in it is alone.
        let sizes = || self.sizes(linking);
        let is_one = |size: &GroupSize| [size.people, size.outside, size.more_rows].contains(&1);
        let least = u64::from(has_several && sizes().any(|size| is_one(&size)));
        // If all others are alone, so is the last one.
        let can_be =
            |alone: u64| (least..=self.individuals).contains(&alone) && alone + 1 != self.individuals;
        let fits = self.alone_over_rows.map_or(!has_several, |alone| has_several && can_be(alone));
        if !fits {
            return Err(ruled_out("alone_over_rows"));
        }
        // No other individual has two rows of the group to exchange.
        let has_values = |name: &str| table.column(name).is_some_and(|column| column.values().len() > 1);
        let is_told = linking.sensitive.iter().map(|own| own.said.is_none() && has_values(&own.name));
        let is_certain = sizes().any(|size| size.more_rows == 1);
        let is_hidden = |(told, &exposed): (bool, &u64)| told && exposed == 0;
        if is_certain && is_told.zip(&self.exposed_to).any(is_hidden) {
            return Err(ruled_out("exposed_to"));
        }
        Ok(())
    }

    /// Whether each individual can have the same groups over all rows, and as many rows in each, as k − 1 others: the
    /// individuals of a group, those outside it, and those with more than one row in it are none or many.
    pub(super) fn can_be_alike(&self, k: u64, linking: &Linking<'_>) -> bool {
        let is_many = |people: u64| people == 0 || people >= k;
        self.sizes(linking).all(|size| {
            let is_one_crowd = size.people < k.saturating_mul(2);
            is_many(size.people)
                && is_many(size.outside)
                && is_many(size.more_rows)
                && (!is_one_crowd || size.more_rows.is_multiple_of(size.people.max(1)))
        })
    }

    fn sizes<'a>(&'a self, linking: &Linking<'_>) -> impl Iterator<Item = GroupSize> + 'a {
        let mut rows = vec![0_u64; linking.spans];
        linking.span_of_row.iter().for_each(|&span| rows[span as usize] += 1);
        self.groups.iter().zip(rows).map(|(&people, rows)| GroupSize {
            people,
            outside: self.individuals.saturating_sub(people),
            more_rows: rows.saturating_sub(people),
        })
    }

    /// Cells and printed values.
    fn check_printed(&self, released: &ReleasedTable<'_>, policy: &Policy) -> Result<()> {
        let table = released.table;
        let cells = cells_of_table(table, policy);
        let smallest = sizes(&cells.of_row, cells.count as usize, table).into_iter().min().unwrap_or(0);
        let most = smallest.min(self.groups.iter().copied().min().unwrap_or(0));
        if self.smallest_bin.is_some_and(|bin| !(1..=most).contains(&bin)) {
            return Err(ruled_out("smallest_bin"));
        }
        // Individuals are at most as many as rows: what few rows have is rare, and what no row has is not printed.
        let rare = |required: u64| rare_in_table(table, policy, released.left_out, required).total();
        if !(rare(self.required_holders)..=rare(u64::MAX)).contains(&self.rare_values) {
            return Err(ruled_out("rare_values"));
        }
        Ok(())
    }
}

/// The key of a stated measure that is better than the rows allow, or outside its range.
fn too_good(stated: &AttributeMeasures, best: &AttributeMeasures) -> Option<&'static str> {
    let above = |stated: f64, least: f64| stated >= least - SAME;
    let within = |stated: f64, least: f64, most: f64| above(stated, least) && stated <= most + SAME;
    let ordered = match (stated.t_ordered, best.t_ordered) {
        (Some(stated), Some(best)) => within(stated, best, 1.0),
        (stated, best) => stated.is_none() && best.is_none(),
    };
    let fits = [
        ("distinct_l", stated.distinct_l == best.distinct_l),
        ("entropy_l", within(stated.entropy_l, f64::from(u8::from(best.is_measured())), best.entropy_l)),
        ("recursive", stated.recursive.l == best.recursive.l && above(stated.recursive.c, best.recursive.c)),
        ("max_confidence", within(stated.max_confidence, best.max_confidence, 1.0)),
        ("alpha", within(stated.alpha, best.alpha, stated.max_confidence)),
        ("t_equal", within(stated.t_equal, best.t_equal, 1.0)),
        ("t_ordered", ordered),
        ("beta", above(stated.beta, best.beta)),
    ];
    fits.into_iter().find(|(_, fits)| !fits).map(|(key, _)| key)
}

/// The error for a statement that the rows of the table rule out.
fn ruled_out(key: &str) -> Error {
    Error::input(format!("the release file states a figure (`{key}`) that the rows of the table rule out"))
        .help("the file was changed, or made under another policy: audit the table under the policy it was made with, or make it again")
}

/// The error for a requirement that is stated to hold although stated figures contradict it.
pub(super) fn contradicted(words: &str) -> Error {
    Error::input(format!(
        "the release file states that {words} holds, but also states figures that contradict this"
    ))
    .help("the file was changed: make the table again, or audit it with its subject column")
}
