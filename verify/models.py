"""Trees, rules and clusters as functions on the domain: spans by the definition, for each thing that can be known.

A model has `context(row)` (all that is known of a row and matters), `own(row)` (its bin and the cells of its private
values) and `profile(context)`: the span, as a map from its bins to the private cells that each bin allows.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from typing import Any

from inputs import Policy, Refusal, Table, Value
from possible import OTHER, Cells, Combination, Possible, domain, has_choice

Bin = Hashable
Profile = dict[Bin, dict[str, frozenset]]
Limit = tuple[tuple[int, ...], int, bool]  # row·x ≤ limit, or < if strict


def stated_of(release: dict[str, Any], table: Table, names: list[str]) -> dict[str, dict[str, Any]]:
    """What the release declares of the attributes it speaks of."""
    stated = {each["name"]: each for each in release.get("attributes", release.get("axes"))}
    if any(name not in table.columns or name not in stated for name in names):
        raise Refusal("the release speaks of an attribute that is neither public nor private, or not declared")
    return stated


class Tree:
    """A decision tree; a bin is a class value in a leaf."""

    def __init__(self, release: dict[str, Any], policy: Policy, table: Table) -> None:
        self.nodes, self.table = release["nodes"], table
        self.cache: dict[tuple[int, Value], int] = {}
        self.classed, self.values = release["class"]["name"], release["class"]["values"]
        tests = [node["test"] for node in self.nodes if "test" in node]
        names = list(dict.fromkeys(test["attribute"] for test in tests))
        stated = stated_of(release, table, names) | {self.classed: {"name": self.classed, "values": self.values}}
        cells = {
            n: domain(
                policy, table, stated[n], {c for t in tests if t["attribute"] == n for c in t.get("thresholds") or ()}
            )
            for n in names
        }
        self.public = {name: cells[name] for name in names if name in policy.known}
        self.open = self.classed not in policy.known
        if self.open:
            cells[self.classed] = domain(policy, table, stated[self.classed])
        private = {n: some for n, some in cells.items() if n not in policy.known}
        self.stated = {n for n in private if n != self.classed and has_choice(policy, table, stated[n])}
        if self.open and len({*self.values, *policy.attributes[self.classed].get("values", ())}) > 1:
            self.stated.add(self.classed)
        self.possible = Possible(policy, table, private)
        self.stated &= self.possible.tied
        self.check_total()

    def check_shape(self) -> None:
        """Every node but the root is the child of one node before it: otherwise walks need not end."""
        children: list[int] = []
        for at, node in enumerate(self.nodes):
            if "test" in node:
                ends = node["test"].get("to") or [branch["to"] for branch in node["test"]["branches"]]
                if any(not isinstance(end, int) or end <= at for end in ends):
                    raise Refusal("a test leads to a node that is not after it")
                children += dict.fromkeys(ends)
        if sorted(children) != list(range(1, len(self.nodes))):
            raise Refusal("a node is the child of several tests, or of none")

    def check_total(self) -> None:
        """Every test has a branch for each private value that the tests above it let through, whoever gets there."""
        self.check_shape()
        pending = [(0, {name: cells.values for name, cells in self.possible.cells.items()})]
        while pending:
            at, left = pending.pop()
            if "test" in (node := self.nodes[at]):
                test = node["test"]
                name = test["attribute"]
                ends = test.get("to") or [branch["to"] for branch in test["branches"]]
                sent = {value: self.child(at, value) for value in left.get(name, ())}
                for end in dict.fromkeys(ends):
                    own = {name: [value for value in left[name] if sent[value] == end]} if name in left else {}
                    if all(own.values()):
                        pending.append((end, left | own))

    def child(self, node: int, value: Value) -> int:
        """Where a test sends a value; every value of the domain must have a branch."""
        if (node, value) in self.cache:
            return self.cache[node, value]
        test = self.nodes[node]["test"]
        to = test.get("to") or [branch["to"] for branch in test["branches"]]
        branch = test.get("otherwise")
        if isinstance(value, float):
            branch = bisect_left(test["thresholds"], value)
        elif value is None:
            branch = test.get("missing", branch)
        else:
            branch = next((at for at, each in enumerate(test["branches"]) if value in each["values"]), branch)
        if branch in (None, "stop"):
            raise Refusal(f"a test of `{test['attribute']}` leaves a possible value without a branch")
        self.cache[node, value] = to[branch]
        return to[branch]

    def context(self, row: int) -> Hashable:
        columns = self.table.columns
        answers = tuple(cells.of(columns[name][row]) for name, cells in self.public.items())
        return answers, None if self.open else columns[self.classed][row], self.possible.context(row)

    def own(self, row: int) -> tuple[Bin, Combination]:
        columns, node = self.table.columns, 0
        while "test" in self.nodes[node]:
            node = self.child(node, columns[self.nodes[node]["test"]["attribute"]][row])
        own = {name: cells.of(columns[name][row]) for name, cells in self.possible.cells.items()}
        return (node, columns[self.classed][row]), own

    def profile(self, context: Any) -> Profile:
        """Walks down every branch that some possible combination takes (Lemma 1: each such walk ends in a leaf)."""
        answers, own, rest = context
        known = dict(zip(self.public, answers))
        found: Profile = {}
        pending: list[tuple[int, list[list[Combination]]]] = [(0, self.possible.given(rest))]
        while pending:
            node, parts = pending.pop()
            if "leaf" in self.nodes[node]:
                self.leaf(node, parts, own, found)
                continue
            name = self.nodes[node]["test"]["attribute"]
            if name in known:
                pending.append((self.child(node, known[name]), parts))
                continue
            part = next(at for at, (names, _) in enumerate(self.possible.parts) if name in names)
            taken: dict[int, list[Combination]] = {}
            for one in parts[part]:
                taken.setdefault(self.child(node, one[name]), []).append(one)
            pending += [(child, [*parts[:part], some, *parts[part + 1 :]]) for child, some in taken.items()]
        return found

    def leaf(self, node: int, parts: list[list[Combination]], own: Value, found: Profile) -> None:
        """The bins of a leaf: each class value that some combination has, or the known one."""
        private = {one[self.classed] for part in parts for one in part if self.classed in one}
        for value in private if self.open else [own]:
            allowed: dict[str, frozenset] = {}
            for part in parts:
                some = [one for one in part if not self.open or one.get(self.classed, value) == value]
                allowed |= {name: frozenset(one[name] for one in some) for name in some[0]}
            found[node, value] = allowed


class Rules:
    """Association rules; a bin is the outcome (left side met, both met) of every rule about something private."""

    def __init__(self, release: dict[str, Any], policy: Policy, table: Table) -> None:
        self.table = table
        self.sides = [
            [[i for item in rule[side] for i in item.items()] for side in ("if", "then")] for rule in release["rules"]
        ]
        names = list(dict.fromkeys(name for sides in self.sides for items in sides for name, _ in items))
        stated = stated_of(release, table, names)
        if any(table.kinds[name] == "numeric" for name in names):
            raise Refusal("rules that speak of numbers are not judged")
        self.public = [name for name in names if name in policy.known]
        self.masks: dict[str, dict[Value, tuple[int, int]]] = {}
        told = [sides for sides in self.sides if any(name not in policy.known for items in sides for name, _ in items)]
        wanted: dict[str, Cells] = {}
        for name in names:
            spoken = {value for sides in told for items in sides for item, value in items if item == name}
            self.masks[name] = {value: self.mask(told, name, value) for value in [OTHER, *spoken]}
            if name not in policy.known:
                values = domain(policy, table, stated[name]).values
                wanted[name] = Cells([value if value in spoken else OTHER for value in values], merged=True)
        self.stated = {name for name in wanted if has_choice(policy, table, stated[name])}
        self.possible = Possible(policy, table, wanted)
        self.stated &= self.possible.tied

    @staticmethod
    def mask(rules: list[Any], name: str, value: Value) -> tuple[int, int]:
        """Which rules' left and right sides a value does not spoil, as bits."""
        met = [[all(v == value for n, v in items if n == name) for items in sides] for sides in rules]
        left, right = (sum(1 << at for at, sides in enumerate(met) if sides[side]) for side in (0, 1))
        return left, right

    def outcome(self, values: Combination) -> tuple[int, int]:
        left = right = -1
        for name, masks in self.masks.items():
            if name in values:
                one = masks.get(values[name]) or masks[OTHER]
                left, right = left & one[0], right & one[1]
        return left, left & right

    def context(self, row: int) -> Hashable:
        known = {name: self.table.columns[name][row] for name in self.public}
        return tuple(known.items()), self.possible.context(row)

    def own(self, row: int) -> tuple[Bin, Combination]:
        values = {name: column[row] for name, column in self.table.columns.items()}
        return self.outcome(values), {name: cells.of(values[name]) for name, cells in self.possible.cells.items()}

    def profile(self, context: Any) -> Profile:
        known = dict(context[0])
        found: dict[Bin, dict[str, set]] = {}
        for one in self.possible.all(context[1]):
            allowed = found.setdefault(self.outcome(known | one), {name: set() for name in one})
            for name, value in one.items():
                allowed[name].add(value)
        return {at: {name: frozenset(some) for name, some in allowed.items()} for at, allowed in found.items()}


class Clusters:
    """Nearest centroids, the first on a tie, in whole numbers: all coordinates in units of 1/`unit` of a scale."""

    def __init__(self, release: dict[str, Any], policy: Policy, table: Table) -> None:
        self.table, self.axes = table, release["axes"]
        self.names = [axis["name"] for axis in self.axes]
        stated_of(release, table, self.names)
        numeric = [axis.get("values") is None for axis in self.axes]
        if any(
            None in table.columns[n] or (table.kinds[n] == "numeric") != is_number
            for n, is_number in zip(self.names, numeric)
        ):
            raise Refusal(
                "an axis has missing values, or is a number in one of release and table and names in the other"
            )
        private = [at for at, name in enumerate(self.names) if name not in policy.known]
        self.known = [at for at, name in enumerate(self.names) if name in policy.known]
        self.free = [at for at in private if numeric[at]]
        if any({self.names[at] for at in self.free} & {*source, to} for source, to in policy.dependencies):
            raise Refusal("clusters with a dependency on a private number are not judged")
        named = {self.names[at]: domain(policy, table, self.axes[at]) for at in private if not numeric[at]}
        self.possible = Possible(policy, table, named)
        for at, name in enumerate(self.names):
            possible = self.possible.cells[name].values if name in named else ()  # what is tied must occur
            if not numeric[at] and not {*table.columns[name], *possible} <= {*self.axes[at]["values"]}:
                raise Refusal(f"`{name}` has a value that the release does not list")
        scales = [Fraction(axis.get("scale") or 1) for axis in self.axes]
        centers = [[each if isinstance(each, list) else [each] for each in c["center"]] for c in release["centroids"]]
        box = {at: policy.bounds(self.names[at], self.axes[at], table.columns[self.names[at]]) for at in self.free}
        self.whole = [at for at in self.free if policy.attributes[self.names[at]].get("whole")]
        bottoms = {1}
        for at, scale in enumerate(scales):
            given = {
                1.0,
                *(x for c in centers for x in c[at]),
                *(table.columns[self.names[at]] if numeric[at] else ()),
                *box.get(at, ()),
            }
            bottoms |= {(Fraction(x) / scale).denominator for x in given if math.isfinite(x)}
        self.steps = [Fraction(math.lcm(*bottoms)) / scale for scale in scales]  # of one unit of an attribute
        self.centers = [
            [[int(x * step) for x in map(Fraction, c)] for c, step in zip(center, self.steps)] for center in centers
        ]
        self.box = box

    def place(self, at: int, value: Value) -> list[int]:
        """A value of an axis as coordinates."""
        values = self.axes[at].get("values")
        numbers = [Fraction(value)] if values is None else [int(value == other) for other in values]  # type: ignore[arg-type]
        return [int(x * self.steps[at]) for x in numbers]

    def distances(self, values: dict[int, Value]) -> list[int]:
        """Squared distances to each centroid over the given axes."""
        places = {at: self.place(at, value) for at, value in values.items()}
        return [sum((x - y) ** 2 for at, p in places.items() for x, y in zip(p, center[at])) for center in self.centers]

    def context(self, row: int) -> Hashable:
        return tuple(self.table.columns[self.names[at]][row] for at in self.known), self.possible.context(row)

    def own(self, row: int) -> tuple[Bin, dict[str, Any]]:
        far = self.distances({at: self.table.columns[name][row] for at, name in enumerate(self.names)})
        return far.index(min(far)), {"cluster": far.index(min(far))}

    def profile(self, context: Any) -> Profile:
        reached: set[int] = set()
        for names in self.possible.all(context[1]):
            chosen = {at: names[name] for at, name in enumerate(self.names) if name in names}
            far = self.distances(dict(zip(self.known, context[0])) | chosen)
            reached |= {at for at in range(len(far)) if at not in reached and self.reaches(at, far)}
        return {at: {"cluster": frozenset([at])} for at in sorted(reached)}

    def reaches(self, at: int, far: list[int]) -> bool:
        """Whether some private numbers put someone with these distances so far into the cell of a centroid."""
        here = [self.centers[at][axis][0] for axis in self.free]
        limits: list[Limit] = []
        for other, center in enumerate(self.centers):
            there = [center[axis][0] for axis in self.free]
            limit = far[other] - far[at] + sum(x * x for x in there) - sum(x * x for x in here)
            if other != at:
                limits.append((tuple(2 * (y - x) for x, y in zip(here, there)), limit, other < at))
        for axis in self.free:
            for end, sign in zip(self.box[axis], (-1, 1)):
                if math.isfinite(end):
                    row = tuple(sign * int(each == axis) for each in self.free)
                    limits.append((row, sign * int(Fraction(end) * self.steps[axis]), False))
        if not all(math.isfinite(end) for axis in self.whole for end in self.box[axis]):
            raise Refusal("whole numbers without a range are not judged")
        lattice = [range(math.ceil(self.box[axis][0]), math.floor(self.box[axis][1]) + 1) for axis in self.whole]
        if math.prod(map(len, lattice)) > 20_000:
            raise Refusal("too many whole numbers to try")
        return any(feasible(self.fix(limits, numbers)) for numbers in product(*lattice))

    def fix(self, limits: list[Limit], numbers: tuple[int, ...]) -> list[Limit]:
        """The inequalities that are left when the whole numbers are chosen."""
        chosen = {self.free.index(axis): int(x * self.steps[axis]) for axis, x in zip(self.whole, numbers)}
        rest = [at for at in range(len(self.free)) if at not in chosen]
        return [
            (tuple(r[at] for at in rest), limit - sum(r[at] * x for at, x in chosen.items()), s)
            for r, limit, s in limits
        ]


def feasible(limits: list[Limit]) -> bool:
    """Whether some point satisfies all inequalities: Fourier and Motzkin's elimination of one axis after another."""
    rows = set(limits)
    for axis in range(len(limits[0][0]) if limits else 0):
        flat = {row for row in rows if row[0][axis] == 0}
        above, below = ([row for row in rows if row[0][axis] * sign > 0] for sign in (1, -1))
        for (up, up_limit, up_strict), (down, down_limit, down_strict) in product(above, below):
            p, q = -down[axis], up[axis]
            joined = [p * x + q * y for x, y in zip((*up, up_limit), (*down, down_limit))]
            common = math.gcd(*joined) or 1
            flat.add((tuple(x // common for x in joined[:-1]), joined[-1] // common, up_strict or down_strict))
        rows = flat
    return all(limit > 0 or (limit == 0 and not strict) for _, limit, strict in rows)
