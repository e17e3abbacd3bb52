//! Reads a table and prints the cost as one line of JSON: `read_bench PATH [THREADS]`.

use incrowd_core::progress::Silent;
use incrowd_io::{ReadPlan, read_table};
use std::path::Path;
use std::time::Instant;

/// The most memory the process ever held, in bytes, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let threads = arguments.next().and_then(|threads| threads.parse().ok()).unwrap_or(0);
    let start = Instant::now();
    match read_table(Path::new(&path), &ReadPlan::default(), threads, &Silent) {
        Ok(read) => {
            let seconds = start.elapsed().as_secs_f64();
            let report = serde_json::json!({
                "seconds": seconds,
                "rows": read.rows_read,
                "table_bytes": read.table.bytes(),
                "peak_bytes": peak_memory(),
            });
            println!("{report}");
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    }
}
