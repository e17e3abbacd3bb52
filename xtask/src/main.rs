//! The project's development tasks: `cargo xtask test`, `cargo xtask docs`, `cargo xtask bench`.

mod api;
mod attack;
mod bench;
mod browser;
mod differential;
mod docs;
mod fuzz;
mod links;
mod mutants;
mod package;
mod python;
mod reproduce;
mod shell;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  test                    run everything CI runs: format, lints, tests, documentation; install what is missing
  wheel                   build the Python package's wheel into target/wheels
  attack [N]              compare the built program with the verifier on N random cases per family (default 20,000)
  docs [--check]          write (or check) generated files: the JSON Schema of releases, the page of commands, the
                          reference of the Python package, the public names; --check also checks links
  bench accuracy          compare errors and calibration of boosted trees with those of single trees and LightGBM
  bench audit [--keep]    benchmark audits of tables against pycanon and DuckDB; --keep keeps temporary files
  bench boost [--keep]    benchmark boosted trees from up to ten million rows against LightGBM
  bench clusters [--keep] benchmark clusters of up to a million points against scikit-learn
  bench loss [--keep]     compare what tables lose with ARX's local recoding (INCROWD_ARX: a class path with ARX)
  bench python [--keep]   benchmark the Python package against pycanon, anonypy, anjana and the Rust library
  bench read [--keep]     benchmark reading CSV against polars
  bench rules [--keep]    benchmark association rules against mlxtend
  bench shapes [--full]   benchmark trees from tables of many shapes against LightGBM; --full includes large tables
  bench small             compare the errors of trees on small data sets with scikit-learn's and LightGBM's
  bench table [--keep]    benchmark anonymized tables from up to ten million rows
  bench tree [--keep]     benchmark trees from up to ten million rows against LightGBM, scikit-learn and Weka's J48
  differential N          compare foreign models and exports with other programs on N random cases per family
  fuzz MINUTES            fuzz all file readers, and audit what was read; failing inputs are kept
  mutants [N]             test a random sample of N mutants of the privacy-critical code (default 360)
  reproduce [divisions]   repeat the papers' experiments and write docs/reproduction.md and docs/divisions.md; an
                          interrupted run is resumed";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::run(),
        ["wheel"] => package::release_wheel(),
        ["attack"] => attack::run(None),
        ["attack", cases] => attack::run(Some(cases)),
        ["differential", cases] => differential::run(cases),
        ["fuzz", minutes] => fuzz::run(minutes),
        ["mutants"] => mutants::run(None),
        ["mutants", size] => mutants::run(Some(size)),
        ["reproduce"] => reproduce::run(None),
        ["reproduce", "divisions"] => reproduce::run(Some("divisions")),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["bench", name] => bench::bench(name, false),
        ["bench", "shapes", "--full"] => bench::all_shapes(),
        ["bench", name, "--keep"] => bench::bench(name, true),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
