//! The error for a guarantee that no release of a table can meet.

use super::{Guarantee, Requirement};
use crate::error::Error;
use crate::table::{Column, Table};
use crate::words::{count, counted};
use std::collections::HashSet;

/// At most this many attributes are named.
const NAMED: usize = 5;

/// The error for a requirement that even the coarsest release breaks.
///
/// `release` names the requested release (a tree, a table); `smallest` is the population of the smallest span of the
/// coarsest one, which is all individuals unless something public divides them in every release. `columns` are the
/// private columns of `table` that every such release contains and the guarantee applies to.
pub fn unmet(
    release: &str,
    broken: &Requirement,
    smallest: u64,
    (table, columns): (&Table, &[&Column]),
) -> Error {
    if matches!(broken, Requirement::SmallestBin(_)) {
        return too_large_bin(release, broken, table, columns);
    }
    let why = if smallest == table.individuals() {
        format!("it does not hold even with all {} in one group", counted(smallest, "individual"))
    } else {
        format!("even the coarsest release has a group of {} that breaks it", counted(smallest, "individual"))
    };
    let what = format!("no {release} can meet `{broken}`: {why}");
    let help = match broken {
        Requirement::K(_) => format!("the largest k possible for this table is {}", count(smallest)),
        Requirement::Confidence(cap) => too_frequent(cap.cap(), table, columns),
        Requirement::Alpha(cap) if !table.has_several_rows() => too_frequent(cap.alpha(), table, columns),
        Requirement::Alpha(_) => NO_LOWER_CAP.to_owned(),
        Requirement::DistinctL(_) if !columns.is_empty() => too_few_values(columns),
        _ => "choose a weaker guarantee, or add individuals".to_owned(),
    };
    Error::unsatisfiable(what).help(help)
}

const NO_LOWER_CAP: &str = "choose a cap above the share of the most frequent value in the whole table";

/// The attributes with a value that more individuals have than a cap allows, and the lowest cap that could hold.
fn too_frequent(cap: f64, table: &Table, columns: &[&Column]) -> String {
    let mut above: Vec<(f64, &str)> = columns
        .iter()
        .map(|column| (table.most_frequent_share(column), column.name()))
        .filter(|(share, _)| *share > cap)
        .collect();
    above.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some(&(highest, _)) = above.first() else { return NO_LOWER_CAP.to_owned() };
    let shares = above.iter().map(|(share, name)| format!("`{name}` ({:.1} %)", share * 100.0));
    let mut shares: Vec<String> = shares.collect();
    if shares.len() > NAMED {
        let more = shares.split_off(NAMED).len();
        shares.push(format!("{more} more"));
    }
    // The confidence in a value is a share of individuals, not of rows.
    let counted = if table.has_several_rows() {
        ", counting individuals who have the value in at least one row"
    } else {
        ""
    };
    format!(
        "in the whole table, the most frequent value of {} is more frequent than the cap allows{counted}; apply the cap \
         to other attributes only (`of`, or `except` in a policy), or choose a cap of at least {} for all",
        shares.join(", "),
        cap_above(highest)
    )
}

/// The attribute with the fewest values. Their number is the largest l that could hold; more individuals do not help.
fn too_few_values(columns: &[&Column]) -> String {
    let values = |column: &Column| column.codes().iter().collect::<HashSet<u32>>().len() as u64;
    let fewest = columns.iter().map(|column| (values(column), column.name())).min();
    let (fewest, name) = fewest.unwrap_or_default();
    format!(
        "the largest l possible for this table is {fewest}: `{name}` has {}; choose a smaller l, or apply the \
         requirement to other attributes",
        counted(fewest, "value")
    )
}

/// The error for a smallest bin that is larger than the number of individuals with some private value.
fn too_large_bin(release: &str, broken: &Requirement, table: &Table, columns: &[&Column]) -> Error {
    let what = format!(
        "no {release} can meet `{broken}`: fewer individuals than that have one of the private values that every {release} shows"
    );
    let rarest =
        columns.iter().filter_map(|column| Some((fewest_holders(table, column)?, column.name()))).min();
    let help = match (rarest, broken) {
        (Some((holders, name)), Requirement::SmallestBin(bin)) if holders < bin.n() => format!(
            "{} the rarest value of `{name}`: choose a smallest bin of at most {}, or merge rare values",
            if holders == 1 {
                "1 individual has".to_owned()
            } else {
                format!("{} individuals have", count(holders))
            },
            count(holders)
        ),
        _ => "choose a smaller bin, or merge rare values".to_owned(),
    };
    Error::unsatisfiable(what).help(help)
}

/// The number of individuals who have the rarest value of a column that occurs.
fn fewest_holders(table: &Table, column: &Column) -> Option<u64> {
    let mut rows = vec![Vec::new(); column.values().len() + 1];
    (0..).zip(column.codes().iter()).for_each(|(row, code): (u32, u32)| rows[code as usize].push(row));
    rows.iter().filter(|rows| !rows.is_empty()).map(|rows| table.individuals_among(rows)).min()
}

/// The lowest cap with few digits that is not below a share.
pub fn cap_above(share: f64) -> f64 {
    let rounded = [100.0, 1000.0, 10_000.0].map(|tens| (share * tens).ceil() / tens);
    rounded.into_iter().find(|cap| (share..1.0).contains(cap)).unwrap_or(1.0)
}

impl Guarantee {
    /// The requirement for k, if it requires more individuals than there are.
    pub fn too_large_k(&self, individuals: u64) -> Option<&Requirement> {
        let is_too_large =
            |requirement: &&Requirement| matches!(requirement, Requirement::K(k) if k.k() > individuals);
        self.requirements().iter().find(is_too_large)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::table::People;

    #[test]
    fn a_k_too_large_is_answered_with_the_largest_possible() {
        let guarantee = Guarantee::k_anonymity(1000).expect("valid");
        let broken = guarantee.too_large_k(214).expect("too large");
        let table = Table::new(vec![Column::from_texts("c", &[Some("v")])], People::Rows).expect("valid");
        let error = unmet("tree", broken, 214, (&table, &[]));
        assert_eq!(error.kind, ErrorKind::Unsatisfiable);
        assert_eq!(error.help.as_deref(), Some("the largest k possible for this table is 214"));
        assert_eq!(guarantee.too_large_k(1000), None);
    }

    #[test]
    fn large_numbers_are_written_with_separators() {
        let guarantee = Guarantee::k_anonymity(1201).expect("valid");
        let table = Table::new(vec![Column::from_texts("c", &[Some("v")])], People::Rows).expect("valid");
        let error = unmet("tree", guarantee.too_large_k(1200).expect("too large"), 1200, (&table, &[]));
        assert!(error.what.contains("a group of 1,200 individuals"), "{}", error.what);
        assert_eq!(error.help.as_deref(), Some("the largest k possible for this table is 1,200"));
    }

    #[test]
    fn an_l_above_the_number_of_values_is_answered_with_the_largest_possible() {
        let texts = |name: &str, values: usize| {
            let cells: Vec<_> = (0..60).map(|i| Some((i % values).to_string())).collect();
            Column::from_texts(name, &cells)
        };
        let table = Table::new(vec![texts("decision", 3), texts("purpose", 5)], People::Rows).expect("valid");
        let columns: Vec<&Column> = table.columns().iter().collect();
        let broken = Requirement::distinct_l(4).expect("valid");
        let help = unmet("tree", &broken, 60, (&table, &columns)).help.expect("help");
        assert!(
            help.contains("the largest l possible for this table is 3: `decision` has 3 values"),
            "{help}"
        );
        let help = unmet("tree", &broken, 60, (&table, &[])).help.expect("help");
        assert_eq!(help, "choose a weaker guarantee, or add individuals");
    }

    #[test]
    fn a_bin_too_large_is_answered_with_the_largest_possible() {
        let cells: Vec<_> = (0..60).map(|i| Some(if i < 7 { "rare" } else { "common" })).collect();
        let table = Table::new(vec![Column::from_texts("ill", &cells)], People::Rows).expect("valid");
        let columns: Vec<&Column> = table.columns().iter().collect();
        let broken = Requirement::smallest_bin(20).expect("valid");
        let error = unmet("tree", &broken, 60, (&table, &columns));
        assert_eq!(error.kind, ErrorKind::Unsatisfiable);
        let help = error.help.expect("help");
        assert!(help.contains("`ill`") && help.contains("at most 7"), "{help}");
        assert!(unmet("tree", &broken, 60, (&table, &[])).help.is_some());
    }

    #[test]
    fn a_cap_too_low_is_answered_with_the_attribute_and_the_lowest_possible() {
        let texts = |name: &str, common: usize| {
            let cells: Vec<_> =
                (0..400).map(|i| Some(if i < common { "v".to_owned() } else { i.to_string() })).collect();
            Column::from_texts(name, &cells)
        };
        let table = Table::new(vec![texts("crime", 337), texts("health", 100)], People::Rows).expect("valid");
        let columns: Vec<&Column> = table.columns().iter().collect();
        let broken = Requirement::confidence(0.76).expect("valid");
        let help = unmet("table", &broken, 400, (&table, &columns)).help.expect("help");
        assert!(
            help.contains("`crime` (84.2 %)") && help.contains("choose a cap of at least 0.85"),
            "{help}"
        );
        assert!(!help.contains("health"), "{help}");
    }

    #[test]
    fn caps_are_short_and_not_below_the_share() {
        let caps = [0.5, 0.842, 0.9951, 0.99991, 1.0].map(|share| cap_above(share).to_string());
        assert_eq!(caps, ["0.5", "0.85", "0.996", "1", "1"]);
    }
}
