//! Make an anonymized table, and recode new rows like it. Run with `cargo run -p incrowd --example table`.

use incrowd::mine::table::TableMethod;
use incrowd::samples::{clinic, clinic_policy};
use incrowd::{Dataset, Result};

fn main() -> Result<()> {
    let data = Dataset::of_table(clinic(5_000, 1), clinic_policy());
    let table = data.table().k(10).method(TableMethod::Mondrian).mine()?;
    println!(
        "{} rows in {} groups, loss {:.3}",
        table.summary.rows,
        table.summary.groups,
        table.summary.loss.unwrap_or(f64::NAN)
    );

    let recoded = table.transform(&clinic(3, 2))?;
    println!("new rows in the recoding of the release: {} columns", recoded.columns().len());
    Ok(())
}
