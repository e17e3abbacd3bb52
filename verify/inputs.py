"""The policy and the table, read as docs/policy.md describes them."""

import csv
import math
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

Value = str | float | None  # a name, a number (dates are days), or a missing value
PUBLIC = ("public", "quasi-identifier", "qi")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
# The rows that count: columns by name, what kind each is, and whose row each is.
Table = NamedTuple("Table", [("columns", dict[str, list[Value]]), ("kinds", dict[str, str]), ("subjects", list[Any])])
FILE_KEYS = {"format", "names", "header", "delimiter", "missing", "missing-rows", "max-rows-left-out"}


class Refusal(Exception):
    """What cannot be judged: exit status 2, never a pass."""


def refuse(condition: object, why: str) -> None:
    """Refuses to judge if a condition holds."""
    if condition:
        raise Refusal(why)


class Policy:
    """A policy: roles, domains, dependencies and the guarantee."""

    def __init__(self, path: Path) -> None:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        self.attributes: dict[str, dict[str, Any]] = document.get("attributes", {})
        self.file: dict[str, Any] = document.get("file", {})
        unusual = {"items", "sets"} & document.keys() or self.file.keys() - FILE_KEYS or document.get("version", 1) != 1
        refuse(unusual, "baskets, sets of attackers, unusual files and versions other than 1 are not judged")
        for keys in self.attributes.values():
            keys["values"] = keys.get("order", keys.get("values", []))
            names = "ordered" if "order" in keys else "categorical" if keys["values"] else None
            dates = "dates" in keys or any(isinstance(end, str) for end in keys.get("range", ()))
            numbers = "numeric" if "range" in keys or keys.get("whole") else None
            keys["kind"] = keys.get("kind") or names or ("date" if dates else numbers)
            if keys["kind"] == "date":  # an attacker knows that days are whole
                keys |= {"whole": True} | ({"range": [*map(day, keys["range"])]} if "range" in keys else {})
        self.classed, self.subject, self.unlisted = map(document.get, ("class", "subject", "unlisted"))
        self.guarantee: dict[str, Any] = document.get("guarantee", {})
        dependencies = [(*each["from"], each["to"]) for each in document.get("dependencies", [])]
        self.known = self.of_role(*PUBLIC)
        while more := {to for *source, to in dependencies if self.known.issuperset(source)} - self.known:
            self.known |= more
        self.private = self.of_role("private", "sensitive") - self.known
        # "Definitions": a dependency that involves an attribute outside the known ones is a relation.
        self.relations = [one for one in dependencies if not self.known.issuperset(one)]

    def of_role(self, *roles: str) -> set[str]:
        return {name for name, keys in self.attributes.items() if keys["role"] in roles}

    def tied(self, names: set[str]) -> set[str]:
        """Private attributes and all others that relations connect them with, directly or through others."""
        while more := {n for one in self.relations if names & {*one} for n in one if n not in self.known} - names:
            names = names | more
        return names


def day(text: str) -> float:
    """The days from 1970-01-01 to a date."""
    return float((date.fromisoformat(text) - date(1970, 1, 1)).days)


def cells_of(path: Path, options: dict[str, Any]) -> dict[str, list[str]]:
    """The columns of a delimited file."""
    style = options.get("format", "uci" if path.suffix in (".data", ".test") else "csv")
    delimiter = options.get("delimiter", "\t" if path.suffix == ".tsv" else ",").replace("tab", "\t")
    lines = filter(str.strip, path.read_text(encoding="utf-8-sig").splitlines())
    rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=style == "uci"))
    header = rows.pop(0) if options.get("header", style == "csv") and rows else []
    names = options.get("names", header)
    unclear = style not in ("csv", "uci") or len({*names}) < len(names) or {len(names)} != {len(row) for row in rows}
    refuse(unclear, f"{path.name}: files other than CSV and UCI, a name twice, or rows of different length: not judged")
    strip = str.strip if style == "uci" else str
    return {name: [strip(row[at]) for row in rows] for at, name in enumerate(names)}


def column_of(name: str, cells: list[str | None], policy: Policy) -> tuple[str, list[Value]]:
    """The kind and the values of a column, which must be in the declared domain."""
    keys, present = policy.attributes[name], {*cells} - {None}
    numeric = present and all(NUMBER.fullmatch(cell) for cell in present)
    kind = keys["kind"] or ("numeric" if numeric else "categorical")
    values = {cell: {"numeric": float, "date": day}.get(kind, str)(cell) for cell in present}
    (low, high), whole = keys.get("range", (-math.inf, math.inf)), keys.get("whole")
    numbers = [value for value in values.values() if isinstance(value, float)]
    outside = not all(low <= x <= high and (not whole or x.is_integer()) for x in numbers)
    names = keys["values"] and {*values.values()} - {*keys["values"]}
    refuse(outside or names, f"`{name}` has a value outside its declared domain")
    return kind, [None if cell is None else values[cell] for cell in cells]


def read_table(path: Path, policy: Policy) -> Table:
    """The owner's table: public and private columns, without the rows that are left out."""
    file, roles, raw = cells_of(path, policy.file), sorted(policy.known | policy.private), {}
    for name in roles:
        marks = policy.attributes[name].get("missing", policy.file.get("missing", []))
        raw[name] = [None if cell in marks else cell for cell in file[name]]
    handling, rows = policy.file.get("missing-rows", "refuse"), list(zip(*raw.values()))
    kept = [at for at, row in enumerate(rows) if handling == "keep" or None not in row]
    refuse(not kept or (handling == "refuse" and len(kept) < len(rows)), "the table has missing values, or no rows")
    table = Table({}, {}, [file[policy.subject][at] for at in kept] if policy.subject else kept)
    for name in roles:
        table.kinds[name], column = column_of(name, raw[name], policy)
        table.columns[name] = [column[at] for at in kept]
    return table
