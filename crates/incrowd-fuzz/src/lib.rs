//! Fuzz targets: every file reader, and the audit of the result.
//!
//! A [`FuzzTarget`] takes the bytes of a file and must return, whatever they are: no panic, no endless work, no memory
//! beyond the stated bounds. Inputs are valid files (`seeds`) that were changed (`mutate`) at the places that matter to
//! a reader: numbers, names, brackets, whole parts. Everything follows from one number, so a run can be repeated
//! (`run`).
//!
//! Runs need only the stable toolchain and do not use coverage. A coverage-guided fuzzer can call [`FuzzTarget::run`]
//! with its own bytes: targets are plain functions.

mod mutate;
mod run;
mod seeds;
mod targets;

pub use mutate::mutated;
pub use run::{Finding, fuzz, inputs_of};
pub use targets::{FuzzTarget, targets};
