//! Profiles of tables.

use crate::frame::{Source, frame};
use crate::work::{Follower, run};
use incrowd::{DataProfile, Error, OpenOptions, Result};
use pyo3::prelude::*;
use std::sync::Arc;

/// Measures how identifying a table is. Returns the profile as JSON, and the text of a first policy.
#[pyfunction]
#[pyo3(signature = (source, *, few=None, watch=None))]
pub(crate) fn profile(
    py: Python<'_>,
    source: Source<'_>,
    few: Option<u64>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let follower = Follower::new();
    let options = OpenOptions::new().progress(Arc::clone(&follower) as _);
    let with_few = move |job: incrowd::ProfileJob| match few {
        Some(few) => job.few(few),
        None => job,
    };
    match source {
        Source::File(path) => {
            run(py, &follower, watch, move || written(&with_few(options.profile(path)).run()?))
        }
        Source::Frame(object) => {
            let frame = frame(&object, None)?;
            run(py, &follower, watch, move || written(&with_few(options.profile_frame(frame)?).run()?))
        }
    }
}

fn written(profile: &DataProfile) -> Result<(String, String)> {
    let json = serde_json::to_string(profile).map_err(|_| Error::internal("a profile cannot be written"))?;
    Ok((json, profile.policy().render()))
}
