"""Comparisons of methods over k."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Sequence
from html import escape
from typing import Any

from . import _bridge
from ._frames import is_path, to_stream
from ._policy import Policy
from ._progress import watch
from ._request import as_policy, request


class Comparison:
    """Accuracy, loss and risk of methods over k.

    Attributes
    ----------
    scores : frame
        One row per method, learner and k. A pandas frame if pandas is installed, otherwise an Arrow table.
    notes : list of str
        What could not be done and why, and warnings.
    """

    def __init__(self, text: str, csv: str, html: str) -> None:
        self._comparison: dict[str, Any] = json.loads(text)
        self._csv, self._html = csv, html

    @property
    def scores(self) -> Any:
        """One row per method, learner and k."""
        try:
            import pandas as pd
        except ImportError:
            from pyarrow import csv

            return csv.read_csv(io.BytesIO(self._csv.encode()))
        return pd.read_csv(io.StringIO(self._csv))

    @property
    def notes(self) -> list[str]:
        """What could not be done and why, and warnings."""
        return list(self._comparison["notes"])

    def to_dict(self) -> dict[str, Any]:
        """Return the whole comparison."""
        comparison: dict[str, Any] = json.loads(json.dumps(self._comparison))
        return comparison

    def to_html(self) -> str:
        """Return the report as one HTML page."""
        return self._html

    def __repr__(self) -> str:
        methods = sorted({series["method"] for series in self._comparison["series"]})
        return f"Comparison(methods={methods}, ks={self._comparison['ks']})"

    def _repr_html_(self) -> str:
        page = escape(self._html, quote=True)
        return (
            f'<iframe srcdoc="{page}" style="border:1px solid rgba(128,128,128,.4);height:700px;width:100%"></iframe>'
        )


def compare(
    data: Any,
    policy: Policy | str | os.PathLike[str],
    *,
    methods: Sequence[str] | None = None,
    ks: Sequence[int] | None = None,
    inducers: Sequence[str] | None = None,
    cv: tuple[int, int] | None = None,
    seed: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    name: str | None = None,
    **requirements: Any,
) -> Comparison:
    """Compare the cost of k for several methods and learners.

    Parameters
    ----------
    data : frame or path
        A frame, or the path of a file.
    policy : Policy or path
        The roles of columns, the class, and the guarantee besides k.
    methods : list of str, optional
        Methods of trees, boosted trees and tables, such as ``["best", "boost", "best-table", "mondrian"]``.
    ks : list of int, optional
        The values of k; 5, 10, 20, 50 and 100 by default.
    inducers : list of str, optional
        Learners that learn from released tables, such as ``["c45", "naive-bayes"]``.
    cv : (int, int), optional
        Repetitions and folds of the cross-validation; (5, 2) by default.
    seed : int, optional
        The seed of the divisions.
    folder : path, optional
        The folder for intermediate results and the report. An interrupted comparison is resumed from it.
    name : str, optional
        The name of the table in the report.
    **requirements
        Requirements besides k, on top of the policy: ``confidence`` and others.

    Returns
    -------
    Comparison
        The scores and the report.
    """
    asked = request(requirements)
    stated = as_policy(policy).resolve(data)
    source = os.fspath(data) if is_path(data) else to_stream(data)
    opened = _bridge.Dataset.open(source, *stated.source, watch=watch())
    options = {
        "name": name or (os.path.basename(source) if isinstance(source, str) else "a table"),
        "methods": None if methods is None else list(methods),
        "ks": None if ks is None else [int(k) for k in ks],
        "inducers": None if inducers is None else list(inducers),
        "protocol": cv,
        "seed": seed,
        "folder": None if folder is None else os.fspath(folder),
    }
    return Comparison(*opened.compare(asked, options, watch()))
