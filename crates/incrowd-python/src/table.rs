//! Anonymized tables.

use crate::dataset::json_of;
use crate::error::raised;
use crate::frame::capsule;
use crate::recoding::Recoding;
use crate::work::{Follower, run};
use incrowd::io::to_batch;
use incrowd::mine::table::MinedTable;
use incrowd::{Audited, Existing};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// An anonymized table that passed its audit.
#[pyclass(frozen)]
pub(crate) struct Table {
    audited: Arc<Audited<MinedTable>>,
}

impl Table {
    pub(crate) fn of_audited(audited: Audited<MinedTable>) -> Self {
        Self { audited: Arc::new(audited) }
    }
}

#[pymethods]
impl Table {
    /// The report of the audit that it passed, as JSON.
    #[getter]
    fn report(&self) -> PyResult<String> {
        json_of(self.audited.report()).map_err(raised)
    }

    /// Figures for the owner, as JSON.
    #[getter]
    fn summary(&self) -> String {
        let (audited, summary) = (&self.audited, &self.audited.summary);
        json!({
            "rows": summary.rows,
            "rows_lost": summary.rows_lost,
            "rows_left_out": audited.rows_left_out(),
            "k": summary.k,
            "groups": summary.groups,
            "exposed": summary.exposed,
            "max_confidence": summary.max_confidence,
            "suppressed": summary.suppressed,
            "swapped": summary.swapped,
            "loss": summary.loss,
            "guarantee": audited.guarantee(),
            "weakened": audited.weakened(),
            "warnings": audited.warnings(),
        })
        .to_string()
    }

    /// Writes the table, and its release file next to it.
    fn write(&self, py: Python<'_>, path: PathBuf, replace: bool) -> PyResult<()> {
        let existing = if replace { Existing::Replace } else { Existing::Keep };
        let audited = Arc::clone(&self.audited);
        run(py, &Follower::new(), None, move || audited.write_as(path, existing).map(|_| ()))
    }

    /// How new rows are recoded like the table.
    #[getter]
    fn recoding(&self) -> Recoding {
        Recoding::new(self.audited.recoding.clone())
    }

    /// The table by Arrow's C stream interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the request.
        let _ = requested_schema;
        let audited = Arc::clone(&self.audited);
        let batch = run(py, &Follower::new(), None, move || to_batch(&audited.table))?;
        capsule(py, batch)
    }
}
