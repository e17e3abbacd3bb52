mod errors;
mod files;
mod random;

use super::*;

/// The text of a file in the documentation.
fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// The JSON blocks of the format's description, in its order: tree, clusters, rules, table, ensemble.
fn examples() -> Vec<String> {
    let text = document("releases.md");
    let blocks = text.split("```json\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

fn parse(text: &str) -> Result<Release> {
    parse_release(text, Path::new("release.json"))
}
