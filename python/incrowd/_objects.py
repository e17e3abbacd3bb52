"""Columns of Python objects and of numbers, coded without looking at every value.

Most columns of texts refer to few objects: a reader of files makes one object of equal texts, and a selection of rows
keeps it. So rows are compared by the addresses of their objects, and only one object of each address is looked at.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from . import _bridge

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import pyarrow as pa

#: A column with more different objects than one in this many rows is not coded.
_ROWS_PER_OBJECT = 8
#: Columns with at most this many different objects are coded in any case.
_FEW = 256
#: Frames with at least this many cells of objects are coded block by block: their objects are looked at twice, which
#: takes more time and less memory.
_LARGE = 1 << 24
#: About how many cells are coded at a time.
_CELLS = 1 << 18
#: The types of codes, by the bits they have.
_INDICES = ((8, "uint8"), (16, "uint16"), (32, "uint32"))
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
    if not _has_plain_names(frame):
        return None
    arrays = _object_columns(frame)
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


def _has_plain_names(frame: Any) -> bool:
    names = list(frame.columns)
    return bool(len(frame)) and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def _object_columns(frame: Any) -> dict[int, np.ndarray[Any, Any]]:
    """Return the columns of objects by their places."""
    return {place: frame.iloc[:, place].to_numpy() for place, kind in enumerate(frame.dtypes) if is_object(kind)}


class CodedStream:
    """A frame of pandas for one reader, whose columns of objects are coded block by block while they are read.

    The codes of the whole frame would need as much memory as the table that is made from them.
    """

    def __init__(self, frame: Any) -> None:
        import pyarrow as pa

        self._rows, names = len(frame), list(frame.columns)
        self._block = max(1, _CELLS // len(names))
        self._objects = _object_columns(frame)
        kinds = self._kinds()
        self._columns: list[pa.Array | None] = []
        fields = []
        for place, name in enumerate(names):
            kind = kinds.get(place)
            column = _categories(frame.iloc[:, place]) if kind is None else None
            self._columns.append(column)
            coded = None if kind is None else _CODED
            fields.append(pa.field(name, kind if column is None else column.type, metadata=coded))
        self.schema = pa.schema(fields)

    @staticmethod
    def of(frame: Any) -> CodedStream | None:
        """Return a stream for a large frame with columns of objects; none for others."""
        cells = len(frame) * sum(is_object(kind) for kind in frame.dtypes)
        return CodedStream(frame) if cells >= _LARGE and _has_plain_names(frame) else None

    def __len__(self) -> int:
        return self._rows

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        import pyarrow as pa

        reader = pa.RecordBatchReader.from_batches(self.schema, self._batches())
        return reader.__arrow_c_stream__(requested_schema)

    def _blocks(self, places: list[int]) -> Iterator[list[tuple[Any, Any, Any] | None]]:
        """Yield the objects, codes and first rows of each block of columns; none for one with many objects."""
        for start in range(0, self._rows, self._block):
            parts = [self._objects[place][start : start + self._block] for place in places]
            found = number(parts)
            yield [None if one is None else (part, *one) for part, one in zip(parts, found, strict=True)]

    def _kinds(self) -> dict[int, pa.DataType]:
        """Return the types of the columns that refer to few objects, as dictionaries."""
        import pyarrow as pa

        most = max(_FEW, self._rows // _ROWS_PER_OBJECT)
        known: dict[int, dict[int, Any]] = {place: {} for place in self._objects}
        # A column with many objects in one block is not coded, but the others are.
        left = list(self._objects)
        for block in self._blocks(left):
            for place, found in zip(tuple(left), block, strict=True):
                if found is not None:
                    objects, _, first_rows = found
                    known[place].update((id(value), value) for value in objects[first_rows])
                if found is None or len(known[place]) > most:
                    del known[place]
                    left.remove(place)
            if not left:
                break
        kinds = {}
        for place, objects in known.items():
            index = next(kind for bits, kind in _INDICES if len(objects) <= 1 << bits)
            values = _array_of(list(objects.values()))
            kinds[place] = pa.dictionary(pa.type_for_alias(index), pa.array(values, from_pandas=True).type)
        return kinds

    def _batches(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        coded = [place for place, column in enumerate(self._columns) if column is None]
        start = 0
        blocks = self._blocks(coded) if coded else ([] for _ in range(0, self._rows, self._block))
        for block in blocks:
            of_place = dict(zip(coded, block, strict=True))
            columns = []
            for place, column in enumerate(self._columns):
                found = of_place.get(place)
                if column is not None:
                    columns.append(column.slice(start, self._block))
                elif found is not None:
                    kind, (objects, codes, first_rows) = self.schema.field(place).type, found
                    values = pa.array(objects[first_rows], type=kind.value_type, from_pandas=True)
                    indices = pa.array(codes).cast(kind.index_type)
                    columns.append(pa.DictionaryArray.from_arrays(indices, values, safe=False))
            yield pa.record_batch(columns, schema=self.schema)
            start += self._block


def _array_of(values: list[Any]) -> np.ndarray[Any, Any]:
    """Return a list as an array of objects, whatever the objects are."""
    import numpy as np

    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


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
