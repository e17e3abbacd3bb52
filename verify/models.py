"""The families. Trees, ensembles and rules are lists of decision trees; a bin is a vector of leaves, one of each tree.
The class is one more tree, with a leaf per value. A rule is a tree of items, with outcomes as leaves."""

import json
import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from inputs import Policy, Table, Value, cells_of, column_of, read_table, refuse
from spans import MOST, Cells, Combination, Possible, Release, Sight, bounds, domain, enumerated

Tree = list[Any]  # by the number of the node a `Test`, or what identifies a leaf
# Cells that say less than a value, in the notation of docs/tables.md or another one.
VAGUE = re.compile(r".*\*|other values|any number|\{.*\}|[\[(].*,.*[\])]|([<>]=?|[~≤≥]) *[-+.\de]+|.* or \?")


class Test:
    """A test of a tree, as docs/releases.md describes it."""

    def __init__(self, test: dict[str, Any]) -> None:
        self.name, self.test = test["attribute"], test
        self.ends: list[int] = test["to"] if "to" in test else [branch["to"] for branch in test["branches"]]
        self.sent = {value: branch["to"] for branch in test.get("branches", ()) for value in branch["values"]}

    def to(self, value: Value) -> int:
        """The node that a value is sent to."""
        if value not in self.sent:
            branch = self.test.get("missing" if value is None else "otherwise", self.test.get("otherwise"))
            branch = bisect_left(self.test["thresholds"], value) if isinstance(value, float) else branch
            refuse(branch in (None, "stop"), f"a test of `{self.name}` has no branch for a possible value")
            self.sent[value] = self.ends[branch]
        return self.sent[value]


def read_tree(nodes: list[dict[str, Any]]) -> Tree:
    """The nodes of a release; each but the root is the child of one node before it."""
    tree: Tree = [Test(node["test"]) if "test" in node else at for at, node in enumerate(nodes)]
    children = [(end, at) for at, test in enumerate(tree) if isinstance(test, Test) for end in set(test.ends)]
    once = sorted(end for end, _ in children) == list(range(1, len(tree)))
    refuse(not once or any(end <= at for end, at in children), "the nodes do not form a tree")
    return tree


def tree_of_rule(rule: dict[str, Any]) -> Tree:
    """The outcome is 0 if the left side does not hold, 1 if only the left side holds, else 2 ("Rules")."""
    left, right = ([item for items in rule[side] for item in items.items()] for side in ("if", "then"))
    count, tests = len(left) + len(right), []
    for at, (name, value) in enumerate([*left, *right]):
        branches = [{"values": [value], "to": at + 1}, {"values": [], "to": count + (1 if at < len(left) else 2)}]
        tests.append(Test({"attribute": name, "branches": branches, "otherwise": 1}))
    return [*tests, 2, 0, 1]


class Forest:
    """Trees over a table: who can reach which leaves."""

    def __init__(self, trees: list[Tree], policy: Policy, table: Table, stated: dict[str, dict[str, Any]]) -> None:
        self.trees, self.table, cuts = trees, table, defaultdict(set)
        for test in (node for tree in trees for node in tree if isinstance(node, Test)):
            cuts[test.name] |= {*(test.test.get("thresholds") or ())}
        cells = {name: domain(policy, table, stated[name], some) for name, some in cuts.items()}
        self.public = {name: own for name, own in cells.items() if name in policy.known}
        self.possible = Possible(policy, table, {n: own for n, own in cells.items() if n not in policy.known})
        self.leaves = [(at, *leaf) for at, tree in enumerate(trees) for leaf in self.alive(tree)]
        rows = range(len(table.subjects))
        self.vectors = [self.vector({name: table.columns[name][row] for name in cells}) for row in rows]

    def vector(self, values: Combination) -> tuple[Hashable, ...]:
        """M(a, b): the leaf of each tree."""
        found = []
        for tree in self.trees:
            at = 0
            while isinstance(test := tree[at], Test):
                at = test.sent[value] if (value := values[test.name]) in test.sent else test.to(value)
            found.append(tree[at])
        return tuple(found)

    def alive(self, tree: Tree) -> Iterator[tuple[Hashable, dict[str, list[Value]], list[tuple[Test, int]]]]:
        """The alive leaves of a tree, the private cells that lead to each, and the public tests on its path."""
        pending: list[tuple] = [(0, {name: own.values for name, own in self.possible.cells.items()}, [])]
        while pending:
            at, left, path = pending.pop()
            if not isinstance(test := tree[at], Test):
                yield test, left, path
            elif test.name in self.public:
                pending += [(end, left, [*path, (test, end)]) for end in set(test.ends)]
            else:
                sent = defaultdict(list)
                for cell in left[test.name]:
                    sent[test.to(cell)].append(cell)
                pending += [(end, left | {test.name: some}, path) for end, some in sent.items()]

    def by_enumeration(self, contexts: set[tuple], bits: dict[Hashable, int]) -> dict[tuple, Sight]:
        """Spans by the definition."""
        known = {context: dict(zip(self.public, context[0])) for context in contexts}
        reached = {one: [(self.vector(a | b), b) for b in self.possible.given(one[1])] for one, a in known.items()}
        return {context: enumerated(bins, self.possible.cells, bits) for context, bins in reached.items()}

    def by_theorems(self, contexts: set[tuple], bits: dict[Hashable, int]) -> dict[tuple, Sight]:
        """Spans without relations, by Theorem 1b; L_t(a) are the alive leaves whose public tests `a` passes."""
        marks = {name: defaultdict(int) for name in self.possible.cells}
        paths, found = [], {}
        for at, leaf, left, path in self.leaves:
            paths.append((bits.setdefault((at, leaf), 1 << len(bits)), path))
            for name, cell in ((name, cell) for name, some in left.items() for cell in some):
                marks[name][cell] |= paths[-1][0]
        for context in contexts:
            known = dict(zip(self.public, context[0]))
            view = sum(leaf for leaf, path in paths if all(test.to(known[test.name]) == end for test, end in path))
            found[context] = Sight(view, view, view.bit_count() == len(self.trees), view, marks)
        return found


def link_trees(forest: Forest, family: str) -> Release:
    """The release of a list of trees. Where theorems apply, a bin is in a span iff its leaves are (Theorem 1c)."""
    columns, bits, possible, rows = forest.table.columns, {}, forest.possible, range(len(forest.vectors))
    public = [[own.of(value) for value in columns[name]] for name, own in forest.public.items()]
    contexts = [(tuple(c[row] for c in public), tuple(columns[n][row] for n in possible.known)) for row in rows]
    theorems = family != "rules" and not possible.tied
    sights = (forest.by_theorems if theorems else forest.by_enumeration)(set(contexts), bits)
    bins = [sum(bits[leaf] for leaf in enumerate(one)) if theorems else bits.get(one, -1) for one in forest.vectors]
    cells = {name: [own.of(value) for value in columns[name]] for name, own in possible.cells.items()}
    stated = {name for name in possible.tied if possible.cells[name].choice}
    ranked, found = {n for n in cells if forest.table.kinds[n] != "categorical"}, [sights[one] for one in contexts]
    return Release(family, found, bins, cells, forest.table.subjects, {*cells}, stated, ranked)


class Clusters:
    """Centroids over a table. Private names and whole numbers are enumerated; other private numbers vary in a box."""

    def __init__(self, document: dict[str, Any], policy: Policy, table: Table) -> None:
        self.table, self.axes = table, {axis["name"]: axis for axis in document["axes"]}
        numeric = {name for name, axis in self.axes.items() if axis.get("values") is None}
        private = {name: axis for name, axis in self.axes.items() if name not in policy.known}
        self.box = {name: bounds(policy, table, axis) for name, axis in private.items() if name in numeric}
        tied = self.box.keys() & {name for one in policy.relations for name in one}
        refuse(tied, "clusters with a dependency on a private number are not judged")
        cells = {name: domain(policy, table, axis) for name, axis in private.items() if name not in numeric}
        for name in [name for name in self.box if policy.attributes[name].get("whole")]:
            low, high = self.box.pop(name)
            refuse(not -MOST < low <= high < MOST, "large ranges of whole numbers are not judged in clusters")
            cells[name] = Cells([float(x) for x in range(math.ceil(low), math.floor(high) + 1)])
        self.possible = Possible(policy, table, cells)
        for name in self.axes.keys() - numeric:
            possible = self.possible.cells[name].values if name in cells else []
            unlisted = {*table.columns[name], *possible} - {*self.axes[name]["values"]}
            refuse(unlisted, f"`{name}` has a value that the release does not list")
        centers = [zip(self.axes, centroid["center"]) for centroid in document["centroids"]]
        self.centers = [{name: self.point(name, x) for name, x in center} for center in centers]

    def point(self, name: str, value: Any) -> list[Fraction]:
        """A value, or part of a centre, in units of the axis's scale; a name is 1 in its own coordinate."""
        if isinstance(value, str):
            value = [int(value == other) for other in self.axes[name]["values"]]
        scale = Fraction(self.axes[name].get("scale") or 1)
        return [Fraction(x) / scale for x in (value if isinstance(value, list) else [value])]

    def distances(self, values: dict[str, Value]) -> list[Fraction]:
        """Squared distances to each centroid over the given axes."""
        points = {name: self.point(name, value) for name, value in values.items() if name in self.axes}
        pairs = [[zip(own, center[n], strict=True) for n, own in points.items()] for center in self.centers]
        return [sum(((x - y) ** 2 for axis in own for x, y in axis), Fraction(0)) for own in pairs]

    def reaches(self, at: int, fixed: list[Fraction]) -> bool:
        """Whether some numbers of the box put someone into a cell, given the distances over all other axes."""
        centers = [[center[name][0] for name in self.box] for center in self.centers]
        limits = []  # (row, limit, strict): row·b ≤ limit, or < if strict
        for other, center in enumerate(centers):
            row = tuple(2 * (y - x) for x, y in zip(centers[at], center))
            limit = fixed[other] - fixed[at] + sum(y * y - x * x for x, y in zip(centers[at], center))
            limits += [(row, limit, other < at)] if other != at else []
        for name, sign, end in ((name, *pair) for name in self.box for pair in zip((-1, 1), self.box[name])):
            row = tuple(Fraction(sign * (name == other)) for other in self.box)
            limits += [(row, sign * self.point(name, end)[0], False)] if math.isfinite(end) else []
        return feasible(limits)


def feasible(limits: list[tuple[tuple[Fraction, ...], Fraction, bool]]) -> bool:
    """Whether some point satisfies all inequalities: Fourier and Motzkin's elimination of one axis after the other."""
    rows = set(limits)
    for axis in range(len(limits[0][0]) if limits else 0):
        flat = {row for row in rows if row[0][axis] == 0}
        above, below = ([row for row in rows if row[0][axis] * sign > 0] for sign in (1, -1))
        for (up, up_limit, up_strict), (down, down_limit, down_strict) in product(above, below):
            row = tuple(x / up[axis] - y / down[axis] for x, y in zip(up, down))
            flat.add((row, up_limit / up[axis] - down_limit / down[axis], up_strict or down_strict))
        rows = flat
    return all(limit > 0 or (limit == 0 and not strict) for _, limit, strict in rows)


def link_clusters(clusters: Clusters) -> Release:
    """The release of centroids. It reveals one private attribute, the cluster ("What a crowd of a cluster shares")."""
    bits, columns, sights = {}, clusters.table.columns, {}
    public = [name for name in clusters.axes if name not in clusters.box | clusters.possible.cells]
    rows = [{name: columns[name][row] for name in clusters.axes} for row in range(len(clusters.table.subjects))]
    tied = [tuple(columns[name][row] for name in clusters.possible.known) for row in range(len(rows))]
    contexts = list(zip((tuple(row[name] for name in public) for row in rows), tied))
    for context in set(contexts):
        reached: set[int] = set()
        for choice in clusters.possible.given(context[1]):
            fixed = clusters.distances(choice | dict(zip(public, context[0])))
            reached |= {at for at in range(len(fixed)) if at not in reached and clusters.reaches(at, fixed)}
        sights[context] = enumerated([(at, {"cluster": at}) for at in reached], ["cluster"], bits)
    own = [far.index(min(far)) for far in map(clusters.distances, rows)]
    found, told = [sights[one] for one in contexts], {*clusters.box, *clusters.possible.cells}
    return Release("clusters", found, [bits[at] for at in own], {"cluster": own}, clusters.table.subjects, told, set())


def private_column(name: str, cells: list[str], policy: Policy) -> tuple[str, list[Value]]:
    """The kind and the values of a private column of a released table."""
    vague = any(VAGUE.fullmatch(cell) for cell in {*cells} - {*policy.attributes[name]["values"]})
    refuse(vague, "private cells that are sets of values are not judged")
    return column_of(name, [None if cell in ("", "?") else cell for cell in cells], policy)


def link_table(path: Path, document: dict[str, Any], policy: Policy, without: set[str], read: Any) -> Release:
    """The release of a table."""
    file = cells_of(path.parent / document["file"], {})
    rows = range(len(next(iter(file.values()))))
    columns = {name: cells for name, cells in file.items() if name not in without}
    refuse(policy.subject not in {None, *file}, "several rows per individual without their column are not judged")
    unlisted = policy.unlisted != "ignored" and columns.keys() - {*policy.attributes, policy.subject}
    refuse(unlisted, "the table has columns that the policy does not name")
    private = policy.tied(columns.keys() & policy.private)
    tied = {name for one in policy.relations if private & {*one} for name in one if name in policy.known}
    hidden = any(VAGUE.fullmatch(cell) for name in tied for cell in columns.get(name, "*"))
    refuse(hidden, "dependencies of private columns on attributes whose values are not shown are not judged")
    private_columns = {name: read(name, file[name], policy) for name in sorted(private & file.keys())}
    cells = {name: column for name, (_, column) in private_columns.items()}
    groups = [tuple(column[row] for n, column in columns.items() if n in policy.known) for row in rows]
    combinations = [{name: column[row] for name, column in cells.items()} for row in rows]
    reached, bits = defaultdict(list), defaultdict(dict)
    for group, one in zip(groups, combinations):
        reached[group].append(((*one.values(),), one))
    sights = {group: enumerated(some, cells, bits[group]) for group, some in reached.items()}
    sights = {group: replace(sight, span=group, part=group, single=not cells) for group, sight in sights.items()}
    bins = [bits[group][(*one.values(),)] for group, one in zip(groups, combinations)]
    kinds = {name: kind for name, (kind, _) in private_columns.items()} | document.get("kinds", {})
    ranked = {name for name in cells if kinds[name] != "categorical"}
    naming = columns.keys() & {policy.subject, *policy.of_role("identifier", "direct-identifier")}
    subjects, found = file[policy.subject] if policy.subject else [*rows], [sights[group] for group in groups]
    return Release("table", found, bins, cells, subjects, private, set(), ranked, private - file.keys(), naming)


def forest_of(document: dict[str, Any], policy: Policy, table: Table) -> Forest:
    """Trees, ensembles and rules as lists of trees."""
    stated = {each["name"]: each for each in document["attributes"]}
    if document["family"] == "rules":
        rules = [tree_of_rule(rule) for rule in document["rules"]]
        tested = [{test.name for test in tree if isinstance(test, Test)} for tree in rules]
        # Rules about public items alone are left out of the vectors.
        return Forest([tree for tree, names in zip(rules, tested) if names - policy.known], policy, table, stated)
    if "cells" in document:
        stated |= define_cells(document["cells"], policy, table)
    trees = [read_tree(each["nodes"]) for each in document.get("trees", [document])]
    stated[name := document["class"]["name"]] = document["class"]
    values = domain(policy, table, document["class"]).values
    branches = [{"values": [value], "to": at + 1} for at, value in enumerate(values)]
    return Forest([*trees, [Test({"attribute": name, "branches": branches}), *values]], policy, table, stated)


def define_cells(cells: dict[str, Any], policy: Policy, table: Table) -> dict[str, Any]:
    """"Ensembles with cells": what cells define is public, since the cell follows from known attributes."""
    tree = read_tree(cells["nodes"])
    refuse({test.name for test in tree if isinstance(test, Test)} - policy.known, "cells test what is not public")
    stated = {name: {"name": name, "dates": table.kinds[name] == "date"} for name in policy.known}
    own = [cells["nodes"][leaf]["cell"] for (leaf,) in Forest([tree], policy, table, stated).vectors]
    for at, each in enumerate(cells["attributes"]):
        kind, convert = ("numeric", float) if each.get("numeric") else ("categorical", str)
        table.columns[each["name"]] = [convert(cells["values"][cell][at]) for cell in own]
        table.kinds[each["name"]] = kind
        policy.attributes[each["name"]] = {"role": "public", "values": []}
    policy.known |= (defined := {each["name"]: each for each in cells["attributes"]}).keys()
    return defined


def load(path: Path, data: Path | None, policy: Policy, without: set[str], read: Any = private_column) -> Release:
    """The release of a file: JSON, or a table."""
    document = json.loads(path.read_text("utf-8")) if path.suffix == ".json" else {"family": "table", "file": path.name}
    refuse(path.suffix == ".json" and document.get("version") != 1, "not a release of version 1")
    if document["family"] == "table":
        return link_table(path, document, policy, without, read)
    refuse(data is None, "a model needs the table it was made from (--data)")
    table = read_table(data, policy)
    if document["family"] == "clusters":
        return link_clusters(Clusters(document, policy, table))
    return link_trees(forest_of(document, policy, table), document["family"])
