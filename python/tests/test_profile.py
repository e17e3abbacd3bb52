"""Profiles and comparisons."""

from __future__ import annotations

import pandas as pd
import pytest

import incrowd as ic


def test_profile(patients: pd.DataFrame, tmp_path: object) -> None:
    frame = patients.assign(name=[f"person {i}" for i in range(400)])
    profile = ic.profile(frame)
    policy = profile.policy
    assert "name" in policy.identifier
    assert "age" in policy.public
    assert "diagnosis" in policy.private
    assert list(profile.columns["name"]) == list(frame.columns)
    assert profile.columns.set_index("name").loc["name", "unique"] == 1
    assert "Profile" in profile._repr_html_()
    policy.write(tmp_path / "policy.toml")
    assert ic.Policy.read(tmp_path / "policy.toml") == policy
    # What the first policy says fits the frame.
    assert ic.anonymize(frame, policy).report.holds


def test_profile_with_missing_values(patients: pd.DataFrame) -> None:
    holes = patients.assign(city=patients["city"].where(patients.index % 50 > 0))
    policy = ic.profile(holes).policy
    assert "missing = []" in policy.to_toml()
    assert ic.anonymize(holes, policy).summary["rows_left_out"]["total"] == 8


def test_compare(patients: pd.DataFrame, policy: ic.Policy, tmp_path: object) -> None:
    comparison = ic.compare(
        patients, policy, methods=["mondrian"], ks=[5, 20], inducers=["naive-bayes"], cv=(1, 2), folder=tmp_path / "r"
    )
    assert comparison.to_dict()["ks"] == [5, 20]
    assert set(comparison.scores["k"].dropna()) >= {5, 20}
    assert "<html" in comparison.to_html()
    assert "iframe" in comparison._repr_html_()
    assert (tmp_path / "r" / "report.html").exists()
    with pytest.raises(ValueError, match="unknown method") as error:
        ic.compare(patients, policy, methods=["id4"])
    assert error.value.parameter == "methods"
    with pytest.raises(ValueError, match="a comparison replaces k"):
        ic.compare(patients, policy, k=3)
