"""Anonymized tables."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from . import _bridge, _html
from ._frames import is_path, like, to_stream
from ._objects import plain_types
from ._policy import Policy
from ._progress import watch
from ._report import AuditReport
from ._request import as_policy, request

if TYPE_CHECKING:
    import pyarrow as pa


class Anonymized:
    """An anonymized table that passed its audit.

    It has ``__arrow_c_stream__``, so every library that reads Arrow can use it as a frame.

    Attributes
    ----------
    frame : frame
        The table, as a frame of the library that the data came in; an Arrow table if the data came from a file.
    report : AuditReport
        The report of the audit that it passed.
    summary : dict
        What was lost and suppressed, for the owner.
    """

    def __init__(self, table: _bridge.Table, example: Any, types: pa.Schema | None) -> None:
        self._table, self._example, self._types = table, example, types
        self._frame: Any = None

    @property
    def frame(self) -> Any:
        """The table, as a frame of the library that the data came in."""
        if self._frame is None:
            import pyarrow as pa

            self._frame = like(pa.table(self._table), self._example, self._types)
        return self._frame

    @property
    def report(self) -> AuditReport:
        """The report of the audit that the table passed."""
        return AuditReport(self._table.report)

    @property
    def summary(self) -> dict[str, Any]:
        """What was lost and suppressed, for the owner."""
        figures: dict[str, Any] = json.loads(self._table.summary)
        return figures

    def write(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Write the table as CSV, ARFF or Parquet, depending on the file's name, and its release file next to it.

        The written table is read back and audited before both files get their final names.
        """
        self._table.write(os.fspath(path), replace)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self.summary["rows"])

    def __repr__(self) -> str:
        figures = {name: self.summary[name] for name in ("rows", "k", "groups", "loss")}
        shown = ", ".join(f"{name}={figure:.4g}" for name, figure in figures.items() if figure is not None)
        return f"Anonymized({shown})"

    def _repr_html_(self) -> str:
        figures = self.summary
        shown = {key: figures[key] for key in ("rows", "groups", "k", "exposed", "loss", "suppressed")}
        frame = getattr(self.frame, "_repr_html_", lambda: "")()
        return _html.block(
            [
                _html.heading("Anonymized table: " + "; ".join(figures["guarantee"])),
                _html.table(list(shown), [list(shown.values())]),
                frame or "",
            ]
        )


def anonymize(
    data: Any,
    policy: Policy | str | os.PathLike[str],
    *,
    method: str = "best",
    seed: int = 0,
    weaken: bool = False,
    **requirements: Any,
) -> Anonymized:
    """Make an anonymized table.

    Parameters
    ----------
    data : frame or path
        A frame of pandas, polars or pyarrow, a relation of DuckDB, or the path of a CSV, ARFF or Parquet file.
    policy : Policy or path
        The roles of columns and the guarantee.
    method : str, default="best"
        The method: ``"best"``, ``"cells"``, ``"effects"``, ``"spans"``, ``"tds"``, ``"tdr"``, ``"mondrian"``,
        ``"finest"``, ``"kactus"``, ``"kactus2"`` or ``"aggregate"``. Methods that keep what predicts a class need
        ``class_name`` in the policy.
    seed : int, default=0
        The seed of methods that choose at random.
    weaken : bool, default=False
        Whether less than the policy's guarantee may be required. The release lists the weakened requirements.
    **requirements
        Requirements on top of the policy: ``k``, ``confidence``, ``distinct_l`` and others.

    Returns
    -------
    Anonymized
        The table with its report.

    Raises
    ------
    incrowd.Unsatisfiable
        If no table can meet the guarantee.

    Examples
    --------
    >>> import incrowd as ic
    >>> people = {"age": [30, 31, 32, 33, 60, 61, 62, 63], "illness": ["a", "b"] * 4}
    >>> policy = ic.Policy(public=["age"], private=["illness"], k=4)
    >>> anon = ic.anonymize(people, policy, method="mondrian")
    >>> anon.report.k
    4
    >>> anon.frame.column("age").unique().to_pylist()
    ['[30, 33]', '[60, 63]']
    """
    asked = request(requirements, weaken)
    stated = as_policy(policy).resolve(data)
    table = None if is_path(data) else to_stream(data)
    source = os.fspath(data) if table is None else table
    opened = _bridge.Dataset.open(source, *stated.source, watch=watch())
    made = opened.table(asked, {"method": method, "seed": seed, "closed": False, "representatives": False}, watch())
    return Anonymized(made, data, None if table is None else plain_types(table.schema))
