//! Times the audit of a clinic table: `audit_bench ROWS`.

use incrowd_core::audit::audit_table;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::samples::{clinic, clinic_policy};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = std::env::args().nth(1).map_or(Ok(1_000_000), |rows| rows.parse())?;
    let start = Instant::now();
    let table = clinic(rows, 1);
    println!("made {rows} rows in {:.2} s", start.elapsed().as_secs_f64());
    for _ in 0..3 {
        let start = Instant::now();
        let report = audit_table(&table, &clinic_policy(), &Guarantee::k_anonymity(2)?)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "audited in {seconds:.3} s: k = {}, {} spans, {} exposed",
            report.k, report.spans, report.exposed
        );
    }
    Ok(())
}
