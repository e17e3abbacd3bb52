"""Columns of Python objects, coded by the addresses of the objects."""

from __future__ import annotations

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import people

import incrowd as ic
from incrowd import _frames, _objects


def shared(values: list[object], rows: int, seed: int) -> np.ndarray:
    """Rows that refer to few objects."""
    column = np.empty(rows, dtype=object)
    column[:] = [values[place] for place in np.random.default_rng(seed).integers(0, len(values), rows)]
    return column


COLUMNS = {
    "texts": ["a", "bé", "", "a, b"],
    "equal texts": ["".join(["a", "b"]), "".join(["a", "b"]), "c"],
    "with none": ["a", None, "b"],
    "with nan": ["a", float("nan"), "b"],
    "numbers": [1, 10**6, -5],
    "floats": [0.5, -0.0, 0.0, None],
    "booleans": [True, False, None],
    "dates": [dt.date(2024, 2, 29), dt.date(1969, 12, 31), None],
    "times": [dt.datetime(2024, 2, 29, 1, 2, 3), dt.datetime(1969, 1, 1)],
    "decimals": [decimal.Decimal("1.50"), decimal.Decimal("-20.25")],
    "bytes": [b"a", b"b"],
    "only none": [None],
}


@pytest.mark.parametrize("name", COLUMNS)
def test_coded_columns_are_the_same_cells(name: str) -> None:
    column = pd.Series(shared(COLUMNS[name], 700, 1), dtype=object)
    frame = pd.DataFrame({"x": column, "y": shared(["u", "v"], 700, 2), "z": range(700)})
    plain = pa.Table.from_pandas(frame, preserve_index=False)
    coded = _frames.to_table(frame)
    assert pa.types.is_dictionary(coded.schema.field("x").type)
    assert _objects.plain_types(coded.schema).equals(plain.schema)
    assert coded.column("x").to_pylist() == plain.column("x").to_pylist()
    policy = ic.Policy(public=["x"], private=["y"], ignored=["z"], missing_rows="keep")
    assert ic.audit(frame, policy).to_dict() == ic.audit(plain, policy).to_dict()


@pytest.mark.parametrize("block", [1, 64, 1 << 20])
def test_streams_have_the_same_cells(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_objects, "_CELLS", block)
    assert isinstance(_frames.to_stream(pd.DataFrame({"x": shared(["a"], 9, 0)})), pa.Table)
    monkeypatch.setattr(_objects, "_LARGE", 1)
    columns = {name: shared(values, 700, place) for place, (name, values) in enumerate(COLUMNS.items())}
    columns["many"] = np.array([f"text {row}" for row in range(700)], dtype=object)
    frame = pd.DataFrame(columns).assign(number=range(700), category=pd.Categorical(shared(["u", "v"], 700, 99)))
    plain = pa.Table.from_pandas(frame, preserve_index=False)
    for rows in (frame, frame.iloc[::-3], frame[frame["number"] < 1]):
        stream = _frames.to_stream(rows)
        assert isinstance(stream, _objects.CodedStream)
        assert len(stream) == len(rows)
        read = pa.table(stream)
        assert read.schema.equals(stream.schema)
        assert read.to_pylist() == pa.Table.from_pandas(rows, preserve_index=False).to_pylist()
    assert _objects.plain_types(_frames.to_stream(frame).schema).equals(plain.schema)
    roles = {"public": ["texts", "many", "category"], "private": ["with none"], "unlisted": "ignored"}
    policy = ic.Policy(**roles, missing_rows="keep")
    assert ic.audit(frame, policy).to_dict() == ic.audit(plain, policy).to_dict()


@pytest.mark.parametrize("rows", [1, 255, 20_000])
def test_rows_are_numbered_by_their_objects(rows: int) -> None:
    columns = [shared([str(number) for number in range(many)], rows, many) for many in (1, 3, 300, 2000)]
    for column, found in zip(columns, _objects.number(columns), strict=True):
        assert found is not None
        codes, first_rows = found
        known: dict[int, int] = {}
        assert codes.tolist() == [known.setdefault(id(value), len(known)) for value in column]
        assert len(first_rows) == len(known)
        assert all(codes[row] == code and code not in codes[:row] for code, row in enumerate(first_rows))


def test_columns_of_different_objects_are_not_coded() -> None:
    frame = pd.DataFrame({"x": [f"text {row}" for row in range(1000)], "y": shared(["a", "b"], 1000, 3)})
    kinds = [field.type for field in _frames.to_table(frame).schema]
    assert not pa.types.is_dictionary(kinds[0])
    assert pa.types.is_dictionary(kinds[1])
    assert _frames.to_table(frame[["x"]]).schema.field("x").type == pa.string()


def test_strided_and_empty_columns() -> None:
    block = np.stack([shared(["a", "b"], 90, 4), shared(["c", "d", "e"], 90, 5)], axis=1)
    for array in (block, np.asfortranarray(block), block[::-2], block[:0]):
        frame = pd.DataFrame(array, columns=["x", "y"])
        assert _frames.to_table(frame).to_pylist() == frame.to_dict("records")
    frame = pd.DataFrame(block, columns=["x", "y"]).iloc[5::3]
    assert _frames.to_table(frame).to_pylist() == frame.to_dict("records")


def test_names_that_are_not_texts_or_occur_twice() -> None:
    frame = pd.DataFrame({0: shared(["a", "b"], 9, 6), 1: range(9)})
    assert _frames.to_table(frame).column_names == ["0", "1"]
    frame.columns = pd.Index(["x", "x"])
    with pytest.raises(ic.InputError):
        _frames.to_table(frame)


def test_texts_come_back_as_texts() -> None:
    frame = people(120).assign(city=shared(["Ulm", "Bonn"], 120, 7), sex=lambda frame: frame["sex"].astype(object))
    policy = ic.Policy(public=["age", "city", "sex"], private=["diagnosis"], k=5, unlisted="ignored")
    made = ic.anonymize(frame, policy, method="mondrian").frame
    assert [made[name].dtype for name in ("city", "sex", "diagnosis")] == [object] * 3
    features = frame[["age", "city", "diagnosis"]]
    recoder = ic.Recoder(private=["city"], k=5).set_output(transform="polars").fit(features[["age", "city"]])
    assert recoder.transform(features[["age", "city"]]).schema["city"] == pl.String


LABELS = {
    "texts": pd.Series(shared(["u", "v", "w"], 400, 8)),
    "different objects": pd.Series([f"{row % 3} x" for row in range(400)]),
    "fixed width": np.array([str(row % 3) for row in range(400)]),
    "whole": np.arange(400) % 4 - 2,
    "narrow": (np.arange(400) % 4).astype(np.int8),
    "floats": np.where(np.arange(400) % 2, -0.0, 0.0) + np.arange(400) % 3 // 2,
    "booleans": np.arange(400) % 2 == 0,
    "categories": pd.Series(pd.Categorical(shared(["v", "u"], 400, 9), categories=["z", "v", "a", "u"])),
    "numbers as categories": pd.Series(pd.Categorical(np.arange(400) % 3 * 5, categories=[10, 0, 7, 5])),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_are_those_of_numpy(name: str) -> None:
    X, y = people(400)[["age", "weight"]], LABELS[name]
    tree = ic.TreeClassifier(k=5).fit(X, y)
    assert tree.classes_.tolist() == np.unique(np.asarray(y)).tolist()
    assert tree.classes_.dtype == np.unique(np.asarray(y)).dtype
    # The same labels, one object after the other.
    again = ic.TreeClassifier(k=5).fit(X, np.array(np.asarray(y).tolist()))
    assert again.release_.model.text() == tree.release_.model.text()
    assert set(tree.predict(X)) <= set(tree.classes_)


@pytest.mark.parametrize("y", [
    pd.Series(pd.Categorical([None, *"ab" * 20])),
    pd.Series([None, *"ab" * 20]),
    pd.Series([float("nan"), *[1.0, 2.0] * 20]),
    pd.Series(np.linspace(0, 1, 41)),
    pd.Series(pd.Categorical([*"ab" * 20])),
])  # fmt: skip
def test_wrong_labels_are_refused(y: pd.Series) -> None:
    with pytest.raises(ValueError, match=r"NaN|Unknown label type|inconsistent numbers of samples"):
        ic.TreeClassifier(k=2).fit(pd.DataFrame({"x": range(41)}), y)


def test_as_many_classes_as_rows_are_warned_about() -> None:
    X = pd.DataFrame({"x": np.arange(30) % 2})
    with pytest.warns(UserWarning, match="greater than 50% of the number"):
        ic.TreeClassifier(k=2).fit(X, np.arange(30))
