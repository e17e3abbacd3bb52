//! Frames by Arrow's C stream interface, as Python passes it around in capsules.

use crate::error::raised;
use crate::work::{Follower, run};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use incrowd::Error;
use incrowd::io::{Frame, NumberedWords};
use incrowd::table::Codes;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::ffi::CStr;

/// The name that the interface gives capsules of streams.
const STREAM: &CStr = c"arrow_array_stream";

/// Where a table comes from.
#[derive(FromPyObject)]
pub(crate) enum Source<'py> {
    /// A file.
    #[pyo3(transparent, annotation = "str")]
    File(std::path::PathBuf),
    /// An object with `__arrow_c_stream__`.
    #[pyo3(transparent, annotation = "frame")]
    Frame(Bound<'py, PyAny>),
}

/// The frame that an object hands over; `weights` names its column of weights.
pub(crate) fn frame(object: &Bound<'_, PyAny>, weights: Option<String>) -> PyResult<Frame> {
    let rows = object.len().ok();
    let frame = Frame::new(reader(object)?, rows);
    Ok(match weights {
        Some(weights) => frame.weighted_by(weights),
        None => frame,
    })
}

/// The stream of batches that an object hands over.
fn reader(object: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    #[allow(unsafe_code, reason = "the interface hands over a C structure")]
    // SAFETY: a capsule of this name contains a valid stream, which may be moved out of it; the capsule lives until the
    // end of this function.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) };
    reader.map_err(|_| raised(Error::input("the frame cannot be read by Arrow's C stream interface")))
}

/// A batch as a capsule of a stream.
pub(crate) fn capsule(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = batch.schema();
    let reader: Box<dyn RecordBatchReader + Send> =
        Box::new(RecordBatchIterator::new(std::iter::once(Ok(batch)), schema));
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// The texts of the cells of a frame's first column, as a table has them; `None` where a value is missing.
#[pyfunction]
pub(crate) fn cell_texts(object: &Bound<'_, PyAny>) -> PyResult<Vec<Option<String>>> {
    let mut texts = Vec::new();
    for batch in reader(object)? {
        let batch = batch.map_err(|_| raised(Error::input("the frame cannot be read")))?;
        texts.extend(incrowd::io::cell_texts(batch.column(0)).map_err(raised)?);
    }
    Ok(texts)
}

/// A code for each row, of one, two or four bytes in the machine's order, and for each code its first row as 32-bit
/// number.
type Numbered<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Numbers the 64-bit words of each column of a frame in order of first appearance; `None` for a column with more than
/// `most` different words.
#[pyfunction]
pub(crate) fn number_words<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    most: usize,
) -> PyResult<Vec<Option<Numbered<'py>>>> {
    let batches = reader(object)?.collect::<Result<Vec<_>, _>>();
    let batches = batches.map_err(|_| raised(Error::input("the frame cannot be read")))?;
    let [batch] = <[RecordBatch; 1]>::try_from(batches)
        .map_err(|_| raised(Error::internal("words are expected in one batch")))?;
    let numbered = run(py, &Follower::new(), None, move || incrowd::io::number_words(&batch, most, 0))?;
    let bytes = |numbered: NumberedWords| {
        let first_rows = PyBytes::new(py, &bytes_of(&numbered.first_rows, u32::to_ne_bytes));
        let codes = match numbered.codes {
            Codes::U8(codes) => PyBytes::new(py, &codes),
            Codes::U16(codes) => PyBytes::new(py, &bytes_of(&codes, u16::to_ne_bytes)),
            Codes::U32(codes) => PyBytes::new(py, &bytes_of(&codes, u32::to_ne_bytes)),
        };
        (codes, first_rows)
    };
    Ok(numbered.into_iter().map(|column| column.map(bytes)).collect())
}

/// Numbers as bytes, in the machine's order.
pub(crate) fn bytes_of<N: Copy, const WIDTH: usize>(
    numbers: &[N],
    bytes: impl Fn(N) -> [u8; WIDTH],
) -> Vec<u8> {
    let mut all = vec![0; numbers.len() * WIDTH];
    all.chunks_exact_mut(WIDTH).zip(numbers).for_each(|(to, &number)| to.copy_from_slice(&bytes(number)));
    all
}
