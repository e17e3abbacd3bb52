"""k-anonymous clusters."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from . import _bridge, _html
from ._errors import InputError
from ._estimator import Mined, roles, rows, with_weights
from ._policy import Columns, Policy
from ._progress import watch
from ._release import Release
from ._request import request


class Clusters(ClusterMixin, Mined):  # type: ignore[misc]
    """k-anonymous clusters, released as centroids of at least k individuals.

    Parameters
    ----------
    policy : Policy or path, optional
        The roles of columns and the guarantee. Without a policy, and without ``public`` and ``private``, every feature
        is public.
    public, private : list of str or callable, optional
        Roles instead of a policy. By default, all columns that are not private are public.
    k : int, optional
        At least this many individuals in every group that an attacker can distinguish, on top of the policy. Without a
        policy the default is 10.
    n_clusters : int, default=8
        The maximum number of clusters. There are fewer if the guarantee does not allow as many.
    method : {"mst", "k-means"}, default="mst"
        The method.
    attributes : list of str, optional
        The columns to cluster by; by default all public and private columns.
    random_state : int, default=0
        The seed of the method.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, counted from 0.
    cluster_centers_ : list of list of float
        The centroids as released.
    n_features_in_, feature_names_in_, policy_, report_, release_
        As for `TreeClassifier`.

    Examples
    --------
    >>> import incrowd as ic
    >>> from sklearn.datasets import load_iris
    >>> X = load_iris(as_frame=True).data
    >>> clusters = ic.Clusters(k=20, n_clusters=3).fit(X)
    >>> clusters.report_.holds
    True
    """

    def __init__(
        self,
        policy: Policy | str | os.PathLike[str] | None = None,
        *,
        public: Columns = None,
        private: Columns = None,
        k: int | None = None,
        n_clusters: int = 8,
        method: str = "mst",
        attributes: list[str] | None = None,
        random_state: int = 0,
    ) -> None:
        self.policy = policy
        self.public = public
        self.private = private
        self.k = k
        self.n_clusters = n_clusters
        self.method = method
        self.attributes = attributes
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Clusters:
        """Find the clusters and audit them.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The rows.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), optional
            The number of individuals that each row represents.

        Returns
        -------
        Clusters
            The fitted estimator.
        """
        table = rows(self, X, reset=True)
        if table.num_rows < 2:
            raise InputError("`X` has 1 sample, so there are no clusters", help="give rows that differ")
        self.policy_ = roles(self, X, table.column_names, None)
        weighted, weights = with_weights(table, sample_weight, X)
        text, folder = self.policy_.source
        data = _bridge.Dataset.open(weighted, text, folder, weights=weights, watch=watch())
        options = {
            "method": self.method,
            "n_clusters": self.n_clusters,
            "attributes": self.attributes,
            "seed": 0 if self.random_state is None else int(self.random_state),
        }
        self.release_ = Release(data.clusters(request({"k": self.k}), options, watch()))
        content = json.loads(self.release_.model.content())
        self.cluster_centers_ = content["centers"]
        self.labels_ = self._nearest(table)
        return self

    def predict(self, X: Any) -> Any:
        """Return the nearest centroid of every row, counted from 0.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of clusters.
        """
        check_is_fitted(self, "release_")
        return self._nearest(rows(self, X, reset=False))

    def _nearest(self, table: Any) -> Any:
        clusters = self.release_.model.predict_clusters((table, self.policy_.source, watch()))
        return np.frombuffer(clusters, dtype=np.uint32).astype(np.int32)

    def _shown(self) -> str | None:
        if not hasattr(self, "release_"):
            return None
        content = json.loads(self.release_.model.content())
        centers = [
            [*center, population] for center, population in zip(content["centers"], content["populations"], strict=True)
        ]
        return _html.block(
            [
                _html.heading("k-anonymous clusters: " + "; ".join(self.release_.summary["guarantee"])),
                _html.table([*content["axes"], "individuals"], centers),
            ]
        )
