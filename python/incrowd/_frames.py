"""Frames of any library as Arrow tables, and back."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._errors import InputError
from ._objects import CodedStream, coded_frame, is_object, objects_of

if TYPE_CHECKING:
    import pyarrow as pa


def is_path(data: object) -> bool:
    """Whether the data is the path of a file."""
    return isinstance(data, (str, os.PathLike))


def is_frame(data: object) -> bool:
    """Whether the data is a table with named columns."""
    return hasattr(data, "__arrow_c_stream__") or _is_of(data, "pandas", "DataFrame") or _is_of(data, "duckdb", "")


def _is_of(data: object, library: str, name: str) -> bool:
    kind = type(data)
    root = (kind.__module__ or "").lstrip("_").split(".")[0]
    return library in sys.modules and root == library and kind.__name__.endswith(name)


def to_stream(data: Any, what: str = "data") -> pa.Table | CodedStream:
    """Return a frame as an object with ``__arrow_c_stream__``, ``schema`` and a length, to be read once.

    As `to_table`, but large frames with columns of Python objects take less memory.
    """
    import pyarrow as pa

    if _is_of(data, "pandas", "DataFrame"):
        try:
            stream = CodedStream.of(data)
        except (pa.ArrowException, TypeError, ValueError):
            stream = None  # The table has the same fault, and says so.
        if stream is not None:
            return stream
    return to_table(data, what)


def to_table(data: Any, what: str = "data") -> pa.Table:
    """Return a frame as an Arrow table, without copying if its types allow it.

    Columns of Python objects may become dictionaries; `plain_types` returns the types of their values.

    Parameters
    ----------
    data : frame
        A frame of pandas, polars or pyarrow, a relation of DuckDB, any object with ``__arrow_c_stream__``, a mapping
        of names to columns, or a two-dimensional array, whose columns are named ``x0``, ``x1`` and so on.
    what : str
        The name of the parameter, for errors.
    """
    import pyarrow as pa

    try:
        if isinstance(data, pa.Table):
            return data
        if _is_of(data, "pandas", "DataFrame"):
            coded = coded_frame(data)
            return pa.Table.from_pandas(data, preserve_index=False) if coded is None else coded
        if hasattr(data, "__arrow_c_stream__"):
            return pa.table(data)
        if _is_of(data, "duckdb", ""):
            return data.to_arrow_table()
        if isinstance(data, Mapping):
            return pa.table(dict(data))
    except (pa.ArrowException, TypeError, ValueError):
        # The message of the other library may quote a cell.
        raise InputError(
            f"`{what}` cannot be converted to an Arrow table",
            help="give every column one type: texts, numbers, booleans or dates, with missing values as None or NaN",
        ) from None
    return array_to_table(data, what)


def array_to_table(data: Any, what: str = "data", names: list[str] | None = None) -> pa.Table:
    """Return a two-dimensional array as an Arrow table."""
    import numpy as np
    import pyarrow as pa

    array = np.asarray(data)
    if array.ndim != 2:
        raise InputError(
            f"`{what}` must be a frame or a two-dimensional array, not a {type(data).__name__}",
            help="pass a pandas, polars or pyarrow frame, a DuckDB relation, or a path where a file may be given",
        )
    names = [f"x{i}" for i in range(array.shape[1])] if names is None else names
    try:
        return pa.table([pa.array(array[:, i]) for i in range(array.shape[1])], names=names)
    except (pa.ArrowException, TypeError, ValueError):
        raise InputError(
            f"a column of `{what}` has values of different types",
            help="pass a frame with one type per column",
        ) from None


def like(table: pa.Table, example: Any, types: pa.Schema | None = None) -> Any:
    """Return a table as a frame of the same library as the example, with its column types if the values allow it."""
    if _is_of(example, "pandas", "DataFrame"):
        return _like_pandas(table, types)
    table = _with_types(table, types)
    if _is_of(example, "polars", "DataFrame") or _is_of(example, "polars", "LazyFrame"):
        import polars as pl

        return pl.from_arrow(table)
    if _is_of(example, "duckdb", ""):
        import duckdb

        return duckdb.from_arrow(table)
    return table


def _like_pandas(table: pa.Table, types: pa.Schema | None) -> Any:
    import pandas as pd
    import pyarrow as pa

    has_objects = is_object(pa.array([""]).to_pandas().dtype)  # Other versions of pandas have a type for texts.
    columns: dict[str, Any] = {}
    for name in table.column_names:
        column = _typed(table.column(name), _wanted(name, types))
        if column is not None:
            columns[name] = column.to_pandas()
        elif has_objects:
            columns[name] = objects_of(table.column(name).combine_chunks())
        else:
            columns[name] = table.column(name).cast(pa.string()).to_pandas()
    return pd.DataFrame(columns, copy=False)


def _with_types(table: pa.Table, types: pa.Schema | None) -> pa.Table:
    import pyarrow as pa

    columns = []
    for name in table.column_names:
        column = _typed(table.column(name), _wanted(name, types))
        # Texts stay plain strings: polars crashes on views of strings that pyarrow's cast has made.
        columns.append(table.column(name).cast(pa.string()) if column is None else column)
    return pa.table(columns, names=table.column_names)


def _wanted(name: str, types: pa.Schema | None) -> pa.DataType | None:
    return types.field(name).type if types is not None and name in types.names else None


def _typed(column: pa.ChunkedArray, wanted: pa.DataType | None) -> pa.ChunkedArray | None:
    """Return a column of a released table with the wanted type if its values allow it; none for a column of texts."""
    import pyarrow as pa

    is_text = pa.types.is_dictionary(column.type)
    if wanted is None:
        return None if is_text else column
    if pa.types.is_dictionary(wanted):
        return column
    if is_text and not _has_other_texts(wanted):
        return None
    try:
        return _from_texts(column.combine_chunks(), wanted) if is_text else column.cast(wanted)
    except (pa.ArrowException, TypeError, ValueError):
        return None if is_text else column


def _from_texts(column: pa.DictionaryArray, wanted: pa.DataType) -> pa.ChunkedArray:
    """Return the values that the texts of a dictionary stand for; texts that do not occur may be anything."""
    import pyarrow as pa

    coded = column.indices.dictionary_encode()
    values = column.dictionary.take(coded.dictionary).cast(wanted)
    return pa.chunked_array([values.take(coded.indices)])


def _has_other_texts(wanted: pa.DataType) -> bool:
    """Whether values of a type are not texts, but have been written as texts in the table."""
    import pyarrow as pa

    return bool(pa.types.is_boolean(wanted) or pa.types.is_temporal(wanted) or pa.types.is_primitive(wanted))
