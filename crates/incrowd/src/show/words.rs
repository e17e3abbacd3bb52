//! Names and numbers in pictures.

pub use incrowd_eval::words::{count, counted, percent};
pub(super) use incrowd_eval::words::{plain, shortened, width};

/// "1 leaf", "2 leaves".
pub(super) fn leaves(number: u32) -> String {
    if number == 1 { "1 leaf".to_owned() } else { format!("{} leaves", count(u64::from(number))) }
}
