"""Frames of every library, and the same table by file and by capsule."""

from __future__ import annotations

import datetime as dt
import decimal
import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import people

import incrowd as ic
from incrowd import _bridge, _frames, _request

ALL_AS = {
    "pandas": lambda frame: frame,
    "polars": lambda frame: pl.DataFrame(frame),
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "duckdb": lambda frame: duckdb.sql("select * from frame"),
}


def release(frame: object, policy: ic.Policy) -> str:
    """The bytes of a tree's release, straight from the bridge."""
    data = _bridge.Dataset.open(frame if isinstance(frame, str) else _frames.to_table(frame), *policy.source)
    return data.tree(_request.request({}), dict.fromkeys(["method", "max_leaves", "prune", "detail", "digits"])).text()


@pytest.mark.parametrize("library", ALL_AS)
def test_same_release_from_every_library(library: str, patients: pd.DataFrame, policy: ic.Policy) -> None:
    frame = ALL_AS[library](patients)
    assert release(frame, policy) == release(patients, policy)


@pytest.mark.parametrize("library", ALL_AS)
def test_same_frame_out(library: str, patients: pd.DataFrame, policy: ic.Policy) -> None:
    frame = ALL_AS[library](patients)
    anon = ic.anonymize(frame, policy, method="mondrian")
    assert type(anon.frame) is type(frame)
    assert len(anon) == len(patients)
    back = _frames.to_table(anon.frame)
    assert back.schema.field("smoker").type == pa.bool_()
    assert set(back.column("diagnosis").to_pylist()) == {"flu", "none"}
    assert ic.audit(anon.frame, policy).holds


def test_a_row_index_is_not_a_column(patients: pd.DataFrame, policy: ic.Policy) -> None:
    shuffled = patients.sample(frac=1, random_state=1)
    assert shuffled.index[0] != 0
    assert ic.audit(ic.anonymize(shuffled, policy), policy).holds


RANDOM = range(8)


@pytest.mark.parametrize("seed", RANDOM)
def test_same_release_by_file_and_by_capsule(seed: int, tmp_path: object, policy: ic.Policy) -> None:
    """Numbers, texts, categoricals, booleans, nullable integers, dates and nulls: as in Parquet and CSV files."""
    random = np.random.default_rng(seed)
    frame = people(150, seed)
    frame["visits"] = pd.array(random.integers(0, 5, len(frame)), dtype="Int64")
    frame["single"] = random.normal(size=len(frame)).round(1).astype(np.float32)
    frame["smoker"] = frame["smoker"].astype("boolean")
    for name in random.choice(["weight", "city", "sex", "smoker", "visits", "admitted"], 3, replace=False):
        frame.loc[random.random(len(frame)) < 0.05, name] = None
    rule = ["keep", "drop"][seed % 2]
    policy = ic.Policy(
        public=["age", "weight", "sex", "city", "admitted", "visits", "single"],
        private=["smoker", "diagnosis"],
        class_name="diagnosis",
        k=5,
        missing=[""],
        missing_rows=rule,
        max_rows_left_out=0.9,
        attributes={"admitted": {"kind": "date"}, "visits": {"kind": ["numeric", "categorical"][seed // 2 % 2]}},
    )
    by_capsule = release(frame, policy)
    parquet, csv = tmp_path / "people.parquet", tmp_path / "people.csv"
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), parquet)
    assert release(str(parquet), policy) == by_capsule
    assert release(pl.DataFrame(pa.Table.from_pandas(frame, preserve_index=False)), policy) == by_capsule
    # CSV writes booleans and single numbers in pandas' own way.
    texts = frame.assign(smoker=frame["smoker"].map({True: "true", False: "false"}), single=frame["single"].astype(str))
    texts.to_csv(csv, index=False)
    assert release(str(csv), policy) == by_capsule


TYPES = {
    "int8": pa.array([1, None, -3], pa.int8()),
    "uint64": pa.array([1, None, 2**63], pa.uint64()),
    "half": pa.array([np.float16(0.1), None, np.float16(2)], pa.float16()),
    "single": pa.array([0.1, None, -0.0], pa.float32()),
    "double": pa.array([0.1, float("nan"), None], pa.float64()),
    "decimal": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")], pa.decimal128(10, 2)),
    "boolean": pa.array([True, None, False]),
    "text": pa.array(["a", None, ""]),
    "large text": pa.array(["a", None, "b"], pa.large_string()),
    "view": pa.array(["a", None, "a text that is longer than twelve bytes"], pa.string_view()),
    "bytes": pa.array([b"a", None, b"b"], pa.binary()),
    "dictionary": pa.array(["a", None, "b"]).dictionary_encode(),
    "dictionary of numbers": pa.array([1, None, 2]).dictionary_encode(),
    "date32": pa.array([dt.date(2024, 2, 29), None, dt.date(1969, 12, 31)]),
    "date64": pa.array([dt.date(2024, 2, 29), None, dt.date(1969, 12, 31)], pa.date64()),
    "time": pa.array([dt.time(23, 59, 59, 500000), None, dt.time(0)], pa.time64("us")),
    "timestamp": pa.array([dt.datetime(2024, 2, 29, 1, 2, 3), None, dt.datetime(1969, 1, 1)], pa.timestamp("ms")),
    "utc": pa.array([dt.datetime(2024, 2, 29), None, dt.datetime(1969, 1, 1)], pa.timestamp("us", tz="UTC")),
    "null": pa.nulls(3),
}


@pytest.mark.parametrize("name", TYPES)
def test_types_become_cells_as_in_parquet(name: str, tmp_path: object) -> None:
    table = pa.table({"x": TYPES[name], "id": ["a", "b", "c"]})
    path = tmp_path / "x.parquet"
    pq.write_table(table, path)
    policy = ic.Policy(private=["x"], public=["id"], missing_rows="keep")
    assert outcome(str(path), policy) == outcome(table, policy)


NUMBERS = {
    "whole": lambda random: random.integers(-(10**5), 10**6, 40_000),
    "repeated later": lambda random: np.concatenate([np.arange(35_000), random.integers(0, 50, 5_000)]),
    "beyond doubles": lambda random: random.integers(2**53, 2**53 + 20_000, 40_000),
    "unsigned": lambda random: random.integers(2**64 - 10**5, 2**64 - 1, 40_000, dtype=np.uint64),
    "small": lambda random: random.integers(0, 200, 40_000).astype(np.uint8),
    "floats": lambda random: random.normal(size=40_000).round(5) * random.choice([1e-9, 0.0, -0.0, 1e12], 40_000),
    "with nan": lambda random: np.where(random.random(40_000) < 0.1, np.nan, random.normal(size=40_000)),
    "infinite": lambda random: np.where(random.random(40_000) < 0.001, np.inf, random.normal(size=40_000)),
}


@pytest.mark.parametrize("missing", [[], ["7", "x"]])
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_those_of_their_texts(name: str, missing: list[str], tmp_path: object) -> None:
    """Numbers of frames are taken as they are; those of Parquet files are written out and read."""
    values = NUMBERS[name](np.random.default_rng(len(name)))
    table = pa.table({"x": pa.array(values, from_pandas=True), "id": pa.array(np.arange(40_000) % 7)})
    path = tmp_path / "x.parquet"
    pq.write_table(table, path)
    policy = ic.Policy(public=["x"], private=["id"], missing=missing, missing_rows="keep", k=3)
    assert outcome(str(path), policy) == outcome(table, policy)
    if name != "infinite":
        made = [ic.anonymize(what, policy, method="mondrian", k=400).frame for what in (str(path), table)]
        assert made[0].equals(made[1].cast(made[0].schema))


def outcome(what: object, policy: ic.Policy) -> object:
    """What an audit finds, except in which file, or why it finds nothing."""
    try:
        found = ic.audit(what, policy).to_dict()
        return {name: figure for name, figure in found.items() if name != "table_file"}
    except ic.InputError as error:
        return error.attribute, error.message.rpartition(": ")[2], error.help


def test_cells_as_texts() -> None:
    texts = lambda array: _bridge.cell_texts(pa.table({"x": array}))  # noqa: E731
    assert texts(TYPES["single"]) == ["0.1", None, "-0"]
    assert texts(TYPES["boolean"]) == ["true", None, "false"]
    assert texts(TYPES["date32"]) == ["2024-02-29", None, "1969-12-31"]
    assert texts(TYPES["decimal"]) == ["1.50", None, "-2.25"]
    assert texts(TYPES["dictionary of numbers"]) == ["1", None, "2"]


def test_sliced_and_chunked_frames(patients: pd.DataFrame, policy: ic.Policy) -> None:
    whole = pa.Table.from_pandas(patients, preserve_index=False)
    chunks = pa.concat_tables([whole.slice(0, 7), whole.slice(7, 0), whole.slice(7, 200), whole.slice(207)])
    assert chunks.column(0).num_chunks > 2
    assert release(chunks, policy) == release(whole, policy)
    assert release(whole.slice(100, 250), policy) == release(patients.iloc[100:350], policy)


def test_categories_that_do_not_occur_are_not_values(policy: ic.Policy, patients: pd.DataFrame) -> None:
    wide = patients.assign(sex=patients["sex"].cat.set_categories(["x", "m", "z", "f"]))
    assert release(wide, policy) == release(patients, policy)


def test_nested_columns_must_be_ignored() -> None:
    table = pa.table({"x": [[1], [2]], "y": ["a", "b"]})
    with pytest.raises(ic.InputError, match="nested columns cannot be read") as error:
        ic.audit(table, ic.Policy(public=["x"], private=["y"], k=1))
    assert error.value.attribute == "x"
    assert ic.audit(table, ic.Policy(ignored=["x"], public=["y"], k=1)).rows == 2


def test_mixed_columns_are_refused_without_their_cells() -> None:
    frame = pd.DataFrame({"x": ["secret", 1], "y": ["a", "b"]})
    with pytest.raises(ic.InputError) as error:
        ic.audit(frame, ic.Policy(public=["x"], private=["y"], k=1))
    assert "secret" not in str(error.value)
    assert error.value.__cause__ is None


def test_arrays_have_named_columns() -> None:
    report = ic.audit(np.array([[1, 2], [1, 2], [1, 3]]), ic.Policy(public=["x0"], private=["x1"], k=3))
    assert json.loads(json.dumps(report.to_dict()))["k"] == 3
