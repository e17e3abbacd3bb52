"""What the estimators share: reading rows and roles, following scikit-learn's conventions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import (
    _check_sample_weight,
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from ._errors import InputError, ParameterError
from ._frames import array_to_table, is_frame, is_path, to_table
from ._objects import codes_of, distinct
from ._policy import Columns, Policy
from ._release import Release
from ._report import AuditReport
from ._request import as_policy

if TYPE_CHECKING:
    import pyarrow as pa

#: The k of estimators without a policy.
DEFAULT_K = 10
#: Rows that are looked at first.
_SAMPLE = 1 << 14


class Shown(BaseEstimator):  # type: ignore[misc]
    """An estimator that shows its result in notebooks once it is fitted."""

    def _shown(self) -> str | None:
        """Return the result as HTML, if the estimator is fitted."""
        raise NotImplementedError

    # In scikit-learn a property that gives a function; notebooks call either.
    def _repr_html_(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        shown = self._shown()
        return str(super()._repr_html_()) if shown is None else shown

    # Notebooks prefer this to `_repr_html_`.
    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        shown = self._shown()
        return bundle if shown is None else bundle | {"text/html": shown}


class Mined(Shown):
    """An estimator whose model is audited when it is fitted, and can be released."""

    release_: Release

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    @property
    def report_(self) -> AuditReport:
        """The report of the audit that the model passed."""
        check_is_fitted(self, "release_")
        report = self.release_.report
        assert report is not None
        return report

    def write(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Write the release file.

        Parameters
        ----------
        path : str or path
            The file, usually ``tree.json`` or ``clusters.json``.
        replace : bool, default=False
            Whether an existing file may be replaced.
        """
        check_is_fitted(self, "release_")
        self.release_.write(path, replace=replace)


def rows(estimator: Any, X: Any, *, reset: bool, y: Any = "no_validation") -> pa.Table:
    """Check X as scikit-learn does, and return it as an Arrow table. Of y only whether it is there is checked."""
    checks: dict[str, Any] = {"y": y} if y is None else {}
    if is_path(X):
        raise ParameterError(
            "`X` must be a frame or an array, not a path",
            parameter="X",
            help="read the file first, for example with pandas",
        )
    if not is_frame(X):
        X = validate_data(estimator, X, reset=reset, dtype=None, **checks)
        names = getattr(estimator, "feature_names_in_", None)
        return array_to_table(X, "X", None if names is None else list(names))
    table = to_table(X, "X")
    checked = X if hasattr(X, "columns") and type(X).__module__.startswith("pandas") else table
    validate_data(estimator, checked, reset=reset, skip_check_array=True, **checks)
    if table.num_rows == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    if not hasattr(estimator, "feature_names_in_"):
        if reset and all(isinstance(name, str) for name in getattr(X, "columns", [])):
            estimator.feature_names_in_ = np.array(table.column_names, dtype=object)
        else:
            table = table.rename_columns([f"x{i}" for i in range(table.num_columns)])
    return table


def target(y: Any, table: pa.Table) -> tuple[Any, Any]:
    """Check y as scikit-learn does, and return its values and the place of each row's value among them.

    Values may occur several times; usually there are few.
    """
    found = _categories(y)
    if found is None:
        array = column_or_1d(y.to_numpy() if hasattr(y, "to_numpy") else y, warn=True)
        check_consistent_length(table, array)
        found = distinct(array)
    values, codes = found
    check_consistent_length(table, codes)
    assert_all_finite(values, input_name="y")
    return values, codes


def shortened(values: Any, codes: Any) -> Any:
    """Return an array of the values that looks to scikit-learn like y: its type, and whether many values are equal."""
    return np.resize(values, min(len(codes), 3 * len(values)))


def ranked(values: Any, codes: Any) -> tuple[Any, Any]:
    """Return the different values in ascending order, and the place of each row's value among them."""
    classes, ranks = np.unique(values, return_inverse=True)
    is_ranked = np.array_equal(ranks, np.arange(len(values)))
    return classes, codes if is_ranked else ranks.astype(np.int32)[codes]


def _categories(y: Any) -> tuple[Any, Any] | None:
    """Return the categories that occur in a categorical column of pandas, and the place of each row's."""
    codes = codes_of(y)
    if codes is None or not len(codes) or codes.min() < 0:
        return None
    categories = y.cat.categories.to_numpy()
    # The first rows usually have all categories, and need not be counted to the end.
    for rows in (codes[:_SAMPLE], codes):
        used = np.flatnonzero(np.bincount(rows))
        if len(used) == len(categories):
            return categories, codes
    places = np.zeros(len(categories), dtype=np.int32)
    places[used] = np.arange(len(used))
    return categories[used], places[codes]


def class_name(estimator: Any, y: Any, names: list[str]) -> str:
    """Return the name of the class, which must not be a column of X."""
    found = _class_name(estimator.policy, y, names)
    if found in names:
        raise InputError(
            f"`X` has a column `{found}`, which is the class",
            attribute=found,
            help="leave the class out of `X`, or rename `y`",
        )
    return found


def _class_name(policy: Any, y: Any, names: list[str]) -> str:
    name = getattr(y, "name", None)
    policy = policy if isinstance(policy, Policy) and policy._selectors is None else None
    if policy is not None and policy.class_name is not None:
        return str(policy.class_name)
    if isinstance(name, str) and name:
        return name
    others = [] if policy is None else [n for n in policy.private + policy.public if n not in names]
    return others[0] if len(others) == 1 else "class"


def with_weights(table: pa.Table, sample_weight: Any, X: Any) -> tuple[pa.Table, str | None]:
    """Add a column of weights, if there are any."""
    import pyarrow as pa

    if sample_weight is None:
        return table, None
    weights = _check_sample_weight(sample_weight, np.empty((table.num_rows, 1)), dtype=np.float64)
    check_consistent_length(weights, table)
    name = "sample_weight"
    while name in table.column_names:
        name += "_"
    return table.append_column(name, pa.array(weights)), name


def roles(estimator: Any, X: Any, names: list[str], class_name: str | None) -> Policy:
    """Return the given policy, or the policy made from lists and selectors of columns."""
    policy, public, private = estimator.policy, estimator.public, estimator.private
    if policy is not None:
        for name, given in (("public", public), ("private", private)):
            if given is not None:
                raise ParameterError(
                    f"`policy` and `{name}` both state roles",
                    parameter=name,
                    help=f"leave out one of `policy` and `{name}`",
                )
        return as_policy(policy).resolve(X)
    k = DEFAULT_K if estimator.k is None else None
    features = [name for name in names if name != class_name]
    chosen_public, chosen_private = _chosen(public, X), _chosen(private, X)
    if chosen_public is None:
        chosen_public = [name for name in features if name not in (chosen_private or [])]
    private_columns = list(chosen_private or [])
    if class_name is not None and class_name not in chosen_public and class_name not in private_columns:
        private_columns.append(class_name)
    return Policy(public=chosen_public, private=private_columns, k=k)


def _chosen(columns: Columns, X: Any) -> list[str] | None:
    if columns is None:
        return None
    found = columns(X) if callable(columns) else columns
    return [found] if isinstance(found, str) else [str(name) for name in found]
