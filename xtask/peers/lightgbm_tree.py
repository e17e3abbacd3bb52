"""One tree by LightGBM (of more than two classes, one for each): lightgbm_tree.py FOLDER K THREADS. Timed from a matrix in
memory through binning to the tree."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import lightgbm
import tree_data

folder, k, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
matrix, names, target = tree_data.load(folder)
params = {
    "objective": "binary",
    "num_leaves": 255,
    "min_data_in_leaf": k,
    "num_threads": threads,
    "verbosity": -1,
    "seed": 1,
}
classes = int(target.max()) + 1
if classes > 2:
    params |= {"objective": "multiclass", "num_class": classes}


def work():
    data = lightgbm.Dataset(matrix, target, categorical_feature=names, params=params)
    return lightgbm.train(params, data, num_boost_round=1)


tree, seconds, cpu = tree_data.timed(work)
leaves = tree.dump_model()["tree_info"][0]["num_leaves"]
print(json.dumps({"rows": len(target), "seconds": seconds, "cpu_seconds": cpu, "peak_bytes": tree_data.peak_bytes(), "leaves": leaves}))
