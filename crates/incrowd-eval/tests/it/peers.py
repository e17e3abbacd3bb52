import json
import sys

import numpy as np
from scipy import stats
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score, roc_auc_score


def scores(case):
    truth, weights = np.array(case["truth"]), np.array(case["weights"])
    shares = np.array(case["shares"]).reshape(len(truth), case["classes"])
    predicted = shares.argmax(axis=1)
    if case["classes"] == 2:
        auc = roc_auc_score(truth, shares[:, 1], sample_weight=weights)
    else:
        # scikit-learn weights the classes by rows, not by their weights, so the mean is put together here.
        areas = [roc_auc_score(truth == c, shares[:, c], sample_weight=weights) for c in range(case["classes"])]
        auc = np.average(areas, weights=[weights[truth == c].sum() for c in range(case["classes"])])
    return {
        "accuracy": accuracy_score(truth, predicted, sample_weight=weights),
        "balanced_accuracy": balanced_accuracy_score(truth, predicted, sample_weight=weights),
        "f1": f1_score(truth, predicted, average="macro", sample_weight=weights),
        "auc": float(auc),
    }


def tests(blocks):
    blocks = np.array(blocks)
    n, k = blocks.shape
    found = stats.friedmanchisquare(*blocks.T)
    ranks = np.array([stats.rankdata(-block) for block in blocks]).mean(axis=0)
    chi = 12 * n / (k * (k + 1)) * (sum(ranks**2) - k * (k + 1) ** 2 / 4)
    f = (n - 1) * chi / (n * (k - 1) - chi)
    scale = np.sqrt(k * (k + 1) / (6 * n))
    return {
        "chi_square": found.statistic,
        "p": found.pvalue,
        "p_f": stats.f.sf(f, k - 1, (k - 1) * (n - 1)),
        "nemenyi": stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2) * scale,
        "smallest": min(2 * stats.norm.sf(abs(rank - ranks[0]) / scale) for rank in ranks[1:]),
    }


asked = json.loads(sys.argv[1])
print(json.dumps({"cases": [scores(case) for case in asked["cases"]], "blocks": [tests(b) for b in asked["blocks"]]}))
