//! `cargo xtask attack`: compares the built program with the verifier on many random cases (`docs/attack.md`).

use crate::shell::{self, Done, command};

const CASES: &str = "20000";

pub(crate) fn run(cases: Option<&str>) -> Done {
    let cases = cases.unwrap_or(CASES);
    cases.parse::<u32>().map_err(|_| format!("`{cases}` is not a number of cases"))?;
    shell::run(&mut command("cargo", &["build", "--release", "--package", "incrowd-cli"]))?;
    let script = ["verify/attack.py", "target/release/incrowd", "--out", "target/attack", "--cases", cases];
    shell::run(&mut command("python3", &script))
}
