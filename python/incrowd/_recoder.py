"""k-anonymous cells for public columns, in front of any estimator."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from . import _bridge, _html
from ._errors import InputError, ParameterError
from ._estimator import Shown, class_name, ranked, roles, rows, shortened, target, with_weights
from ._frames import is_frame, like
from ._objects import plain_column
from ._policy import Columns, Policy
from ._progress import watch
from ._report import AuditReport
from ._request import request

if TYPE_CHECKING:
    import pyarrow as pa

#: What public columns can be shown as.
_ENCODINGS = ("text", "codes", "representatives")

#: Methods that leave private columns as they are.
_METHODS = ("effects", "best", "cells", "mondrian", "tds", "tdr", "kactus", "kactus2", "aggregate")


class Recoder(TransformerMixin, Shown):  # type: ignore[misc]
    """Recode public columns into k-anonymous cells.

    Rows with the same cells form a group of at least k individuals of the training data. Private columns are passed
    through; identifiers and columns without a role are dropped. `fit` makes a table of cells that could itself be
    released, and audits it. A model trained on these cells reveals no more about individuals than that table, so the
    guarantee carries over to any estimator that has no other information about the public columns. It does not hold for
    an estimator that also sees the original public columns or another encoding of them.

    Parameters
    ----------
    policy : Policy or path, optional
        The roles of columns and the guarantee. Without a policy, and without ``public`` and ``private``, **every
        feature is public and the class is private**.
    public, private : list of str or callable, optional
        Roles instead of a policy. By default, all columns that are not private are public.
    k : int, optional
        At least this many individuals in every group, on top of the policy. Without a policy the default is 10.
    method : str, default="auto"
        The method that chooses the cells: ``"auto"``, ``"effects"``, ``"best"``, ``"cells"``, ``"mondrian"``,
        ``"tds"``, ``"tdr"``, ``"kactus"``, ``"kactus2"`` or ``"aggregate"``. ``"effects"`` distinguishes what affects
        the class beyond other columns, private ones included. ``"best"`` chooses the cells that predict the class best
        on their own, ``"cells"`` keeps as many distinctions as the guarantee allows, ``"mondrian"`` loses the least
        information and needs no class. ``"auto"`` is ``"mondrian"`` if there is no class; otherwise it is
        ``"effects"`` with representatives, and ``"best"`` with other encodings.
    encode : {"text", "codes", "representatives"}, default="text"
        What the recoded columns contain: texts such as ``"[30, 40)"`` (categoricals in frames of pandas and polars),
        the indices of these texts in ``categories_``, or what stands for the cells of a group: the mean of its numbers
        (of dates, days since 1970-01-01) and its most frequent name. Representatives depend on public columns alone,
        and are part of the release.
    random_state : int, default=0
        The seed of methods that choose at random.

    Attributes
    ----------
    categories_ : dict of str to ndarray
        The texts of the cells of each recoded column: numbers and dates in ascending order, then names.
    n_groups_ : int
        The number of groups.
    report_ : AuditReport
        The report of the audit that the table of cells passed.
    policy_ : Policy
        The policy that was used.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        The names of the features, if X has names.

    Examples
    --------
    >>> import incrowd as ic
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import OneHotEncoder
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> pipe = make_pipeline(ic.Recoder(k=20), OneHotEncoder(), LogisticRegression()).fit(X, y)
    >>> pipe[0].report_.k >= 20
    True
    """

    def __init__(
        self,
        policy: Policy | str | os.PathLike[str] | None = None,
        *,
        public: Columns = None,
        private: Columns = None,
        k: int | None = None,
        method: str = "auto",
        encode: str = "text",
        random_state: int = 0,
    ) -> None:
        self.policy = policy
        self.public = public
        self.private = private
        self.k = k
        self.method = method
        self.encode = encode
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Recoder:
        """Choose the cells, and audit the table of the training rows.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The features: a frame of pandas, polars or pyarrow, a relation of DuckDB, or an array.
        y : array-like of shape (n_samples,), optional
            The class. A numeric target is private as well, but cells are not chosen for it.
        sample_weight : array-like of shape (n_samples,), optional
            The number of individuals that each row represents.

        Returns
        -------
        Recoder
            The fitted estimator.

        Raises
        ------
        incrowd.Unsatisfiable
            If no table can meet the guarantee.
        """
        self._check_parameters()
        table = rows(self, X, reset=True)
        if table.num_rows < 2:
            raise InputError("`X` has 1 sample, which is not a group", help="give at least k rows")
        names, name, classes = table.column_names, None, 0
        if y is not None:
            name = class_name(self, y, names)
            column, classes = _column(y, table)
            table = table.append_column(name, column)
        self.policy_ = roles(self, X, table.column_names, name)
        self._check_class(name)
        stated = self.policy_.class_name
        if name is None and stated is not None and stated not in names:
            raise ParameterError(
                f"`y` is missing: the policy names the class `{stated}`", parameter="y", help="pass the class as `y`"
            )
        weighted, weights = with_weights(table, sample_weight, X)
        text, folder = self.policy_.source
        has_class = classes > 1 or (name is None and stated is not None and stated in self.policy_.private)
        data = _bridge.Dataset.open(
            weighted, text, folder, class_name=name if has_class else None, weights=weights, watch=watch()
        )
        options = {
            "method": self._method(has_class),
            "seed": int(self.random_state or 0),
            "closed": True,
            "representatives": self.encode == "representatives",
        }
        self._fitted = _Fitted(data.table(request({"k": self.k}), options, watch()))
        recoded = self._fitted.recoding
        self.categories_ = {
            column: np.array(texts, dtype=object)
            for column, texts in zip(recoded.attributes, recoded.texts(), strict=True)
        }
        self.n_groups_ = recoded.groups
        kept = {*recoded.attributes, *self.policy_.private}
        self._names_out = [column for column in names if column in kept]
        return self

    def _check_parameters(self) -> None:
        if self.method not in ("auto", *_METHODS):
            raise ParameterError(
                f"unknown method `{self.method}`",
                parameter="method",
                help=f"choose one of: auto, {', '.join(_METHODS)}",
            )
        if self.encode not in _ENCODINGS:
            raise ParameterError(
                f"unknown encoding `{self.encode}`",
                parameter="encode",
                help=f"choose one of: {', '.join(_ENCODINGS)}",
            )

    def _check_class(self, name: str | None) -> None:
        if name is not None and name in self.policy_.public:
            raise ParameterError(
                f"the class `{name}` is public in the policy, so every group would need k individuals of each class",
                parameter="policy",
                help="make the class private, or make the table of cells and classes with incrowd.anonymize",
            )

    def _method(self, has_class: bool) -> str:
        if self.method == "auto":
            for_class = "effects" if self.encode == "representatives" else "best"
            return for_class if has_class else "mondrian"
        if self.method != "mondrian" and not has_class:
            raise ParameterError(
                f"the method `{self.method}` chooses cells for a class, but there is none",
                parameter="method",
                help='pass a class with at least two values as `y`, or set method="mondrian"',
            )
        return self.method

    def transform(self, X: Any) -> Any:
        """Recode rows: each row gets the cells of the nearest group.

        The training rows get the cells that were audited. New rows are recoded by the same rule; `coverage` counts
        those that no group covers.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        frame or ndarray of shape (n_samples, n_features_out)
            The recoded public columns and the private ones, as a frame of the same library or as an array.
        """
        recoded, table, _ = self._recode(X)
        wanted = _get_output_config("transform", self)["dense"]
        if wanted == "default" and not is_frame(X):
            return self._array(recoded, table)
        if wanted == "pandas" or (wanted == "default" and type(X).__module__.startswith("pandas")):
            return self._pandas(recoded, table, X)
        columns = [self._cells(recoded, name) if name in self.categories_ else plain_column(table, name)
                   for name in self._names_out]  # fmt: skip
        import pyarrow as pa

        out = pa.table(columns, names=list(self.get_feature_names_out()))
        if wanted == "polars":
            import polars as pl

            return pl.from_arrow(out)
        return like(out, X, out.schema)

    def coverage(self, X: Any) -> dict[str, Any]:
        """Count the rows whose values lie in the cells that they get.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        dict
            ``rows``, the number of rows; ``covered``, those whose values lie in their cells; ``nearest``, those that
            get the cells of the nearest group although a value lies outside; ``unseen``, for each column the number of
            rows whose value no cell contains.
        """
        counts: dict[str, Any] = json.loads(self._recode(X)[2])
        counts["unseen"] = {unseen["attribute"]: unseen["rows"] for unseen in counts["unseen"]}
        return counts

    def _recode(self, X: Any) -> tuple[pa.Table, pa.Table, str]:
        import pyarrow as pa

        check_is_fitted(self, "categories_")
        table = rows(self, X, reset=False)
        represented = self.encode == "representatives"
        recoded, counts = self._fitted.recoding.transform(table, *self.policy_.source, represented, watch())
        return pa.table(recoded), table, counts

    def _places(self, recoded: pa.Table, name: str) -> Any:
        """Return the place of each row's cell in the categories."""
        column = recoded.column(name).combine_chunks()
        texts, places = column.dictionary.to_pylist(), {text: i for i, text in enumerate(self.categories_[name])}
        of_code = np.array([places.get(text, -1) for text in texts] or [0], dtype=np.int32)
        return of_code[column.indices.to_numpy()]

    def _cells(self, recoded: pa.Table, name: str) -> pa.Array:
        import pyarrow as pa

        if self.encode == "representatives":
            return recoded.column(name).combine_chunks()
        places = self._places(recoded, name)
        if self.encode == "codes":
            return pa.array(places.astype(np.float64))
        return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(self.categories_[name], type=pa.string()))

    def _array(self, recoded: pa.Table, table: pa.Table) -> Any:
        columns = []
        for name in self._names_out:
            if name not in self.categories_:
                columns.append(table.column(name).to_numpy())
            elif self.encode == "representatives":
                columns.append(recoded.column(name).to_numpy())
            elif self.encode == "codes":
                columns.append(self._places(recoded, name).astype(np.float64))
            else:
                columns.append(self.categories_[name][self._places(recoded, name)])
        is_number = all(np.issubdtype(column.dtype, np.number) for column in columns)
        out = np.empty((table.num_rows, len(columns)), dtype=np.float64 if is_number else object)
        for place, column in enumerate(columns):
            out[:, place] = column
        return out

    def _pandas(self, recoded: pa.Table, table: pa.Table, X: Any) -> Any:
        import pandas as pd

        own = X if isinstance(X, pd.DataFrame) else None
        columns: dict[str, Any] = {}
        for place, name in enumerate(self._names_out):
            if name not in self.categories_:
                at = table.column_names.index(name)
                columns[str(place)] = (
                    own.iloc[:, at].array if own is not None else plain_column(table, name).to_pandas().array
                )
            elif self.encode == "representatives":
                columns[str(place)] = recoded.column(name).to_pandas().array
            elif self.encode == "codes":
                columns[str(place)] = self._places(recoded, name).astype(np.float64)
            else:
                columns[str(place)] = pd.Categorical.from_codes(
                    self._places(recoded, name), categories=pd.Index(self.categories_[name], dtype=object)
                )
        frame = pd.DataFrame(columns, index=own.index if own is not None else pd.RangeIndex(table.num_rows))
        frame.columns = pd.Index(self.get_feature_names_out())
        return frame

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns that `transform` returns.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names for the columns of the training data if it has none.

        Returns
        -------
        ndarray of str
            The recoded public columns and the private ones, in the order of the training data.
        """
        check_is_fitted(self, "categories_")
        given: Any = _check_feature_names_in(self, input_features)
        own = list(getattr(self, "feature_names_in_", [f"x{place}" for place in range(len(given))]))
        return np.array([given[own.index(name)] for name in self._names_out], dtype=object)

    @property
    def report_(self) -> AuditReport:
        """The report of the audit that the table of cells passed."""
        check_is_fitted(self, "categories_")
        return AuditReport(self._fitted.report)

    @property
    def summary_(self) -> dict[str, Any]:
        """Figures on information loss and suppression, for the owner."""
        check_is_fitted(self, "categories_")
        figures: dict[str, Any] = json.loads(self._fitted.summary)
        return figures

    def write(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Write the table of cells as CSV, ARFF or Parquet, with its release file next to it.

        The release file contains the recoding, so that ``incrowd transform`` can apply it to new rows. A pickled
        recoder cannot write: only a table that was audited in the same process can be written.

        Parameters
        ----------
        path : str or path
            The file of the table.
        replace : bool, default=False
            Whether existing files may be replaced.
        """
        check_is_fitted(self, "categories_")
        self._fitted.write(path, replace)

    def _shown(self) -> str | None:
        if not hasattr(self, "_fitted"):
            return None
        figures = self.summary_
        shown = {key: figures[key] for key in ("rows", "groups", "k", "exposed", "loss", "suppressed")}
        return _html.block(
            [
                _html.heading("k-anonymous cells: " + "; ".join(figures["guarantee"])),
                _html.table(list(shown), [list(shown.values())]),
            ]
        )


class _Fitted:
    """The audited table of cells. Pickles contain its recoding and its figures, not its rows."""

    def __init__(self, table: _bridge.Table) -> None:
        self.table: _bridge.Table | None = table
        self.recoding, self.report, self.summary = table.recoding, table.report, table.summary

    def write(self, path: str | os.PathLike[str], replace: bool) -> None:
        if self.table is None:
            raise ParameterError(
                "the cells were not chosen in this process, so they cannot be written as a release",
                parameter="path",
                help="fit again, or write the release before pickling",
            )
        self.table.write(os.fspath(path), replace)

    def __getstate__(self) -> dict[str, Any]:
        return {"recoding": self.recoding.text(), "report": self.report, "summary": self.summary}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.table, self.recoding = None, _bridge.Recoding.load(state["recoding"])
        self.report, self.summary = state["report"], state["summary"]


def _column(y: Any, table: pa.Table) -> tuple[pa.Array, int]:
    """Return the target as a column, and how many classes it has: none if it is not a class."""
    import pyarrow as pa

    values, codes = target(y, table)
    if type_of_target(shortened(values, codes)) not in ("binary", "multiclass"):
        return pa.array(values).take(pa.array(codes)), 0
    classes, codes = ranked(values, codes)
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(classes)), len(classes)
