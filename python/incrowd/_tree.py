"""k-anonymous decision trees."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _html
from ._classifier import Classifier
from ._policy import Columns, Policy
from ._progress import watch
from ._release import Release
from ._request import request


class TreeClassifier(Classifier):
    """A k-anonymous decision tree.

    An attacker who knows the public attributes of everyone cannot link anything private in the tree to fewer than k
    individuals. The tree is audited after it is grown; a tree that fails its audit is never returned.

    Parameters
    ----------
    policy : Policy or path, optional
        The roles of columns and the guarantee. Without a policy, and without ``public`` and ``private``, **every
        feature is public and the class is private**: an attacker knows all features of everyone.
    public : list of str or callable, optional
        Columns that an attacker may know, instead of a policy. By default, all columns that are not private.
    private : list of str or callable, optional
        Columns that an attacker must not learn, instead of a policy. The class is private by default.
    k : int, optional
        At least this many individuals in every group that an attacker can distinguish, on top of the policy. Without a
        policy the default is 10.
    method : {"best", "kadet-c45", "kadet-id3"}, default="best"
        The method that grows the tree.
    max_leaves : int, optional
        The maximum number of leaves before pruning.
    prune : bool, default=True
        Whether subtrees are replaced by leaves after growing.
    detail : {"counts", "shares", "labels"}, default="counts"
        What the leaves of the release contain. The audit always assumes that counts are released.
    digits : int, optional
        The number of decimal digits of shares; the default is 2 (whole percent).

    Attributes
    ----------
    classes_ : ndarray
        The values of the class.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        The names of the features, if X has names. The columns of an array are named x0, x1, and so on.
    class_name_ : str
        The name of the class in the policy and in the release: the name of ``y``, else the policy's class, else the
        only attribute of the policy that is not in X, else "class".
    policy_ : Policy
        The policy that was used.
    report_ : AuditReport
        The report of the audit that the tree passed.
    release_ : Release
        The tree as anyone reads it from its release.

    Notes
    -----
    ``sample_weight`` is the number of individuals that a row represents, since k counts individuals: weights are whole
    numbers, a row of weight 3 is the same as three equal rows, and a row of weight 0 is left out. Weights that state
    how important a row is are an error: k would count individuals who do not exist.

    Examples
    --------
    >>> import incrowd as ic
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = ic.TreeClassifier(k=20).fit(X, y)
    >>> clf.report_.holds, clf.report_.k >= 20
    (True, True)
    >>> clf.predict(X.head(3))
    array([0, 0, 0])
    """

    def __init__(
        self,
        policy: Policy | str | os.PathLike[str] | None = None,
        *,
        public: Columns = None,
        private: Columns = None,
        k: int | None = None,
        method: str = "best",
        max_leaves: int | None = None,
        prune: bool = True,
        detail: str = "counts",
        digits: int | None = None,
    ) -> None:
        self.policy = policy
        self.public = public
        self.private = private
        self.k = k
        self.method = method
        self.max_leaves = max_leaves
        self.prune = prune
        self.detail = detail
        self.digits = digits

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TreeClassifier:
        """Grow the tree and audit it.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The features: a frame of pandas, polars or pyarrow, a relation of DuckDB, or an array.
        y : array-like of shape (n_samples,)
            The class.
        sample_weight : array-like of shape (n_samples,), optional
            The number of individuals that each row represents.

        Returns
        -------
        TreeClassifier
            The fitted estimator.

        Raises
        ------
        incrowd.Unsatisfiable
            If no tree can meet the guarantee.
        """
        data = self._open(X, y, sample_weight)
        options = {
            "method": self.method,
            "max_leaves": self.max_leaves,
            "prune": self.prune,
            "detail": self.detail,
            "digits": self.digits,
        }
        self.release_ = Release(data.tree(request({"k": self.k}), options, watch()))
        return self

    def predict(self, X: Any) -> Any:
        """Predict the class of every row, as the release predicts it.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted values of the class.
        """
        nodes, labels, _ = self._follow(X)
        order = self._order()
        return self.classes_[order[np.asarray(labels, dtype=np.intp)][nodes]]

    def predict_proba(self, X: Any) -> Any:
        """Predict the share of each class value among the individuals of a row's leaf.

        If the release contains no shares (``detail="labels"``), the predicted value has the share 1.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The shares, in the order of ``classes_``.
        """
        nodes, labels, shares = self._follow(X)
        order = self._order()
        of_node = np.zeros((len(labels), len(self.classes_)))
        for node, (label, of_values) in enumerate(zip(labels, shares, strict=True)):
            if of_values is None or not sum(of_values):
                of_node[node, order[label]] = 1.0
            else:
                of_node[node, order] = np.asarray(of_values) / sum(of_values)
        return of_node[nodes]

    def apply(self, X: Any) -> Any:
        """Return the node of the tree that every row ends in.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of nodes in the release.
        """
        return self._follow(X)[0]

    def _follow(self, X: Any) -> tuple[Any, list[int], list[list[float] | None]]:
        new = self._rows(X)
        nodes, labels, shares = self.release_.model.predict_tree(new)
        return np.frombuffer(nodes, dtype=np.uint32).astype(np.intp), labels, shares

    def to_svg(self, depth: int | None = None) -> str:
        """Return the tree as a picture, at most ``depth`` levels deep."""
        check_is_fitted(self, "release_")
        return self.release_.model.svg(depth)

    def _shown(self) -> str | None:
        if not hasattr(self, "release_"):
            return None
        figures = self.release_.summary
        shown = {key: figures[key] for key in ("leaves", "k", "spans", "error") if key in figures}
        return _html.block(
            [
                _html.heading("k-anonymous decision tree: " + "; ".join(figures["guarantee"])),
                _html.table(list(shown), [list(shown.values())]),
                _html.picture(self.to_svg(depth=4)),
            ]
        )
