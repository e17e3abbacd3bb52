//! Fuzz targets: every reader of files, and the audit of what was read.
//!
//! A [`Target`] takes the bytes of a file and must return, whatever they are: no panic, no endless work, no memory
//! beyond the stated bounds. Inputs are valid files (`seeds`) that were changed (`mutate`) at the places that matter to
//! a reader: numbers, names, brackets, whole parts. All of it follows from one number, so a run can be repeated
//! (`run`).
//!
//! Runs need the stable toolchain only and know nothing of coverage. A fuzzer guided by coverage can call
//! [`Target::run`] with its own bytes: targets are plain functions.

mod mutate;
mod run;
mod seeds;
mod targets;

pub use mutate::mutated;
pub use run::{Finding, fuzz, inputs_of};
pub use targets::{Target, targets};
