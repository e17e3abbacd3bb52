"""Models of scikit-learn, as the library reads models made elsewhere."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _bridge
from ._errors import InputError, ParameterError
from ._release import Release

_HELP = "write the model to a file as described in docs/foreign-models.md, and audit the file"


def release_of(model: Any, class_name: str | None) -> Release:
    """Return a fitted model of scikit-learn as a model to audit.

    Parameters
    ----------
    model : estimator
        A fitted ``DecisionTreeClassifier``, ``KMeans`` or ``MiniBatchKMeans`` that was trained on columns of the table.
    class_name : str or None
        The column that a tree predicts.
    """
    check_is_fitted(model)
    kind = type(model).__name__
    if kind in ("DecisionTreeClassifier", "ExtraTreeClassifier"):
        document = _tree(model, class_name)
    elif kind in ("KMeans", "MiniBatchKMeans"):
        document = _clusters(model)
    else:
        raise ParameterError(f"a model of type {kind} cannot be audited in memory", parameter="what", help=_HELP)
    return Release(_bridge.Model.load(json.dumps(document).encode()))


def _columns(model: Any) -> list[dict[str, str]]:
    names = getattr(model, "feature_names_in_", None)
    names = [f"x{i}" for i in range(model.n_features_in_)] if names is None else names
    return [{"name": str(name)} for name in names]


def _tree(model: Any, class_name: str | None) -> dict[str, Any]:
    import pyarrow as pa

    if class_name is None:
        raise ParameterError(
            "the policy does not name the class that the tree predicts",
            parameter="policy",
            help="set `class_name` in the policy",
        )
    tree = model.tree_
    if tree.n_outputs != 1:
        raise InputError("a tree with several outputs cannot be audited", help="train one tree per output")
    if not np.isfinite(tree.threshold[tree.children_left >= 0]).all():
        raise InputError("a threshold of the tree is infinite", help="train without missing values")
    shares = tree.value[:, 0, :]
    document = {
        "format": "scikit-learn-tree",
        "version": 1,
        "class": {"name": class_name, "values": _bridge.cell_texts(pa.table({"class": pa.array(model.classes_)}))},
        "columns": _columns(model),
        "left": tree.children_left.tolist(),
        "right": tree.children_right.tolist(),
        "feature": tree.feature.tolist(),
        "threshold": tree.threshold.tolist(),
        "label": shares.argmax(axis=1).tolist(),
    }
    people = shares / shares.sum(axis=1, keepdims=True) * tree.n_node_samples[:, None]
    # With weights the populations are not in the model; the audit then takes them from the table.
    if np.abs(people - np.rint(people)).max() <= 1e-6:
        document["counts"] = np.rint(people).astype(int).tolist()
    return document


def _clusters(model: Any) -> dict[str, Any]:
    return {
        "format": "scikit-learn-clusters",
        "version": 1,
        "columns": _columns(model),
        "centers": model.cluster_centers_.tolist(),
    }
