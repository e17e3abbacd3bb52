//! `cargo xtask reproduce`: the papers' experiments, redone and written into the docs.

use crate::python;
use crate::shell::{self, Done, command, data, root};

/// Runs them; or, with `divisions`, trees by ten divisions alone.
pub(crate) fn run(part: Option<&str>) -> Done {
    let data =
        data().ok_or("the benchmark data is not there: put it beside the project, or set INCROWD_DATA")?;
    let python = python::environment(&[python::TEST, python::BENCH].concat())?;
    let work = root().join("target/reproduce");
    std::fs::create_dir_all(&work).map_err(|error| error.to_string())?;
    let program = ["run", "--release", "--package", "incrowd-bench", "--bin", "reproduce", "--"];
    let places = [data, work, root().join("docs"), python, root().join("xtask/peers/today.py")];
    shell::run(command("cargo", &program).args(places).args(part))
}
