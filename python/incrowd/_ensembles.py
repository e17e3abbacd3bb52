"""Ensembles of trees made elsewhere (scikit-learn, LightGBM, XGBoost), as the library reads them."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ._errors import InputError

Document = dict[str, Any]
# A test of missing values alone has an infinite threshold: all numbers are up to this, and none is up to its negative.
_LARGEST = sys.float_info.max
#: The values of a column of categories as texts, in the order of their codes.
Categories = Callable[[str], list[str] | None]


def document_of(model: Any, categories: Categories) -> Document | None:
    """Return the trees of a fitted ensemble, without its class; none for other models.

    Parameters
    ----------
    model : estimator
        A fitted classifier.
    categories : callable
        Returns the values of a column of categories as texts, in the order of their codes.
    """
    readers: dict[str, Callable[[Any, Categories], Document]] = {
        "RandomForestClassifier": _forest,
        "ExtraTreesClassifier": _forest,
        "BaggingClassifier": _bagging,
        "GradientBoostingClassifier": _gradient_boosting,
        "HistGradientBoostingClassifier": _hist_gradient_boosting,
        "LGBMClassifier": _lightgbm,
        "XGBClassifier": _xgboost,
        "XGBRFClassifier": _xgboost,
    }
    reader = readers.get(type(model).__name__)
    return None if reader is None else {"format": "tree-ensemble", "version": 1, **reader(model, categories)}


def _names(model: Any) -> list[Document]:
    names = getattr(model, "feature_names_in_", None)
    names = [f"x{i}" for i in range(model.n_features_in_)] if names is None else names
    return [{"name": str(name)} for name in names]


def _refuse(what: str, fix: str) -> InputError:
    return InputError(what, help=fix)


def _sklearn_tree(tree: Any, scores: list[list[float]], missing: bool, features: Any = None) -> Document:
    feature = tree.feature
    if features is not None:
        feature = np.where(feature >= 0, np.asarray(features)[np.maximum(feature, 0)], feature)
    document: Document = {
        "left": tree.children_left.tolist(),
        "right": tree.children_right.tolist(),
        "feature": feature.tolist(),
        "threshold": np.clip(tree.threshold, -_LARGEST, _LARGEST).tolist(),
        "scores": scores,
    }
    if missing:
        document["missing_left"] = tree.missing_go_to_left.astype(bool).tolist()
    return document


def _takes_missing(model: Any) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.predict(np.full((1, model.n_features_in_), np.nan))
    except ValueError:
        return False
    return True


def _votes(model: Any, members: Iterable[tuple[Any, Any]]) -> Document:
    """Trees whose shares of the class values are averaged."""
    if getattr(model, "n_outputs_", 1) != 1:
        raise _refuse("a model with several outputs cannot be audited", "train one model per output")
    missing, trees, classes = _takes_missing(model), [], len(model.classes_)
    for estimator, features in members:
        value = estimator.tree_.value[:, 0, :]
        scores = np.zeros((len(value), classes))
        # The trees of a forest number the classes; a tree may have met some of them only.
        scores[:, np.asarray(estimator.classes_, dtype=int)] = value
        trees.append(_sklearn_tree(estimator.tree_, scores.tolist(), missing, features))
    return {
        "columns": _names(model),
        "precision": "single",
        "combination": "mean",
        "link": "identity",
        "base": [0.0] * classes,
        "trees": trees,
    }


def _forest(model: Any, _: Categories) -> Document:
    return _votes(model, ((tree, None) for tree in model.estimators_))


def _bagging(model: Any, _: Categories) -> Document:
    if not all(type(tree).__name__ in ("DecisionTreeClassifier", "ExtraTreeClassifier") for tree in model.estimators_):
        raise _refuse("only bagging of decision trees can be audited", "train the model with DecisionTreeClassifier")
    return _votes(model, zip(model.estimators_, model.estimators_features_, strict=True))


def _boosted(classes: int, base: list[float], trees: list[Document]) -> Document:
    return {
        "combination": "sum",
        "link": "logistic" if classes == 2 else "softmax",
        "base": base,
        "trees": trees,
    }


def _gradient_boosting(model: Any, _: Categories) -> Document:
    if not (isinstance(model.init_, str) or type(model.init_).__name__ == "DummyClassifier"):
        raise _refuse("gradient boosting that starts from another model cannot be audited", "leave `init` out")
    # The exponential loss makes shares of twice the score.
    factor = 2.0 if model.loss == "exponential" else 1.0
    base = model._raw_predict_init(np.zeros((1, model.n_features_in_), dtype=np.float32))
    trees = []
    for row in model.estimators_:
        for output, tree in enumerate(row):
            scores = factor * (model.learning_rate * tree.tree_.value[:, 0, :])
            own = {} if len(row) == 1 else {"output": output}
            trees.append({**own, **_sklearn_tree(tree.tree_, scores.tolist(), False)})
    return {
        "columns": _names(model),
        "precision": "single",
        "ties": "last" if len(model.classes_) == 2 else "first",
        **_boosted(len(model.classes_), (factor * base[0]).tolist(), trees),
    }


def _hist_gradient_boosting(model: Any, categories: Categories) -> Document:
    columns, is_category = _names(model), model.is_categorical_
    if is_category is not None and model._preprocessor is not None:
        # The model's own encoder puts columns of categories first.
        order = np.argsort(~np.asarray(is_category), kind="stable")
        columns = [_coded(columns[i], categories) if is_category[i] else columns[i] for i in order]
    elif is_category is not None and np.any(is_category):
        raise _refuse(
            "columns of numbers as categories cannot be audited", "train with categorical_features='from_dtype'"
        )
    trees = []
    for predictors in model._predictors:
        for output, predictor in enumerate(predictors):
            own = {} if len(predictors) == 1 else {"output": output}
            trees.append({**own, **_hist_tree(predictor)})
    return {
        "columns": columns,
        "precision": "double",
        **_boosted(len(model.classes_), model._baseline_prediction.ravel().tolist(), trees),
    }


def _hist_tree(predictor: Any) -> Document:
    nodes = predictor.nodes
    is_leaf = nodes["is_leaf"].astype(bool)
    is_code = nodes["is_categorical"].astype(bool) & ~is_leaf
    document: Document = {
        "left": np.where(is_leaf, -1, nodes["left"].astype(np.int64)).tolist(),
        "right": np.where(is_leaf, -1, nodes["right"].astype(np.int64)).tolist(),
        "feature": np.where(is_leaf, -2, nodes["feature_idx"].astype(np.int64)).tolist(),
        "threshold": np.where(is_leaf | is_code, 0.0, np.clip(nodes["num_threshold"], -_LARGEST, _LARGEST)).tolist(),
        "scores": [[float(value)] for value in nodes["value"]],
        "missing_left": nodes["missing_go_to_left"].astype(bool).tolist(),
    }
    if is_code.any():
        bits = predictor.raw_left_cat_bitsets
        document["codes"] = [
            _codes(bits[node["bitset_idx"]]) if coded else None for node, coded in zip(nodes, is_code, strict=True)
        ]
    return document


def _codes(words: Any) -> list[float]:
    return [float(32 * place + bit) for place, word in enumerate(words) for bit in range(32) if int(word) >> bit & 1]


def _coded(column: Document, categories: Categories) -> Document:
    values = categories(column["name"])
    if values is None:
        raise _refuse(
            f"the values of the categories of column `{column['name']}` are not known",
            "audit the model against the frame that it was trained on, with the same categorical columns",
        )
    return {**column, "codes": values, "missing": True}


def _with_codes(columns: list[Document], coded: set[int], categories: Categories) -> list[Document]:
    """Return the columns with the values of those that are compared as codes, or are categories that no tree tests."""
    is_coded = [place in coded or categories(column["name"]) is not None for place, column in enumerate(columns)]
    return [_coded(column, categories) if is_one else column for column, is_one in zip(columns, is_coded, strict=True)]


def _lightgbm(model: Any, categories: Categories) -> Document:
    dump = model.booster_.dump_model()
    return _lightgbm_document(dump, len(model.classes_), categories)


def _lightgbm_document(dump: Document, classes: int, categories: Categories) -> Document:
    outputs, objective = dump["num_tree_per_iteration"], str(dump.get("objective", "")).split(" ")
    if not (objective[0] == "binary" and "sigmoid:1" in objective) and objective[0] != "multiclass":
        raise _refuse(
            "a LightGBM model with an objective other than binary or multiclass cannot be audited", "train a classifier"
        )
    trees, coded = [], set()
    for place, info in enumerate(dump["tree_info"]):
        tree, features = _lightgbm_tree(info["tree_structure"])
        coded |= features
        trees.append(({} if outputs == 1 else {"output": place % outputs}) | tree)
    columns: list[Document] = [{"name": name} for name in dump["feature_names"]]
    columns = _with_codes(columns, coded, categories)
    document = _boosted(classes, [0.0] * outputs, trees)
    if dump.get("average_output"):
        document["combination"] = "mean"
    return {"columns": columns, "precision": "double", **document}


def _lightgbm_tree(root: Document) -> tuple[Document, set[int]]:
    """Return a tree, and the features that it compares as codes."""
    nodes, coded = [root], set()
    for node in nodes:
        if "split_feature" in node:
            node["places"] = (len(nodes), len(nodes) + 1)
            nodes += [node["left_child"], node["right_child"]]
            if node["decision_type"] == "==":
                coded.add(node["split_feature"])
    tree: Document = {key: [] for key in ("left", "right", "feature", "threshold", "scores", "missing_left", "codes")}
    for node in nodes:
        is_test = "split_feature" in node
        left, right = node["places"] if is_test else (-1, -1)
        is_code = is_test and node["decision_type"] == "=="
        threshold = 0.0 if is_code or not is_test else float(node["threshold"])
        if is_test and node["missing_type"] == "Zero" and not is_code:
            raise _refuse("a LightGBM model with zero_as_missing cannot be audited", "train it without")
        # If a feature had no missing values, LightGBM takes them for 0.
        stays = not is_code and is_test
        goes_left = bool(node["default_left"]) if stays and node["missing_type"] == "NaN" else stays and threshold >= 0
        tree["left"].append(left)
        tree["right"].append(right)
        tree["feature"].append(node["split_feature"] if is_test else -2)
        tree["threshold"].append(threshold)
        tree["scores"].append([] if is_test else [float(node["leaf_value"])])
        tree["missing_left"].append(goes_left)
        tree["codes"].append([float(code) for code in str(node["threshold"]).split("||")] if is_code else None)
    if not coded:
        del tree["codes"]
    return tree, coded


def _xgboost(model: Any, categories: Categories) -> Document:
    booster = model.get_booster()
    best = getattr(model, "best_iteration", None) if getattr(model, "early_stopping_rounds", None) else None
    booster = booster if best is None else booster[: best + 1]
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    return _xgboost_document(learner, _names(model), len(model.classes_), categories)


def _xgboost_document(learner: Document, columns: list[Document], classes: int, categories: Categories) -> Document:
    objective, booster = learner["objective"]["name"], learner["gradient_booster"]
    if booster["name"] != "gbtree" or objective not in ("binary:logistic", "multi:softprob", "multi:softmax"):
        raise _refuse(
            "an XGBoost model with a booster other than gbtree, or an objective other than binary:logistic or "
            "multi:softprob, cannot be audited",
            "train a classifier with booster='gbtree'",
        )
    base = np.atleast_1d(np.array(json.loads(learner["learner_model_param"]["base_score"].lower()), dtype=np.float32))
    outputs = 1 if classes == 2 else classes
    if objective == "binary:logistic":
        base = -np.log(np.float32(1.0) / base - np.float32(1.0))
    base = np.broadcast_to(base, outputs)
    trees, coded = [], set()
    for tree, output in zip(booster["model"]["trees"], booster["model"]["tree_info"], strict=True):
        if int(tree["tree_param"].get("size_leaf_vector", 1)) > 1:
            raise _refuse(
                "an XGBoost model whose leaves have several scores cannot be audited", "train one tree per score"
            )
        document, features = _xgboost_tree(tree)
        coded |= features
        trees.append(({} if outputs == 1 else {"output": int(output)}) | document)
    columns = _with_codes(columns, coded, categories)
    return {"columns": columns, "precision": "single", "strict": True, **_boosted(classes, base.tolist(), trees)}


def _xgboost_tree(tree: Document) -> tuple[Document, set[int]]:
    """Return a tree, and the features that it compares as codes."""
    left, right = np.array(tree["left_children"]), np.array(tree["right_children"])
    # Pruning leaves nodes behind that cannot be reached.
    reached = _reached(left, right)
    number = np.full(len(left), -1)
    number[reached] = np.arange(len(reached))
    # Numbers are single precision, written with as few digits as that needs.
    condition = np.array(tree["split_conditions"], dtype=np.float32).astype(float)
    is_leaf, missing_left = left < 0, np.array(tree["default_left"]).astype(bool)
    codes: list[list[float] | None] = [None] * len(left)
    for node, start, size in zip(
        tree["categories_nodes"], tree["categories_segments"], tree["categories_sizes"], strict=True
    ):
        # The codes that are listed go right; here, left.
        codes[node] = [float(code) for code in tree["categories"][start : start + size]]
        left[node], right[node], missing_left[node] = right[node], left[node], not missing_left[node]
        condition[node] = 0.0
    coded = {int(tree["split_indices"][node]) for node in tree["categories_nodes"]}
    document: Document = {
        "left": np.where(is_leaf, -1, number[left])[reached].tolist(),
        "right": np.where(is_leaf, -1, number[right])[reached].tolist(),
        "feature": np.where(is_leaf, -2, np.array(tree["split_indices"]))[reached].tolist(),
        "threshold": np.where(is_leaf, 0.0, condition)[reached].tolist(),
        "scores": [[float(condition[node])] if is_leaf[node] else [] for node in reached],
        "missing_left": missing_left[reached].tolist(),
    }
    if coded:
        document["codes"] = [codes[node] for node in reached]
    return document, coded


def _reached(left: Any, right: Any) -> list[int]:
    """Return the nodes that can be reached from the root, parents first."""
    reached = [0]
    for node in reached:
        if left[node] >= 0:
            reached += [int(left[node]), int(right[node])]
    return reached
