//! The bridge between the library incrowd and its Python package.
//!
//! It is thin: frames come in and go out by Arrow's C stream interface, reports as JSON, predictions as bytes; the
//! package `python/incrowd` makes of these what Python programmers expect. Work runs in a thread of its own without the
//! interpreter's lock, while the calling thread looks for signals and reports progress ([`work`]).

mod dataset;
mod error;
mod frame;
mod model;
mod profile;
mod recoding;
mod request;
mod table;
mod work;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule]
mod _bridge {
    #[pymodule_export]
    use super::dataset::{Dataset, audit_files, audit_model, audit_table};
    #[pymodule_export]
    use super::frame::{cell_texts, number_words};
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::profile::profile;
    #[pymodule_export]
    use super::recoding::{Recoding, Rows};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::{choices, policy, set_threads};
}

/// Reads a policy and returns its roles, class, subject and guarantee as JSON. `folder` is where taxonomy files are.
#[pyfunction]
fn policy(text: &str, folder: &str) -> PyResult<String> {
    request::about(text, folder).map_err(error::raised)
}

/// The names that can be chosen for a parameter, such as the methods of trees.
#[pyfunction]
fn choices(of: &str) -> Vec<&'static str> {
    request::choices(of)
}

/// Sets the number of threads.
#[pyfunction]
fn set_threads(threads: usize) -> PyResult<()> {
    incrowd::set_threads(threads).map_err(error::raised)
}
