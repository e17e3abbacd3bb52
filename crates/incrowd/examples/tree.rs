//! Train a decision tree under k = 10, write it, and audit the file. Run with `cargo run -p incrowd --example tree`.

use incrowd::samples::{clinic, clinic_policy};
use incrowd::{Dataset, Result};

fn main() -> Result<()> {
    let data = Dataset::of_table(clinic(5_000, 1), clinic_policy());
    let tree = data.tree().k(10).confidence(0.95).max_leaves(30).mine()?;
    println!("{} leaves, k = {}", tree.summary.leaves, tree.report().k);

    let others = clinic(1_000, 2);
    let predictions = tree.predict(&others)?;
    println!("{} patients of another year were predicted", predictions.node_of_row.len());

    let file = std::env::temp_dir().join("incrowd-example-tree.json");
    tree.write_as(&file, incrowd::Existing::Replace)?;
    println!(
        "the audit of the file: {}",
        if incrowd::audit(&file, &data)?.holds { "holds" } else { "fails" }
    );
    Ok(())
}
