"""Reports of audits."""

from __future__ import annotations

import json
from typing import Any

from . import _html
from ._errors import Breach


class AuditReport:
    """The result of an audit: whether the guarantee holds, and which individuals are exposed to what.

    Attributes
    ----------
    holds : bool
        Whether every requirement holds.
    k : int
        The largest k that holds: the size of the smallest group of individuals that an attacker can distinguish.
    individuals : int
        The individuals that were checked.
    spans : int
        The groups that an attacker can distinguish.
    in_breach : int or None
        The individuals in groups that break the guarantee; None if a released table does not show how many.
    exposed : int
        The individuals with a private value that is certain; an upper bound if ``at_most``.
    exposed_at_least : int
        The fewest individuals with such a value: ``exposed`` unless that is an upper bound.
    max_confidence : float or None
        The highest confidence of an attacker in a private value that the guarantee covers.
    requirements : dict of str to int or None
        Each requirement in words, with the number of groups that break it; None if it is broken and a released table
        does not show how often.
    first_trees : frame
        For ensembles: k over the first tree, the first two trees, and so on.
    warnings : list of str
        What else the owner should know.

    Examples
    --------
    >>> import incrowd as ic
    >>> people = {"age": ["30", "30", "30", "40"], "illness": ["a", "b", "b", "a"]}
    >>> report = ic.audit(people, ic.Policy(public=["age"], private=["illness"], k=2))
    >>> report.holds, report.k, report.exposed
    (False, 1, 1)
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._report: dict[str, Any] = json.loads(text)

    @property
    def family(self) -> str:
        """What was audited: tree, ensemble, clusters, rules or table."""
        return str(self._report["family"])

    @property
    def holds(self) -> bool:
        """Whether every requirement holds."""
        return bool(self._report["holds"])

    @property
    def k(self) -> int:
        """The largest k that holds."""
        return int(self._report["k"])

    @property
    def individuals(self) -> int:
        """The individuals that were checked."""
        return int(self._report["individuals"])

    @property
    def rows(self) -> int:
        """The rows that were checked."""
        return int(self._report["rows"])

    @property
    def rows_left_out(self) -> int:
        """The rows that were left out because a value is missing."""
        return int(self._report["rows_left_out"]["total"])

    @property
    def spans(self) -> int:
        """The groups that an attacker can distinguish."""
        return int(self._report["spans"])

    @property
    def in_breach(self) -> int | None:
        """The individuals in groups that break the guarantee; None if a released table does not show how many."""
        people = self._report["in_breach"]
        return None if people is None else int(people)

    @property
    def exposed(self) -> int:
        """The individuals with a private value that is certain."""
        return int(self._report["exposed"])

    @property
    def exposed_at_least(self) -> int:
        """The fewest individuals with a private value that is certain: ``exposed`` unless that is an upper bound."""
        return int(self._report.get("exposed_at_least", self._report["exposed"]))

    @property
    def exposed_to(self) -> dict[str, int]:
        """For each private attribute, the individuals whose value is certain."""
        return {entry["attribute"]: int(entry["individuals"]) for entry in self._report["exposed_to"]}

    @property
    def at_most(self) -> bool:
        """Whether ``exposed`` is an upper bound."""
        return bool(self._report["at_most"])

    @property
    def max_confidence(self) -> float | None:
        """The highest confidence of an attacker in a private value that the guarantee covers."""
        share = self._report["max_confidence"]
        return None if share is None else float(share)

    @property
    def requirements(self) -> dict[str, int | None]:
        """Each requirement in words, with the number of groups that break it; None if that number is unknown."""
        return {entry["requirement"]: entry["breaches"] for entry in self._report["asked"]}

    @property
    def warnings(self) -> list[str]:
        """What else the owner should know."""
        return list(self._report["warnings"])

    @property
    def groups(self) -> Any:
        """The linking attack: the smallest groups, those in breach first. For the owner only.

        A pandas frame if pandas is installed, otherwise an Arrow table.
        """
        return _frame(self._report["groups"])

    @property
    def first_trees(self) -> Any:
        """For ensembles: what the first tree, the first two trees, and so on reveal.

        A row for each number of ``trees``: the joint ``spans``, the individuals in the smallest (``k``), and those who
        are ``alone``. A pandas frame if pandas is installed, otherwise an Arrow table.
        """
        points = self._report.get("first_trees", [])
        return _as_frame({name: [point[name] for point in points] for name in ("trees", "spans", "k", "alone")})

    @property
    def breaches(self) -> Any:
        """The groups in breach; of many, only the smallest are listed. For the owner only.

        A pandas frame if pandas is installed, otherwise an Arrow table.
        """
        return _frame([group for group in self._report["groups"] if group["breach"]])

    def to_dict(self) -> dict[str, Any]:
        """Return the whole report."""
        report: dict[str, Any] = json.loads(self._text)
        return report

    def raise_for_breach(self) -> AuditReport:
        """Raise `incrowd.Breach` if the guarantee does not hold; otherwise return the report.

        Raises
        ------
        incrowd.Breach
            If a requirement does not hold.
        """
        if self.holds:
            return self
        broken = "; ".join(name for name, count in self.requirements.items() if count != 0)
        people = "some" if self.in_breach is None else self.in_breach
        raise Breach(
            f"the guarantee does not hold: {broken or 'a column identifies individuals'} "
            f"({people} of {self.individuals} individuals in breach)",
            help="generalize or leave out columns, or mine the release under the policy",
        )

    def __eq__(self, other: object) -> bool:
        return self._report == other._report if isinstance(other, AuditReport) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {"text": self._text}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._text = state["text"]
        self._report = json.loads(self._text)

    def __repr__(self) -> str:
        word = "holds" if self.holds else "does not hold"
        return (
            f"AuditReport({self.family}: the guarantee {word}, k={self.k}, individuals={self.individuals}, "
            f"in_breach={self.in_breach}, exposed={self.exposed})"
        )

    def _repr_html_(self) -> str:
        return _html.block(self._parts())

    def _parts(self) -> list[str]:
        requirements = [
            (name, "holds" if count == 0 else f"{'some' if count is None else count} groups")
            for name, count in self.requirements.items()
        ]
        figures = {
            "k": self.k,
            "individuals": self.individuals,
            "groups": self.spans,
            "individuals in breach": "some" if self.in_breach is None else self.in_breach,
            "exposed individuals": self.exposed,
            "highest confidence": "not measured"
            if self.max_confidence is None
            else f"{100 * self.max_confidence:.1f} %",
        }
        parts = [
            _html.heading(f"Audit of {_article(self.family)}: the guarantee", _html.verdict(self.holds)),
            _html.table(["requirement", "result"], requirements),
            _html.table(list(figures), [list(figures.values())]),
        ]
        points = _round_numbers(self._report.get("first_trees", []))
        if points:
            curve = [(point["trees"], point["k"], point["spans"], point["alone"]) for point in points]
            parts += [
                _html.heading("What the first trees reveal"),
                _html.table(["trees", "k", "groups", "individuals alone"], curve),
            ]
        listed = [group for group in self._report["groups"] if group["breach"]][:10]
        if listed:
            rows = [(group["individuals"], group["rule"], ", ".join(group["exposed_to"])) for group in listed]
            parts += [
                _html.heading("Smallest groups in breach"),
                _html.table(["individuals", "who", "exposed to"], rows),
            ]
        return parts + ([_html.items(self.warnings)] if self.warnings else [])


def _article(family: str) -> str:
    article = {"tree": "a ", "table": "a ", "ensemble": "an "}
    return article.get(family, "") + family


def _round_numbers(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the points at 1, 2, 5, 10, ... trees, the first at which an individual is alone, and the last."""
    alone = next((point["trees"] for point in points if point["k"] == 1), None)
    listed = {alone, len(points)} | {first * 10**power for first in (1, 2, 5) for power in range(5)}
    return [point for point in points if point["trees"] in listed]


def _frame(groups: list[dict[str, Any]]) -> Any:
    columns = {
        "individuals": [group["individuals"] for group in groups],
        "rule": [group["rule"] for group in groups],
        "breach": [group["breach"] for group in groups],
        "exposed_to": [", ".join(group["exposed_to"]) for group in groups],
    }
    return _as_frame(columns)


def _as_frame(columns: dict[str, list[Any]]) -> Any:
    try:
        import pandas as pd
    except ImportError:
        import pyarrow as pa

        return pa.table(columns)
    return pd.DataFrame(columns)
