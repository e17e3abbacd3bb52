"""Smaller cases from a case, one step each, to find what a disagreement depends on."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from cases import Case


def reductions(case: Case) -> Iterator[Case]:
    """Smaller cases, one step each."""
    for at in range(len(case.rows)):
        less = copy.deepcopy(case)
        del less.rows[at]
        if less.released is not None:
            less.released = (less.header, less.rows)
        unpopulate(less)
        yield less
    for key in list(case.policy["guarantee"]):
        less = copy.deepcopy(case)
        del less.policy["guarantee"][key]
        yield less
    for at in range(len(case.policy.get("dependencies", []))):
        less = copy.deepcopy(case)
        del less.policy["dependencies"][at]
        yield less
    for name, keys in case.policy["attributes"].items():
        for key in [key for key in keys if key != "role"]:
            less = copy.deepcopy(case)
            del less.policy["attributes"][name][key]
            yield less
        if not any(
            name in json.dumps(part)
            for part in (case.release, case.policy.get("dependencies"), case.policy.get("class"))
        ):
            less = copy.deepcopy(case)
            del less.policy["attributes"][name]
            place = less.header.index(name) if name in less.header else None
            if place is not None:
                less.header.pop(place)
                for row in less.rows:
                    row.pop(place)
            less.policy["guarantee"].pop("of", None) if isinstance(less.policy["guarantee"].get("of"), list) else None
            yield less
    if case.release and case.release["family"] == "tree":
        less = copy.deepcopy(case)
        unpopulate(less)
        yield less
        yield from smaller_trees(case)
    for at in range(len((case.release or {}).get("trees", ()))):
        less = copy.deepcopy(case)
        del less.release["trees"][at]
        if less.release["trees"]:
            yield less
    if case.release and case.release["family"] == "clusters" and len(case.release["centroids"]) > 1:
        for at in range(len(case.release["centroids"])):
            less = copy.deepcopy(case)
            del less.release["centroids"][at]
            yield less
    if case.release and case.release["family"] == "rules" and len(case.release["rules"]) > 1:
        for at in range(len(case.release["rules"])):
            less = copy.deepcopy(case)
            del less.release["rules"][at]
            yield less


def smaller_trees(case: Case) -> Iterator[Case]:
    """Trees with one test replaced by a leaf."""
    label = case.release["class"]["values"][0]
    for at, node in enumerate(case.release["nodes"]):
        if "test" in node and at > 0:
            less = copy.deepcopy(case)
            unpopulate(less)
            less.release["nodes"][at] = {"leaf": {"label": label}}
            kept: dict[int, int] = {}
            order, pending = [], [0]
            while pending:
                here = pending.pop(0)
                kept[here] = len(order)
                order.append(here)
                pending += ends_of(less.release["nodes"][here])
            nodes = [less.release["nodes"][here] for here in order]
            for each in nodes:
                if "test" in each and "branches" in each["test"]:
                    for branch in each["test"]["branches"]:
                        branch["to"] = kept[branch["to"]]
                elif "test" in each:
                    each["test"]["to"] = [kept[to] for to in each["test"]["to"]]
            less.release["nodes"] = nodes
            yield less


def ends_of(node: dict[str, Any]) -> list[int]:
    if "test" not in node:
        return []
    return [b["to"] for b in node["test"]["branches"]] if "branches" in node["test"] else list(node["test"]["to"])


def unpopulate(case: Case) -> None:
    """Takes stated populations out."""
    if isinstance(case.release, dict):
        case.release.pop("individuals", None)
        case.release.pop("digits", None)
        for node in case.release.get("nodes", []):
            for key in ("counts", "shares"):
                node.get("leaf", {}).pop(key, None)
