"""What a release file states about the individuals of a table, changed, and what the rows rule out of it."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any

# A private cell that begins like this may be a set of values, which is counted in other ways.
SETS = ("{", "[", "(", "<", ">", "*", "a", "o")


def tamper(sidecar: dict[str, Any], random: Random) -> str:
    """Makes one figure, or what held, better than it is; says which."""
    entry = random.choice(sidecar["people"])
    measures = random.choice(entry["attributes"]) if entry["attributes"] else None
    better = {
        "held": lambda: entry["held"].extend(f"{what} of {measures['name']}" for what in CLAIMS) if measures else None,
        "exposed": lambda: entry.update(exposed=0, exposed_to=[0] * len(entry["exposed_to"])),
        "excluded": lambda: entry.update(excluded=0, excluded_to=[0] * len(entry["excluded_to"])),
        "individuals": lambda: entry.update(individuals=entry["individuals"] + 1),
        "groups": lambda: entry.update(groups=[people + 1 for people in entry["groups"]]),
        "k": lambda: entry.update(k=entry["k"] + 1),
        "smallest_bin": lambda: entry.update(smallest_bin=(entry["smallest_bin"] or 1) + 2),
        "most_frequent": lambda: entry.update(most_frequent=[7.0] * len(entry["most_frequent"])),
        "alone_over_rows": lambda: entry.update(alone_over_rows=None),
        "rare_values": lambda: entry.update(rare_values=0, required_holders=9),
        "distinct_l": lambda: measures and measures.update(distinct_l=measures["distinct_l"] + 1),
        "entropy_l": lambda: measures and measures.update(entropy_l=measures["entropy_l"] + 1.0),
        "max_confidence": lambda: measures and measures.update(max_confidence=0.01, alpha=0.01),
        "t_equal": lambda: measures and measures.update(t_equal=0.0, beta=0.0),
    }
    key = random.choice(sorted(better))
    better[key]()
    return key


CLAIMS = ("distinct l = 2", "confidence <= 0.5", "alpha <= 0.5", "entropy l = 1.5")
# What is then asked of the table.
FLAGS = ["--distinct-l", "2", "--confidence", "0.5", "--alpha", "0.5", "--entropy-l", "1.5", "--of", "all"]


def ruled_out(folder: Path) -> list[str]:
    """The statements in `anon.json` that the rows of `anon.csv` rule out, as far as counting rows shows it."""
    sidecar = json.loads((folder / "anon.json").read_text("utf-8"))
    with (folder / "anon.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = []
    for entry in sidecar["people"]:
        groups: dict[Any, list[dict[str, str]]] = defaultdict(list)
        for row in rows:
            groups[tuple(row[name] for name in entry["by"])].append(row)
        if len(groups) != len(entry["groups"]):
            found.append("groups")
            continue
        if any(not 1 <= people <= len(own) for people, own in zip(entry["groups"], groups.values())):
            found.append("groups")
            continue
        counted = max(entry["exposed"], entry["excluded"], *entry["exposed_to"], *entry["excluded_to"], 0)
        if counted > entry["individuals"] or (entry["alone_over_rows"] or 0) > entry["individuals"]:
            found.append("more than all individuals")
        if entry["attributes"] and entry["k"] > min(entry["groups"]):
            found.append("k")
        named = list(zip(entry["attributes"], entry["exposed_to"]))
        for measures, exposed in named:
            found += of_attribute(measures, exposed, list(groups.values()), entry["groups"])
    return found


def of_attribute(measures: dict[str, Any], exposed: int, groups: list[list[dict]], people: list[int]) -> list[str]:
    """The same for one private attribute."""
    cells = [[row[measures["name"]] for row in own] for own in groups]
    if any(cell.startswith(SETS) or cell.endswith("*") for own in cells for cell in own):
        return []
    found = []
    if measures["distinct_l"] != min(len(set(own)) for own in cells):
        found.append("distinct_l")
    for own, count in zip(cells, people):
        rows = Counter(own).values()
        least = next(n for n in range(1, count + 1) if sum(min(n, some) for some in rows) >= count)
        if measures["max_confidence"] < least / count - 1e-9:
            found.append("max_confidence")
        if len(rows) == 1 and measures["entropy_l"] > 1 + 1e-9:
            found.append("entropy_l")
        if len(rows) == 1 and len({cell for other in cells for cell in other}) > 1 and exposed < count:
            found.append("exposed")
    if not math.isfinite(measures["alpha"]) or measures["alpha"] > measures["max_confidence"] + 1e-9:
        found.append("alpha")
    return found
