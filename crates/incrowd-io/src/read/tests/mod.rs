//! Tests of the readers: against a naive twin, on benchmark data, on wrong files and on random bytes.

mod arff;
mod baskets;
mod data;
mod errors;
#[cfg(feature = "xlsx")]
mod excel;
mod inputs;
mod look;
mod naive;
mod parquet;
mod robust;
mod spelling;
mod twin;

use super::source::Sizes;
use super::{TableRead, read_sized};
use crate::plan::{ColumnPlan, ReadPlan};
use incrowd_core::Result;
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that is gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("incrowd-io-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = self.0.parent().map(std::fs::remove_dir_all);
    }
}

fn read(name: &str, text: impl AsRef<[u8]>, plan: &ReadPlan) -> Result<TableRead> {
    let file = Scratch::new(name, text.as_ref());
    read_sized(file.path(), plan, 2, Sizes::default(), &Silent)
}

fn small(block: usize) -> Sizes {
    Sizes { block, record: 1 << 16 }
}

/// A column as text, `NA` where missing.
fn texts(table: &Table, name: &str) -> Vec<String> {
    let column = table.require(name).unwrap();
    (0..column.len())
        .map(|row| match column.code(row) {
            code if code == column.missing_code() => "NA".to_owned(),
            code => column.values().text(code as usize).into_owned(),
        })
        .collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn with_columns(columns: impl IntoIterator<Item = (&'static str, ColumnPlan)>) -> ReadPlan {
    let columns = columns.into_iter().map(|(name, plan)| (name.to_owned(), plan)).collect();
    ReadPlan { columns, ..ReadPlan::default() }
}
