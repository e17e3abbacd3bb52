"""Random hand-made releases: trees, rules and clusters."""

from __future__ import annotations

import math
from typing import Any

from case_files import Case, text
from case_tables import Column, Tables


class Models(Tables):
    """Makes random models over random tables."""

    # Trees

    def tree(self) -> Case:
        """A hand-made tree."""
        case, columns, rows, declared, labels = self.classified()
        nodes: list[dict[str, Any]] = []
        self.grow(nodes, columns[:-1], declared, lambda: {"leaf": {"label": self.random.choice(labels)}})
        case.family = "tree"
        case.release = {
            "format": "incrowd-release",
            "version": 1,
            "family": "tree",
            "class": {"name": "c", "values": labels},
            "attributes": declared,
            "nodes": nodes,
        }
        self.populate(case, columns, rows)
        return case

    def ensemble(self) -> Case:
        """A hand-made ensemble, with or without cells."""
        case, columns, rows, declared, labels = self.classified()
        scored = self.random.choice([["logistic", 1]] if len(labels) == 2 else [["softmax", 3], ["identity", 3]])
        tested, about, cells = columns[:-1], declared, None
        known = [column for column in tested if column.role == "public"]
        if self.chance(0.5) and known:
            cells, defined = self.cells(known, declared)
            tested = [*defined, *(column for column in tested if column.role != "public" or self.chance(0.2))]
            about = [*declared, *cells["attributes"]]
        trees = []
        for _ in range(self.random.choice([1, 2, 2, 3, 4])):
            nodes: list[dict[str, Any]] = []
            self.grow(nodes, tested, about, lambda: {"scores": [self.random.choice([-0.5, 0.25])] * scored[1]})
            trees.append({"nodes": nodes})
        case.family = "ensemble"
        case.release = {
            "format": "incrowd-release",
            "version": 1,
            "family": "ensemble",
            "class": {"name": "c", "values": labels},
            "attributes": declared,
            **({"cells": cells} if cells else {}),
            "scoring": {"combination": "sum", "link": scored[0], "base": [0.0] * scored[1]},
            "trees": trees,
        }
        return case

    def cells(self, known: list[Column], declared: list[dict[str, Any]]) -> tuple[dict[str, Any], list[Column]]:
        """Cells of public attributes, and the attributes that they define."""
        nodes: list[dict[str, Any]] = []
        self.grow(nodes, known, declared, lambda: {"cell": 0})
        cells = [node for node in nodes if "cell" in node]
        for at, node in enumerate(cells):
            node["cell"] = at
        names = [f"v{at}" for at in range(len(cells))]
        values = [[name, float(self.random.choice([0, 1, 2]))] for name in names]
        attributes = [{"name": "cell", "values": names}, {"name": "cell number", "numeric": True}]
        numbers = [0.0, 1.0, 2.0]
        defined = [Column("cell", "public", "categorical", names), Column("cell number", "public", "numeric", numbers)]
        return {"attributes": attributes, "nodes": nodes, "values": values}, defined

    def classified(self) -> tuple[Case, list[Column], list[list[Any]], list[dict[str, Any]], list[str]]:
        """A table with a class, what a release declares of its attributes, and the class values that it lists."""
        case, columns, rows = self.base()
        if "class" not in case.policy:
            case.policy["class"] = "c"
            column = self.classed()
            columns.append(column)
            case.header.insert(len(columns) - 1, "c")
            for row, cells in zip(rows, case.rows):
                row.append(self.random.choice(column.domain))
                cells.insert(len(columns) - 1, text(row[-1]))
            case.policy["attributes"]["c"] = {"role": column.role, **column.keys}
        classed = columns[-1]
        keep = case.policy.get("file", {}).get("missing-rows") == "keep"
        holes = {c.name for at, c in enumerate(columns) if keep and any(row[at] is None for row in rows)}
        declared = [self.stated(c, c.name in holes or (keep and self.chance(0.2))) for c in columns[:-1]]
        labels = list(classed.domain)
        if "values" in classed.keys and "domains" not in self.features:
            labels = list(classed.keys["values"])
        return case, columns, rows, declared, labels

    def grow(self, nodes: list[dict[str, Any]], tests: list[Column], declared: list[dict[str, Any]], leaf: Any) -> None:
        """Adds the nodes of a random tree."""
        about = {each["name"]: each for each in declared}

        def grow(depth: int) -> int:
            at = len(nodes)
            nodes.append({})
            if depth == 0 or (depth < 3 and self.random.random() < 0.3) or len(nodes) > 25:
                nodes[at] = leaf()
                return at
            column = self.random.choice(tests)
            nodes[at] = {"test": self.test(column, about[column.name], lambda: grow(depth - 1))}
            return at

        grow(self.random.choice([1, 2, 2, 3]))

    def test(self, column: Column, about: dict[str, Any], grow: Any) -> dict[str, Any]:
        random = self.random
        if column.kind == "numeric":
            cuts = sorted({self.numbers_between(column) for _ in range(random.choice([1, 1, 2]))})
            test: dict[str, Any] = {
                "attribute": column.name,
                "thresholds": cuts,
                "to": [grow() for _ in range(len(cuts) + 1)],
            }
            if about.get("missing") or self.chance(0.3):
                test["otherwise"] = random.randrange(len(cuts) + 1)
            return test
        values = [value for value in about["values"] if self.random.random() < 0.85] or about["values"][:1]
        count = min(len(values), random.choice([1, 2, 2, 3]))
        groups: list[list[str]] = [[] for _ in range(count)]
        for value in values:
            random.choice(groups).append(value)
        groups = [group for group in groups if group]
        test = {"attribute": column.name, "branches": [{"values": group, "to": grow()} for group in groups]}
        wide = "values" in column.keys and set(column.keys["values"]) - set(about["values"])
        if (
            len(values) < len(about["values"])
            or about.get("missing")
            or (wide and self.chance(0.9))
            or self.chance(0.3)
        ):
            test["otherwise"] = random.randrange(len(groups))
        return test

    def populate(self, case: Case, columns: list[Column], rows: list[list[Any]]) -> None:
        """Fills in counts or shares, by following each row down the tree."""
        kind = self.random.choice(["counts", "counts", "counts", "labels", "shares"])
        place = {column.name: at for at, column in enumerate(columns)}
        nodes, values = case.release["nodes"], case.release["class"]["values"]
        people: dict[int, list[set]] = {at: [set() for _ in values] for at in range(len(nodes))}
        drop = case.policy.get("file", {}).get("missing-rows") == "drop"
        for number, row in enumerate(rows):
            if drop and None in row:
                continue
            at = 0
            while "test" in nodes[at]:
                test = nodes[at]["test"]
                value = row[place[test["attribute"]]]
                at = follow(test, value)
            who = case.rows[number][-1] if "subject" in case.policy else number
            if row[place["c"]] in values:
                people[at][values.index(row[place["c"]])].add(who)
        if kind == "shares":
            case.release["digits"] = digits = self.random.choice([1, 2, 3])
        for at, node in enumerate(nodes):
            if "leaf" in node:
                counts = [len(who) for who in people[at]]
                if kind == "counts":
                    node["leaf"]["counts"] = counts
                elif kind == "shares" and sum(counts):
                    unit = 10**digits
                    node["leaf"]["shares"] = [
                        ((2 * n * unit + sum(counts)) // (2 * sum(counts))) / unit for n in counts
                    ]
        if self.chance(0.5):
            kept = [row for row, values_ in zip(case.rows, rows) if not (drop and None in values_)]
            case.release["individuals"] = len({row[-1] for row in kept}) if "subject" in case.policy else len(kept)

    # Rules

    def rules(self) -> Case:
        """Hand-made rules."""
        case, columns, rows = self.base(names_only=True, numbers=0.0)
        case.family = "rules"
        keep = case.policy.get("file", {}).get("missing-rows") == "keep"
        declared = [self.stated(c, keep and any(row[at] is None for row in rows)) for at, c in enumerate(columns)]
        about = {each["name"]: each for each in declared}
        made = []
        for _ in range(self.random.choice([1, 1, 2, 2, 3, 4])):
            if len(columns) < 2:
                break
            some = [c for c in columns if c.role == "public"] if self.chance(0.3) else columns
            some = some if len(some) > 1 else columns
            chosen = self.random.sample(some, min(len(some), self.random.choice([2, 2, 3])))
            items = [{c.name: self.random.choice(about[c.name]["values"])} for c in chosen]
            divide = self.random.randrange(len(items))
            rule: dict[str, Any] = {"if": items[:divide], "then": items[divide:]}
            if rule not in made:
                made.append(rule)
        used = {name for rule in made for item in (*rule["if"], *rule["then"]) for name in item}
        if self.chance(0.8):
            declared = [each for each in declared if each["name"] in used]
        case.release = {
            "format": "incrowd-release",
            "version": 1,
            "family": "rules",
            "attributes": declared,
            "rules": made,
        }
        return case

    # Clusters

    def clusters(self) -> Case:
        """Hand-made centroids."""
        case, columns, rows = self.base(numbers=0.75)
        case.family = "clusters"
        columns = [c for c in columns if c.name != "c"]
        for column in columns:
            if column.kind != "numeric" and "values" in column.keys:
                column.domain = list(column.keys["values"])
        if "file" in case.policy:
            case.policy["file"]["missing-rows"] = "drop"
        unit = 2.0 ** self.random.randrange(-60, 60) if self.chance(0.3, "units") else 1.0
        axes, kinds = [], []
        for column in columns:
            axis: dict[str, Any] = {"name": column.name}
            scale = unit * self.random.choice([1.0, 1.0, 1.0, 0.5, 2.0, 4.0])
            if column.kind == "numeric":
                if math.isfinite(column.low):
                    axis["low"], axis["high"] = column.low, column.high
                if any(number and not 1e-3 < abs(number) < 1e6 for number in column.domain):
                    scale = 1.0
            else:
                axis["values"] = list(column.domain)
            if scale != 1.0:
                axis["scale"] = scale
            axes.append(axis)
            kinds.append(column)
        count = self.random.choice([1, 2, 2, 3, 3, 4])
        centroids = []
        for _ in range(count):
            center: list[Any] = []
            for column in kinds:
                if column.kind == "numeric":
                    center.append(
                        self.random.choice(column.domain) + self.random.choice([0, 0, 0, 1, -1, 0.5, 3, -4, 8])
                    )
                else:
                    center.append([self.random.choice([0.0, 0.0, 0.25, 0.5, 1.0]) for _ in column.domain])
            centroids.append({"center": center})
        case.release = {
            "format": "incrowd-release",
            "version": 1,
            "family": "clusters",
            "axes": axes,
            "centroids": centroids,
        }
        return case


def follow(test: dict[str, Any], value: Any) -> int:
    """Where a test sends a value."""
    otherwise = test.get("otherwise")
    if "branches" in test:
        for branch in test["branches"]:
            if value in branch["values"]:
                return branch["to"]
        return test["branches"][otherwise or 0]["to"]
    if value is None:
        return test["to"][otherwise or 0]
    return test["to"][sum(value > cut for cut in test["thresholds"])]
