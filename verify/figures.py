"""What the program reported against what the verifier found, figure by figure; crashes and leaks."""

from __future__ import annotations

import json
import math
from typing import Any

from cases import Case


def compare(case: Case, status: int, theirs: dict[str, Any], ours: dict[str, Any], features: set[str]) -> list[str]:
    """Every figure both have."""
    differences = []

    def differ(what: str, program: Any, verifier: Any) -> None:
        if not same(program, verifier):
            differences.append(f"{what}: program {program}, verifier {verifier}")

    if ours["bounded"]:
        return bounded(status, theirs, ours)
    differ("status", status, 0 if ours["holds"] else 1)
    differ("holds", theirs.get("holds"), ours["holds"])
    for key in ("individuals", "k", "spans"):
        differ(key, theirs.get(key), ours[key])
    several = "subject" in case.policy
    if case.family != "hostile" and (not several or "persons" in features):
        for key in ("exposed", "excluded"):
            differ(key, theirs.get(key), ours[key])
            told = {each["attribute"]: each["individuals"] for each in theirs.get(f"{key}_to", [])}
            for name, count in ours[f"{key}_to"].items():
                differ(f"{key} to {name}", told.get(name, 0), count)
    figures = {each["name"]: each for each in theirs.get("attributes", []) if each["distinct_l"]}
    for name, found in ours["attributes"].items():
        measures = worst(found, name in ours["ranked"])
        if (name in figures) != bool(measures) and (name in figures or measures):
            differences.append(f"measures of {name}: program {name in figures}, verifier {bool(measures)}")
        for key, value in measures.items() if name in figures else ():
            differ(f"{key} of {name}", figures[name].get(key), value)
    asked = {requirement_key(each["requirement"]): each["breaches"] for each in theirs.get("asked", [])}
    for key, count in ours["asked"].items():
        differ(f"breaches of {key}", asked.get(key), count)
    if "smallest-bin" not in case.policy["guarantee"]:
        differ("breaches", theirs.get("breaches"), ours["breaches"])
        differ("in breach", theirs.get("in_breach"), ours["in_breach"])
    if case.family != "hostile":
        differ("rare values", theirs.get("rare_values"), ours["rare_values"])
    if ours.get("smallest_bin") is not None and theirs.get("smallest_bin") is not None:
        differ("smallest bin", theirs["smallest_bin"], ours["smallest_bin"])
    return differences


def bounded(status: int, theirs: dict[str, Any], ours: dict[str, Any]) -> list[str]:
    """Where the program errs on the safe side: it may find less anonymity and more exposure, never the opposite."""
    differences = []
    if status == 0 and not ours["holds"]:
        differences.append("holds: the program passes what the verifier does not")
    if theirs["individuals"] != ours["individuals"] or theirs["k"] > ours["k"] or theirs["spans"] < ours["spans"]:
        differences.append(f"bound of k: program {theirs['k']}, verifier {ours['k']}")
    if theirs["exposed"] < ours["exposed"]:
        differences.append(f"bound of exposed: program {theirs['exposed']}, verifier {ours['exposed']}")
    if theirs["rare_values"] != ours["rare_values"]:
        differences.append(f"rare values: program {theirs['rare_values']}, verifier {ours['rare_values']}")
    return differences


def worst(found: list[dict[str, Any]], ranked: bool) -> dict[str, Any]:
    """The worst of each measure over all spans."""
    if not found:
        return {}
    least = min(m["distinct_l"] for m in found)
    tails = [(m["counts"][0], sum(m["counts"][least - 1 :])) for m in found]
    high = {
        key: float(max(m[key] for m in found)) for key in ("max_confidence", "alpha", "t_equal", "t_ordered", "beta")
    }
    high["t_ordered"] = high["t_ordered"] if ranked else None  # type: ignore[assignment]
    return {
        "distinct_l": least,
        "entropy_l": min(m["entropy_l"] for m in found),
        "recursive": {"c": max(top / tail for top, tail in tails), "l": least},
        **high,
    }


def requirement_key(requirement: str) -> str:
    """`distinct l = 2 of x` is the policy's `distinct-l`."""
    word = requirement.split("=")[0].rstrip(" <≤")
    known = {
        "k": "k",
        "distinct l": "distinct-l",
        "entropy l": "entropy-l",
        "confidence": "confidence",
        "t": "t-closeness",
        "alpha": "alpha",
        "beta": "beta",
        "smallest bin": "smallest-bin",
    }
    return known.get(word, "recursive" if word.startswith("recursive") else word)


def crashed(status: int, messages: str) -> list[str]:
    if status in (0, 1, 2) and "panicked" not in messages and "this is a bug in incrowd" not in messages:
        return []
    return [f"crashed with status {status}: {messages.strip()[:200]}"]


def leaks(status: int, messages: str, document: dict[str, Any]) -> list[str]:
    """An error must not have a private value in it; those of random tables begin with zq."""
    spoken = messages + json.dumps(document.get("error", ""))
    return ["a private value in an error"] if status == 2 and "zq" in spoken else []


def message_of(document: dict[str, Any], messages: str) -> str:
    error = document.get("error")
    if isinstance(error, dict):
        return f"{error.get('attribute') or ''} {error.get('what')}".strip()
    return messages.strip().split("\n")[0][:200]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same(one.get(key), value) for key, value in other.items())
    if other == math.inf:
        return one is None
    if isinstance(one, float) or isinstance(other, float):
        return one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other
