"""Tables for the tests."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import incrowd as ic


def people(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Patients: numbers, texts, a categorical, booleans, dates."""
    random = np.random.default_rng(seed)
    age = random.integers(20, 80, rows)
    smoker = random.random(rows) < 0.4
    sick = random.random(rows) < np.where(smoker, 0.7, 0.2)
    return pd.DataFrame(
        {
            "age": age,
            "weight": np.round(random.normal(75, 12, rows), 1),
            "sex": pd.Categorical(random.choice(["f", "m"], rows)),
            "city": random.choice(["Ulm", "Bonn", "Köln", "a, b", 'x "y"'], rows),
            "smoker": smoker,
            "admitted": pd.to_datetime("2024-01-01") + pd.to_timedelta(random.integers(0, 300, rows), unit="D"),
            "diagnosis": np.where(sick, "flu", "none"),
        }
    ).assign(admitted=lambda frame: frame["admitted"].dt.date)


@pytest.fixture
def patients() -> pd.DataFrame:
    return people()


@pytest.fixture
def policy() -> ic.Policy:
    return ic.Policy(
        public=["age", "weight", "sex", "city", "admitted"],
        private=["smoker", "diagnosis"],
        class_name="diagnosis",
        k=10,
    )
