"""Random small cases: a table, a policy and a release, for each family. Deterministic by seed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

# What the generator may use; the program and the verifier must agree on all of it.
FEATURES = (
    "missing",  # rows with missing values are kept or dropped
    "subjects",  # several rows per individual
    "persons",  # exposure of individuals with several rows
    "strict",  # [guarantee] several-rows
    "domains",  # policy domains wider than the release and the table
    "constants",  # private attributes with one value in the table
    "known",  # dependencies that make private attributes known
    "relations",  # dependencies that tie private attributes
    "whole",  # whole numbers
    "smallest-bin",  # published and derivable cells
    "columns",  # identifiers, subjects and ignored columns in tables
    "doubles",  # neighbouring doubles, subnormals, signed zeros
    "units",  # scales by powers of two
    "sets",  # private cells of tables that say less than a value
    "sidecar",  # individuals with several rows in mined tables
)
# What the program and the verifier agree on today.
AGREED = FEATURES


@dataclass
class Case:
    """One case: files, and the command that mines the release if there is one."""

    family: str
    seed: str
    header: list[str]
    rows: list[list[str]]
    policy: dict[str, Any]
    release: Any = None  # a JSON document, or None if the release is mined
    mine: list[str] = field(default_factory=list)
    released: tuple[list[str], list[list[str]]] | None = None  # a released table
    flags: list[str] = field(default_factory=list)
    raw: bytes | None = None  # a hostile release

    def write(self, folder: Path) -> None:
        """Writes table.csv, policy.toml and the release."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.csv").write_text(csv_text(self.header, self.rows), encoding="utf-8")
        (folder / "policy.toml").write_text(toml_text(self.policy), encoding="utf-8")
        if self.raw is not None:
            (folder / "release.json").write_bytes(self.raw)
        elif self.released is not None:
            (folder / "released.csv").write_text(csv_text(*self.released), encoding="utf-8")
        elif self.release is not None:
            (folder / "release.json").write_text(json.dumps(self.release), encoding="utf-8")


def csv_text(header: list[str], rows: list[list[str]]) -> str:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\n\r') or not cell else cell

    return "".join(",".join(map(quoted, row)) + "\n" for row in [header, *rows])


def toml_text(policy: dict[str, Any]) -> str:
    """The policy as TOML: scalars first, then sections."""
    lines = [f"{key} = {toml_value(value)}" for key, value in policy.items() if not isinstance(value, (dict, list))]
    for key, value in policy.items():
        if key == "attributes":
            for name, keys in value.items():
                lines += ["", f"[attributes.{json.dumps(name)}]"] + [f"{k} = {toml_value(v)}" for k, v in keys.items()]
        elif isinstance(value, dict):
            lines += ["", f"[{key}]"] + [f"{k} = {toml_value(v)}" for k, v in value.items()]
        elif isinstance(value, list):
            for each in value:
                lines += ["", f"[[{key}]]"] + [f"{k} = {toml_value(v)}" for k, v in each.items()]
    return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value) if isinstance(value, str) else repr(value)


@dataclass
class Column:
    """A column of a random table and all that it could be."""

    name: str
    role: str
    kind: str
    domain: list[Any]  # names, or numbers to draw from
    low: float = 0.0
    high: float = 0.0
    keys: dict[str, Any] = field(default_factory=dict)


class Maker:
    """Makes random cases of one family."""

    def __init__(self, seed: str, features: set[str]) -> None:
        self.random, self.seed, self.features = Random(seed), seed, features

    def chance(self, share: float, feature: str | None = None) -> bool:
        """Draws whether or not the feature is on, so that seeds mean the same with fewer features."""
        drawn = self.random.random() < share
        return drawn and (feature is None or feature in self.features)

    def columns(self, names_only: bool = False, numbers: float = 0.4) -> list[Column]:
        """One to three public and private columns, and mostly a class."""
        random = self.random
        made = [self.column(f"a{at}", "public", names_only, numbers) for at in range(random.choice([1, 1, 2, 2, 3]))]
        made += [self.column(f"b{at}", "private", names_only, numbers) for at in range(random.choice([1, 1, 2, 3]))]
        random.shuffle(made)
        return made

    def classed(self) -> Column:
        """A class with two or three values."""
        values = ["zq-good", "zq-bad", "zq-so"][: self.random.choice([2, 2, 3])]
        role = "public" if self.chance(0.15) else "private"
        column = Column("c", role, "categorical", values)
        self.declare(column, 0.3)
        return column

    def column(self, name: str, role: str, names_only: bool, numbers: float) -> Column:
        random = self.random
        if not names_only and random.random() < numbers:
            return self.numeric(name, role)
        count = random.choice([2, 2, 3, 3, 4])
        prefix = "zq" if role == "private" else "v"
        values = [f"{prefix}{letter}" for letter in "klmnop"[:count]]
        column = Column(name, role, "ordered" if self.chance(0.2) else "categorical", values)
        if column.kind == "ordered":
            column.keys["order"] = list(values)
        else:
            self.declare(column, 0.3)
        return column

    def declare(self, column: Column, share: float) -> None:
        """Mostly the domain as it is; sometimes a wider one in the policy."""
        if self.chance(share):
            column.keys["values"] = list(column.domain)
            if self.chance(0.5, "domains"):
                column.keys["values"].append("zqwide" if column.role == "private" else "wide")

    def numeric(self, name: str, role: str) -> Column:
        random = self.random
        numbers: list[float] = [float(number) for number in range(random.choice([2, 3, 5, 7]))]
        style = random.random()
        doubles = False
        if style < 0.15:
            numbers = [number + 0.5 for number in numbers]
        elif self.chance(0.12, "doubles") and ("clusters" not in self.seed or "units" in self.features):
            base = random.choice([0.3, 1.0, 1e300, 5e-324, -0.0, 1e-5, 123456789.0])
            numbers = [base, math.nextafter(base, math.inf), math.nextafter(base, -math.inf), 2 * base]
            doubles = True
        column = Column(name, role, "numeric", numbers, min(numbers), max(numbers))
        if self.chance(0.7):
            span = max(1.0, column.high - column.low) if not doubles else 0.0
            column.low -= random.choice([0, 0, 1, 2]) * span
            column.high += random.choice([0, 0, 1, 2]) * span
            column.keys["range"] = [column.low, column.high]
        else:
            column.keys["kind"] = "numeric"
            column.low, column.high = -math.inf, math.inf
        if all(number.is_integer() for number in numbers) and not doubles and self.chance(0.3, "whole"):
            if "clusters" in self.seed and "units" not in self.features:
                return column
            column.keys["whole"] = True
        return column

    def table(self, columns: list[Column], rows: int) -> list[list[Any]]:
        """Rows with some agreement between columns, so that spans hold several people."""
        random = self.random
        made: list[list[Any]] = []
        fixed = {
            c.name: random.choice(c.domain) for c in columns if c.role == "private" and self.chance(0.08, "constants")
        }
        for _ in range(rows):
            if made and random.random() < 0.35:
                row = list(random.choice(made))
                row = [
                    random.choice(c.domain) if random.random() < 0.3 and c.name not in fixed else v
                    for c, v in zip(columns, row)
                ]
            else:
                row = [fixed.get(column.name, random.choice(column.domain)) for column in columns]
            made.append(row)
        for at, column in enumerate(columns):
            if "constants" not in self.features and column.role == "private" and len({row[at] for row in made}) == 1:
                made[0][at] = next(value for value in column.domain if value != made[0][at])
        return made

    def dependencies(self, columns: list[Column], rows: list[list[Any]], policy: dict[str, Any]) -> None:
        """Declares a dependency or two, true of the table."""
        place = {column.name: at for at, column in enumerate(columns)}
        found = []
        for _ in range(self.random.choice([1, 1, 2])):
            names = self.random.sample(list(place), min(len(place), self.random.choice([2, 2, 3])))
            if len(names) < 2:
                continue
            *source, target = names
            public = all(next(c for c in columns if c.name == n).role == "public" for n in source)
            private = next(c for c in columns if c.name == target).role == "private"
            if not self.chance(1.0, "known" if public and private else "relations"):
                continue
            seen: dict[tuple, Any] = {}
            for row in rows:
                key = tuple(row[place[name]] for name in source)
                row[place[target]] = seen.setdefault(key, row[place[target]])
            found.append({"from": source, "to": target})
        for each in found[:-1]:  # the last one may have undone an earlier one
            pairs = {(tuple(row[place[n]] for n in each["from"]), row[place[each["to"]]]) for row in rows}
            if len({key for key, _ in pairs}) < len(pairs):
                found = found[-1:]
                break
        if found:
            policy["dependencies"] = found

    def guarantee(self, columns: list[Column], classed: bool, private: list[str]) -> dict[str, Any]:
        random = self.random
        asked: dict[str, Any] = {}
        if self.chance(0.9):
            asked["k"] = random.choice([1, 2, 2, 2, 3, 4])
            if self.chance(0.15):
                asked["single-bin"] = random.choice(["counted", "exempt"])
        choices: list[tuple[str, Any]] = [
            ("distinct-l", random.choice([1, 2, 2, 3])),
            ("entropy-l", random.choice([1, 1.2, 1.5, 1.9, 2])),
            ("recursive", {"c": random.choice([0.5, 1.0, 2.0, 3.0]), "l": random.choice([1, 2, 3])}),
            ("confidence", random.choice([0.4, 0.5, 0.6, 0.7, 0.8])),
            ("t-closeness", random.choice([0.1, 0.25, 0.4, 0.6])),
            ("alpha", random.choice([0.4, 0.5, 0.6, 0.7, 0.8])),
            ("beta", random.choice([0.25, 0.5, 1.0, 2.0])),
        ]
        if self.chance(0.5):
            for key, value in random.sample(choices, random.choice([1, 1, 2])):
                asked[key] = value
                if key == "t-closeness" and self.chance(0.4):
                    asked["t-distance"] = random.choice(["equal", "ordered"])
            of = random.choice(["class", "tested", "all", "all", None])
            if self.chance(0.15) and private:
                of = random.sample(private, 1)
            if of is not None and (of != "class" or classed):
                asked["of"] = of
        if self.chance(0.25, "smallest-bin"):
            asked["smallest-bin"] = random.choice([1, 2, 2, 3])
        return asked

    def base(
        self, names_only: bool = False, numbers: float = 0.4, rows: int | None = None
    ) -> tuple[Case, list[Column], list[list[Any]]]:
        """A table and a policy; the class comes last."""
        random = self.random
        columns = self.columns(names_only, numbers)
        classed = self.chance(0.85)
        if classed:
            columns.append(self.classed())
        count = rows or random.choice([2, 3, 4, 5, 6, 7, 8, 10, 12, 20])
        values = self.table(columns, count)
        policy: dict[str, Any] = {}
        if classed:
            policy["class"] = "c"
        if self.chance(0.25):
            self.dependencies(columns, values, policy)
        missing = self.chance(0.15, "missing")
        if missing:
            policy["file"] = {"missing": ["?"], "missing-rows": random.choice(["keep", "keep", "drop"])}
            policy["file"]["max-rows-left-out"] = random.choice([0.2, 1.0, 1.0])
            for row in values:
                for at, column in enumerate(columns):
                    if random.random() < 0.1 and column.name != "c" and "dependencies" not in policy:
                        row[at] = None
        header = [column.name for column in columns]
        rows_text = [[text(value) for value in row] for row in values]
        if self.chance(0.15, "subjects") and ("mined-table" not in self.seed or "sidecar" in self.features):
            policy["subject"] = "s"
            header.append("s")
            people = max(2, count - random.choice([0, 1, 2, 3, count // 2]))
            for row in rows_text:
                row.append(f"p{random.randrange(people)}")
        policy["attributes"] = {column.name: {"role": column.role, **column.keys} for column in columns}
        private = [column.name for column in columns if column.role == "private"]
        policy["guarantee"] = self.guarantee(columns, classed, private)
        if "subject" in policy and "k" in policy["guarantee"] and self.chance(0.3, "strict"):
            policy["guarantee"]["several-rows"] = "strict"
        return Case("", self.seed, header, rows_text, policy), columns, values

    def numbers_between(self, column: Column) -> float:
        """A threshold at, or between, values."""
        random = self.random
        value = random.choice(column.domain)
        return float(value + random.choice([0.0, 0.5, -0.5, 0.5, 0.25])) if abs(value) < 1e6 else float(value)

    def stated(self, column: Column, missing: bool) -> dict[str, Any]:
        """What a release declares of an attribute; narrower than the policy if that is on."""
        made: dict[str, Any] = {"name": column.name}
        if column.kind == "numeric":
            made["numeric"] = True
            low, high = column.low, column.high
            if math.isfinite(low) and (self.chance(0.9) or "domains" not in self.features):
                made["low"], made["high"] = low, high
            if self.chance(0.3, "domains") and "range" in column.keys:
                made["low"], made["high"] = min(column.domain), max(column.domain)
        else:
            made["values"] = list(column.domain)
            if "values" in column.keys and ("domains" not in self.features or self.chance(0.3)):
                made["values"] = list(column.keys["values"])
            self.random.shuffle(made["values"])
        if missing:
            made["missing"] = True
        return made

    # Trees

    def tree(self) -> Case:
        """A hand-made tree."""
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
        case.family = "tree"
        classed = columns[-1]
        keep = case.policy.get("file", {}).get("missing-rows") == "keep"
        holes = {c.name for at, c in enumerate(columns) if keep and any(row[at] is None for row in rows)}
        tests = [column for column in columns[:-1]]
        declared = [self.stated(c, c.name in holes or (keep and self.chance(0.2))) for c in tests]
        about = {each["name"]: each for each in declared}
        nodes: list[dict[str, Any]] = []
        labels = list(classed.domain)
        if "values" in classed.keys and "domains" not in self.features:
            labels = list(classed.keys["values"])

        def grow(depth: int) -> int:
            at = len(nodes)
            nodes.append({})
            if depth == 0 or (depth < 3 and self.random.random() < 0.3) or len(nodes) > 25:
                nodes[at] = {"leaf": {"label": self.random.choice(labels)}}
                return at
            column = self.random.choice(tests)
            nodes[at] = {"test": self.test(column, about[column.name], lambda: grow(depth - 1))}
            return at

        grow(self.random.choice([1, 2, 2, 3]))
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
            chosen = self.random.sample(columns, min(len(columns), self.random.choice([2, 2, 3])))
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

    # Tables

    def released(self) -> Case:
        """A table that is given away as it stands."""
        case, columns, rows = self.base(numbers=0.2)
        case.family = "table"
        case.policy.pop("file", None)
        case.policy["guarantee"].pop("smallest-bin", None)
        empty = ["?" if column.kind == "ordered" else "" for column in columns] + ["?"]
        for at, column in enumerate(columns):
            declared = "values" in case.policy["attributes"][column.name]  # an empty text is not among them
            if column.role == "private" and (declared or column.kind != "categorical"):
                for row, cells_ in zip(rows, case.rows):
                    cells_[at] = text(column.domain[0]) if row[at] is None else cells_[at]
        cells = [[blank if cell == "?" else cell for cell, blank in zip(row, empty)] for row in case.rows]
        header = list(case.header)
        for at, column in enumerate(columns):
            if column.role == "public" and self.chance(0.6):
                for row in cells:
                    row[at] = self.random.choice(["*", "*", "[0, 3]", row[at]])
        for at, column in enumerate(columns):
            if column.role == "private" and self.chance(0.35, "sets"):
                self.blur(column, at, cells)
        if self.chance(0.3, "columns"):
            role = self.random.choice(["identifier", "ignored", "unlisted"])
            if role == "unlisted":
                case.policy = {"unlisted": "ignored", **case.policy}
            else:
                case.policy["attributes"]["n"] = {"role": role}
                if self.chance(0.3) and role == "ignored":
                    case.policy["attributes"]["n"]["harmless"] = True
            header.append("n")
            for at, row in enumerate(cells):
                row.append(f"name{at // self.random.choice([1, 2])}")
        if "subject" in case.policy and self.chance(0.3):
            case.flags += ["--without", "s"]
        case.released = (header, cells)
        case.rows, case.header = cells, header
        return case

    def blur(self, column: Column, at: int, cells: list[list[str]]) -> None:
        """Makes private cells of a column sets of values, spelled in many ways."""
        random = self.random
        texts = [text(value) for value in column.domain]
        often = random.choice([0.2, 0.6, 1.0])
        for row in cells:
            own, other = row[at], random.choice(texts)
            if random.random() > often or own == "" or not set(own).isdisjoint("{}*[]<>, "):
                continue
            choices = [f"{{{own}}}", f"{{{own}, {other}}}", f"{{{other},{own}}}", "*", "{" + ", ".join(texts) + "}"]
            if column.kind == "numeric" and own not in ("", "?"):
                low = text(float(own) - random.choice([0, 0.5, 1]))
                high = text(float(own) + random.choice([0, 1, 3]))
                choices += [f"[{low}, {high}]", f"({low}, {high}]", f"<= {high}", f"> {low}", f">= {low}"]
            row[at] = random.choice(choices)

    # Mined releases

    def mined(self, family: str) -> Case:
        """A table and policy for the miners of a family."""
        random = self.random
        rows = random.choice([4, 6, 8, 12] if family == "rules" else [4, 6, 8, 12, 20, 30])
        case, columns, _ = self.base(names_only=family == "rules" and random.random() < 0.7, rows=rows)
        case.family = "mined-" + family
        for column in columns:
            if column.role == "public" and self.chance(0.3):
                rule = {"round": {}} if column.kind == "numeric" else {"flat": {}}
                case.policy["attributes"][column.name]["taxonomy"] = rule
        if family == "tree":
            case.mine = ["tree", "--method", random.choice(["best", "best", "kadet-c45", "kadet-id3"])]
            case.mine += ["--detail", random.choice(["counts", "counts", "shares", "labels"])]
            if self.chance(0.2) and "kadet-c45" in case.mine:
                case.mine.append("--no-prune")
        elif family == "table":
            methods = [
                "best",
                "best",
                "spans",
                "spans",
                "kactus",
                "kactus2",
                "aggregate",
                "tds",
                "tdr",
                "mondrian",
                "mondrian",
            ]
            case.mine = ["table", "--method", random.choice(methods)]
            if "mondrian" in case.mine:
                case.mine += ["--criterion", random.choice(["width", "gain", "loss"])]
            if "spans" in case.mine:
                case.mine += ["--tree", random.choice(["best", "kadet-c45", "kadet-id3"])]
        elif family == "clusters":
            case.mine = [
                "clusters",
                "--method",
                random.choice(["mst", "k-means"]),
                "--clusters",
                random.choice(["2", "3", "5"]),
            ]
            if self.chance(0.2):
                case.mine.append("--no-scaling")
        else:
            case.mine = ["rules", "--min-support", random.choice(["0.1", "0.2", "0.3"])]
            case.mine += ["--min-confidence", random.choice(["0.3", "0.5", "0.8"])]
            case.mine += ["--max-length", random.choice(["2", "2", "3"])]
            if self.chance(0.1):
                case.mine.append("--keep-channels")
        case.mine += ["--seed", str(random.randrange(1, 5))]
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


def text(value: Any) -> str:
    if value is None:
        return "?"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0" else repr(value)
    return str(value)


FAMILIES = (
    "tree",
    "rules",
    "clusters",
    "table",
    "mined-tree",
    "mined-table",
    "mined-clusters",
    "mined-rules",
    "hostile",
    "worlds",
)


def make(family: str, number: int, seed: int, features: set[str]) -> Case:
    """The case of a family with this number."""
    maker = Maker(f"{family}/{seed}/{number}", features)
    if family == "hostile":
        return hostile(maker)
    if family == "worlds":
        case = maker.random.choice([maker.tree, maker.rules, maker.clusters])()
        case.family = "worlds"
        return case
    if family.startswith("mined-"):
        return maker.mined(family.removeprefix("mined-"))
    return {"tree": maker.tree, "rules": maker.rules, "clusters": maker.clusters, "table": maker.released}[family]()


def hostile(maker: Maker) -> Case:
    """A release with something wrong in it: the program must answer, and never with a crash."""
    random = maker.random
    case = random.choice([maker.tree, maker.rules, maker.clusters])()
    case.family = "hostile"
    raw = bytearray(json.dumps(case.release).encode())
    for _ in range(random.choice([1, 1, 2, 4])):
        at = random.randrange(len(raw))
        change = random.random()
        if change < 0.3:
            raw[at] = random.randrange(256)
        elif change < 0.5:
            del raw[at : at + random.choice([1, 5, 50])]
        elif change < 0.7:
            raw[at:at] = random.choice([b"9" * 30, b"-1", b"1e999", b"null", b"[" * 2000, b'"', b"0.1", b"{}"])
        else:
            words = [b"0", b"1", b"true", b'"to"', b"values", b"low", b"a0", b"b0"]
            word = random.choice(words)
            found = raw.find(word, at)
            if found >= 0:
                raw[found : found + len(word)] = random.choice(
                    [b"-1", b"4294967296", b"1e400", b"null", b"[]", b"x", b"18446744073709551616"]
                )
    case.raw = bytes(raw)
    return case
