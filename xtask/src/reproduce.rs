//! `cargo xtask reproduce`: repeats the papers' experiments and writes the results to the docs.

use crate::python;
use crate::shell::{self, Done, command, data, root};

/// Runs all experiments, or with `divisions` only the trees over ten divisions.
pub(crate) fn run(part: Option<&str>) -> Done {
    let data =
        data().ok_or("the benchmark data is missing: put it next to the project, or set INCROWD_DATA")?;
    let python = python::environment(&[python::TEST, python::BENCH].concat())?;
    let work = root().join("target/reproduce");
    std::fs::create_dir_all(&work).map_err(|error| error.to_string())?;
    let program = ["run", "--release", "--package", "incrowd-bench", "--bin", "reproduce", "--"];
    let places = [data, work, root().join("docs"), python, root().join("xtask/peers/today.py")];
    shell::run(command("cargo", &program).args(places).args(part))
}
