"""A tree by scikit-learn: sklearn_tree.py FOLDER K. Timed from a matrix in memory (names as codes) to the tree."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tree_data
from sklearn.tree import DecisionTreeClassifier

folder, k = sys.argv[1], int(sys.argv[2])
matrix, _, target = tree_data.load(folder)
learner = DecisionTreeClassifier(min_samples_leaf=k, random_state=1)
tree, seconds, cpu = tree_data.timed(lambda: learner.fit(matrix, target))
print(json.dumps({"rows": len(target), "seconds": seconds, "cpu_seconds": cpu, "peak_bytes": tree_data.peak_bytes(), "leaves": int(tree.get_n_leaves())}))
