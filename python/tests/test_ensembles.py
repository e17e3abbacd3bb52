"""Ensembles of other programs: read exactly, and audited."""

from __future__ import annotations

import importlib
import os
import pathlib
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression

import incrowd as ic
from incrowd._foreign import release_of

DATA = pathlib.Path(os.environ.get("INCROWD_DATA", pathlib.Path(__file__).parents[3] / "shared/data"))


def package(name: str) -> Any:
    """Return LightGBM or XGBoost, or skip the test."""
    return pytest.importorskip(name)


def boosted(name: str, **parameters: Any) -> Any:
    if name == "lightgbm":
        return package(name).LGBMClassifier(n_estimators=12, num_leaves=7, verbose=-1, n_jobs=1, **parameters)
    return package(name).XGBClassifier(n_estimators=12, max_depth=3, n_jobs=1, **parameters)


def models() -> dict[str, Any]:
    return {
        "forest": RandomForestClassifier(8, max_depth=6, random_state=0),
        "extra": ExtraTreesClassifier(8, max_depth=6, random_state=0),
        "bagging": BaggingClassifier(n_estimators=5, max_features=0.7, random_state=0),
        "boosting": GradientBoostingClassifier(n_estimators=8, random_state=0),
        "exponential": GradientBoostingClassifier(n_estimators=8, loss="exponential", random_state=0),
        "histogram": HistGradientBoostingClassifier(max_iter=8, max_leaf_nodes=7),
        "lightgbm": "lightgbm",
        "xgboost": "xgboost",
    }


def check_predictions(model: Any, X: pd.DataFrame, y: pd.Series, tolerance: float) -> None:
    """The model as the library reads it predicts what its maker predicts."""
    release = release_of(model, "y", X.assign(y=y))
    from incrowd._frames import to_table

    labels, shares = release.model.predict_ensemble((to_table(X), None, None))
    own = np.array(model.predict_proba(X))
    read = np.frombuffer(shares, dtype="<f8").reshape(len(X), -1)
    assert np.abs(own - read).max() <= tolerance
    clear = np.sort(own, axis=1)[:, -1] - np.sort(own, axis=1)[:, -2] > 1e-5
    values = np.array(release.model.classes())[np.frombuffer(labels, dtype="<u4")]
    assert clear.any()
    assert (values == np.array([str(label) for label in model.predict(X)]))[clear].all()
    if tolerance < 1e-9:
        assert (values == np.array([str(label) for label in model.predict(X)])).all()


def numbers(rows: int, seed: int, *, holes: bool) -> pd.DataFrame:
    """Numbers that single precision rounds, whole ones, and missing ones."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": random.normal(0, 1, rows),
            "b": random.integers(0, 9, rows).astype(float),
            "c": np.round(random.normal(16777217, 3, rows), 1),
        }
    )
    return X.mask(random.random(X.shape) < 0.1) if holes else X


def target(X: pd.DataFrame, classes: int, seed: int) -> pd.Series:
    random = np.random.default_rng(seed)
    score = X["a"].fillna(0) + 0.3 * X["b"].fillna(4) + random.normal(0, 0.7, len(X))
    names = np.array([f"class {i}" for i in range(classes)])
    return pd.Series(names[pd.qcut(score, classes, labels=False)])


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", list(models()))
@pytest.mark.parametrize("holes", [False, True])
def test_predictions(name: str, classes: int, holes: bool) -> None:
    model = models()[name]
    if holes and name in ("boosting", "exponential", "bagging"):
        pytest.skip("takes no missing values")
    if name == "exponential" and classes > 2:
        pytest.skip("for two classes only")
    for seed in range(3):
        X = numbers(300, seed, holes=holes)
        y = target(X, classes, seed)
        fitted = boosted(model) if isinstance(model, str) else model
        if name == "xgboost":
            codes, names = pd.factorize(y, sort=True)
            fitted.fit(X, codes)
            assert list(names) == sorted(set(y))
            check_predictions(fitted, X, pd.Series(codes), 1e-5)
            continue
        check_predictions(fitted.fit(X, y), X, y, 1e-12)


@pytest.mark.parametrize("name", ["histogram", "lightgbm", "xgboost"])
def test_categories(name: str) -> None:
    random = np.random.default_rng(1)
    X = numbers(600, 1, holes=True)
    X["city"] = pd.Categorical(random.choice(["Ulm", "Bonn", "Köln", "Aachen", None], 600))
    likes = X["city"].isin(["Ulm", "Aachen"]).astype(float) * 2
    y = pd.Series((likes + X["a"].fillna(0) + random.normal(0, 0.3, 600) > 1).astype(int))
    model = (
        HistGradientBoostingClassifier(max_iter=10, categorical_features="from_dtype")
        if name == "histogram"
        else boosted(name, **({"enable_categorical": True, "max_cat_to_onehot": 1} if name == "xgboost" else {}))
    )
    check_predictions(model.fit(X, y), X, y, 1e-5 if name == "xgboost" else 1e-12)


@pytest.mark.parametrize("name", list(models()))
def test_adult(name: str) -> None:
    if name == "exponential":
        pytest.skip("the same as boosting")
    path = DATA / "adult/adult.data"
    if not path.exists():
        pytest.skip("the benchmark data is missing")
    names = "age workclass fnlwgt education education-num marital-status occupation relationship race sex"
    more = "capital-gain capital-loss hours-per-week native-country income"
    columns = f"{names} {more}".split(" ")
    adult = pd.read_csv(path, names=columns, skipinitialspace=True, na_values="?").dropna().reset_index(drop=True)
    X = adult[["age", "fnlwgt", "capital-gain", "capital-loss", "hours-per-week"]].copy()
    if name in ("histogram", "lightgbm", "xgboost"):
        X = X.assign(**{column: adult[column].astype("category") for column in ("relationship", "sex", "race")})
    y = (adult["income"] == ">50K").astype(int)
    chosen = models()[name]
    if isinstance(chosen, str):
        model = boosted(chosen, **({"enable_categorical": True} if name == "xgboost" else {}))
    elif name == "histogram":
        model = HistGradientBoostingClassifier(max_iter=20, categorical_features="from_dtype")
    else:
        model = chosen
    check_predictions(model.fit(X, y), X, y, 1e-5 if name == "xgboost" else 1e-12)


def of_predictor(nodes: np.ndarray, X: np.ndarray) -> np.ndarray:
    """The leaf of each row in a tree of histogram gradient boosting."""
    place = np.zeros(len(X), dtype=int)
    while True:
        own = nodes[place]
        inner = own["is_leaf"] == 0
        if not inner.any():
            return place
        left = X[np.arange(len(X)), own["feature_idx"]] <= own["num_threshold"]
        place = np.where(inner, np.where(left, own["left"], own["right"]), place)


def leaves_of(model: Any, X: pd.DataFrame) -> np.ndarray:
    """The leaf of each row in every tree."""
    if isinstance(model, BaggingClassifier):
        members = zip(model.estimators_, model.estimators_features_, strict=True)
        return np.column_stack([member.apply(X.to_numpy()[:, features]) for member, features in members])
    if isinstance(model, HistGradientBoostingClassifier):
        trees = [tree.nodes for of_iteration in model._predictors for tree in of_iteration]
        return np.column_stack([of_predictor(nodes, X.to_numpy()) for nodes in trees])
    return np.asarray(model.apply(X)).reshape(len(X), -1)


def joint_k(model: Any, X: pd.DataFrame, first: int | None = None) -> int:
    """The smallest group with the same leaves in all trees, or the first of them, if every feature is public."""
    leaves = pd.DataFrame(leaves_of(model, X)[:, :first])
    return int(leaves.groupby(list(leaves.columns)).size().min())


@pytest.mark.parametrize("name", ["forest", "extra", "bagging", "boosting", "histogram", "xgboost"])
def test_joint_spans_are_groups_of_equal_leaves(name: str) -> None:
    X = numbers(300, 7, holes=False)
    y = pd.Series(pd.factorize(target(X, 2, 7), sort=True)[0])
    chosen = models()[name]
    model = (boosted(chosen) if isinstance(chosen, str) else chosen).fit(X, y)
    policy = ic.Policy(public=list(X.columns), private=["y"], class_name="y", k=2)
    report = ic.audit(model, X.assign(y=y), policy)
    assert report.family == "ensemble"
    assert report.at_most
    assert report.k == joint_k(model, X)
    curve = report.first_trees
    assert curve["k"].is_monotonic_decreasing
    assert curve["spans"].is_monotonic_increasing
    assert int(curve["k"].iloc[-1]) == report.k
    for trees, k in zip(curve["trees"], curve["k"], strict=True):
        assert int(k) == joint_k(model, X, int(trees)), trees
    assert int(curve["spans"].iloc[-1]) == report.spans
    assert "What the first trees reveal" in report._repr_html_()


def test_private_features_are_free(patients: pd.DataFrame) -> None:
    X, y = patients[["age", "weight"]], patients["diagnosis"]
    forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    both = ic.Policy(public=["age", "weight"], private=["diagnosis"], class_name="diagnosis", unlisted="ignored", k=2)
    assert ic.audit(forest, patients, both).k == 1
    neither = ic.Policy(private=["age", "weight", "diagnosis"], class_name="diagnosis", unlisted="ignored", k=2)
    assert ic.audit(forest, patients, neither).k == len(patients)


def test_files(patients: pd.DataFrame, tmp_path: pathlib.Path) -> None:
    X, y = patients[["age", "weight"]], patients["diagnosis"]
    forest = RandomForestClassifier(3, max_depth=3, random_state=0).fit(X, y)
    policy = ic.Policy(public=["age"], private=["weight", "diagnosis"], class_name="diagnosis", unlisted="ignored", k=2)
    ic.write_model(forest, tmp_path / "forest.json", class_name="diagnosis")
    assert ic.audit(tmp_path / "forest.json", patients, policy) == ic.audit(forest, patients, policy)
    with pytest.raises(ic.FileError):
        ic.write_model(forest, tmp_path / "forest.json", class_name="diagnosis")


def cities(rows: int) -> tuple[pd.DataFrame, pd.Series]:
    """Numbers and names with missing cells, and a class."""
    random = np.random.default_rng(2)
    X = numbers(rows, 2, holes=True)[["a", "b"]]
    X["city"] = pd.Categorical(random.choice(["Ulm", "Bonn", "Trier", "Aachen", None], rows))
    likes = X["city"].isin(["Ulm", "Aachen"]).astype(float) * 2
    return X, pd.Series((likes + X["a"].fillna(0) + random.normal(0, 0.3, rows) > 1).astype(int))


def test_pruned_trees() -> None:
    X, y = cities(400)
    model = boosted("xgboost", tree_method="exact", gamma=3).fit(X[["a", "b"]], y)
    check_predictions(model, X[["a", "b"]], y, 1e-5)


@pytest.mark.parametrize("name", ["lightgbm", "xgboost", "pruned"])
@pytest.mark.parametrize("public", [["a", "city"], ["b"], ["b", "city"]])
def test_saved_files(name: str, public: list[str], tmp_path: pathlib.Path) -> None:
    X, y = cities(400)
    path = tmp_path / ("model.txt" if name == "lightgbm" else "model.json")
    if name == "pruned":
        X = X.drop(columns="city")
        public = [column for column in public if column != "city"]
        model = boosted("xgboost", tree_method="exact", gamma=3).fit(X, y)
    else:
        more = {"enable_categorical": True, "max_cat_to_onehot": 1} if name == "xgboost" else {}
        model = boosted(name, **more).fit(X, y)
    booster = model.booster_ if name == "lightgbm" else model.get_booster()
    booster.save_model(str(path))
    private = [column for column in X.columns if column not in public]
    policy = ic.Policy(public=public, private=[*private, "y"], class_name="y", missing_rows="keep", k=2)
    saved, fitted = (ic.audit(what, X.assign(y=y), policy) for what in (path, model))
    figures = ["k", "spans", "exposed", "holds", "max_confidence", "requirements"]
    assert [getattr(saved, name) for name in figures] == [getattr(fitted, name) for name in figures]
    assert saved.first_trees.equals(fitted.first_trees)
    assert any("largest value" in warning for warning in saved.warnings) == (name == "lightgbm")
    assert any("pruning" in warning for warning in saved.warnings) == (name == "pruned")


def test_wrong_use(patients: pd.DataFrame) -> None:
    X, y = patients[["age", "weight"]], patients["diagnosis"]
    policy = ic.Policy(public=["age"], private=["weight", "diagnosis"], class_name="diagnosis", unlisted="ignored", k=2)
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="does not name the class"):
        ic.audit(forest, patients, ic.Policy(public=["age"], unlisted="ignored", k=2))
    with pytest.raises(ValueError, match="LogisticRegression cannot be audited in memory"):
        ic.audit(LogisticRegression().fit(X, y), patients, policy)
    with pytest.raises(ic.InputError, match="bagging of decision trees"):
        ic.audit(BaggingClassifier(LogisticRegression(), 2).fit(X, y), patients, policy)
    started = GradientBoostingClassifier(n_estimators=2, init=LogisticRegression()).fit(X, y)
    with pytest.raises(ic.InputError, match="starts from another model"):
        ic.audit(started, patients, policy)
    if importlib.util.find_spec("lightgbm"):
        zero = boosted("lightgbm", zero_as_missing=True).fit(X.assign(age=X["age"] - 40), y)
        with pytest.raises(ic.InputError, match="zero_as_missing"):
            ic.audit(zero, patients, policy)
