//! Find clusters under k = 10. Run with `cargo run -p incrowd --example clusters`.

use incrowd::samples::{clinic, clinic_policy};
use incrowd::{Dataset, Result};

fn main() -> Result<()> {
    let data = Dataset::of_table(clinic(2_000, 1), clinic_policy());
    let clusters = data.clusters().k(10).clusters(5).attributes(["age", "blood-pressure"]).mine()?;
    for centroid in clusters.clusters.centroids() {
        println!("{:?}: {:?} individuals", centroid.center, centroid.population);
    }
    Ok(())
}
