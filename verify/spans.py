"""The private domain, B(a), bins and spans (docs/proofs.md, "Definitions"). A release maps (public, private) values to
bins; a span is the set of bins over all private values that are possible. Bins and spans are whole numbers, one bit per
mark: per bin or, for ensembles, per leaf of a tree."""

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

from inputs import Policy, Table, Value, refuse

Combination = dict[str, Value]
MOST = 200_000  # combinations of private values that are enumerated


@dataclass
class Cells:
    """The elementary cells of an attribute: values that no test distinguishes, each set represented by one value."""

    values: list[Value]
    cuts: list[float] | None = None  # of numbers, the highest number of each cell
    choice: bool = False  # whether the release contains the attribute, and its domain has more than one value

    def of(self, value: Value) -> Value:
        """The cell of a value: itself, or for numbers the next threshold."""
        return self.cuts[bisect_left(self.cuts, value)] if self.cuts and isinstance(value, float) else value


def bounds(policy: Policy, table: Table, stated: dict[str, Any]) -> tuple[float, float]:
    """The ends of a domain of numbers: the policy's or, if it declares none, the release's and the table's."""
    present, low, high = {*table.columns[stated["name"]]} - {None}, stated.get("low"), stated.get("high")
    widest = -math.inf if low is None else min([low, *present]), math.inf if high is None else max([high, *present])
    return policy.attributes[stated["name"]].get("range", widest)


def domain(policy: Policy, table: Table, stated: dict[str, Any], cuts: Iterable[float] = ()) -> Cells:
    """The attacker's domain of an attribute that a release declares, in the cells between some thresholds."""
    keys, column = policy.attributes[stated["name"]], table.columns[stated["name"]]
    missing = [None] if stated.get("missing") or None in column else []
    if table.kinds[stated["name"]] not in ("numeric", "date"):
        listed = dict.fromkeys([*(stated.get("values") or []), *column, *missing])
        values = [*keys["values"], *missing] if keys["values"] else [*listed]
        refuse(listed.keys() - values, f"the release lists a value of `{stated['name']}` outside its declared domain")
        return Cells(values, None, len(values) > 1)
    (low, high), ends, found = bounds(policy, table, stated), sorted({*cuts, math.inf}), []
    for below, end in zip([-math.inf, *ends], ends):
        top = min(end, high)
        top = math.floor(top) if keys.get("whole") and math.isfinite(top) else top
        found += [end] if low <= top and below < top else []
    return Cells([*found, *missing], ends, low < high or len({*column, *missing}) > 1)


class Possible:
    """B(a): the combinations of private cells that agree with what is known and with every relation."""

    def __init__(self, policy: Policy, table: Table, cells: dict[str, Cells]) -> None:
        self.relations = [one for one in policy.relations if policy.tied({*cells}) & {*one}]
        names = {name for one in self.relations for name in one}
        self.tied, self.known = names - policy.known, sorted(names & policy.known)
        self.occurring = [set(zip(*(table.columns[name] for name in one))) for one in self.relations]
        occur = {n: Cells([*{*table.columns[n]}], None, n in cells and cells[n].choice) for n in sorted(self.tied)}
        self.cells = cells | occur  # of tied attributes, only what occurs is possible

    @cache  # noqa: B019
    def given(self, known: tuple[Value, ...]) -> list[Combination]:
        """B(a) for the values of what is known and occurs in relations."""
        count = math.prod(len(own.values) for own in self.cells.values())
        refuse(count > MOST, "too many combinations of private values to enumerate")
        every = product(*(own.values for own in self.cells.values()))
        found = (dict(zip(self.known, known)) | dict(zip(self.cells, values)) for values in every)
        relations = list(zip(self.relations, self.occurring))
        return [b for b in found if all(tuple(b[name] for name in one) in occur for one, occur in relations)]


@dataclass
class Sight:
    """What an attacker derives from what is known of an individual."""

    span: Hashable  # equal iff spans are equal
    part: Hashable  # equal iff, moreover, every bin leaves the same private values ("Parts")
    single: bool  # whether the span has one bin
    view: int  # the marks of the span; a bin is in the span iff its marks are
    marks: dict[str, dict[Value, int]]  # for each private attribute and cell, the marks that leave it possible

    def classes(self, name: str) -> dict[Value, int]:
        """The possible cells of an attribute, with equal numbers for those that the span does not distinguish."""
        return {cell: mark & self.view for cell, mark in self.marks[name].items() if mark & self.view}


def enumerated(reached: list[tuple[Hashable, Combination]], names: Iterable[str], bits: dict[Hashable, int]) -> Sight:
    """The sight of a span by the definition, from all bins and the private combinations that lead to them."""
    marks, span = {name: defaultdict(int) for name in names}, 0
    for bin_, combination in reached:
        span |= (bit := bits.setdefault(bin_, 1 << len(bits)))
        for name in marks:
            marks[name][combination[name]] |= bit
    part = frozenset((name, *item) for name, own in marks.items() for item in own.items())
    return Sight(span, (span, part), span.bit_count() == 1, span, marks)


@dataclass
class Release:
    """What is judged, row by row."""

    family: str
    sights: list[Sight]
    bins: list[int]
    cells: dict[str, list[Value]]  # of private attributes; of clusters, the cluster
    subjects: list[Hashable]
    told: set[str]  # the private attributes that the release reveals something about
    stated: set[str]  # attributes of which a single value counts as revealed ("One value by relations alone")
    ranked: set[str] = field(default_factory=set)  # attributes whose values have an order
    absent: set[str] = field(default_factory=set)  # attributes that relations tie to columns of a table
    naming: set[str] = field(default_factory=set)  # columns of a table that name individuals

    def __post_init__(self) -> None:
        outside = any(bin_ & ~sight.view for sight, bin_ in zip(self.sights, self.bins))
        refuse(outside, "a row is in a bin that is not in its span: the release and the table contradict each other")
        self.several = len(set(self.subjects)) < len(self.subjects)
        self.spans: dict[Hashable, list[int]] = defaultdict(list)  # their rows
        self.parts: dict[Hashable, list[int]] = defaultdict(list)
        for row, sight in enumerate(self.sights):
            self.spans[sight.span].append(row)
            self.parts[sight.part].append(row)

    def people(self, rows: Iterable[int]) -> int:
        """The number of different individuals: k never counts rows."""
        return len({self.subjects[row] for row in rows})

    def count(self, sets: list[set[Hashable]]) -> int:
        """The individuals in some of the sets, which are disjoint if every individual has one row."""
        return len(set().union(*sets)) if self.several else sum(map(len, sets))

    def tells(self, name: str, classes: dict[Value, int]) -> bool:
        """Whether anything about an attribute is revealed: values are distinguished, or the only one is stated."""
        return len(set(classes.values())) > 1 or (name in self.stated and len(classes) == 1) or self.family == "table"
