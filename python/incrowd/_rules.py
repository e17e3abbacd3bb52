"""k-anonymous association rules."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from . import _bridge, _html
from ._frames import is_path, to_table
from ._policy import Policy
from ._progress import watch
from ._release import Release
from ._report import AuditReport
from ._request import as_policy, request


class Rules:
    """Association rules that passed their audit together.

    Attributes
    ----------
    frame : frame
        One row per rule: antecedent, consequent, count, support, confidence, lift. A pandas frame if pandas is
        installed, otherwise an Arrow table.
    report : AuditReport
        The report of the audit that they passed.
    """

    def __init__(self, model: _bridge.Model) -> None:
        self._model = model
        self._rules: list[dict[str, Any]] = json.loads(model.content())

    @property
    def release(self) -> Release:
        """The rules as anyone reads them from their release."""
        return Release(self._model)

    @property
    def frame(self) -> Any:
        """One row per rule."""
        names = ("antecedent", "consequent", "count", "support", "confidence", "lift")
        columns = {name: [rule[name] for rule in self._rules] for name in names}
        try:
            import pandas as pd
        except ImportError:
            import pyarrow as pa

            return pa.table(columns)
        return pd.DataFrame(columns)

    @property
    def report(self) -> AuditReport:
        """The report of the audit that the rules passed."""
        assert self._model.report is not None
        return AuditReport(self._model.report)

    @property
    def summary(self) -> dict[str, Any]:
        """Figures for the owner."""
        figures: dict[str, Any] = json.loads(self._model.summary)
        return figures

    def write(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Write the release file; an existing file is an error unless it may be replaced."""
        self._model.write(os.fspath(path), replace)

    def __len__(self) -> int:
        return len(self._rules)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rules)

    def __repr__(self) -> str:
        return f"Rules({len(self)} rules, k={self.report.k})"

    def _repr_html_(self) -> str:
        rows = [
            (" and ".join(r["antecedent"]), " and ".join(r["consequent"]), r["count"], r["support"], r["confidence"])
            for r in self._rules[:50]
        ]
        head = ["if", "then", "individuals", "support", "confidence"]
        return _html.block([_html.heading(f"{len(self)} k-anonymous rules"), _html.table(head, rows)])


def rules(
    data: Any,
    policy: Policy | str | os.PathLike[str],
    *,
    min_support: float = 0.1,
    min_confidence: float = 0.8,
    max_length: int | None = None,
    first: str | None = None,
    weaken: bool = False,
    **requirements: Any,
) -> Rules:
    """Mine association rules that together satisfy the guarantee.

    Parameters
    ----------
    data : frame or path
        A frame, or the path of a table or of baskets.
    policy : Policy or path
        The roles of columns (or of items) and the guarantee.
    min_support : float, default=0.1
        The minimum share of individuals who have all items of a rule.
    min_confidence : float, default=0.8
        The minimum share of the individuals with a rule's left side who also have its right side.
    max_length : int, optional
        The maximum number of items in a rule.
    first : str, optional
        The measure that decides which rules are preferred if not all can be released.
    weaken : bool, default=False
        Whether less than the policy's guarantee may be required.
    **requirements
        Requirements on top of the policy: ``k`` and others.

    Returns
    -------
    Rules
        The rules. There may be none.

    Examples
    --------
    >>> import incrowd as ic
    >>> people = {"sport": ["yes", "no"] * 20, "healthy": ["yes", "no"] * 20}
    >>> policy = ic.Policy(public=["sport"], private=["healthy"], k=5)
    >>> len(ic.rules(people, policy, min_support=0.2)) > 0
    True
    """
    asked = request(requirements, weaken)
    stated = as_policy(policy).resolve(data)
    source = os.fspath(data) if is_path(data) else to_table(data)
    opened = _bridge.Dataset.open(source, *stated.source, watch=watch())
    options = {
        "min_support": min_support,
        "min_confidence": min_confidence,
        "max_length": max_length,
        "first": first,
    }
    return Rules(opened.rules(asked, options, watch()))
