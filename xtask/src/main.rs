//! The project's chores: `cargo xtask test`, `cargo xtask bench audit`, `cargo xtask docs`.

mod bench;
mod docs;
mod python;
mod shell;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  test                 format, lints, tests, documentation: everything CI runs; installs what it needs
  bench audit [ROWS]   the audit side by side with pycanon and DuckDB
  bench read [ROWS]    reading CSV side by side with polars
  docs [--check]       write (or check) what is generated: the JSON Schema of releases";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::run(),
        ["bench", "audit", rest @ ..] => bench::audit::run(rest),
        ["bench", "read", rest @ ..] => bench::read::run(rest),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
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
