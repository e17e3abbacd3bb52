//! Errors as the exceptions of the package.

use incrowd::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The exception for an error.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
pub(crate) fn raised(error: Error) -> PyErr {
    Python::attach(|py| exception(py, &error).unwrap_or_else(|failed| failed))
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let place = &error.place;
    let details = PyDict::new(py);
    details.set_item("help", error.help.as_deref().map(in_python))?;
    details.set_item("attribute", place.attribute.as_deref())?;
    details.set_item("parameter", place.parameter)?;
    details.set_item("file", place.file.as_ref().map(|file| file.display().to_string()))?;
    details.set_item("line", place.line)?;
    let mut bare = error.clone();
    bare.help = None;
    let class = py.import("incrowd._errors")?.getattr(class_of(error.kind))?;
    Ok(PyErr::from_value(class.call((bare.to_string(),), Some(&details))?))
}

fn class_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Input => "InputError",
        ErrorKind::Parameters => "ParameterError",
        ErrorKind::Breach => "Breach",
        ErrorKind::Unsatisfiable => "Unsatisfiable",
        ErrorKind::Io => "FileError",
        ErrorKind::Limit => "LimitError",
        _ => "InternalError",
    }
}

/// Keys of policies as the package spells them: `missing-rows` is `missing_rows`.
fn in_python(help: &str) -> String {
    let is_key = |part: &str| part.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let mut parts: Vec<String> = help.split('`').map(str::to_owned).collect();
    for part in parts.iter_mut().skip(1).step_by(2).filter(|part| is_key(part)) {
        *part = part.replace('-', "_");
    }
    parts.join("`")
}
