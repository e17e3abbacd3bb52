"""Errors of LightGBM in percent by cross-validation: lightgbm_folds.py FOLDER ROUNDS,ROUNDS. The folds are those of incrowd,
the file `folds`. With TRAIN and TEST instead, calibration on the test rows: lightgbm_folds.py TRAIN ROUNDS,ROUNDS TEST.
Parameters are LightGBM's own."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import lightgbm
import numpy as np
import tree_data


def train(matrix, names, target, rounds):
    classes = int(target.max()) + 1
    params = {"objective": "binary"} if classes == 2 else {"objective": "multiclass", "num_class": classes}
    data = lightgbm.Dataset(matrix, target, categorical_feature=names)
    return lightgbm.train(params | {"verbosity": -1, "seed": 1, "num_threads": 2}, data, num_boost_round=rounds)


def shares(model, matrix, rounds):
    predicted = model.predict(matrix, num_iteration=rounds)
    return np.column_stack([1 - predicted, predicted]) if predicted.ndim == 1 else predicted


def numbers_of(column_folder, names_of):
    """The number of each name in another folder's list of names."""
    own, other = (open(path, encoding="utf-8").read().splitlines() for path in (column_folder, names_of))
    plain = [name.rstrip(".") for name in other]
    return np.array([plain.index(name.rstrip(".")) if name.rstrip(".") in plain else -1 for name in own])


def calibration(truth, own):
    """As `incrowd predict` states it."""
    own = np.clip(own, 1e-15, 1.0)
    label = own.argmax(axis=1)
    rows = np.arange(len(truth))
    share, right = own[rows, label], label == truth
    interval = np.minimum((share * 10).astype(int), 9)
    sums = [abs(share[interval == i].sum() - right[interval == i].sum()) for i in range(10)]
    return {
        "log_loss": float(-np.log(own[rows, truth]).mean()),
        "brier_score": float(((own[:, 1] - (truth == 1)) ** 2).mean()),
        "calibration_error": float(sum(sums) / len(truth)),
        "error": float(1 - right.mean()),
    }


def main():
    folder, all_rounds = sys.argv[1], [int(word) for word in sys.argv[2].split(",")]
    matrix, names, target = tree_data.load(folder, np.float64)
    if len(sys.argv) > 3:
        test = sys.argv[3]
        held, _, truth = tree_data.load(test, np.float64)
        with open(os.path.join(folder, "columns"), encoding="utf-8") as about:
            columns = [line.split()[0] for line in about]
        for place in [*names, -1]:
            column = columns[place]
            number = numbers_of(os.path.join(test, f"{column}.values"), os.path.join(folder, f"{column}.values"))
            if place == -1:
                truth = number[truth.astype(int)]
            else:
                held[:, place] = number[held[:, place].astype(int)]
        model = train(matrix, names, target, max(all_rounds))
        print(json.dumps({str(r): calibration(truth, shares(model, held, r)) for r in all_rounds}))
        return
    folds = np.fromfile(os.path.join(folder, "folds"), dtype=np.uint8)
    wrong = dict.fromkeys(all_rounds, 0)
    for fold in range(folds.max() + 1):
        held = folds == fold
        model = train(matrix[~held], names, target[~held], max(all_rounds))
        for rounds in all_rounds:
            wrong[rounds] += int((shares(model, matrix[held], rounds).argmax(axis=1) != target[held]).sum())
    print(json.dumps({str(rounds): count / len(target) for rounds, count in wrong.items()}))


main()
