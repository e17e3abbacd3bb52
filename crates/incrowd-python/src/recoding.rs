//! The recoding of a table, applied to new rows.

use crate::error::raised;
use crate::frame::{capsule, frame};
use crate::request::policy;
use crate::work::{Follower, run};
use incrowd::io::{parse_recoding, recoding_text, to_batch};
use incrowd::recoding::Shown;
use incrowd::{Error, OpenOptions};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// The recoding of a table.
#[pyclass(frozen)]
pub(crate) struct Recoding {
    recoding: Arc<incrowd::recoding::Recoding>,
}

impl Recoding {
    pub(crate) fn new(recoding: incrowd::recoding::Recoding) -> Self {
        Self { recoding: Arc::new(recoding) }
    }
}

#[pymethods]
impl Recoding {
    /// Reads a recoding from its text.
    #[staticmethod]
    fn load(text: &str) -> PyResult<Self> {
        Ok(Self::new(parse_recoding(text).map_err(raised)?))
    }

    /// The text of the recoding: the cells of the released table and what they cover, nothing else.
    fn text(&self) -> PyResult<String> {
        recoding_text(&self.recoding).map_err(raised)
    }

    /// The names of the recoded columns.
    #[getter]
    fn attributes(&self) -> Vec<String> {
        self.recoding.legend().attributes.iter().map(|attribute| attribute.name.clone()).collect()
    }

    /// The number of groups.
    #[getter]
    fn groups(&self) -> usize {
        self.recoding.groups()
    }

    /// The texts of each column's cells: numbers and dates ascending, names by the alphabet.
    fn texts(&self) -> Vec<Vec<String>> {
        self.recoding.texts()
    }

    /// The recoded columns of new rows, and how many rows are covered, as JSON. They show cells or, if asked for, what
    /// stands for them.
    #[pyo3(signature = (table, policy_text, folder, representatives=false, watch=None))]
    fn transform(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        policy_text: &str,
        folder: &str,
        representatives: bool,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Rows, String)> {
        let stated = policy(policy_text, folder).map_err(raised)?;
        let (recoding, frame) = (Arc::clone(&self.recoding), frame(table, None)?);
        let shown = if representatives { Shown::Representatives } else { Shown::Cells };
        let follower = Follower::new();
        let options = OpenOptions::new().progress(Arc::clone(&follower) as _);
        run(py, &follower, watch, move || {
            let (rows, counts) = options.recode_frame(frame, &recoding, shown, Some(&stated))?;
            let counts =
                serde_json::to_string(&counts).map_err(|_| Error::internal("counts cannot be written"))?;
            Ok((Rows { rows }, counts))
        })
    }
}

/// Recoded rows.
#[pyclass(frozen)]
pub(crate) struct Rows {
    rows: incrowd::table::Table,
}

#[pymethods]
impl Rows {
    /// The rows by Arrow's C stream interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the request.
        let _ = requested_schema;
        capsule(py, to_batch(&self.rows).map_err(raised)?)
    }
}
