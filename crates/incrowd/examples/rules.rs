//! Mine association rules under k = 20. Run with `cargo run -p incrowd --example rules`.

use incrowd::samples::{clinic, clinic_policy};
use incrowd::{Dataset, Result};

fn main() -> Result<()> {
    let data = Dataset::of_table(clinic(2_000, 1), clinic_policy());
    let rules = data.rules().k(20).min_support(0.05).min_confidence(0.5).max_length(3).mine()?;
    for rule in rules.useful.iter().take(5) {
        println!("{} -> {}", rule.antecedent.join(", "), rule.consequent.join(", "));
    }
    println!("{} rules released, {} left out", rules.useful.len(), rules.left_out.len());
    Ok(())
}
