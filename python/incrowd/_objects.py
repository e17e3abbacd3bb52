"""Columns of Python objects and of numbers, coded without looking at every value.

Most columns of texts refer to few objects: a reader of files makes one object of equal texts, and a selection of rows
keeps it. So rows are compared by the addresses of their objects, and only one object of each address is looked at.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from . import _bridge

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

#: A column with more different objects than one in this many rows is not coded.
_ROWS_PER_OBJECT = 8
#: Columns with at most this many different objects are coded in any case.
_FEW = 256
#: Marks the fields of columns that were coded here.
_CODED = {b"incrowd": b"coded"}


class _Addresses:
    """The addresses that an array of objects consists of, by numpy's array interface."""

    def __init__(self, objects: np.ndarray[Any, Any]) -> None:
        self.objects = objects  # The objects live as long as their addresses are used.
        word = f"{'<' if sys.byteorder == 'little' else '>'}u8"
        self.__array_interface__ = {**objects.__array_interface__, "typestr": word, "descr": [("", word)]}


def number(columns: list[np.ndarray[Any, Any]]) -> list[tuple[Any, Any] | None]:
    """Return for each column the code of each row and the first row of each code; none for one with many values.

    Rows have the same code if they refer to the same object, or if they contain the same number bit by bit. Equal
    objects may have different codes.

    Parameters
    ----------
    columns : list of ndarray of shape (n,)
        Arrays of objects or of numbers. Numbers that do not have 64 bits are not coded.
    """
    import numpy as np
    import pyarrow as pa

    if not columns or not len(columns[0]) or any(column.itemsize != 8 for column in columns):
        return [None] * len(columns)
    words = [np.ascontiguousarray(_words(column)) for column in columns]
    most = max(_FEW, len(words[0]) // _ROWS_PER_OBJECT)
    table = pa.table([pa.array(column) for column in words], names=[str(place) for place in range(len(words))])
    return [None if found is None else _read(*found, len(words[0])) for found in _bridge.number_words(table, most)]


def _words(column: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    import numpy as np

    return np.asarray(_Addresses(column)) if column.dtype == object else column.view(np.uint64)


def _read(codes: bytes, first_rows: bytes, rows: int) -> tuple[Any, Any]:
    import numpy as np

    return np.frombuffer(codes, dtype=f"=u{len(codes) // rows}"), np.frombuffer(first_rows, dtype=np.uint32)


def is_object(kind: Any) -> bool:
    """Whether a column type of pandas is that of Python objects. Categoricals have the same letter."""
    return getattr(kind, "char", "") == "O"


def coded_frame(frame: Any) -> pa.Table | None:
    """Return a frame of pandas as an Arrow table whose columns of objects are dictionaries.

    Values may occur several times in a dictionary. Returns none if the columns have no plain names.
    """
    import pyarrow as pa

    names = list(frame.columns)
    if not len(frame) or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        return None
    arrays = {place: frame.iloc[:, place].to_numpy() for place, kind in enumerate(frame.dtypes) if is_object(kind)}
    found = dict(zip(arrays, number(list(arrays.values())), strict=True))
    columns, fields = [], []
    for place, name in enumerate(names):
        coded = found.get(place)
        if coded is None:
            column = _categories(frame.iloc[:, place])
        else:
            codes, first_rows = coded
            values = pa.array(arrays[place][first_rows], from_pandas=True)
            column = pa.DictionaryArray.from_arrays(pa.array(codes), values, safe=False)
        columns.append(column)
        fields.append(pa.field(name, column.type, metadata=None if coded is None else _CODED))
    return pa.table(columns, schema=pa.schema(fields))


def _categories(column: Any) -> pa.Array:
    """Return a column as pyarrow does, but without a search for missing values in full categoricals."""
    import pyarrow as pa

    codes = codes_of(column)
    if codes is None or codes.min() < 0:
        return pa.array(column, from_pandas=True)
    values = pa.array(column.cat.categories, from_pandas=True)
    return pa.DictionaryArray.from_arrays(pa.array(codes), values, ordered=column.cat.ordered, safe=False)


def codes_of(column: Any) -> np.ndarray[Any, Any] | None:
    """Return the codes of a categorical column of pandas, below 0 where a value is missing; none for others."""
    categorical = getattr(column, "cat", None)
    codes = getattr(categorical, "codes", None)
    return None if codes is None else codes.to_numpy()


def plain_types(schema: pa.Schema) -> pa.Schema:
    """Return the types that the columns had before `coded_frame` coded them."""
    import pyarrow as pa

    return pa.schema([f.with_type(f.type.value_type).remove_metadata() if is_coded(f) else f for f in schema])


def is_coded(field: pa.Field) -> bool:
    """Whether `coded_frame` has coded a column."""
    return bool(field.metadata == _CODED)


def plain_column(table: pa.Table, name: str) -> pa.ChunkedArray:
    """Return a column with the type that it had before `coded_frame` coded it."""
    column, field = table.column(name), table.schema.field(name)
    return column.cast(field.type.value_type) if is_coded(field) else column


def objects_of(column: pa.DictionaryArray) -> np.ndarray[Any, Any]:
    """Return the texts of a dictionary as Python objects, one for each value."""
    import numpy as np

    values = np.array([*column.dictionary.to_pylist(), None], dtype=object)
    objects: np.ndarray[Any, Any] = values.take(column.indices.fill_null(len(values) - 1).to_numpy())
    return objects


def distinct(values: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Return values of an array, each different one at least once, and the place of each row's value among them.

    The first is the value of the first row.
    """
    import numpy as np

    found = number([values])[0] if values.dtype == object or values.dtype.kind in "iuf" else None
    if found is None:
        return values, np.arange(len(values))
    codes, first_rows = found
    return values[first_rows], codes
