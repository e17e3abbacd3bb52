//! Train boosted trees under k = 10, measure their error on other rows, and draw them. Run with
//! `cargo run --release -p incrowd --example boost`.

use incrowd::predict::{calibration, evaluate_labels};
use incrowd::samples::{clinic, clinic_policy};
use incrowd::{Dataset, Existing, Result};

fn main() -> Result<()> {
    let data = Dataset::of_table(clinic(5_000, 1), clinic_policy());
    let boosted = data.boost().k(10).mine()?;
    println!("{} trees, k = {}", boosted.model().trees().len(), boosted.report().k);

    let (others, class) = (clinic(2_000, 2), boosted.model().class());
    let predicted = boosted.predict(&others)?;
    let label_of_row = |row: usize| predicted.label_of_row[row];
    if let Some(evaluation) = evaluate_labels(&others, class, label_of_row) {
        println!("{:.1} % of the patients of another year are predicted wrongly", 100.0 * evaluation.error());
    }
    if let Some(fit) = calibration(&others, class, &predicted.label_of_row, &predicted.shares) {
        println!("log loss {:.3}, calibration error {:.3}", fit.log_loss, fit.calibration_error);
    }

    let folder = std::env::temp_dir();
    let file = folder.join("incrowd-example-boost.json");
    boosted.write_as(&file, Existing::Replace)?;
    std::fs::write(folder.join("incrowd-example-boost.svg"), boosted.show()?).expect("a picture");
    println!(
        "the audit of the file: {}",
        if incrowd::audit(&file, &data)?.holds { "holds" } else { "fails" }
    );
    Ok(())
}
