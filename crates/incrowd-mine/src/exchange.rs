//! Tables whose individuals have exchanged their private values, for the tests of blind structures.

use crate::tree::tests::random::Case;
use incrowd_core::policy::Role;
use incrowd_core::random::Random;
use incrowd_core::table::{People, Table};

/// Whether an attacker knows an attribute.
pub(crate) fn is_known(case: &Case, name: &str) -> bool {
    case.policy.known().iter().any(|known| known == name)
}

/// Gives an attribute another role.
pub(crate) fn whole_column(case: &mut Case, name: &str, role: Role) {
    case.policy.attributes.iter_mut().filter(|own| own.name == name).for_each(|own| own.role = role);
}

/// The table in which the individuals of each group have exchanged their private values at random, one row for each, in
/// another order, some equal rows merged again.
pub(crate) fn exchanged(case: &Case, group_of_row: &[u32], random: &mut Random) -> Table {
    let table = &case.table;
    let mut individuals: Vec<u32> = (0..table.rows() as u32)
        .flat_map(|row| std::iter::repeat_n(row, table.weight(row as usize) as usize))
        .collect();
    shuffle(&mut individuals, random);
    let mut private = individuals.clone();
    let groups = group_of_row.iter().max().map_or(0, |&last| last + 1);
    for group in 0..groups {
        let places: Vec<usize> =
            (0..individuals.len()).filter(|&i| group_of_row[individuals[i] as usize] == group).collect();
        let mut own: Vec<u32> = places.iter().map(|&place| private[place]).collect();
        shuffle(&mut own, random);
        places.iter().zip(own).for_each(|(&place, row)| private[place] = row);
    }
    let columns = table.columns().iter().map(|column| {
        let rows = if is_known(case, column.name()) { &individuals } else { &private };
        column.select(rows)
    });
    let exchanged = Table::new(columns.collect(), People::Rows).expect("columns of one length");
    match table.people() {
        People::Weights(_) if random.percent(50) => exchanged.merged(),
        _ => exchanged,
    }
}

fn shuffle(rows: &mut [u32], random: &mut Random) {
    for place in 1..rows.len() {
        rows.swap(place, random.below(place as u32 + 1) as usize);
    }
}
