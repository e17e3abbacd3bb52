"""The Python code in the README and in the book runs."""

from __future__ import annotations

import pathlib
import re

import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import incrowd as ic

ROOT = pathlib.Path(__file__).parents[2]


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_code(page: str, patients: pd.DataFrame, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    patients = patients.drop(columns=["weight", "admitted"])
    tree = DecisionTreeClassifier(max_depth=1).fit(patients[["age"]], patients["diagnosis"])
    names = {"patients": patients, "frame": patients, "sklearn_tree": tree, "make_pipeline": make_pipeline}
    X, y = patients.drop(columns="diagnosis"), patients["diagnosis"]
    names |= {"X_train": X, "y_train": y, "X_test": X, "LGBMClassifier": HistGradientBoostingClassifier}
    for block in blocks(page):
        exec(block, names)
    assert ic.load("tree.json").model.family == "tree"
