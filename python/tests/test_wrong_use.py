"""Wrong use: the exceptions that scikit-learn's users expect, with the argument and the fix."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import incrowd as ic


@pytest.fixture
def rows(patients: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    return patients.drop(columns="diagnosis"), patients["diagnosis"]


def test_a_column_that_is_not_in_the_frame(patients: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="the frame has no such column") as error:
        ic.anonymize(patients, ic.Policy(public=["height"], private=["diagnosis"], k=10, unlisted="ignored"))
    assert error.value.attribute == "height"
    assert "its columns are: age, weight" in error.value.help


def test_a_column_without_a_role(rows: tuple[pd.DataFrame, pd.Series]) -> None:
    with pytest.raises(ValueError, match="the policy does not mention this column") as error:
        ic.TreeClassifier(ic.Policy(public=["age"], private=["diagnosis"], k=10)).fit(*rows)
    assert error.value.attribute == "weight"
    assert "`ignored`" in error.value.help


def test_the_nearest_centroid_of_an_incomplete_row() -> None:
    numbers = np.random.default_rng(0).normal(size=(60, 2))
    clusters = ic.Clusters(k=5).fit(pd.DataFrame(numbers, columns=["a", "b"]))
    with pytest.raises(ValueError, match="a value is missing") as error:
        clusters.predict(pd.DataFrame({"a": [0.5, np.nan], "b": [0.5, 1.5]}))
    assert error.value.attribute == "a"
    assert "leave out such rows" in error.value.help


def test_a_role_given_twice() -> None:
    with pytest.raises(ValueError, match="`age` is given as `public` and as `private`") as error:
        ic.Policy(public=["age"], private=["age"])
    assert error.value.attribute == "age"
    assert error.value.help == "give each column one role"


def test_roles_by_policy_and_by_list(rows: tuple[pd.DataFrame, pd.Series], policy: ic.Policy) -> None:
    with pytest.raises(ValueError, match="`policy` and `private` both state roles"):
        ic.TreeClassifier(policy, private=["smoker"]).fit(*rows)


def test_other_columns_at_predict_time(rows: tuple[pd.DataFrame, pd.Series], policy: ic.Policy) -> None:
    X, y = rows
    clf = ic.TreeClassifier(policy).fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(X.rename(columns={"age": "years"}))
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="feature"):
        clf.predict(X.drop(columns="age"))


def test_a_policy_for_another_frame(rows: tuple[pd.DataFrame, pd.Series]) -> None:
    with pytest.raises(ValueError, match=r"no such column|does not mention"):
        ic.TreeClassifier(ic.Policy(public=["a", "b"], private=["c"], k=2)).fit(*rows)


def test_y_of_another_length_and_shape(rows: tuple[pd.DataFrame, pd.Series]) -> None:
    X, y = rows
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ic.TreeClassifier().fit(X, y[:-1])
    with pytest.raises(ValueError, match="1d array"):
        ic.TreeClassifier().fit(X, np.ones((len(X), 2)))
    with pytest.raises(ValueError, match="requires y to be passed"):
        ic.TreeClassifier().fit(X, None)
    with pytest.raises(ValueError, match="one class"):
        ic.TreeClassifier().fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="Unknown label type"):
        ic.TreeClassifier().fit(X, np.linspace(0, 1, len(X)))


def test_unknown_names(rows: tuple[pd.DataFrame, pd.Series], patients: pd.DataFrame, policy: ic.Policy) -> None:
    with pytest.raises(ValueError, match="unknown method `id4`") as error:
        ic.TreeClassifier(method="id4").fit(*rows)
    assert error.value.parameter == "method"
    assert "choose one of: best, kadet-c45, kadet-id3" in error.value.help
    with pytest.raises(ValueError, match="unknown detail"):
        ic.TreeClassifier(detail="all").fit(*rows)
    with pytest.raises(ValueError, match="unknown requirement `anonymity`"):
        ic.anonymize(patients, policy, anonymity=3)
    with pytest.raises(AttributeError, match="no attribute 'Forest'"):
        _ = ic.Forest


@pytest.mark.parametrize("k", [0, -1, 2.5, True])
def test_k_out_of_range(k: object, rows: tuple[pd.DataFrame, pd.Series]) -> None:
    with pytest.raises(ValueError, match="k must be a whole number from 1") as error:
        ic.TreeClassifier(k=k).fit(*rows)
    assert error.value.parameter == "k"


def test_less_than_the_policy(rows: tuple[pd.DataFrame, pd.Series], patients: pd.DataFrame, policy: ic.Policy) -> None:
    with pytest.raises(ValueError, match="this is weaker than what the policy requires: k = 10"):
        ic.TreeClassifier(policy, k=5).fit(*rows)
    weak = ic.anonymize(patients, policy, k=5, weaken=True)
    assert weak.summary["weakened"] == ["k = 10"]


def test_more_than_the_table_can_give(rows: tuple[pd.DataFrame, pd.Series]) -> None:
    with pytest.raises(ic.Unsatisfiable) as error:
        ic.TreeClassifier(k=100_000).fit(*rows)
    assert isinstance(error.value, ValueError)


def test_no_policy(patients: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="the policy is missing"):
        ic.audit(patients)
    with pytest.raises(ValueError, match="must be a Policy or the path"):
        ic.audit(patients, policy={"k": 3})
    with pytest.raises(OSError, match="cannot be read"):
        ic.audit(patients, policy="nowhere.toml")


def test_data_of_another_kind(policy: ic.Policy) -> None:
    with pytest.raises(ValueError, match="must be a frame or a two-dimensional array"):
        ic.anonymize([1, 2, 3], policy)
    with pytest.raises(ValueError, match="not a path"):
        ic.TreeClassifier().fit("people.csv", [1, 0])
    with pytest.raises(OSError, match="no such file"):
        ic.anonymize("nowhere.csv", policy)


def test_the_class_among_the_features(patients: pd.DataFrame, policy: ic.Policy) -> None:
    with pytest.raises(ValueError, match="which is the class"):
        ic.TreeClassifier(policy).fit(patients, patients["diagnosis"])


def test_an_estimator_of_another_library(patients: pd.DataFrame, policy: ic.Policy) -> None:
    from sklearn.linear_model import LogisticRegression

    with pytest.raises(NotFittedError):
        ic.audit(LogisticRegression(), patients, policy)


def test_errors_in_a_policy_name_the_line() -> None:
    with pytest.raises(ValueError, match="line 2") as error:
        ic.Policy.from_toml('[attributes.age]\nrole = "publik"')
    assert error.value.line == 2
    assert error.value.help


def test_import_is_quick_and_light() -> None:
    code = "import sys, incrowd; print('sklearn' in sys.modules, 'pyarrow' in sys.modules, 'pandas' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False"] * 3


def test_an_interrupt_stops_work_soon_and_leaves_none_behind() -> None:
    # The package under test may be compiled without optimization, which makes the time between two looks much longer.
    code = textwrap.dedent(
        """
        import os, signal, threading, time
        import numpy as np, incrowd as ic
        X = np.random.default_rng(0).random((6_000, 20))
        y = X.sum(axis=1) + np.random.default_rng(1).random(6_000) > 10.5
        ic.TreeClassifier(k=2).fit(X[:100], y[:100])
        begin = time.monotonic()
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            while True:
                ic.TreeClassifier(k=2).fit(X, y)
        except KeyboardInterrupt:
            print(time.monotonic() - begin - 0.5)
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    # Work that went on in the background would end the interpreter with another status.
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 2


def test_work_lets_other_threads_run(rows: tuple[pd.DataFrame, pd.Series]) -> None:
    import threading

    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    X = np.random.default_rng(0).random((5_000, 5))
    ic.TreeClassifier(k=5).fit(X, X[:, 0] > 0.5)
    done.set()
    other.join()
    assert ticks > 3


ESTIMATORS = [ic.TreeClassifier, ic.BoostClassifier, ic.Recoder, ic.Clusters]


def use(estimator: object, X: pd.DataFrame) -> object:
    """Predict or transform rows."""
    return estimator.transform(X) if isinstance(estimator, ic.Recoder) else estimator.predict(X)


@pytest.mark.parametrize("kind", ESTIMATORS)
class TestEveryEstimator:
    """The same mistakes with every estimator."""

    def test_a_column_that_is_not_in_the_frame(self, kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        for role in ("public", "private"):
            with pytest.raises(ic.InputError, match="the frame has no such column") as error:
                kind(**{role: ["height"]}).fit(*rows)
            assert error.value.attribute == "height"
            assert "its columns are: age, weight" in error.value.help

    def test_a_role_given_twice(self, kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        with pytest.raises(ic.ParameterError, match="`age` is given as `public` and as `private`") as error:
            kind(public=["age"], private=["age"]).fit(*rows)
        assert (error.value.attribute, error.value.help) == ("age", "give each column one role")

    def test_a_missing_public_value(self, kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        X, y = rows
        with pytest.raises(ic.InputError, match="`age`: a value is missing in row 1") as error:
            kind(private=["smoker"]).fit(X.assign(age=X["age"].where(X.index > 3)), y)
        assert error.value.attribute == "age"
        assert "missing_rows" in error.value.help

    def test_other_columns_later(self, kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        X, y = rows[0][["age", "weight"]], rows[1]
        fitted = kind().fit(X, y)
        for other in (X.rename(columns={"age": "years"}), X.drop(columns="age"), X.assign(z=1), X[["weight", "age"]]):
            with pytest.raises(ValueError, match="feature names should match"):
                use(fitted, other)
        with pytest.raises(ValueError, match="X has 3 features, but"):
            use(kind().fit(X.to_numpy(), y), np.ones((5, 3)))

    def test_a_policy_for_another_frame(self, kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        with pytest.raises(ic.InputError, match=r"no such column|does not mention"):
            kind(ic.Policy(public=["a", "b"], private=["c"], k=2)).fit(*rows)
        with pytest.raises(ic.ParameterError, match="must be a Policy or the path") as error:
            kind({"k": 3}).fit(*rows)
        assert error.value.parameter == "policy"

    def test_unfitted(self, kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        for work in (lambda: use(kind(), rows[0]), lambda: kind().report_, lambda: kind().write("x.json")):
            with pytest.raises(NotFittedError, match="is not fitted yet"):
                work()

    def test_an_unknown_method(self, kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        if kind is ic.BoostClassifier:
            pytest.skip("there is one method")
        with pytest.raises(ic.ParameterError, match="unknown method `id4`") as error:
            kind(method="id4").fit(*rows)
        assert error.value.parameter == "method"
        assert "choose one of: " in error.value.help

    @pytest.mark.parametrize("k", [0, 2.5, "ten", True])
    def test_a_k_that_is_not_one(self, kind: type, k: object, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        with pytest.raises(ic.ParameterError, match="k must be a whole number from 1") as error:
            kind(k=k).fit(*rows)
        assert error.value.parameter == "k"

    def test_weights(self, kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
        X, y = rows
        with pytest.raises(ValueError, match="sample_weight"):
            kind().fit(X, y, sample_weight=np.ones(3))
        with pytest.raises(ic.InputError, match="not a whole number"):
            kind().fit(X, y, sample_weight=np.full(len(X), 0.5))


@pytest.mark.parametrize("kind", [ic.TreeClassifier, ic.BoostClassifier, ic.Recoder])
def test_a_class_of_another_shape(kind: type, rows: tuple[pd.DataFrame, pd.Series]) -> None:
    X, y = rows
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        kind().fit(X, y[:-1])
    with pytest.raises(ValueError, match="y should be a 1d array"):
        kind().fit(X, np.ones((len(X), 2)))
    with pytest.raises(ValueError, match="y should be a 1d array"):
        kind().fit(X, pd.DataFrame({"a": y, "b": y}))
    with pytest.raises(ValueError, match="y contains NaN"):
        kind().fit(X, np.where(y == "flu", np.nan, 1.0))
