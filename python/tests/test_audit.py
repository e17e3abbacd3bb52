"""Audits, anonymized tables, rules, and what they show."""

from __future__ import annotations

import pickle

import pandas as pd
import pytest

import incrowd as ic


def test_audit_of_an_estimator(patients: pd.DataFrame, policy: ic.Policy) -> None:
    X, y = patients.drop(columns="diagnosis"), patients["diagnosis"]
    clf = ic.TreeClassifier(policy).fit(X, y)
    report = ic.audit(clf, patients)
    assert report.holds
    assert report == clf.report_
    assert ic.audit(clf, patients, policy, k=10).k == clf.report_.k
    assert not ic.audit(clf, patients, k=10_000).holds
    with pytest.raises(ic.InputError, match="number of individuals"):
        ic.audit(clf, patients.head(200))
    with pytest.raises(ic.ParameterError, match="table that it was made from"):
        ic.audit(clf)


def test_audit_of_a_table(patients: pd.DataFrame, policy: ic.Policy) -> None:
    report = ic.audit(patients, policy)
    assert not report.holds
    assert (report.k, report.individuals) == (1, 400)
    assert report.requirements == {"k = 10": report.spans} or report.requirements["k = 10"] > 0
    assert list(report.breaches.columns) == ["individuals", "rule", "breach", "exposed_to"]
    assert report.breaches["breach"].all()
    with pytest.raises(ic.Breach, match="does not hold") as error:
        report.raise_for_breach()
    assert error.value.help
    assert pickle.loads(pickle.dumps(report)) == report
    assert pickle.loads(pickle.dumps(error.value)).help == error.value.help
    assert "does not hold" in report._repr_html_()
    named = ic.audit(patients.assign(name="x"), policy_with(policy, "name"), without=["name"])
    assert named.to_dict()["k"] == 1


def test_audit_of_a_model_of_scikit_learn(patients: pd.DataFrame) -> None:
    from sklearn.cluster import KMeans
    from sklearn.tree import DecisionTreeClassifier

    policy = ic.Policy(public=["age"], private=["weight", "diagnosis"], class_name="diagnosis", unlisted="ignored")
    X, y = patients[["age", "weight"]], patients["diagnosis"]
    fine = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert not ic.audit(fine, patients, policy, k=10).holds
    coarse = DecisionTreeClassifier(min_samples_leaf=30, random_state=0).fit(X[["age"]], y)
    report = ic.audit(coarse, patients, policy, k=10)
    assert report.holds
    assert report.k == coarse.tree_.n_node_samples[coarse.tree_.children_left < 0].min()
    for labels in ((y == "flu"), (y == "flu").astype(int)):
        tree = DecisionTreeClassifier(min_samples_leaf=30, random_state=0).fit(X[["age"]], labels)
        assert ic.audit(tree, patients.assign(diagnosis=labels), policy).k == report.k
    clusters = ic.audit(KMeans(2, random_state=0).fit(X[["age"]]), patients[["age"]], ic.Policy(public=["age"], k=10))
    assert clusters.family == "clusters"
    with pytest.raises(ValueError, match="does not name the class"):
        ic.audit(fine, patients, ic.Policy(public=["age"], unlisted="ignored", k=2))


def policy_with(policy: ic.Policy, identifier: str) -> ic.Policy:
    return ic.Policy(
        public=policy.public, private=policy.private, identifier=[identifier], class_name=policy.class_name, k=10
    )


def test_identifiers_in_a_table_are_a_breach(patients: pd.DataFrame, policy: ic.Policy) -> None:
    report = ic.audit(patients.assign(name="x"), policy_with(policy, "name"))
    assert not report.holds
    assert report.to_dict()["column_breaches"][0]["column"] == "name"


@pytest.mark.parametrize("method", ["best", "mondrian", "spans", "tds", "aggregate"])
def test_anonymized_tables(method: str, patients: pd.DataFrame, policy: ic.Policy, tmp_path: object) -> None:
    anon = ic.anonymize(patients, policy, method=method)
    assert anon.report.holds
    assert anon.report.k >= 10
    anon.write(tmp_path / "anon.parquet")
    assert ic.audit(tmp_path / "anon.parquet", policy).k == anon.report.k
    assert "Anonymized table" in anon._repr_html_()


def test_rules(patients: pd.DataFrame, tmp_path: object) -> None:
    policy = ic.Policy(public=["sex", "city"], private=["smoker", "diagnosis"], k=10, unlisted="ignored")
    rules = ic.rules(patients, policy, min_support=0.15, min_confidence=0.5)
    assert len(rules) > 0
    assert rules.report.holds
    assert list(rules.frame.columns)[:2] == ["antecedent", "consequent"]
    rules.write(tmp_path / "rules.json")
    assert ic.audit(rules, patients, policy).holds
    with pytest.raises(ic.InputError, match="no rule reaches the minimum support"):
        ic.rules(patients, policy, min_support=0.99)
    none = ic.rules(patients, policy, min_support=0.3, min_confidence=0.5, smallest_bin=300)
    assert len(none) == 0
    with pytest.raises(ic.Unsatisfiable):
        none.write(tmp_path / "none.json")


def test_clusters(patients: pd.DataFrame, tmp_path: object) -> None:
    X = patients[["age", "weight", "sex"]]
    clusters = ic.Clusters(k=20, n_clusters=4, private=["weight"]).fit(X)
    assert clusters.report_.holds
    assert set(clusters.labels_) == set(range(len(clusters.cluster_centers_)))
    assert (clusters.predict(X) == clusters.labels_).all()
    assert ic.audit(clusters, X).holds
    clusters.write(tmp_path / "clusters.json")
    assert "clusters" in clusters._repr_html_()


def test_subjects_with_several_rows(patients: pd.DataFrame) -> None:
    frame = pd.concat([patients.assign(who=range(400)), patients.head(50).assign(who=range(50))])
    policy = ic.Policy(
        public=["age", "sex"], private=["diagnosis"], subject="who", class_name="diagnosis", k=10, unlisted="ignored"
    )
    anon = ic.anonymize(frame, policy)
    assert anon.report.individuals == 400
    assert "who" not in anon.frame.columns


def test_missing_values(patients: pd.DataFrame, policy: ic.Policy) -> None:
    holes = patients.assign(city=patients["city"].where(patients.index % 20 > 0))
    with pytest.raises(ic.InputError, match="a value is missing in row 1") as error:
        ic.anonymize(holes, policy)
    assert error.value.attribute == "city"
    assert "`missing_rows`" in error.value.help
    roles = {"public": policy.public, "private": policy.private, "class_name": "diagnosis", "k": 10}
    dropped = ic.anonymize(holes, ic.Policy(**roles, missing_rows="drop"))
    assert dropped.summary["rows_left_out"]["total"] == 20
    assert len(ic.anonymize(holes, ic.Policy(**roles, missing_rows="keep"))) == 400
    X, y = holes.drop(columns="diagnosis"), holes["diagnosis"]
    clf = ic.TreeClassifier(ic.Policy(**roles, missing_rows="drop")).fit(X, y)
    assert clf.report_.individuals == 380
    assert len(clf.predict(X)) == 400


def test_presets_are_requirements_by_name() -> None:
    policy = ic.Policy(public=["age"], private=["ill"], preset="ema-0070")
    assert policy._read()["guarantee"] == ["k = 12"]
    both = ic.Policy(public=["age"], private=["ill"], preset=["cms-small-cells", "wp216"])
    assert both._read()["guarantee"] == ["k = 11", "smallest bin = 11"]
    with pytest.raises(ic.IncrowdError, match="requires more"):
        ic.Policy(public=["age"], private=["ill"], k=5, preset="ema-0070")
