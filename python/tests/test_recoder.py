"""Cells in front of any estimator."""

from __future__ import annotations

import os
import pathlib
import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import incrowd as ic

DATA = pathlib.Path(os.environ.get("INCROWD_DATA", pathlib.Path(__file__).parents[3] / "shared" / "data"))
METHODS = ["effects", "best", "cells", "mondrian", "tds", "tdr", "kactus", "kactus2", "aggregate"]


@pytest.fixture
def rows(patients: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    return patients.drop(columns="diagnosis"), patients["diagnosis"]


def smallest(frame: pd.DataFrame, columns: list[str]) -> int:
    """The size of the smallest group of rows with equal cells."""
    return int(frame.astype(str).groupby(columns).size().min())


@pytest.mark.parametrize("method", METHODS)
def test_training_rows_take_the_audited_cells(method: str, rows: tuple, policy: ic.Policy, tmp_path: object) -> None:
    X, y = rows
    recoder = ic.Recoder(policy, method=method)
    cells = recoder.fit_transform(X, y)
    assert list(cells.columns) == list(X.columns)
    assert recoder.report_.holds
    assert smallest(cells, policy.public) >= 10
    assert recoder.report_.k == smallest(cells, policy.public)
    pd.testing.assert_frame_equal(cells, recoder.transform(X))
    recoder.write(tmp_path / "anon.csv")
    released = pd.read_csv(tmp_path / "anon.csv", dtype=str, keep_default_na=False)
    own = cells.assign(diagnosis=y, smoker=cells["smoker"].map({True: "true", False: "false"})).astype(str)
    order = list(own.columns)
    left = released[order].sort_values(order, ignore_index=True)
    pd.testing.assert_frame_equal(left, own.sort_values(order, ignore_index=True))
    assert ic.audit(cells.assign(diagnosis=y), policy).holds


def test_auto(rows: tuple, policy: ic.Policy) -> None:
    X, y = rows
    named = ic.Recoder(policy, method="best").fit(X, y)
    assert ic.Recoder(policy).fit(X, y).n_groups_ == named.n_groups_
    without = ic.Policy(public=policy.public, private=["smoker"], k=10)
    least = ic.Recoder(without, method="mondrian").fit(X)
    assert ic.Recoder(without).fit(X).n_groups_ == least.n_groups_ > named.n_groups_
    shown = ic.Recoder(policy, encode="representatives").fit(X, y)
    assert shown.n_groups_ == ic.Recoder(policy, method="effects").fit(X, y).n_groups_ != named.n_groups_
    finer = ic.Recoder(policy, method="cells").fit(X, y)
    assert finer.n_groups_ > named.n_groups_
    assert finer.report_.k >= 10
    # Every feature is public, and there is nothing else.
    alone = ic.Recoder(k=20).fit(X[["age", "weight"]])
    assert alone.n_groups_ > 1
    assert smallest(alone.transform(X[["age", "weight"]]), ["age", "weight"]) >= 20
    # A number to predict is private, and cells lose least.
    risk = pd.Series(np.arange(len(X)) / 7, name="risk")
    of_numbers = ic.Recoder(private=["smoker"]).fit(X, risk)
    assert of_numbers.policy_.private == ["smoker", "risk"]
    assert make_pipeline(ic.Recoder(private=["smoker"]), OneHotEncoder(), LinearRegression()).fit(X, risk)


def test_columns_without_a_role_are_dropped(rows: tuple) -> None:
    X, y = rows
    policy = ic.Policy(public=["age"], private=["smoker", "diagnosis"], identifier=["city"], unlisted="ignored", k=10)
    recoder = ic.Recoder(policy).fit(X, y)
    assert list(recoder.get_feature_names_out()) == ["age", "smoker"]
    assert list(recoder.transform(X).columns) == ["age", "smoker"]
    assert recoder.n_features_in_ == X.shape[1]
    pd.testing.assert_series_equal(recoder.transform(X)["smoker"], X["smoker"])


@pytest.mark.parametrize("encode", ["text", "codes"])
def test_same_frame_out(encode: str, rows: tuple, policy: ic.Policy) -> None:
    X, y = rows
    recoder = ic.Recoder(policy, encode=encode).fit(X, y)
    shuffled = X.sample(frac=1, random_state=1)
    cells = recoder.transform(shuffled)
    assert (cells.index == shuffled.index).all()
    assert str(cells["age"].dtype) == ("category" if encode == "text" else "float64")
    pd.testing.assert_frame_equal(cells.sort_index(), recoder.transform(X))
    by_arrow = ic.Recoder(policy, encode=encode).fit(pa.Table.from_pandas(X), y).transform(pa.Table.from_pandas(X))
    assert isinstance(by_arrow, pa.Table)
    by_polars = ic.Recoder(policy, encode=encode).fit(pl.DataFrame(X), y).transform(pl.DataFrame(X))
    assert isinstance(by_polars, pl.DataFrame)
    expected = recoder.transform(X)["age"].astype(str).tolist()
    assert [str(cell) for cell in by_arrow.column("age").to_pylist()] == expected
    assert [str(cell) for cell in by_polars["age"].to_list()] == expected
    as_pandas = clone(recoder).set_output(transform="pandas").fit(pl.DataFrame(X), y)
    assert as_pandas.transform(pl.DataFrame(X))["age"].astype(str).tolist() == expected
    as_polars = clone(recoder).set_output(transform="polars").fit(X, y)
    assert isinstance(as_polars.transform(X), pl.DataFrame)
    places = recoder.categories_["age"]
    if encode == "codes":
        assert [places[int(code)] for code in cells["age"]] == ic.Recoder(policy).fit(X, y).transform(shuffled)[
            "age"
        ].tolist()


@pytest.mark.parametrize("method", METHODS)
def test_representatives(method: str, rows: tuple, policy: ic.Policy, tmp_path: pathlib.Path) -> None:
    """Means and most frequent names of the rows with the same cells, as the definition says."""
    X, y = rows
    cells = ic.Recoder(policy, method=method).fit_transform(X, y)
    recoder = ic.Recoder(policy, method=method, encode="representatives").fit(X, y)
    shown = recoder.transform(X)
    pd.testing.assert_series_equal(shown["smoker"], X["smoker"])
    for name in policy.public:
        # One cut for every attribute, or all cells of a group.
        keys = [name] if method in ("tds", "tdr") else policy.public
        # Dates are days since 1970-01-01.
        values = (pd.to_datetime(X[name]) - pd.Timestamp(0)).dt.days if name == "admitted" else X[name]
        groups = values.groupby([cells[key].astype(str) for key in keys])
        if pd.api.types.is_numeric_dtype(values):
            np.testing.assert_allclose(shown[name], groups.transform("mean"), rtol=1e-5)
        else:
            assert isinstance(shown[name].dtype, pd.CategoricalDtype)
            most = groups.transform(lambda own: own.astype(str).value_counts().max())
            own = X[name].astype(str) == shown[name].astype(str)
            often = own.groupby([cells[key].astype(str) for key in keys]).transform("sum")
            assert (often == most).all()
    # New rows show what stands for the group whose cells they get, and files state it.
    new = X.sample(50, random_state=2).assign(age=lambda frame: frame["age"] + 1)
    of_cells = ic.Recoder(policy, method=method).fit(X, y).transform(new)[policy.public].astype(str)
    pairs = pd.concat([of_cells, recoder.transform(new)[policy.public].add_suffix(" shown").astype(str)], axis=1)
    known = pd.concat([cells[policy.public].astype(str), shown[policy.public].add_suffix(" shown").astype(str)], axis=1)
    if method not in ("tds", "tdr"):
        assert set(map(tuple, pairs.to_numpy())) <= set(map(tuple, known.to_numpy()))
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(recoder)).transform(new), recoder.transform(new))
    recoder.write(tmp_path / "anon.csv")
    assert '"representatives"' in (tmp_path / "anon.json").read_text(encoding="utf-8")


def test_representatives_of_arrays_and_frames(rows: tuple, policy: ic.Policy) -> None:
    X, y = rows
    recoder = ic.Recoder(policy, encode="representatives").fit(X, y)
    expected = recoder.transform(X)
    by_arrow = ic.Recoder(policy, encode="representatives").fit(pa.Table.from_pandas(X), y)
    by_arrow = by_arrow.transform(pa.Table.from_pandas(X))
    assert by_arrow.column("age").to_pylist() == expected["age"].tolist()
    assert by_arrow.column("city").to_pylist() == expected["city"].astype(object).tolist()
    by_polars = ic.Recoder(policy, encode="representatives").fit(pl.DataFrame(X), y).transform(pl.DataFrame(X))
    assert by_polars["age"].to_list() == expected["age"].tolist()
    numbers = X[["age", "weight"]].to_numpy()
    shown = ic.Recoder(encode="representatives").fit(numbers, y).transform(numbers)
    assert shown.dtype == np.float64
    np.testing.assert_allclose(shown.mean(axis=0), numbers.mean(axis=0), rtol=1e-4)


def test_arrays() -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 3)).round(2), random.integers(0, 2, 200)
    texts = ic.Recoder(method="mondrian").fit_transform(X, y)
    assert texts.shape == X.shape
    assert texts.dtype == object
    numbers = ic.Recoder(method="mondrian", encode="codes").fit_transform(X, y)
    assert numbers.dtype == np.float64
    # The places of numbers are in the order of the numbers, as far as cells do not overlap.
    assert np.corrcoef(numbers[:, 0], X[:, 0])[0, 1] > 0.5


def test_pipeline_clone_and_grid_search(rows: tuple, policy: ic.Policy) -> None:
    X, y = rows
    pipe = make_pipeline(ic.Recoder(policy), OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    search = GridSearchCV(pipe, {"recoder__method": ["best", "mondrian"], "recoder__k": [10, 60]}, cv=2).fit(X, y)
    assert search.best_estimator_[0].report_.k >= 10
    assert clone(pipe[0]).get_params() == pipe[0].get_params()
    assert list(search.best_estimator_[:1].get_feature_names_out()) == list(X.columns)


def test_pickling(rows: tuple, policy: ic.Policy, tmp_path: object) -> None:
    X, y = rows
    recoder = ic.Recoder(policy, method="mondrian").fit(X, y)
    joblib.dump(recoder, tmp_path / "recoder.joblib")
    for back in (pickle.loads(pickle.dumps(recoder)), joblib.load(tmp_path / "recoder.joblib")):
        pd.testing.assert_frame_equal(back.transform(X), recoder.transform(X))
        assert back.report_ == recoder.report_
        assert back.summary_ == recoder.summary_
        with pytest.raises(ic.ParameterError, match="cannot be written as a release"):
            back.write(tmp_path / "anon.csv")
    # No row of the source is in it: someone of an age of their own, who is in a group with others, does not show.
    alone = X.assign(weight=X["weight"].where(X.index > 0, 60.123))
    assert b"60.123" not in pickle.dumps(ic.Recoder(policy).fit(alone, y))


def test_new_rows_are_counted(rows: tuple, policy: ic.Policy) -> None:
    X, y = rows
    recoder = ic.Recoder(policy, method="mondrian").fit(X, y)
    assert recoder.coverage(X)["covered"] <= recoder.coverage(X)["rows"] == len(X)
    new = X.head(4).copy()
    new.loc[0, "age"], new.loc[1, "city"] = 500, "Rom"
    new["city"] = new["city"].astype(object)
    new.loc[2, "city"] = None
    counts = recoder.coverage(new)
    assert counts["unseen"]["age"] == 1
    assert counts["nearest"] >= 1
    assert recoder.transform(new).notna().all().all()
    released = set(map(tuple, recoder.transform(X)[policy.public].astype(str).to_numpy()))
    assert set(map(tuple, recoder.transform(new)[policy.public].astype(str).to_numpy())) <= released


def test_weights_are_individuals(rows: tuple, policy: ic.Policy) -> None:
    X, y = rows
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    weighted = ic.Recoder(policy).fit(X, y, sample_weight=weights)
    repeated = ic.Recoder(policy).fit(X.loc[X.index.repeat(weights)], y.repeat(weights))
    assert weighted.report_.individuals == weights.sum()
    pd.testing.assert_frame_equal(weighted.transform(X), repeated.transform(X))


def test_wrong_use(rows: tuple, policy: ic.Policy, tmp_path: object) -> None:
    X, y = rows
    for unfitted in (
        lambda: ic.Recoder().transform(X),
        lambda: ic.Recoder().report_,
        lambda: ic.Recoder().write("x.csv"),
        lambda: ic.Recoder().get_feature_names_out(),
    ):
        with pytest.raises(NotFittedError):
            unfitted()
    with pytest.raises(ic.ParameterError, match="unknown method `spans`") as error:
        ic.Recoder(policy, method="spans").fit(X, y)
    assert "effects, best, cells" in error.value.help
    with pytest.raises(ic.ParameterError, match="unknown encoding"):
        ic.Recoder(policy, encode="target").fit(X, y)
    with pytest.raises(ic.ParameterError, match="`y` is missing"):
        ic.Recoder(policy).fit(X)
    with pytest.raises(ic.ParameterError, match="there is none"):
        ic.Recoder(method="best").fit(X)
    public = ic.Policy(public=[*policy.public, "diagnosis"], private=["smoker"], class_name="diagnosis", k=10)
    with pytest.raises(ic.ParameterError, match="k individuals of each class"):
        ic.Recoder(public).fit(X, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ic.Recoder(policy).fit(X, y[:-1])
    with pytest.raises(ic.InputError, match="which is the class"):
        ic.Recoder(policy).fit(X.assign(diagnosis=y), y)
    with pytest.raises(ic.Unsatisfiable):
        ic.Recoder(policy, k=len(X) + 1).fit(X, y)
    recoder = ic.Recoder(policy).fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        recoder.transform(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="feature"):
        recoder.transform(X.drop(columns="age"))
    recoder.write(tmp_path / "anon.csv")
    with pytest.raises(ic.FileError):
        recoder.write(tmp_path / "anon.csv")
    recoder.write(tmp_path / "anon.csv", replace=True)


NAMES = [
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income",
]  # fmt: skip
PRIVATE = ["relationship", "capital-gain", "capital-loss", "hours-per-week", "fnlwgt"]


def adult(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """The rows of Adult without missing values."""
    frame = pd.read_csv(DATA / "adult" / name, names=NAMES, skipinitialspace=True, na_values="?", comment="|").dropna()
    return frame.drop(columns=["education-num", "income"]), frame["income"].str.rstrip(".")


@pytest.mark.skipif(not (DATA / "adult").exists(), reason="the benchmark data is not there")
@pytest.mark.parametrize("k", [50, 100])
def test_boosting_on_cells_errs_little_more_than_on_raw_rows(k: int) -> None:
    """Cells are chosen on the training rows only. What was chosen in sight of which rows: docs/python.md."""
    lightgbm = pytest.importorskip("lightgbm")
    X, y = adult("adult.data")
    X_test, y_test = adult("adult.test")
    assert (len(X), len(X_test)) == (30162, 15060)
    names = [name for name in X.columns if X[name].dtype == object]

    def boosted() -> object:
        return lightgbm.LGBMClassifier(n_estimators=300, num_leaves=15, n_jobs=1, random_state=0, verbose=-1)

    categories = {name: pd.CategoricalDtype(sorted(X[name].unique())) for name in names}
    raw = boosted().fit(X.astype(categories), y)
    error_raw = 100 * (raw.predict(X_test.astype(categories)) != y_test).mean()
    recoder = ic.Recoder(private=PRIVATE, k=k, encode="representatives").set_output(transform="pandas")
    cells = recoder.fit_transform(X, y)
    public = [name for name in X.columns if name not in PRIVATE]
    assert smallest(cells, public) >= k
    assert recoder.report_.k >= k
    # Public names are categoricals, and so are private names.
    as_names = {name: categories[name] for name in PRIVATE if name in names}
    model = boosted().fit(cells.astype(as_names), y)
    error = 100 * (model.predict(recoder.transform(X_test).astype(as_names)) != y_test).mean()
    print(f"k = {k}: raw {error_raw:.2f} %, after cells {error:.2f} %, {recoder.n_groups_} groups")
    assert error <= error_raw + 0.2
