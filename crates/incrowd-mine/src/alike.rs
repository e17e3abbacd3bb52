//! Individuals with several rows: how many have the same groups in all of them, which the strict reading of k counts.

use hashbrown::HashMap;
use incrowd_core::Error;
use incrowd_core::guarantee::{Guarantee, Requirement, SeveralRows};
use incrowd_core::table::{People, Table};
use incrowd_core::words::count;

/// The k that is required in the strict reading where some individual has several rows, with its requirement.
pub(crate) fn strict_k<'g>(table: &Table, guarantee: &'g Guarantee) -> Option<(u64, &'g Requirement)> {
    let is_strict = guarantee.several_rows() == SeveralRows::Strict && table.has_several_rows();
    guarantee.asked_k().zip(guarantee.requirement_of_k()).filter(|_| is_strict)
}

/// Individuals in classes of those who have the same groups over all of their rows.
pub(crate) struct Alike {
    /// How many have the same groups as each individual; none where an individual has no row in a group.
    pub(crate) of_individual: Vec<Option<u64>>,
}

impl Alike {
    /// `group` returns the group of a row, if in any. Takes time linear in the rows except for sorting those of each
    /// individual.
    pub(crate) fn new(table: &Table, group: impl Fn(usize) -> Option<u32>) -> Self {
        let People::Subjects { of_row, count } = table.people() else {
            return Self { of_individual: Vec::new() };
        };
        let mut groups_of: Vec<Vec<u32>> = vec![Vec::new(); *count as usize];
        for (row, &subject) in of_row.iter().enumerate() {
            groups_of[subject as usize].extend(group(row));
        }
        groups_of.iter_mut().for_each(|groups| groups.sort_unstable());
        let mut sizes: HashMap<&[u32], u64> = HashMap::new();
        groups_of.iter().for_each(|groups| *sizes.entry(groups).or_default() += 1);
        let of_one = |groups: &Vec<u32>| (!groups.is_empty()).then(|| sizes[groups.as_slice()]);
        Self { of_individual: groups_of.iter().map(of_one).collect() }
    }

    /// The number of individuals in the smallest class; none without individuals.
    pub(crate) fn fewest(&self) -> Option<u64> {
        self.of_individual.iter().flatten().min().copied()
    }
}

/// The error where even the coarsest release breaks the strict reading of k: nothing hides how many rows an individual
/// has. `release` names the requested release.
pub(crate) fn unmet_by_rows(release: &str, table: &Table, guarantee: &Guarantee) -> Option<Error> {
    let (k, requirement) = strict_k(table, guarantee)?;
    let alike = Alike::new(table, |_| Some(0));
    let fewest = alike.fewest()?;
    let with_fewer_than =
        |most: u64| alike.of_individual.iter().flatten().filter(|&&same| same < most).count();
    let (few, alone) = (with_fewer_than(k), with_fewer_than(2));
    let have = |people: usize| if people == 1 { "has" } else { "have" };
    let of_their_own = "a number of rows that no other individual has";
    let share = match alone {
        0 => format!("a number of rows that fewer than {k} individuals share"),
        _ if alone == few => of_their_own.to_owned(),
        _ => format!(
            "a number of rows that fewer than {k} individuals share; {} of them {} {of_their_own}",
            count(alone as u64),
            have(alone)
        ),
    };
    let what = format!(
        "no {release} can meet `{requirement}`: no release hides how many rows an individual has, and {} of {} \
         individuals {} {share}",
        count(few as u64),
        count(table.individuals()),
        have(few)
    );
    let help = format!(
        "the largest k possible for this table is {fewest}; {}count the individuals of each group, one row at a time (several-rows = \"counted\")",
        keep_fewer(table, k)
    );
    (fewest < k).then(|| Error::unsatisfiable(what).help(help))
}

/// Advice on how many rows to keep of each individual, so that `k` individuals have every number of rows that occurs.
fn keep_fewer(table: &Table, k: u64) -> String {
    let by_rows = table.individuals_by_rows().unwrap_or_default();
    let with_more = |most: u32| by_rows.range(most + 1..).map(|(_, people)| people).sum::<u64>();
    let is_possible = |&most: &u32| {
        let fewer = by_rows.range(..most).all(|(_, &people)| people >= k);
        fewer && by_rows.range(most..).map(|(_, people)| people).sum::<u64>() >= k
    };
    let Some(most) = by_rows.keys().copied().rev().find(is_possible) else { return String::new() };
    let (people, rows) = (with_more(most), if most == 1 { "row" } else { "rows" });
    let have = if people == 1 { "1 individual has" } else { &format!("{people} individuals have") };
    format!("for k = {k}, keep at most {most} {rows} of each individual ({have} more), or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_core::table::Column;

    #[test]
    fn the_help_states_how_many_rows_to_keep() {
        // Three individuals have one row, three have two, and one has four.
        let subjects = [0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6];
        let column = Column::from_texts("x", &[Some("v"); 13]);
        let table = Table::new(vec![column], People::of_subjects(&subjects)).unwrap();
        let guarantee = |k| {
            let k = Requirement::k_over(k, incrowd_core::guarantee::SingleBin::Counted, SeveralRows::Strict);
            Guarantee::default().with(k.unwrap())
        };
        let help = unmet_by_rows("tree", &table, &guarantee(3)).unwrap().help.unwrap();
        let advice = "possible for this table is 1; for k = 3, keep at most 2 rows of each individual (1 individual has more), or";
        assert!(help.contains(advice), "{help}");
        let help = unmet_by_rows("tree", &table, &guarantee(5)).unwrap().help.unwrap();
        assert!(help.contains("at most 1 row of each individual (4 individuals have more)"), "{help}");
        assert!(unmet_by_rows("tree", &table, &guarantee(1)).is_none());
    }

    #[test]
    fn individuals_are_alike_with_the_same_groups_in_any_order() {
        let subjects = [0, 0, 1, 1, 2, 3];
        let column = Column::from_texts("x", &[Some("v"); 6]);
        let table = Table::new(vec![column], People::of_subjects(&subjects)).unwrap();
        let groups = [7, 8, 8, 7, 7, 9];
        let alike = Alike::new(&table, |row| Some(groups[row]));
        assert_eq!(alike.of_individual, [Some(2), Some(2), Some(1), Some(1)]);
        assert_eq!(alike.fewest(), Some(1));
        let lost = Alike::new(&table, |row| (row != 4).then_some(groups[row]));
        assert_eq!(lost.of_individual, [Some(2), Some(2), None, Some(1)]);
    }
}
