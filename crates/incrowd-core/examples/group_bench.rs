//! Times the grouping of a clinic's rows by its nine public columns: `group_bench [ROWS]`.

use incrowd_core::group::{crowds, group_rows, smallest_group};
use incrowd_core::samples::clinic;
use incrowd_core::table::Column;
use std::time::Instant;

fn main() {
    let rows = std::env::args().nth(1).and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000);
    let start = Instant::now();
    let table = clinic(rows, 1);
    println!("clinic          {:.3} s", start.elapsed().as_secs_f64());
    let public: Vec<&Column> = table.columns()[..9].iter().collect();
    let (seconds, k) = best_of_three(|| smallest_group(&table, &public));
    println!("smallest_group  {seconds:.3} s  k = {k}");
    let (seconds, crowds) = best_of_three(|| crowds(&table, &public, 5));
    println!("crowds          {seconds:.3} s  {} alone", crowds.alone);
    let few = [public[0], public[1], public[3], public[5]];
    let (seconds, k) = best_of_three(|| smallest_group(&table, &few));
    println!("  of 4 columns  {seconds:.3} s  k = {k}");
    let (seconds, groups) = best_of_three(|| group_rows(rows, &public).count);
    println!("group_rows      {seconds:.3} s  {groups} groups");
}

fn best_of_three<T>(work: impl Fn() -> T) -> (f64, T) {
    let timed = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed().as_secs_f64(), result)
    };
    let runs = [timed(), timed(), timed()];
    runs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("three runs")
}
