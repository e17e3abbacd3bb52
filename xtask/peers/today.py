"""What people would use today, on the same folds: today.py TABLE.csv FOLDS.json OUT.json.

FOLDS.json: {"class": name, "public": [names], "names": [names of text columns], "k": [...], "folds": [[test rows], ...],
"programs": [[name, how many of the folds], ...]}. OUT.json, kept up to date so
that an interrupted run goes on: {program: {k: [accuracy of each fold]}}.

- sklearn: a decision tree with min_samples_leaf = k.
- sklearn-pruned: the same, pruned by cost and complexity; how much is chosen by fivefold cross-validation on the training rows.
- lightgbm: one tree with min_data_in_leaf = k.
- toolkit: ai-privacy-toolkit's table, and a decision tree of scikit-learn that learns from it.
- anonypy: anonypy's Mondrian; groups are told by ranges and sets, which become their middle and their first value for a decision tree of scikit-learn.
"""

import json
import os
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
warnings.filterwarnings("ignore")

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

TABLE, FOLDS, OUT = sys.argv[1:4]
plan = json.load(open(FOLDS))
names, target, public = plan["names"], plan["class"], plan["public"]
frame = pd.read_csv(TABLE, dtype={name: str for name in names + [target]}, keep_default_na=False)
inputs = [name for name in frame.columns if name != target]


def tree(leaf):
    hot = ColumnTransformer([("names", OneHotEncoder(handle_unknown="ignore"), names)], remainder="passthrough", sparse_threshold=0.0)
    return make_pipeline(hot, DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0))


def sklearn(train, test, k):
    return tree(k).fit(train[inputs], train[target]).predict(test[inputs])


def pruned(train, test, k):
    hot, plain = tree(k).steps[0][1], DecisionTreeClassifier(min_samples_leaf=k, random_state=0)
    rows, classes = hot.fit_transform(train[inputs]), train[target].to_numpy()
    path = plain.cost_complexity_pruning_path(rows, classes).ccp_alphas
    alphas = np.unique(np.quantile(np.maximum(path, 0.0), np.linspace(0.0, 1.0, 20)))
    search = GridSearchCV(plain, {"ccp_alpha": alphas}, cv=StratifiedKFold(5, shuffle=True, random_state=0))
    return search.fit(rows, classes).predict(hot.transform(test[inputs]))


def lightgbm(train, test, k):
    import lightgbm as lgb

    both = pd.concat([train[inputs], test[inputs]])
    for name in names:
        both[name] = both[name].astype("category")
    learner = lgb.LGBMClassifier(n_estimators=1, learning_rate=1.0, min_child_samples=k, num_leaves=255, verbose=-1, num_threads=2)
    learner.fit(both.iloc[: len(train)], train[target])
    return learner.predict(both.iloc[len(train):])


def toolkit(train, test, k):
    import apt_toolkit

    anonymize, dataset = apt_toolkit.load()
    codes = train[target].astype("category").cat.codes.to_numpy()
    features = train[inputs].reset_index(drop=True)
    maker = anonymize(k, public, categorical_features=names) if names else anonymize(k, public)
    made = pd.DataFrame(maker.anonymize(dataset(features, codes, features_names=inputs)), columns=inputs)
    for name in inputs:
        made[name] = made[name].astype(str) if name in names else pd.to_numeric(made[name])
    return tree(2).fit(made, train[target].to_numpy()).predict(test[inputs])


def middle(cell):
    """The middle of a range such as 17-30 (numbers may be negative)."""
    text = str(cell)
    cut = text.find("-", 1)
    return float(text) if cut < 0 else (float(text[:cut]) + float(text[cut + 1:])) / 2


def anonypy(train, test, k):
    from anonypy import Preserver

    shown = train[public + [target]].copy()
    for name in [name for name in names if name in public] + [target]:
        shown[name] = shown[name].astype("category")
    rows = pd.DataFrame(Preserver(shown, public, target).anonymize_k_anonymity(k=k))
    for name in public:
        if name in names:
            rows[name] = rows[name].map(lambda cell: (cell[0] if isinstance(cell, list) else str(cell).split(",")[0]))
        else:
            rows[name] = rows[name].map(lambda cell: middle(cell[0] if isinstance(cell, list) else cell))
    rows = rows.loc[rows.index.repeat(rows["count"].astype(int))] if "count" in rows else rows
    hot = ColumnTransformer([("names", OneHotEncoder(handle_unknown="ignore"), [n for n in names if n in public])], remainder="passthrough", sparse_threshold=0.0)
    learner = make_pipeline(hot, DecisionTreeClassifier(min_samples_leaf=2, random_state=0))
    return learner.fit(rows[public], rows[target].astype(str)).predict(test[public])


found = json.load(open(OUT)) if os.path.exists(OUT) else {}
PROGRAMS = {"sklearn": sklearn, "sklearn-pruned": pruned, "lightgbm": lightgbm, "toolkit": toolkit, "anonypy": anonypy}
for name, folds in plan["programs"]:
    program = PROGRAMS[name]
    for k in plan["k"]:
        done = found.setdefault(name, {}).setdefault(str(k), [])
        for rows in plan["folds"][len(done):folds]:
            is_test = np.zeros(len(frame), dtype=bool)
            is_test[rows] = True
            train, test = frame[~is_test], frame[is_test]
            try:
                right = float((np.asarray(program(train, test, k)).astype(str) == test[target].to_numpy()).mean())
            except Exception as error:  # a peer that fails is part of what is found
                right = None
                print(f"{name}, k = {k}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            done.append(right)
            with open(OUT + ".new", "w") as file:
                json.dump(found, file)
            os.replace(OUT + ".new", OUT)
