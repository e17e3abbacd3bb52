//! Rows that were dropped while reading, and the columns responsible.

use crate::words::{count, counted};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Rows left out because a value is missing, and the individuals that are lost with them. Displays as a phrase:
/// `12 of 240 rows (5.0 %) with a missing value in age (12); 2 individuals lose all of their rows`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RowsLeftOut {
    /// The number of rows that were left out.
    pub total: u64,
    /// The number of rows that were read, kept or not.
    pub of: u64,
    /// The columns with missing values in such rows, and in how many of them; a row with several counts for each.
    pub columns: BTreeMap<String, u64>,
    /// The individuals all of whose rows were left out; none if rows do not state whose they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub individuals: Option<u64>,
}

impl RowsLeftOut {
    /// The share that deserves a warning.
    pub const MANY: f64 = 0.05;
    /// The share that is an error unless the policy allows more.
    pub const TOO_MANY: f64 = 0.2;
    /// The number of columns that the phrase names.
    const NAMED: usize = 5;

    /// The share of the rows that were left out.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.total as f64 / self.of as f64 }
    }

    /// A warning, where many rows were left out.
    pub fn warning(&self) -> Option<String> {
        (self.share() > Self::MANY).then(|| self.sentence(""))
    }

    /// A sentence, for rows that are left out of new data because the policy says so; none where none are.
    pub fn by_policy(&self) -> Option<String> {
        (self.total > 0).then(|| self.sentence(", according to the policy"))
    }

    fn sentence(&self, why: &str) -> String {
        let are = if self.total == 1 { "is" } else { "are" };
        let lost = self.lost().map_or_else(String::new, |lost| format!("; {lost}"));
        format!("{} {are} left out{why}{lost}", self.rows())
    }

    /// The rows as a phrase, without the individuals: `12 of 240 rows (5.0 %) with a missing value in age (12)`.
    pub fn rows(&self) -> String {
        let share = self.share() * 100.0;
        let rows = format!("{} of {} ({share:.1} %)", count(self.total), counted(self.of, "row"));
        let columns = self.costliest();
        let named = columns.iter().take(Self::NAMED);
        let named: Vec<String> = named.map(|(name, rows)| format!("{name} ({})", count(*rows))).collect();
        let more = match columns.len().saturating_sub(Self::NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        if named.is_empty() {
            return rows;
        }
        format!("{rows} with a missing value in {}{more}", named.join(", "))
    }

    /// The individuals who are lost, as a sentence; none where there are none.
    pub fn lost(&self) -> Option<String> {
        let lost = self.individuals.filter(|&lost| lost > 0)?;
        let lose = if lost == 1 { "loses" } else { "lose" };
        Some(format!("{} {lose} all of their rows", counted(lost, "individual")))
    }

    /// The same phrase about rows that would be left out.
    pub fn would_be(&self) -> String {
        let lost = self.individuals.filter(|&lost| lost > 0);
        let lost = lost.map(|lost| format!("; {} would lose all of their rows", counted(lost, "individual")));
        self.rows() + &lost.unwrap_or_default()
    }

    /// The columns by how many rows they cost, the most first.
    fn costliest(&self) -> Vec<(&str, u64)> {
        let mut columns: Vec<(&str, u64)> =
            self.columns.iter().map(|(name, &rows)| (name.as_str(), rows)).collect();
        columns.sort_by_key(|&(_, rows)| std::cmp::Reverse(rows));
        columns
    }
}

impl fmt::Display for RowsLeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rows())?;
        self.lost().map_or(Ok(()), |lost| write!(f, "; {lost}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_costliest_columns_are_named_first() {
        let columns = [("a", 3), ("b", 1200), ("c", 1)].map(|(name, rows)| (name.to_owned(), rows));
        let mut left_out =
            RowsLeftOut { total: 1202, of: 10_000, columns: columns.into(), individuals: Some(0) };
        assert_eq!(
            left_out.warning().as_deref(),
            Some(
                "1,202 of 10,000 rows (12.0 %) with a missing value in b (1,200), a (3), c (1) are left out"
            )
        );
        left_out.individuals = Some(3);
        assert!(
            left_out
                .warning()
                .is_some_and(|warning| warning.ends_with("; 3 individuals lose all of their rows"))
        );
        assert!(left_out.to_string().ends_with("c (1); 3 individuals lose all of their rows"));
        let said = left_out.by_policy().unwrap();
        let end = "c (1) are left out, according to the policy; 3 individuals lose all of their rows";
        assert!(said.ends_with(end), "{said}");
        assert_eq!(RowsLeftOut::default().by_policy(), None);
        assert_eq!(RowsLeftOut { total: 5, of: 100, ..RowsLeftOut::default() }.warning(), None);
        assert!(RowsLeftOut::default().share().abs() < f64::EPSILON);
    }
}
