"""Boosted trees by LightGBM: lightgbm_boost.py FOLDER ROUNDS LEAVES THREADS. Timed from a matrix in memory through binning
to the last tree. The attributes are those that incrowd learns from: education-num is left out."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import lightgbm
import tree_data

folder, rounds, leaves, threads = sys.argv[1], *(int(word) for word in sys.argv[2:5])
matrix, names, target = tree_data.load(folder)
params = {
    "objective": "binary",
    "num_leaves": leaves,
    "num_threads": threads,
    "verbosity": -1,
    "seed": 1,
    "ignore_column": "4",
}


def work():
    data = lightgbm.Dataset(matrix, target, categorical_feature=names, params=params)
    return lightgbm.train(params, data, num_boost_round=rounds)


model, seconds, cpu = tree_data.timed(work)
wrong = float(((model.predict(matrix[:100_000]) > 0.5) != (target[:100_000] > 0.5)).mean())
print(json.dumps({"rows": len(target), "seconds": seconds, "cpu_seconds": cpu, "peak_bytes": tree_data.peak_bytes(), "trees": model.num_trees(), "error": wrong}))
