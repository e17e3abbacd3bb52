//! Writes a report of synthetic figures to standard output: `cargo run -p incrowd-eval --example report_sample >
//! report.html`.

#[path = "../tests/it/sample.rs"]
mod sample;

fn main() {
    println!("{}", incrowd_eval::report::html(&sample::comparison()));
}
