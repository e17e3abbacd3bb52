"""The conventions of scikit-learn."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import make_column_selector
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import incrowd as ic

#: Checks that are expected to fail, with the reason.
EXPECTED: dict[str, str] = {}
if sklearn.__version__.startswith("1.6."):
    EXPECTED["check_positive_only_tag_during_fit"] = (
        "fails before it comes to the estimator: it subtracts a mean from the whole numbers that it makes for "
        "estimators of categories"
    )


#: Checks that compare outputs as numbers.
NUMBERS = (
    "check_transformer_general",
    "check_transformer_data_not_an_array",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_fit_idempotent",
    "check_pipeline_consistency",
    "check_estimators_pickle",
    "check_sample_weight_equivalence_on_dense_data",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_global_output_transform_pandas",
    "check_global_set_output_transform_polars",
)


def expected(estimator: object) -> dict[str, str]:
    """Which checks are expected to fail, and why."""
    if isinstance(estimator, ic.Recoder) and estimator.encode == "text":
        reason = "cells are texts, which the check compares as numbers; it passes with the places of the texts"
        return EXPECTED | dict.fromkeys(NUMBERS, reason)
    return EXPECTED


@parametrize_with_checks(
    [
        ic.TreeClassifier(),
        ic.BoostClassifier(rounds=30),
        ic.Clusters(),
        ic.Recoder(encode="codes"),
        ic.Recoder(encode="representatives"),
        ic.Recoder(),
    ],
    expected_failed_checks=expected,
)
def test_conventions(estimator: object, check: object) -> None:
    check(estimator)


def test_clone_keeps_the_policy(policy: ic.Policy) -> None:
    clf = ic.TreeClassifier(policy, max_leaves=5)
    copy = clone(clf)
    assert copy.get_params() == clf.get_params()
    assert copy.policy == policy


def test_pipeline_and_grid_search() -> None:
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), ic.TreeClassifier()), {"treeclassifier__k": [10, 60]}, cv=3
    ).fit(X, y)
    assert search.best_params_ == {"treeclassifier__k": 10}
    assert search.best_score_ > 0.85
    assert search.best_estimator_[-1].report_.k >= 10
    assert cross_val_score(ic.TreeClassifier(k=10), X, y, cv=3).mean() > 0.85


@pytest.mark.parametrize("via", [lambda x: pickle.loads(pickle.dumps(x)), "joblib"])
def test_pickling(via: object, patients: pd.DataFrame, policy: ic.Policy, tmp_path: object) -> None:
    X, y = patients.drop(columns="diagnosis"), patients["diagnosis"]
    clf = ic.TreeClassifier(policy).fit(X, y)
    if via == "joblib":
        joblib.dump(clf, tmp_path / "clf.joblib")
        back = joblib.load(tmp_path / "clf.joblib")
    else:
        back = via(clf)
    np.testing.assert_array_equal(back.predict_proba(X), clf.predict_proba(X))
    assert back.report_ == clf.report_
    assert back.release_.to_json() == clf.release_.to_json()
    with pytest.raises(ic.ParameterError, match="cannot be written as a release"):
        back.write(tmp_path / "tree.json")
    clf.write(tmp_path / "tree.json")
    assert (tmp_path / "tree.json").read_text() == clf.release_.to_json()


def test_weights_are_individuals() -> None:
    X, y = make_blobs(120, centers=3, random_state=0)
    X = X.round(1)
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    weighted = ic.TreeClassifier(k=10).fit(X, y, sample_weight=weights)
    repeated = ic.TreeClassifier(k=10).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.release_.to_json() == repeated.release_.to_json()
    assert weighted.report_.individuals == weights.sum()
    with pytest.raises(ValueError, match="not a whole number"):
        ic.TreeClassifier(k=10).fit(X, y, sample_weight=weights + 0.5)
    clusters = ic.Clusters(k=10, n_clusters=3).fit(X, sample_weight=weights)
    assert clusters.report_.individuals == weights.sum()
    assert len(clusters.labels_) == len(X)


def test_weights_of_boosted_trees() -> None:
    X, y = make_blobs(150, centers=2, cluster_std=3.0, random_state=0)
    X = X.round(0)
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    clf = ic.BoostClassifier(private=["x1"], k=10, rounds=20)
    weighted = clone(clf).fit(X, y, sample_weight=weights)
    repeated = clone(clf).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.release_.to_json() == repeated.release_.to_json()
    assert weighted.report_.individuals == weights.sum()


def test_boosted_trees(patients: pd.DataFrame, policy: ic.Policy, tmp_path: object) -> None:
    X, y = patients.drop(columns="diagnosis"), patients["diagnosis"]
    clf = ic.BoostClassifier(policy).fit(X, y)
    assert clf.report_.holds
    assert clf.score(X, y) > 0.7
    proba = clf.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.classes_[proba.argmax(axis=1)], clf.predict(X))
    clf.write(tmp_path / "boosted.json")
    assert ic.audit(tmp_path / "boosted.json", patients, clf.policy_).holds
    assert ic.load(tmp_path / "boosted.json").model.family == "ensemble"
    back = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(back.predict_proba(X), proba)
    assert "boosted trees" in clf._repr_html_()
    with pytest.raises(ic.ParameterError, match="rounds must be from 1") as error:
        ic.BoostClassifier(policy, rounds=0).fit(X, y)
    assert error.value.help == "300 is the default"
    with pytest.raises(ic.ParameterError, match="unknown structure"):
        ic.BoostClassifier(policy, structure="open").fit(X, y)


@pytest.mark.parametrize("classes", [2, 3])
def test_calibration_of_boosted_trees(classes: int) -> None:
    X, y = make_blobs(600, centers=classes, cluster_std=4.0, random_state=1)
    y = np.array(["b", "c", "a"])[y]
    clf = ic.BoostClassifier(private=["x1"], k=10).fit(X[:400], y[:400])
    found = clf.calibration(X[400:], y[400:])
    proba = clf.predict_proba(X[400:])
    assert found["log_loss"] == pytest.approx(log_loss(y[400:], proba, labels=clf.classes_))
    truth = (y[400:, None] == clf.classes_).astype(float)
    squares = ((proba - truth) ** 2).sum(axis=1).mean()
    assert found["brier_score"] == pytest.approx(squares / 2 if classes == 2 else squares)
    assert 0 < found["calibration_error"] < 0.3
    weights = np.random.default_rng(0).integers(0, 3, 200)
    repeated = clf.calibration(np.repeat(X[400:], weights, axis=0), np.repeat(y[400:], weights))
    assert clf.calibration(X[400:], y[400:], sample_weight=weights) == pytest.approx(repeated)
    with pytest.raises(ic.InputError, match="no row has a class"):
        clf.calibration(X[400:], ["other"] * 200)
    with pytest.raises(ic.InputError, match="one value per row"):
        clf.calibration(X[400:], y)


def test_boosted_trees_that_vote(patients: pd.DataFrame, policy: ic.Policy) -> None:
    X, y = patients.drop(columns="diagnosis"), patients["diagnosis"]
    clf = ic.BoostClassifier(policy, detail="labels").fit(X, y)
    assert clf.report_.holds
    assert clf.score(X, y) > 0.7
    figures = clf.release_.summary
    assert figures["max_leaves"] in (8, 15, 31)
    assert figures["learning_rate"] in (0.05, 0.1)
    with pytest.raises(ic.ParameterError, match="digits apply to scores only"):
        ic.BoostClassifier(policy, detail="labels", digits=2).fit(X, y)
    with pytest.raises(ic.ParameterError, match="unknown detail"):
        ic.BoostClassifier(policy, detail="counts").fit(X, y)


def test_blind_boosted_trees_do_not_depend_on_who_has_what(patients: pd.DataFrame) -> None:
    X = patients[["sex", "smoker", "weight"]].assign(weight=lambda frame: frame["weight"].round(-1))
    y = patients["diagnosis"]
    clf = ic.BoostClassifier(public=["sex"], private=["smoker", "weight"], structure="blind", k=20)
    before = clone(clf).fit(X, y).release_.to_json()
    own = np.flatnonzero(X["sex"] == "f")
    order = np.arange(len(X))
    order[own] = own[::-1]
    swapped = X.assign(smoker=X["smoker"].to_numpy()[order], weight=X["weight"].to_numpy()[order])
    exchanged = pd.Series(y.to_numpy()[order], name="diagnosis")
    assert clone(clf).fit(swapped, exchanged).release_.to_json() == before


def test_roles_as_lists_and_selectors(patients: pd.DataFrame) -> None:
    X, y = patients.drop(columns="diagnosis"), patients["diagnosis"]
    by_default = ic.TreeClassifier().fit(X, y)
    assert by_default.policy_.public == list(X.columns)
    assert by_default.policy_.private == ["diagnosis"]
    assert by_default.policy_.guarantee == ["k = 10"]
    by_list = ic.TreeClassifier(private=["smoker"], k=20).fit(X, y)
    assert by_list.policy_.private == ["smoker", "diagnosis"]
    assert by_list.report_.k >= 20
    selector = make_column_selector(dtype_include=bool)
    by_selector = ic.TreeClassifier(private=selector, k=20).fit(X, y)
    assert by_selector.release_.to_json() == by_list.release_.to_json()
    policy = ic.Policy(public=make_column_selector(dtype_exclude=bool), private=selector, k=20)
    assert ic.TreeClassifier(policy).fit(X, y).release_.to_json() == by_list.release_.to_json()


def test_labels_of_any_type(patients: pd.DataFrame) -> None:
    X = patients[["age", "smoker"]]
    sick = (patients["diagnosis"] == "flu").to_numpy()
    for labels in (sick, sick.astype(int) * 8 + 2, np.where(sick, "flu", "none"), sick.astype(float)):
        clf = ic.TreeClassifier(private=["smoker"]).fit(X, labels)
        assert clf.predict(X).dtype == clf.classes_.dtype
        assert clf.score(X, labels) > 0.7
        proba = clf.predict_proba(X)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        np.testing.assert_array_equal(clf.classes_[proba.argmax(axis=1)], clf.predict(X))


@pytest.mark.parametrize("detail", ["counts", "shares", "labels"])
def test_detail_of_leaves(detail: str) -> None:
    X, y = load_iris(return_X_y=True)
    clf = ic.TreeClassifier(k=5, detail=detail).fit(X, y)
    np.testing.assert_allclose(clf.predict_proba(X).sum(axis=1), 1)
    assert clf.score(X, y) > 0.9


def test_exports(tmp_path: object) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = ic.TreeClassifier(k=5).fit(X, y)
    assert "<PMML" in clf.export("pmml")
    assert isinstance(clf.export("onnx"), bytes)
    assert "CASE" in clf.export("sql").upper()
    with pytest.raises(ic.ParameterError, match="unknown language"):
        clf.export("word")
    clf.write(tmp_path / "tree.json")
    assert ic.audit(tmp_path / "tree.json", X.assign(target=y), clf.policy_).holds
    X.assign(target=y).to_csv(tmp_path / "iris.csv", index=False)
    assert ic.audit(tmp_path / "tree.json", tmp_path / "iris.csv", clf.policy_).holds
    with pytest.raises(ic.FileError):
        clf.write(tmp_path / "tree.json")
    clf.write(tmp_path / "tree.json", replace=True)


def test_unfitted() -> None:
    for call in (
        lambda: ic.TreeClassifier().predict([[1]]),
        lambda: ic.TreeClassifier().report_,
        lambda: ic.TreeClassifier().write("x.json"),
        lambda: ic.Clusters().predict([[1]]),
    ):
        with pytest.raises(NotFittedError):
            call()
