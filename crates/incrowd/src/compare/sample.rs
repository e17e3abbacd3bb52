//! A random sample of a table's individuals, on which large tables are compared in reasonable time.

use super::data::fitted;
use crate::Result;
use crate::table::{People, Table};
use incrowd_core::random::Random;

/// The stream of the sample, which is none of a division.
const STREAM: u64 = u64::MAX;

/// So many individuals of a table, with all of their rows; none if the table has no more than that.
///
/// Every set of so many individuals is equally likely (selection sampling; Knuth, volume 2, algorithm S). Depends on the
/// seed and on the order of individuals. Takes time linear in rows and individuals.
///
/// # Errors
/// Never for a valid table.
pub(crate) fn sampled(table: &Table, individuals: u64, seed: u64) -> Result<Option<Table>> {
    let all = table.individuals();
    if individuals >= all {
        return Ok(None);
    }
    let random = &mut Random::of(seed, STREAM);
    let (mut seen, mut taken) = (0, 0);
    let mut takes_next = || {
        let takes = random.unit() * ((all - seen) as f64) < (individuals - taken) as f64;
        seen += 1;
        taken += u64::from(takes);
        takes
    };
    let part = match table.people() {
        People::Subjects { of_row, count } => {
            let is_in: Vec<bool> = (0..*count).map(|_| takes_next()).collect();
            let rows = (0..).zip(of_row).filter(|&(_, &subject)| is_in[subject as usize]);
            table.select(&rows.map(|(row, _)| row).collect::<Vec<u32>>())
        }
        People::Weights(weights) => {
            let own = weights.iter().map(|&weight| (0..weight).filter(|_| takes_next()).count() as u32);
            let own: Vec<u32> = own.collect();
            let rows: Vec<u32> =
                (0..).zip(&own).filter(|&(_, &weight)| weight > 0).map(|(row, _)| row).collect();
            let weights = own.into_iter().filter(|&weight| weight > 0).collect();
            Table::new(table.select(&rows).columns().to_vec(), People::Weights(weights))?
        }
        _ => {
            let rows: Vec<u32> = (0..table.rows() as u32).filter(|_| takes_next()).collect();
            table.select(&rows)
        }
    };
    fitted(&part).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn table(people: impl Fn(u32) -> People) -> Table {
        let cells: Vec<Option<f64>> = (0..300).map(|row| Some(f64::from(row))).collect();
        Table::new(vec![Column::from_numbers("x", &cells).unwrap()], people(300)).unwrap()
    }

    #[test]
    fn a_sample_has_as_many_individuals_as_asked_for() {
        let weights = |rows: u32| People::Weights((0..rows).map(|row| 1 + row % 4).collect());
        let subjects =
            |rows: u32| People::of_subjects(&(0..rows).map(|row| row * 7 % 90).collect::<Vec<u32>>());
        for table in [table(|_| People::Rows), table(weights), table(subjects)] {
            for wanted in [1, 17, 60] {
                let part = sampled(&table, wanted, 5).unwrap().expect("a sample");
                assert_eq!(part.individuals(), wanted);
                assert_eq!(Some(&part), sampled(&table, wanted, 5).unwrap().as_ref());
                assert_ne!(Some(&part), sampled(&table, wanted, 6).unwrap().as_ref());
            }
            assert_eq!(sampled(&table, table.individuals(), 5).unwrap(), None);
        }
    }

    #[test]
    fn an_individual_is_in_a_sample_with_all_rows() {
        let table = table(|rows| People::of_subjects(&(0..rows).map(|row| row / 3).collect::<Vec<u32>>()));
        let part = sampled(&table, 40, 1).unwrap().expect("a sample");
        let numbers = part.columns()[0].values().numbers().unwrap();
        assert_eq!(part.rows(), 120);
        let all_rows =
            |rows: &[f64]| (rows[0] as u32).is_multiple_of(3) && rows[2] as u32 == rows[0] as u32 + 2;
        assert!(numbers.chunks(3).all(all_rows), "{numbers:?}");
    }

    #[test]
    fn every_individual_is_equally_likely_in_a_sample() {
        let table = table(|_| People::Rows);
        let mut counts = vec![0_u32; 300];
        for seed in 0..400 {
            let part = sampled(&table, 75, seed).unwrap().expect("a sample");
            let numbers = part.columns()[0].values().numbers().unwrap();
            numbers.iter().for_each(|&x| counts[x as usize] += 1);
        }
        // 100 on average, with a standard deviation below 9.
        assert!(counts.iter().all(|count| (60..140).contains(count)), "{counts:?}");
    }
}
