//! The library of incrowd.
pub use incrowd_core as core;
