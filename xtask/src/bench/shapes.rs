//! `cargo xtask bench shapes`: trees from tables of many shapes, against one `LightGBM` tree each. One thing is changed
//! at a time, so that a line that is slow for its size shows what it is slow in.

use super::{Bench, number, ours};
use crate::shell::{Done, command, root, run as show};

const THREADS: &str = "2";

/// A line that takes more than this many times as long per cell as the median is marked.
const CLIFF: f64 = 3.0;

/// A table, and what is required of its tree.
#[derive(Debug, Clone, Copy)]
struct Shape {
    rows: u64,
    columns: u64,
    names: u64,
    classes: u64,
    rows_per_subject: f64,
    /// The percentage of private attributes.
    private: u64,
    k: u64,
    require: &'static str,
}

/// What is changed one by one.
const USUAL: Shape = Shape {
    rows: 50_000,
    columns: 20,
    names: 20,
    classes: 2,
    rows_per_subject: 1.0,
    private: 0,
    k: 10,
    require: "k",
};

/// Like a hospital's table: many columns, most of them nearly constant, some with hundreds of names, several stays of
/// some patients.
const HOSPITAL: Shape =
    Shape { rows: 68_000, columns: 47, names: 750, classes: 3, rows_per_subject: 1.3, k: 5, ..USUAL };

fn shapes(full: bool) -> Vec<Shape> {
    let usual = USUAL;
    let mut all = vec![usual];
    let rows: &[u64] = if full { &[10_000, 100_000, 1_000_000, 10_000_000] } else { &[10_000, 500_000] };
    all.extend(rows.iter().map(|&rows| Shape { rows, ..usual }));
    let columns: &[u64] = if full { &[5, 50, 100, 200] } else { &[5, 100] };
    all.extend(columns.iter().map(|&columns| Shape { columns, ..usual }));
    let names: &[u64] = if full { &[2, 100, 1_000, 10_000] } else { &[1_000, 10_000] };
    all.extend(names.iter().map(|&names| Shape { names, ..usual }));
    let classes: &[u64] = if full { &[3, 10, 50] } else { &[3, 10] };
    all.extend(classes.iter().map(|&classes| Shape { classes, ..usual }));
    all.extend([2, 100, 1_000, 5_000].map(|k| Shape { k, ..usual }));
    all.extend([1.3, 5.0].map(|rows_per_subject| Shape { rows_per_subject, ..usual }));
    all.extend([20, 60].map(|private| Shape { private, ..usual }));
    let requirements = ["confidence", "distinct", "bins"];
    all.extend(requirements.map(|require| Shape { private: 40, require, ..usual }));
    all.extend([5, 50, 500].map(|k| Shape { k, ..HOSPITAL }));
    all.push(Shape { private: 60, k: 11, require: "confidence", ..HOSPITAL });
    all
}

pub(super) fn run(bench: &Bench, full: bool) -> Done {
    println!(
        "| rows | columns | names | classes | rows per subject | private % | k | requires | seconds | processor seconds | \
         peak MB | leaves | ns per cell | against LightGBM |"
    );
    println!("|{}", " ---: |".repeat(14));
    let mut each = Vec::new();
    for shape in shapes(full) {
        each.push((shape, shape.measure(bench)?));
    }
    let mut sorted: Vec<f64> = each.iter().map(|&(_, per_cell)| per_cell).collect();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    println!("\nmedian: {median:.0} ns per cell; more than {CLIFF} times as slow:");
    for (shape, per_cell) in each.iter().filter(|(_, per_cell)| *per_cell > CLIFF * median) {
        println!("- {:.1} times: {shape:?}", per_cell / median);
    }
    Ok(())
}

impl Shape {
    /// Prints a line, and returns the nanoseconds per cell.
    fn measure(&self, bench: &Bench) -> Result<f64, String> {
        let Self { rows, columns, names, classes, rows_per_subject, private, k, require } = *self;
        let file = format!("shape-{rows}-{columns}-{names}-{classes}-{rows_per_subject}");
        let sizes = [rows, columns, names, classes].map(|size| size.to_string());
        let [rows_text, columns_text, names_text, classes_text] = sizes.each_ref().map(String::as_str);
        let per_subject = rows_per_subject.to_string();
        let files = bench.file(&file, |path| {
            let made = [path, rows_text, columns_text, names_text, classes_text, &per_subject];
            show(command(root().join("target/release/shapes_bench"), &["make"]).args(made))
        })?;
        let (path, k_text) = (files.name(), k.to_string());
        let mined = ours("shapes_bench", &["mine", &path, &k_text, &private.to_string(), require])?;
        let theirs = bench.peer("lightgbm_tree.py", &[&path, &k_text, THREADS])?;
        let (seconds, cpu) = (number(&mined, "seconds")?, number(&mined, "cpu_seconds")?);
        let (peak, leaves) = (number(&mined, "peak_bytes")? / 1e6, number(&mined, "leaves")?);
        let per_cell = seconds * 1e9 / (rows * columns) as f64;
        let ratio = seconds / number(&theirs, "seconds")?;
        println!(
            "| {rows} | {columns} | {names} | {classes} | {rows_per_subject} | {private} | {k} | {require} | {seconds:.2} | \
             {cpu:.2} | {peak:.0} | {leaves} | {per_cell:.0} | {ratio:.1} |"
        );
        Ok(per_cell)
    }
}
