"""A k-anonymous table by another program: table_peer.py PROGRAM TABLE.csv K TAXONOMIES OUT.csv.

Timed from the file to the file. The nine public columns change, the others stay.
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import apt_toolkit
import pandas as pd
import tree_data

NAMES = ["workclass", "education", "marital-status", "occupation", "relationship", "race", "sex", "native-country"]
PUBLIC = ["age"] + NAMES
KEPT = ["capital-gain", "capital-loss", "hours-per-week", "class"]


def anonypy(frame, k, _):
    """Mondrian. Its own way to put groups into words cannot do without a sensitive column."""
    from anonypy import Preserver

    frame = frame.copy()
    for name in NAMES:
        frame[name] = frame[name].astype("category")
    return pd.DataFrame(Preserver(frame, PUBLIC, "class").anonymize_k_anonymity(k=k))


def anjana(frame, k, taxonomies):
    """One level per column for all rows, at most 5 % of the rows dropped."""
    from anjana.anonymity import k_anonymity

    levels = {}
    for name in NAMES:
        lines = pd.read_csv(os.path.join(taxonomies, name + ".csv"), sep=";", header=None, dtype=str)
        levels[name] = {level: lines[level].to_numpy() for level in lines.columns}
    ages = sorted(set(frame["age"]))
    widths = [5, 10, 20, 40]
    levels["age"] = {0: pd.Series(ages).to_numpy()}
    for level, width in enumerate(widths, 1):
        levels["age"][level] = pd.Series([f"[{age // width * width}, {age // width * width + width})" for age in ages]).to_numpy()
    levels["age"][len(widths) + 1] = pd.Series(["*"] * len(ages)).to_numpy()
    return k_anonymity(frame, [], PUBLIC, k, 5.0, levels)


def ai_privacy_toolkit(frame, k, _):
    """Leaves of a tree, each shown by one of its rows."""
    Anonymize, ArrayDataset = apt_toolkit.load()
    target = frame["class"].astype("category").cat.codes.to_numpy()
    features = frame.drop(columns="class")
    anonymizer = Anonymize(k, PUBLIC, categorical_features=NAMES)
    return anonymizer.anonymize(ArrayDataset(features, target, features_names=list(features.columns)))


program, table, k, taxonomies, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]
start, cpu = time.perf_counter(), time.process_time()
frame = pd.read_csv(table)[PUBLIC + KEPT]
read = time.perf_counter()
made = globals()[program](frame, k, taxonomies)
worked = time.perf_counter() - read
made.to_csv(out, index=False)
print(json.dumps({
    "rows": len(frame),
    "seconds": time.perf_counter() - start,
    "work_seconds": worked,
    "cpu_seconds": time.process_time() - cpu,
    "peak_bytes": tree_data.peak_bytes(),
    "rows_out": len(made),
}))
