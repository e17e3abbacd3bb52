//! The mutants of the privacy-critical code, as listed by cargo-mutants.

use crate::shell::{command, output};
use serde_json::Value;

/// The mutated files: the audit and what it depends on, and the miners' checks of the guarantee.
const FILES: [&str; 14] = [
    "crates/incrowd-core/src/audit/**",
    "crates/incrowd-core/src/guarantee/**",
    "crates/incrowd-core/src/policy*",
    "crates/incrowd-core/src/printed*",
    "crates/incrowd-core/src/span/**",
    "crates/incrowd-mine/src/clusters/judge.rs",
    "crates/incrowd-mine/src/rules/spans.rs",
    "crates/incrowd-mine/src/rules/watch.rs",
    "crates/incrowd-mine/src/table/borrow.rs",
    "crates/incrowd-mine/src/table/mend.rs",
    "crates/incrowd-mine/src/table/watch.rs",
    "crates/incrowd-mine/src/tree/spans.rs",
    "crates/incrowd-mine/src/tree/ties.rs",
    "crates/incrowd-mine/src/tree/watch/**",
];

/// How a mutant changes the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// A function returns this immediately.
    Body,
    /// A binary operator is replaced.
    Operator,
    /// A unary operator is removed.
    Unary,
    /// A guard of a match is constant.
    Guard,
}

/// A mutant.
#[derive(Debug, Clone)]
pub(super) struct Mutant {
    /// Its number, which switches it on in the tests of the copy.
    pub(super) id: u32,
    /// Its description, with file and line.
    pub(super) name: String,
    pub(super) file: String,
    pub(super) change: Change,
    pub(super) replacement: String,
    /// Line and column, counted from 1, of its start and end.
    pub(super) from: (usize, usize),
    pub(super) to: (usize, usize),
}

/// All mutants that can become a branch, in the order of files and lines.
pub(super) fn all() -> Result<Vec<Mutant>, String> {
    let mut arguments = vec!["mutants", "--workspace", "--list", "--json"];
    arguments.extend(FILES.iter().flat_map(|file| ["--file", file]));
    let text = output(&mut command("cargo", &arguments))
        .map_err(|error| format!("{error}\nhelp: cargo install cargo-mutants"))?;
    let listed: Vec<Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut mutants: Vec<Mutant> = listed.iter().filter_map(mutant).collect();
    mutants.sort_by(|a, b| (&a.file, a.from, &a.name).cmp(&(&b.file, b.from, &b.name)));
    for (id, mutant) in mutants.iter_mut().enumerate() {
        mutant.id = id as u32 + 1;
    }
    Ok(mutants)
}

/// A random sample, the same for the same seed.
pub(super) fn sample(all: &[Mutant], size: usize, seed: u64) -> Vec<Mutant> {
    let mut ordered: Vec<&Mutant> = all.iter().collect();
    ordered.sort_by_key(|mutant| mixed(seed.wrapping_mul(0x1_0000_0000).wrapping_add(u64::from(mutant.id))));
    ordered.truncate(size);
    ordered.sort_by_key(|mutant| mutant.id);
    ordered.into_iter().cloned().collect()
}

/// The finalizer of `SplitMix64`.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn mutant(listed: &Value) -> Option<Mutant> {
    let change = match listed["genre"].as_str()? {
        // Returning another iterator early would have another type.
        "FnValue" if listed["function"]["return_type"].as_str()?.contains("impl ") => return None,
        "FnValue" => Change::Body,
        "BinaryOperator" => Change::Operator,
        "UnaryOperator" => Change::Unary,
        "MatchArmGuard" => Change::Guard,
        _ => return None,
    };
    let place = |end: &str| {
        let place = &listed["span"][end];
        Some((place["line"].as_u64()? as usize, place["column"].as_u64()? as usize))
    };
    Some(Mutant {
        id: 0,
        name: listed["name"].as_str()?.to_owned(),
        file: listed["file"].as_str()?.to_owned(),
        change,
        replacement: listed["replacement"].as_str()?.to_owned(),
        from: place("start")?,
        to: place("end")?,
    })
}
