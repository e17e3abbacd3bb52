"""Errors of scikit-learn's tree and of one LightGBM tree on small sets: small_peers.py FOLDER FIRST LAST SET.json...

Prints {set: {k: {learner: [percent of the judging rows misclassified, split by split]}}}. A leaf has at least k rows.
scikit-learn: names as columns of 0 and 1, cost-complexity pruning by stratified five-fold cross-validation. LightGBM: names
as categories, its defaults otherwise; a leaf predicts the most frequent class of its rows (of several classes, each has a tree,
and the highest score is predicted).
"""

import copy
import json
import os
import sys
import warnings

import lightgbm
import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

warnings.filterwarnings("ignore")
FOLDS, PRICES = 5, 100


def one_hot(attributes):
    columns = []
    for attribute in attributes:
        cells = np.asarray(attribute["cells"], dtype=np.float64)
        if attribute["names"]:
            columns += [(cells == code).astype(np.float64) for code in range(int(cells.max()) + 1)]
        else:
            columns.append(cells)
    return np.column_stack(columns).astype(np.float32)


def pruned(whole, price):
    """The tree that fitting with this price gives: scikit-learn prunes a tree after it has grown it."""
    other = copy.copy(whole)
    other.ccp_alpha = price
    other._prune_tree()
    return other


def sklearn_error(matrix, target, train, test, k):
    matrix_in, target_in = matrix[train], target[train]

    def tree(price):
        return DecisionTreeClassifier(min_samples_leaf=k, random_state=1, ccp_alpha=price)

    prices = np.unique(np.maximum(tree(0.0).cost_complexity_pruning_path(matrix_in, target_in).ccp_alphas, 0.0))
    prices = np.append(np.sqrt(prices[:-1] * prices[1:]), prices[-1])
    if len(prices) > PRICES:
        prices = prices[np.unique(np.linspace(0, len(prices) - 1, PRICES).round().astype(int))]
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=1)
    right = np.zeros(len(prices))
    for learn, judge in folds.split(matrix_in, target_in):
        whole = tree(0.0).fit(matrix_in[learn], target_in[learn])
        for place, price in enumerate(prices):
            fitted = pruned(whole, price)
            right[place] += (fitted.predict(matrix_in[judge]) == target_in[judge]).sum()
    # Of equal prices the highest, which is the smallest tree.
    best = prices[len(prices) - 1 - int(right[::-1].argmax())]
    fitted = tree(best).fit(matrix_in, target_in)
    return 100 * float((fitted.predict(matrix[test]) != target[test]).mean())


def lightgbm_error(matrix, names, target, train, test, k):
    classes = int(target.max()) + 1
    params = {"min_data_in_leaf": k, "learning_rate": 1.0, "num_threads": 1, "verbosity": -1, "seed": 1, "deterministic": True}
    params |= {"objective": "binary"} if classes == 2 else {"objective": "multiclass", "num_class": classes}
    data = lightgbm.Dataset(matrix[train], target[train], categorical_feature=names, params=params)
    model = lightgbm.train(params, data, num_boost_round=1)
    if classes > 2:
        return 100 * float((model.predict(matrix[test]).argmax(axis=1) != target[test]).mean())
    leaves, judged = (model.predict(matrix[rows], pred_leaf=True).reshape(-1).astype(int) for rows in (train, test))
    counts = np.zeros((max(leaves.max(), judged.max()) + 1, 2))
    np.add.at(counts, (leaves, target[train]), 1)
    return 100 * float((counts.argmax(axis=1)[judged] != target[test]).mean())


def errors(path, first, last):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    target = np.asarray(data["class"])
    binary = one_hot(data["attributes"])
    codes = np.column_stack([np.asarray(attribute["cells"], dtype=np.float64) for attribute in data["attributes"]])
    names = [place for place, attribute in enumerate(data["attributes"]) if attribute["names"]]
    found = {}
    for k in (2, 5, 10, 20):
        both = {"scikit-learn": [], "LightGBM": []}
        for train, test in data["splits"][first:last]:
            both["scikit-learn"].append(sklearn_error(binary, target, train, test, k))
            both["LightGBM"].append(lightgbm_error(codes, names, target, train, test, k))
        found[str(k)] = both
    return data["name"], found


folder, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print(json.dumps(dict(errors(os.path.join(folder, name), first, last) for name in sys.argv[4:])))
