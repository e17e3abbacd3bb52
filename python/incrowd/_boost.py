"""k-anonymous boosted trees."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _html
from ._classifier import Classifier
from ._errors import InputError
from ._policy import Columns, Policy
from ._progress import watch
from ._release import Release
from ._request import request


class BoostClassifier(Classifier):
    """k-anonymous boosted trees.

    The trees test private attributes, and public ones only through cells of at least k individuals. An attacker who
    knows the public attributes of everyone and reads all trees together cannot link anything private in them to fewer
    than k individuals. The ensemble is audited after it is learned; one that fails its audit is never returned.

    Parameters
    ----------
    policy : Policy or path, optional
        The roles of columns and the guarantee. Without a policy, and without ``public`` and ``private``, **every
        feature is public and the class is private**: an attacker knows all features of everyone. Boosting gains most
        over a single tree if some features are private.
    public : list of str or callable, optional
        Columns that an attacker may know, instead of a policy. By default, all columns that are not private.
    private : list of str or callable, optional
        Columns that an attacker must not learn, instead of a policy. The class is private by default.
    k : int, optional
        At least this many individuals in every group that an attacker can distinguish, on top of the policy. Without a
        policy the default is 10.
    rounds : int, default=300
        The maximum number of rounds; cross-validation on the training rows chooses how many are made.
    max_leaves : int, optional
        The maximum number of leaves per tree; by default 8, 15 or 31, chosen by cross-validation on the training rows.
    learning_rate : float, optional
        The share of a tree's correction that is added; by default 0.1 or 0.05, chosen by cross-validation.
    columns : float, optional
        The share of the features that each tree may test; by default 0.5 or 0.3, chosen by cross-validation.
    min_leaf : int, optional
        The smallest number of individuals per leaf; by default k, or 20 if k is larger.
    detail : {"scores", "labels"}, default="scores"
        What the release states about a leaf: a score, or only a vote for or against a class value, or none. All votes
        weigh the same. The guarantee is the same for both.
    digits : int, optional
        The number of decimal digits of a score, from 1 to 9; 6 by default. Only with ``detail="scores"``.
    structure : {"free", "blind"}, default="free"
        What the cells may depend on. With "blind" they depend on public attributes alone, so that not even an attacker
        who knows the algorithm can tell the individuals of a cell apart.
    balanced : bool, default=False
        Whether class values count as if they were equally frequent.

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
        The report of the audit that the ensemble passed.
    release_ : Release
        The ensemble as anyone reads it from its release.

    Notes
    -----
    ``sample_weight`` is the number of individuals that a row represents, as for `TreeClassifier`.

    Examples
    --------
    >>> import incrowd as ic
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = ic.BoostClassifier(private=["petal width (cm)"], k=20).fit(X, y)
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
        rounds: int = 300,
        max_leaves: int | None = None,
        learning_rate: float | None = None,
        columns: float | None = None,
        min_leaf: int | None = None,
        detail: str = "scores",
        digits: int | None = None,
        structure: str = "free",
        balanced: bool = False,
    ) -> None:
        self.policy = policy
        self.public = public
        self.private = private
        self.k = k
        self.rounds = rounds
        self.max_leaves = max_leaves
        self.learning_rate = learning_rate
        self.columns = columns
        self.min_leaf = min_leaf
        self.detail = detail
        self.digits = digits
        self.structure = structure
        self.balanced = balanced

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BoostClassifier:
        """Learn the trees and audit them.

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
        BoostClassifier
            The fitted estimator.

        Raises
        ------
        incrowd.Unsatisfiable
            If no ensemble can meet the guarantee.
        """
        data = self._open(X, y, sample_weight)
        options = {
            "rounds": self.rounds,
            "max_leaves": self.max_leaves,
            "learning_rate": self.learning_rate,
            "columns": self.columns,
            "min_leaf": self.min_leaf,
            "detail": self.detail,
            "digits": self.digits,
            "structure": self.structure,
            "balanced": self.balanced,
        }
        self.release_ = Release(data.boost(request({"k": self.k}), options, watch()))
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
        labels, _ = self._scored(X)
        return self.classes_[self._order()[labels]]

    def predict_proba(self, X: Any) -> Any:
        """Predict the probability of each class value, as the release predicts it.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of ``classes_``.
        """
        _, shares = self._scored(X)
        order = self._order()
        of_row = np.zeros((len(shares), len(self.classes_)))
        of_row[:, order] = shares
        return of_row

    def calibration(self, X: Any, y: Any, sample_weight: Any = None) -> dict[str, float]:
        """Measure how well the predicted probabilities fit the classes of some rows.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Rows with the columns of the training data; not those, since their probabilities fit too well.
        y : array-like of shape (n_samples,)
            Their classes. Rows with a class that was not learned are left out.
        sample_weight : array-like of shape (n_samples,), optional
            What each row counts for.

        Returns
        -------
        dict of str to float
            ``log_loss``: the mean of -ln of the probability of the true class. ``brier_score``: the mean squared
            difference of probabilities and truth, added up over the classes; half of it if there are two.
            ``calibration_error``: the mean difference between the probability of the predicted class and how often it
            is right, over ten intervals of probabilities.

        Raises
        ------
        incrowd.InputError
            If no row is left.
        """
        labels, shares = self._scored(X)
        truth = np.asarray(y)
        weights = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if truth.shape != (len(labels),) or weights.shape != (len(labels),):
            raise InputError(
                "`y` or `sample_weight` does not have one value per row of X", help="give as many values as rows"
            )
        hit = truth[:, None] == self.classes_[self._order()][None, :]
        known = hit.any(axis=1)
        if not weights[known].sum() > 0:
            raise InputError(
                "no row has a class that was learned", help="give rows with classes that are in `classes_`"
            )
        labels, shares, hit, weights = labels[known], shares[known], hit[known], weights[known]
        rows = np.arange(len(labels))
        own, right = shares[rows, labels], hit[rows, labels]
        intervals = np.minimum((own * 10).astype(int), 9)
        gaps = np.bincount(intervals, weights * (own - right), 10)
        half = 0.5 if shares.shape[1] == 2 else 1.0
        return {
            "log_loss": float(-np.average(np.log(np.maximum(shares[hit], 1e-15)), weights=weights)),
            "brier_score": float(half * np.average(((shares - hit) ** 2).sum(axis=1), weights=weights)),
            "calibration_error": float(np.abs(gaps).sum() / weights.sum()),
        }

    def _scored(self, X: Any) -> tuple[Any, Any]:
        new = self._rows(X)
        numbers, shares = self.release_.model.predict_ensemble(new)
        labels = np.frombuffer(numbers, dtype=np.uint32).astype(np.intp)
        return labels, np.frombuffer(shares, dtype="<f8").reshape(len(labels), -1)

    def _shown(self) -> str | None:
        if not hasattr(self, "release_"):
            return None
        figures = self.release_.summary
        shown = {key: figures[key] for key in ("trees", "leaves", "cells", "k", "spans", "error") if key in figures}
        return _html.block(
            [
                _html.heading("k-anonymous boosted trees: " + "; ".join(figures["guarantee"])),
                _html.table(list(shown), [list(shown.values())]),
            ]
        )
