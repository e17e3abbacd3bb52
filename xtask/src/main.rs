//! The project's chores: `cargo xtask test`, `cargo xtask docs`, `cargo xtask bench`.

mod api;
mod attack;
mod bench;
mod browser;
mod differential;
mod docs;
mod fuzz;
mod links;
mod mutants;
mod python;
mod reproduce;
mod shell;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  test                 format, lints, tests, documentation: everything CI runs; installs what it needs
  attack [N]           the built program against the verifier: N random cases per family, 20,000 if not given
  docs [--check]       write (or check) what is generated: the JSON Schema of releases, the page of commands, the public names;
                       check links
  bench audit [--keep] audits of tables side by side with pycanon and DuckDB
  bench clusters [--keep] clusters of up to a million points side by side with scikit-learn
  bench read [--keep]  reading CSV side by side with polars; --keep leaves the files it made
  bench rules [--keep] association rules side by side with mlxtend
  bench table [--keep] anonymized tables from up to ten million rows
  bench tree [--keep]  trees from up to ten million rows side by side with LightGBM, scikit-learn and Weka's J48
  differential N       foreign models and exports against their makers' programs, N random cases of each family
  fuzz MINUTES         every reader of files on changed files, and the audit of what was read; inputs that break something are kept
  mutants [N]          a random sample of N mutants of what decides whether something is safe, 360 if not given
  reproduce [divisions] the papers' experiments, written into docs/reproduction.md and docs/divisions.md; goes on where it was interrupted";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::run(),
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
