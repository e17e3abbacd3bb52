"""What is possible for an individual: domains as cells, and B(a), the private values that agree with known ones."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator
from itertools import product
from typing import Any

from inputs import Policy, Refusal, Table, Value

OTHER = "\0other"  # stands for all names that a model treats alike
Combination = dict[str, Value]


class Cells:
    """The cells of one attribute: sets of values that no test tells apart, each with one that stands for it."""

    def __init__(self, values: Iterable[Value], cuts: list[float] | None = None, merged: bool = False) -> None:
        self.values, self.cuts, self.merged = list(dict.fromkeys(values)), cuts, merged
        self.listed = set(self.values)

    def of(self, value: Value) -> Value:
        """The cell of a value: itself, or for numbers the next cut."""
        if self.cuts is None or not isinstance(value, float):
            return OTHER if self.merged and value not in self.listed else value
        at = bisect_left(self.cuts, value)
        return self.cuts[at] if at < len(self.cuts) else math.inf


def domain(policy: Policy, table: Table, stated: dict[str, Any], cuts: Iterable[float] = ()) -> Cells:
    """The attacker's domain: the policy's, or else what the release states and the table has."""
    name, column = stated["name"], table.columns[stated["name"]]
    keys, ends = policy.attributes[name], sorted(cuts)
    missing: list[Value] = [None] if stated.get("missing") or None in column else []
    if table.kinds[name] != "numeric":
        listed = stated.get("values") or []
        if not all(policy.allows(name, value) for value in listed):
            raise Refusal(f"the release lists a value of `{name}` that the policy does not have")
        return Cells([*keys.get("values", [*listed, *(v for v in column if v is not None)]), *missing])
    low, high = policy.bounds(name, stated, column)
    found: list[Value] = []
    for below, end in zip([-math.inf, *ends], [*ends, math.inf]):
        top = min(end, high)
        if keys.get("whole") and math.isfinite(top):
            top = math.floor(top)
        if low <= top and below < top:
            found.append(end)
    return Cells([*found, *missing], ends)


def has_choice(policy: Policy, table: Table, stated: dict[str, Any]) -> bool:
    """Whether more than one value of an attribute is possible, as far as no relation is looked at."""
    name, column = stated["name"], table.columns[stated["name"]]
    if table.kinds[name] != "numeric":
        return len(domain(policy, table, stated).values) > 1
    low, high = policy.bounds(name, stated, column)
    if policy.attributes[name].get("whole") and math.isfinite(low) and math.isfinite(high):
        low, high = math.ceil(low), math.floor(high)
    missing = bool(stated.get("missing")) or None in column
    return low < high or len({low, high} | {x for x in column if x is not None}) + missing > 1


class Possible:
    """B(a): combinations of private cells that agree with every relation, in parts that do not bear on each other."""

    def __init__(self, policy: Policy, table: Table, wanted: dict[str, Cells]) -> None:
        self.table, self.cells = table, wanted
        relations = [(*source, to) for source, to in policy.dependencies if not policy.known.issuperset((*source, to))]
        self.parts: list[tuple[list[str], list[tuple[str, ...]]]] = []
        left = list(wanted)
        while left:
            names, used = [left[0]], []
            while touched := [each for each in relations if each not in used and set(each) & set(names)]:
                used += touched
                names += dict.fromkeys(n for each in touched for n in each if n not in policy.known and n not in names)
            left = [name for name in left if name not in names]
            self.parts.append((names, used))
            for name in names if used else ():
                self.cells[name] = Cells(table.columns[name])
        self.tied = {name for names, used in self.parts if used for name in names}  # their cells are single values
        used_names = {name for _, used in self.parts for relation in used for name in relation}
        self.occurring = {each: set(zip(*(table.columns[n] for n in each))) for _, used in self.parts for each in used}
        self.context_names = sorted(used_names & policy.known)
        self.cache: dict[Hashable, list[list[Combination]]] = {}

    def context(self, row: int) -> tuple[Value, ...]:
        """What is known of a row and bears on its private values."""
        return tuple(self.table.columns[name][row] for name in self.context_names)

    def given(self, context: tuple[Value, ...]) -> list[list[Combination]]:
        """For each part, the combinations that agree with the context."""
        if context not in self.cache:
            self.cache[context] = [self.join(names, used, context) for names, used in self.parts]
        return self.cache[context]

    def join(self, names: list[str], used: list[tuple[str, ...]], context: tuple[Value, ...]) -> list[Combination]:
        """All combinations of a part: the natural join of its relations, of which only what occurs is possible."""
        if not used:
            return [{names[0]: value} for value in self.cells[names[0]].values]
        known = dict(zip(self.context_names, context))
        found: list[Combination] = [{}]
        for relation in used:
            index: dict[tuple[Value, ...], list[Combination]] = {}
            shared = [name for name in relation if found and name in found[0]]
            for occurring in self.occurring[relation]:
                row = dict(zip(relation, occurring))
                if all(known[name] == row[name] for name in relation if name in known):
                    rest = {name: value for name, value in row.items() if name not in known}
                    index.setdefault(tuple(row[name] for name in shared), []).append(rest)
            found = [{**one, **more} for one in found for more in index.get(tuple(one[n] for n in shared), [])]
        return found

    def all(self, context: tuple[Value, ...], limit: int = 200_000) -> Iterator[Combination]:
        """B(a), one combination after the other."""
        parts = self.given(context)
        if math.prod(map(len, parts)) > limit:
            raise Refusal("too many combinations of private values to enumerate")
        for chosen in product(*parts):
            yield {name: value for part in chosen for name, value in part.items()}
