//! Repeats the papers' experiments and writes down the results: what `cargo xtask reproduce` runs.
//!
//! `reproduce DATA WORK OUT [PYTHON PEERS [divisions]]`: the benchmark data, a folder for intermediate results (an
//! interrupted run continues there), the folder of the docs, and, for the comparison with current software, an
//! interpreter with these packages and the script that drives them; `divisions` for the page of ten divisions alone.

mod divisions;
mod kactus;
mod markdown;
mod noise;
mod published;
mod sets;
mod today;
mod vldb;

use incrowd::{Error, Result};
use std::path::PathBuf;
use std::process::ExitCode;

/// Where things are.
struct Places {
    data: PathBuf,
    work: PathBuf,
    peers: Option<Peers>,
}

/// An interpreter with packages in current use, and the script that drives them.
type Peers = (PathBuf, PathBuf);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [data, work, docs, rest @ ..] = arguments.as_slice() else {
        return Err(Error::input("usage: reproduce DATA WORK DOCS [PYTHON PEERS]"));
    };
    let peers = match rest {
        [python, script, ..] => Some((python.clone(), script.clone())),
        _ => None,
    };
    let places = Places { data: data.clone(), work: work.clone(), peers };
    write(&docs.join("divisions.md"), &divisions::page(&places)?)?;
    if rest.len() > 2 {
        return Ok(());
    }
    let (tables, picture) = kactus::sections(&places)?;
    let parts = [
        include_str!("head.md").to_owned(),
        tables,
        vldb::section(&places)?,
        noise::section(&places)?,
        today::section(&places)?,
    ];
    write(&docs.join("images/accuracy-over-k.svg"), &picture)?;
    write(&docs.join("reproduction.md"), &parts.join("\n"))
}

fn write(path: &std::path::Path, text: &str) -> Result<()> {
    incrowd_io::write::write_new(path, true, |out| std::io::Write::write_all(out, text.as_bytes()))
}
