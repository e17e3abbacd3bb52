"""Random small tables and their policies."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import Any

from case_files import Case, text

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
    "dates",  # dates, private and public
)
# What the program and the verifier agree on today.
AGREED = FEATURES


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


class Tables:
    """Makes random tables, each with a policy."""

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
