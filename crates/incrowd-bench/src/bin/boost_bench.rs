//! Boosts trees from a table of `tree_bench`; prints the cost as one line of JSON.
//!
//! - `boost_bench mine FOLDER K ROUNDS LEAVES`: at most so many rounds of trees with at most so many leaves, five attributes
//!   private, the audit included;
//! - `boost_bench adult ADULT K`: Adult itself with the default parameters, the best of three times.

use incrowd_bench::cost::{Cost, measured};
use incrowd_bench::folder::load;
use incrowd_bench::phases::Phases;
use incrowd_bench::{adult_policy, read_adult};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::progress::Progress;
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};
use incrowd_mine::boost::{BoostParams, CheckedBoostParams, MinedEnsemble, mine_boost};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["mine", folder, k, rounds, leaves] => mine(Path::new(folder), k, rounds, leaves),
        ["adult", data, k] => adult(data, k),
        _ => Err(Error::input("usage: boost_bench mine|adult ...")),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N> {
    text.parse().map_err(|_| Error::input("not a number"))
}

fn params(k: &str) -> Result<BoostParams> {
    Ok(BoostParams::new(Guarantee::k_anonymity(number(k)?)?))
}

fn mine(folder: &Path, k: &str, rounds: &str, leaves: &str) -> Result<()> {
    let mut params = params(k)?;
    (params.rounds, params.leaves) = (number(rounds)?, number(leaves)?);
    print(&load(folder)?, &params.check()?).map(|_| ())
}

fn adult(data: &str, k: &str) -> Result<()> {
    let (table, params) = (read_adult(data)?, params(k)?.check()?);
    (0..3).try_for_each(|_| print(&table, &params).map(|_| ()))
}

fn print(table: &Table, params: &CheckedBoostParams) -> Result<MinedEnsemble> {
    let phases = Phases::new();
    let progress: &dyn Progress = &phases;
    let (mined, cost) = measured(|| mine_boost(table, &adult_policy("private"), params, progress));
    let (mined, Cost { seconds, cpu_seconds, peak_bytes }) = (mined?, cost);
    let summary = &mined.summary;
    println!(
        "{{\"rows\": {}, \"seconds\": {seconds:.4}, \"cpu_seconds\": {cpu_seconds:.2}, \"peak_bytes\": {peak_bytes}, \
         \"table_bytes\": {}, \"trees\": {}, \"leaves\": {}, \"cells\": {}, \"error\": {:.6}, \"k\": {}, \
         \"phases\": {{{}}}}}",
        table.rows(),
        table.bytes(),
        summary.trees,
        summary.leaves,
        summary.cells,
        summary.error,
        summary.k,
        phases.told()
    );
    Ok(mined)
}
