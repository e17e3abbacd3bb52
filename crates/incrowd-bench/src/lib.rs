//! Benchmarks of incrowd, and the figures of its papers redone: programs that `cargo xtask bench` and
//! `cargo xtask reproduce` run.
