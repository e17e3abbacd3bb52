"""Models of scikit-learn, LightGBM and XGBoost, as the library reads models made elsewhere."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _bridge, _ensembles
from ._errors import FileError, InputError, ParameterError
from ._release import Release

_HELP = "write the model to a file as described in docs/foreign-models.md, and audit the file"


def release_of(model: Any, class_name: str | None, data: Any = None) -> Release:
    """Return a fitted model of scikit-learn, LightGBM or XGBoost as a model to audit.

    Parameters
    ----------
    model : estimator
        A fitted ``DecisionTreeClassifier``, ``KMeans``, ``MiniBatchKMeans``, forest, bagging of trees, (histogram)
        gradient boosting, ``LGBMClassifier`` or ``XGBClassifier`` that was trained on columns of the table.
    class_name : str or None
        The column that a classifier predicts.
    data : frame, optional
        The table that the model was trained on; it has the values of categorical columns.
    """
    check_is_fitted(model)
    return Release(_bridge.Model.load(json.dumps(_document(model, class_name, data)).encode()))


def write_model(model: Any, path: str | os.PathLike[str], *, class_name: str | None = None, data: Any = None) -> None:
    """Write a fitted model of scikit-learn, LightGBM or XGBoost to a file that ``incrowd audit`` reads.

    The file is not a release: only an audit shows whether the model is safe.

    Parameters
    ----------
    model : estimator
        A fitted tree, forest, bagging of trees, (histogram) gradient boosting, ``KMeans``, ``LGBMClassifier`` or
        ``XGBClassifier`` that was trained on columns of the table.
    path : str or path
        The file, which must not exist.
    class_name : str, optional
        The column that a classifier predicts.
    data : frame, optional
        The table that the model was trained on; it has the values of categorical columns.

    Examples
    --------
    >>> import incrowd as ic
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> forest = RandomForestClassifier(2, random_state=0).fit([[30.0], [40.0]], ["a", "b"])
    >>> ic.write_model(forest, "forest.json", class_name="illness")  # doctest: +SKIP
    """
    check_is_fitted(model)
    text = json.dumps(_document(model, class_name, data))
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise FileError(f"{path}: the model cannot be written", help="choose a new file", file=str(path)) from error


def _document(model: Any, class_name: str | None, data: Any) -> dict[str, Any]:
    kind = type(model).__name__
    if kind in ("DecisionTreeClassifier", "ExtraTreeClassifier"):
        return _tree(model, class_name)
    if kind in ("KMeans", "MiniBatchKMeans"):
        return _clusters(model)
    ensemble = _ensembles.document_of(model, lambda name: _categories(data, name))
    if ensemble is None:
        raise ParameterError(f"a model of type {kind} cannot be audited in memory", parameter="what", help=_HELP)
    return {**ensemble, "class": _class(model, class_name)}


def _class(model: Any, class_name: str | None) -> dict[str, Any]:
    import pyarrow as pa

    if class_name is None:
        raise ParameterError(
            "the policy does not name the class that the model predicts",
            parameter="policy",
            help="set `class_name` in the policy",
        )
    return {"name": class_name, "values": _bridge.cell_texts(pa.table({"class": pa.array(model.classes_)}))}


def _categories(data: Any, name: str) -> list[str] | None:
    """Return the values of a categorical column of a pandas frame as texts, in the order of their codes."""
    import pyarrow as pa

    column = data[name] if data is not None and name in getattr(data, "columns", ()) else None
    values = getattr(getattr(column, "cat", None), "categories", None)
    if values is None:
        return None
    texts = _bridge.cell_texts(pa.table({"values": pa.array(values)}))
    # A category is never missing.
    return [text for text in texts if text is not None]


def _columns(model: Any) -> list[dict[str, str]]:
    names = getattr(model, "feature_names_in_", None)
    names = [f"x{i}" for i in range(model.n_features_in_)] if names is None else names
    return [{"name": str(name)} for name in names]


def _tree(model: Any, class_name: str | None) -> dict[str, Any]:
    tree = model.tree_
    if tree.n_outputs != 1:
        raise InputError("a tree with several outputs cannot be audited", help="train one tree per output")
    if not np.isfinite(tree.threshold[tree.children_left >= 0]).all():
        raise InputError("a threshold of the tree is infinite", help="train without missing values")
    shares = tree.value[:, 0, :]
    document = {
        "format": "scikit-learn-tree",
        "version": 1,
        "class": _class(model, class_name),
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
