"""Requirements on top of a policy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from numbers import Real
from typing import Any

from ._errors import ParameterError
from ._policy import Policy

_KEYS = (
    "k", "single_bin", "several_rows", "distinct_l", "entropy_l", "recursive", "confidence", "t_closeness",
    "t_distance", "alpha", "beta", "smallest_bin", "preset", "of",
)  # fmt: skip


def request(given: Mapping[str, Any], weaken: bool = False) -> dict[str, Any]:
    """Return the given requirements in the form that the bridge takes."""
    unknown = [name for name in given if name not in _KEYS]
    if unknown:
        raise ParameterError(
            f"unknown requirement `{unknown[0]}`", parameter=unknown[0], help=f"choose from: {', '.join(_KEYS)}"
        )
    asked: dict[str, Any] = {name: given.get(name) for name in _KEYS}
    for name in ("of", "preset"):
        if isinstance(asked[name], str):
            asked[name] = [asked[name]]
    k = asked["k"]
    if k is not None:
        if not _is_whole(k):
            raise ParameterError(
                f"k must be a whole number from 1, not {k!r}", parameter="k", help="10 is a common choice"
            )
        asked["k"] = int(k)
    return {**asked, "weaken": weaken}


def _is_whole(k: Any) -> bool:
    return isinstance(k, Real) and not isinstance(k, bool) and float(k) >= 1 and float(k).is_integer()


def as_policy(policy: Any) -> Policy:
    """Return the policy, which is given as such or as the path of its file."""
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, (str, os.PathLike)):
        return Policy.read(policy)
    raise ParameterError(
        f"`policy` must be a Policy or the path of a policy file, not {type(policy).__name__}",
        parameter="policy",
        help="for example incrowd.Policy(public=[...], private=[...], k=10)",
    )
