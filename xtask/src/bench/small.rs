//! `cargo xtask bench small`: the errors of trees on small data sets, beside those of scikit-learn and `LightGBM` on
//! the same splits. What the others do is kept: only our own trees are mined again.

use super::Bench;
use crate::shell::{Done, cache, command, data, output, root, run as show};
use serde_json::{Map, Value};
use std::path::Path;

const SPLITS: &str = "20";

/// The trees on noise.
const SEEDS: &str = "30";

/// Compares the errors.
pub(super) fn run(bench: &Bench) -> Done {
    let data =
        data().ok_or("the benchmark data is missing (set INCROWD_DATA)")?.to_string_lossy().into_owned();
    let folder = cache().join("bench-small");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let peers = folder.join("peers.json");
    if !peers.exists() {
        score_peers(bench, &data, &folder, &peers)?;
    }
    let program = root().join("target/release/small");
    show(&mut command(&program, &["score", &data, &peers.to_string_lossy(), SPLITS]))?;
    show(&mut command(&program, &["noise", SEEDS]))
}

/// Writes the errors of the others, set by set.
fn score_peers(bench: &Bench, data: &str, folder: &Path, peers: &Path) -> Done {
    let name = folder.to_string_lossy();
    output(&mut command(root().join("target/release/small"), &["divide", data, &name, SPLITS]))?;
    let mut sets: Vec<String> = std::fs::read_dir(folder)
        .map_err(|error| error.to_string())?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    sets.sort_unstable();
    let mut all = Map::new();
    for set in sets {
        let Value::Object(found) = bench.peer("small_peers.py", &[&name, "0", SPLITS, &set])? else {
            return Err("the errors are not named".to_owned());
        };
        all.extend(found);
    }
    std::fs::write(peers, Value::Object(all).to_string()).map_err(|error| error.to_string())
}
