//! Fayyad and Irani's discretization against a twin written from the definition.

use crate::table::fayyad_irani;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};

/// Numbers with the class of their row.
type Rows = Vec<(f64, usize)>;

fn entropy(rows: &[(f64, usize)]) -> f64 {
    let share = |class: usize| rows.iter().filter(|row| row.1 == class).count() as f64 / rows.len() as f64;
    classes(rows).into_iter().map(|class| -share(class) * share(class).log2()).sum()
}

fn classes(rows: &[(f64, usize)]) -> Vec<usize> {
    let mut classes: Vec<usize> = rows.iter().map(|row| row.1).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// The largest numbers of all intervals but the last.
fn naive(rows: &[(f64, usize)]) -> Vec<f64> {
    let n = rows.len() as f64;
    let weighted = |cut: f64| -> f64 {
        let parts: [Rows; 2] = [below(rows, cut), above(rows, cut)];
        parts.iter().map(|part| part.len() as f64 * entropy(part)).sum()
    };
    let mut numbers: Vec<f64> = rows.iter().map(|row| row.0).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers.pop();
    let lowest = numbers.iter().map(|&cut| weighted(cut)).fold(f64::INFINITY, f64::min);
    let Some(&cut) = numbers.iter().find(|&&cut| weighted(cut) < lowest + 1e-9) else { return Vec::new() };
    let (low, high) = (below(rows, cut), above(rows, cut));
    let gain = entropy(rows) - lowest / n;
    let count = |rows: &[(f64, usize)]| classes(rows).len() as f64;
    let told = count(rows) * entropy(rows) - count(&low) * entropy(&low) - count(&high) * entropy(&high);
    let cost = (n - 1.0).log2() + (3_f64.powf(count(rows)) - 2.0).log2() - told;
    if gain <= 1e-12 || gain <= cost / n {
        return Vec::new();
    }
    naive(&low).into_iter().chain([cut]).chain(naive(&high)).collect()
}

fn below(rows: &[(f64, usize)], cut: f64) -> Rows {
    rows.iter().copied().filter(|row| row.0 <= cut).collect()
}

fn above(rows: &[(f64, usize)], cut: f64) -> Rows {
    rows.iter().copied().filter(|row| row.0 > cut).collect()
}

/// The cuts of some rows, each by the largest number below it.
fn cuts(rows: &[(f64, usize)], people: People) -> (Vec<f64>, Vec<f64>) {
    let numbers: Vec<Option<f64>> = rows.iter().map(|row| Some(row.0)).collect();
    let names: Vec<Option<&str>> = rows.iter().map(|row| Some(["x", "y", "z"][row.1])).collect();
    let number = Column::from_numbers("n", &numbers).expect("finite numbers");
    let columns = vec![number, Column::from_texts("class", &names)];
    let table = Table::new(columns, people).expect("a table");
    let cuts = fayyad_irani(&table, &table.columns()[0], &table.columns()[1]);
    let largest = |cut: &f64| below(rows, *cut).iter().map(|row| row.0).fold(f64::NEG_INFINITY, f64::max);
    (cuts.iter().map(largest).collect(), cuts)
}

#[test]
fn cuts_are_those_of_the_definition() {
    let mut cut_some = 0;
    for seed in 0..3000 {
        let random = &mut Random::of(seed, 1);
        let (size, spread, classes) = (1 + random.below(60), 1 + random.below(20), 1 + random.below(3));
        let row = |random: &mut Random| {
            let number = random.below(spread);
            let class = if random.percent(80) { number * classes / spread } else { random.below(classes) };
            (f64::from(number) / 4.0, class as usize)
        };
        let rows: Rows = (0..size).map(|_| row(random)).collect();
        let (found, cuts) = cuts(&rows, People::Rows);
        assert_eq!(found, naive(&rows), "seed {seed}");
        assert!(cuts.iter().all(|cut| rows.iter().all(|row| (row.0 - cut).abs() > 0.0)), "seed {seed}");
        cut_some += usize::from(!cuts.is_empty());
    }
    assert!(cut_some > 1000, "{cut_some}");
}

#[test]
fn a_weight_counts_as_so_many_rows() {
    for seed in 0..300 {
        let random = &mut Random::of(seed, 2);
        let rows: Rows =
            (0..20).map(|n| (f64::from(n % 7), usize::from(n % 7 > 3 && random.percent(90)))).collect();
        let weights: Vec<u32> = rows.iter().map(|_| 1 + random.below(4)).collect();
        let repeated: Rows =
            rows.iter().zip(&weights).flat_map(|(&row, &n)| std::iter::repeat_n(row, n as usize)).collect();
        assert_eq!(cuts(&rows, People::Weights(weights)), cuts(&repeated, People::Rows), "seed {seed}");
    }
}

#[test]
fn nothing_is_cut_where_nothing_is_told() {
    assert_eq!(cuts(&[(1.0, 0), (1.0, 1)], People::Rows).1, [0.0; 0]);
    let rows: Rows = (0..40).map(|n| (f64::from(n), n as usize % 2)).collect();
    assert_eq!(cuts(&rows, People::Rows).1, [0.0; 0]);
    // Neighbours with no number in between cannot be parted.
    let close = 1.0_f64.next_up();
    let rows: Rows = (0..40).map(|n| if n < 20 { (1.0, 0) } else { (close, 1) }).collect();
    assert_eq!(cuts(&rows, People::Rows).1, [0.0; 0]);
    let rows: Rows = (0..40).map(|n| if n < 20 { (17.0, 0) } else { (18.0, 1) }).collect();
    assert_eq!(cuts(&rows, People::Rows).1, [17.5]);
}
