"""Profiles of tables."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _bridge, _html
from ._frames import is_path, to_stream
from ._policy import Policy
from ._progress import watch


class Profile:
    """How identifying the columns of a table and their combinations are, with a first policy.

    Attributes
    ----------
    policy : Policy
        A first policy. Every role in it is a guess for the owner to review; its text has a comment on each.
    columns : frame
        One row per column: kind, distinct values, missing values, the share of individuals that it singles out, the
        guessed role and the reason. A pandas frame if pandas is installed, otherwise an Arrow table.
    """

    def __init__(self, text: str, policy: str) -> None:
        self._profile: dict[str, Any] = json.loads(text)
        self._policy = policy

    @property
    def policy(self) -> Policy:
        """A first policy, to be reviewed."""
        return Policy.from_toml(self._policy)

    @property
    def columns(self) -> Any:
        """One row per column."""
        columns = self._profile.get("columns", [])
        names = ("name", "kind", "distinct", "missing", "unique", "few", "smallest")
        table = {name: [column[name] for column in columns] for name in names}
        table["role"] = [column["guess"]["role"] for column in columns]
        table["reason"] = [column["guess"]["reason"] for column in columns]
        try:
            import pandas as pd
        except ImportError:
            import pyarrow as pa

            return pa.table(table)
        return pd.DataFrame(table)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole profile."""
        profile: dict[str, Any] = json.loads(json.dumps(self._profile))
        return profile

    def __repr__(self) -> str:
        roles = self.policy
        return f"Profile(rows={self._profile.get('rows')}, public={roles.public}, private={roles.private})"

    def _repr_html_(self) -> str:
        rows = [
            (
                c["name"],
                c["kind"],
                c["distinct"],
                f"{100 * c['unique']:.1f} %",
                c["guess"]["role"],
                c["guess"]["reason"],
            )
            for c in self._profile.get("columns", [])
        ]
        parts = [
            _html.heading("Profile: how identifying the columns are, and guesses at their roles"),
            _html.table(["column", "kind", "distinct", "alone singles out", "role (a guess)", "reason"], rows),
        ]
        several = [c for c in self._profile.get("combinations", []) if len(c["columns"]) > 1]
        if several:
            rows_of = [(", ".join(c["columns"]), f"{100 * c['unique']:.1f} %") for c in several[:5]]
            parts.append(_html.table(["together", "single out"], rows_of))
        return _html.block(parts)


def profile(data: Any, *, few: int | None = None) -> Profile:
    """Measure how identifying the columns of a table and their combinations are, and draft a first policy.

    Parameters
    ----------
    data : frame or path
        A frame of pandas, polars or pyarrow, a relation of DuckDB, or the path of a file.
    few : int, optional
        Groups of fewer individuals are reported as small.

    Returns
    -------
    Profile
        The profile; its ``policy`` is a first policy to be reviewed.

    Examples
    --------
    >>> import incrowd as ic
    >>> people = {"age": [30, 31, 30, 31] * 10, "diagnosis": ["flu", "none"] * 20}
    >>> ic.profile(people).policy.public
    ['age']
    """
    source = os.fspath(data) if is_path(data) else to_stream(data)
    return Profile(*_bridge.profile(source, few=few, watch=watch()))
