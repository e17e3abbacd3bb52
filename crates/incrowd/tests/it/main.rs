//! Learners by name, and on the benchmark data, held against another program; methods against published figures.

mod areas;
// The reader of the benchmark data is the miners'.
#[path = "../../../incrowd-mine/tests/it/benchmark.rs"]
#[allow(dead_code, reason = "not everything of it is needed here")]
mod benchmark;
mod cancelling;
mod earlier;
mod facade;
mod inducers;
mod weka;
