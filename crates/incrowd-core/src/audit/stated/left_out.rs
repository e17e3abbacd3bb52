//! Statements about a table from which columns are left out.
//!
//! Private columns do not form groups, so the groups and their individuals stay the same. What is stated about the
//! other private columns stays true, or becomes an upper bound: fewer columns reveal less. Cells of fewer columns have
//! at least as many individuals, so the smallest bin becomes a lower bound. Public columns form the groups: without one
//! of them, groups merge, and how many individuals two groups share is not stated. Nor is it stated who can be linked
//! to a value of a column that is left out, but that a declared dependency ties to others.

use super::{ReleasedTable, StatedPeople, not_stated};
use crate::error::{Error, Result};
use crate::guarantee::Guarantee;
use crate::policy::Policy;
use crate::printed::rare_in_table;
use crate::span::Linking;
use std::borrow::Cow;

impl StatedPeople {
    /// Fails if groups are formed by a column that is left out.
    pub(super) fn check_left_out(&self, released: &ReleasedTable<'_>) -> Result<()> {
        match self.by.iter().find(|name| released.left_out.contains(name)) {
            None => Ok(()),
            Some(name) => Err(Error::input(
                "groups are formed by this column: the release file states how many individuals each group has, but not \
                 how many they would have without the column",
            )
            .of_attribute(name)
            .help("leave out private columns only, or make the table again under a policy that ignores this column")),
        }
    }

    /// The statements about the columns of a table that are not left out.
    ///
    /// # Errors
    /// When a column that is left out can be inferred from others, or a smallest bin is required and it is not stated
    /// which columns have the rare values.
    pub(super) fn without_left_out(
        &self,
        released: &ReleasedTable<'_>,
        policy: &Policy,
        guarantee: &Guarantee,
        linking: &Linking<'_>,
    ) -> Result<Cow<'_, Self>> {
        let is_left_out = |name: &str| released.left_out.iter().any(|other| other == name);
        let mut judged = linking.sensitive.iter().map(|sensitive| sensitive.name.as_str());
        if let Some(name) = judged.find(|name| is_left_out(name)) {
            return Err(Error::input(
                "this column is left out, but a declared dependency ties it to private columns that are not, so its \
                 values may be inferred; the release file does not state for whom",
            )
            .of_attribute(name)
            .help("audit the table as it was made, or leave out the columns that the dependency ties to this one as well"));
        }
        let names = self.attributes.iter().map(|measures| measures.name.as_str());
        let kept: Vec<bool> = names.map(|name| !is_left_out(name)).collect();
        if kept.iter().all(|&kept| kept) {
            return Ok(Cow::Borrowed(self));
        }
        let (exposed_to, excluded_to) = (those(&self.exposed_to, &kept), those(&self.excluded_to, &kept));
        Ok(Cow::Owned(Self {
            exposed: self.exposed.min(sum(&exposed_to)),
            excluded: self.excluded.min(sum(&excluded_to)),
            // The rows show what is left of it.
            exposed_at_least: None,
            exposed_to_at_least: Vec::new(),
            exposed_to,
            excluded_to,
            most_frequent: those(&self.most_frequent, &kept),
            rare_values: self.rare_values_of_rest(released, policy, guarantee)?,
            attributes: those(&self.attributes, &kept),
            ..self.clone()
        }))
    }

    /// The rare printed values of the columns that are not left out, as far as rows show them.
    fn rare_values_of_rest(
        &self,
        released: &ReleasedTable<'_>,
        policy: &Policy,
        guarantee: &Guarantee,
    ) -> Result<u64> {
        let rare = |required: u64| rare_in_table(released.table, policy, released.left_out, required).total();
        let shown = rare(self.required_holders);
        let at_most = self.rare_values.min(rare(u64::MAX));
        if guarantee.asked_smallest_bin().is_some() && shown < at_most {
            return Err(not_stated("a smallest bin without these columns"));
        }
        Ok(shown)
    }
}

/// The items that are kept.
fn those<T: Clone>(all: &[T], kept: &[bool]) -> Vec<T> {
    all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(item, _)| item.clone()).collect()
}

fn sum(all: &[u64]) -> u64 {
    all.iter().fold(0, |sum, &one| sum.saturating_add(one))
}
