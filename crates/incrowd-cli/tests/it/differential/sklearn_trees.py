"""Random trees of scikit-learn, written by the functions of docs/foreign-models.md, against `apply` and `predict`."""

import math
import os
import random
import re

import numpy
import pandas
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

from common import Refused, Tally, compare, crowd, near


def documented():
    """The functions of the documentation."""
    with open(os.path.join(os.environ["INCROWD_DOCS"], "foreign-models.md"), encoding="utf-8") as file:
        parts = re.findall(r"```python\n(.*?)```", file.read(), flags=re.S)
    names = {}
    exec("\n".join(part for part in parts if "def write_tree" in part), names)
    return names


NUMBERS = [0.1, 0.2, 0.30000001192092896, 16777216.0, 16777217.0, 1e-40, 3.0000002, 2.9999998, -1.5, 7.0]


def frame(r, names, missing):
    rows = r.randint(8, 24)
    numbers = NUMBERS + [n for x in NUMBERS for n in near(x)]
    def column(values, with_missing):
        return [None if with_missing and r.random() < 0.2 else r.choice(values) for _ in range(rows)]
    table = pandas.DataFrame(
        {
            "n": pandas.Series(column(numbers, missing), dtype=float),
            "s": pandas.Series(column(names, missing), dtype=object),
            "o": pandas.Series(column(["low", "mid", "high"], missing), dtype=object),
            "p": pandas.Series(column(["u", "v", "w"], False), dtype=object),
            "m": pandas.Series(column([1.0, 2.0, 2.5], False), dtype=float),
        }
    )
    table["y"] = [r.choice(["no", "yes", "?"]) if r.random() < 0.3 else ("yes" if (n or 0) > 1 else "no") for n in table["n"]]
    return table


def run(case, count, seed):
    functions, tally = documented(), Tally()
    for number in range(seed, seed + count):
        r = random.Random(number)
        names = r.choice([["a", "b", "c"], ["1", "01", "1.0"], [" x", "x"], ["é", "nan", "None"]])
        missing = r.random() < 0.5
        table = frame(r, names, missing)
        absent = r.choice([None, math.nan])
        hot = OneHotEncoder(
            drop=r.choice([None, None, "first", "if_binary"]), handle_unknown=r.choice(["error", "ignore"]), sparse_output=False
        )
        ordinal = OrdinalEncoder(
            **r.choice(
                [
                    {},
                    {"handle_unknown": "use_encoded_value", "unknown_value": -1},
                    {"encoded_missing_value": -2},
                    {"handle_unknown": "use_encoded_value", "unknown_value": 99, "encoded_missing_value": -5},
                ]
            )
        )
        order = r.sample(["n", "hot", "o", "m"], 4)

        def matrix(rows, fit=False):
            text = rows[["s", "p"]].astype(object)
            text = text.where(text.notna(), absent)
            codes = rows[["o"]].astype(object)
            codes = codes.where(codes.notna(), absent)
            parts = {
                "n": rows[["n"]].to_numpy(float),
                "m": rows[["m"]].to_numpy(float),
                "hot": (hot.fit_transform if fit else hot.transform)(text),
                "o": (ordinal.fit_transform if fit else ordinal.transform)(codes),
            }
            return numpy.hstack([parts[name] for name in order])

        tree = DecisionTreeClassifier(
            max_leaf_nodes=r.randint(2, 12), min_samples_leaf=r.randint(1, 3), random_state=number,
            splitter=r.choice(["best", "best", "random"]),
        )
        features = matrix(table, True)
        try:
            tree.fit(features, table["y"])
        except ValueError:
            continue
        columns = []
        for name in order:
            columns += {
                "n": lambda: ["n"],
                "m": lambda: ["m"],
                "hot": lambda: functions["one_hot_columns"](["s", "p"], hot),
                "o": lambda: functions["ordinal_columns"](["o"], ordinal),
            }[name]()
        model = case.path("model.json")
        try:
            functions["write_tree"](tree, columns, "y", model)
        except ValueError as error:
            tally.refuse(f"the snippet: {error}")
            continue
        expected = [str(label) for label in tree.predict(features)]

        def bins(rows):
            return tree.apply(matrix(pandas.DataFrame(rows))).tolist()

        rows = table.drop(columns="y").to_dict("records")
        values = [2.0, 3.0, 1.0, 2.5] + [t for t in tree.tree_.threshold[tree.tree_.feature >= 0] if 1 <= t <= 3]
        values = sorted({n for t in values for n in near(float(t)) if 1 <= n <= 3} | {1.0, 3.0})
        try:
            k = crowd(rows, ["n", "s", "o"], {"p": sorted(set(table["p"])), "m": values}, bins)
        except Refused:
            k = None
        cells = [[None if isinstance(c, float) and math.isnan(c) else c for c in row] for row in table.to_numpy(object).tolist()]
        case.table(cells, list(table.columns))
        case.policy(
            {
                "n": {"role": '"public"', "kind": '"numeric"'},
                "s": {"role": '"public"', "kind": '"categorical"'},
                "o": {"role": '"public"', "kind": '"categorical"'},
                "p": {"role": '"private"'},
                "m": {"role": '"private"', "kind": '"numeric"', "range": "[1, 3]"},
                "y": {"role": '"private"'},
            },
            "y",
        )
        compare(case, tally, model, expected, k, f"scikit-learn {number}")
    tally.finish(0.5)
