"""The policy and the table, read as docs/policy.md describes them."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

Value: TypeAlias = "str | float | None"  # a name, a number, or a missing value


class Refusal(Exception):
    """What cannot be judged: exit status 2, never a pass."""


class Policy:
    """A policy: roles, domains, dependencies and the guarantee."""

    def __init__(self, document: dict[str, Any]) -> None:
        if document.get("version", 1) != 1 or "items" in document:
            raise Refusal("only version 1 policies of tables are judged")
        self.attributes: dict[str, dict[str, Any]] = document.get("attributes", {})
        for keys in self.attributes.values():
            if "order" in keys:
                keys["kind"], keys["values"] = "ordered", keys["order"]
            elif "values" in keys:
                keys["kind"] = "categorical"
            elif "range" in keys and all(isinstance(end, str) for end in keys["range"]):
                keys["kind"] = "date"
            elif (
                "range" in keys
                or keys.get("whole")
                or (
                    isinstance(keys.get("taxonomy"), dict)
                    and not keys["taxonomy"].keys() & {"prefix", "calendar", "flat"}
                )
            ):
                keys["kind"] = "numeric"
        self.classed, self.subject = document.get("class"), document.get("subject")
        self.unlisted, self.file = document.get("unlisted", "refuse"), document.get("file", {})
        self.guarantee: dict[str, Any] = document.get("guarantee", {})
        self.dependencies = [((*each["from"],), each["to"]) for each in document.get("dependencies", [])]
        if any(self.role(name) not in ("public", "private") for one in self.dependencies for name in (*one[0], one[1])):
            raise Refusal("a dependency names what is neither public nor private")
        self.known = {name for name in self.attributes if self.role(name) == "public"}
        while more := {to for source, to in self.dependencies if self.known.issuperset(source)} - self.known:
            self.known |= more
        self.private = [name for name in self.attributes if self.role(name) == "private" and name not in self.known]

    def role(self, name: str) -> str | None:
        return self.attributes.get(name, {}).get("role")

    def bounds(self, name: str, stated: dict[str, Any], column: list[Value]) -> tuple[float, float]:
        """The least and greatest number of the attacker's domain: the policy's, or the release's and the table's."""
        if "range" in self.attributes[name]:
            return self.attributes[name]["range"][0], self.attributes[name]["range"][1]
        present = [value for value in column if isinstance(value, float)]
        low, high = stated.get("low"), stated.get("high")
        return -math.inf if low is None else min([low, *present]), math.inf if high is None else max([high, *present])

    def allows(self, name: str, value: Value) -> bool:
        """Whether the declared domain has a value."""
        keys = self.attributes[name]
        if isinstance(value, str) and keys.get("kind") == "date" and "range" in keys:
            low, high = days_of(keys["range"])
            return low <= day(value, keys.get("dates")) <= high
        if isinstance(value, str):
            return "values" not in keys or value in keys["values"]
        low, high = keys.get("range", (-math.inf, math.inf))
        return value is None or (low <= value <= high and (not keys.get("whole") or value.is_integer()))


@dataclass
class Table:
    """The rows that count: columns by name, what kind each is, and whose row each is."""

    columns: dict[str, list[Value]]
    kinds: dict[str, str]
    subjects: list[Any]
    several: bool


def read_policy(path: Path) -> Policy:
    """Reads the TOML file."""
    try:
        import tomllib
    except ModuleNotFoundError as error:
        raise Refusal("reading a policy needs Python 3.11 or later (tomllib)") from error
    try:
        return Policy(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise Refusal(f"{path.name} cannot be read: {error}") from error


def cells_of(path: Path, options: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Names and cells of a delimited file."""
    uci = options.get("format", "uci" if path.suffix in (".data", ".test") else "csv") == "uci"
    if options.get("format", "csv") not in ("csv", "uci") or options.get("quote", "double") != "double":
        raise Refusal("only CSV and UCI tables with double quotes are read")
    try:
        lines = path.read_bytes().decode("utf-8-sig").splitlines()[options.get("skip-lines", 0) :]
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(f"{path.name} cannot be read") from error
    comment = options.get("comment", "\0")
    lines = [line for line in lines if line.strip() and not line.startswith(comment)]
    if options.get("trailing-dot"):
        lines = [line.rstrip().removesuffix(".") for line in lines]
    delimiter = options.get("delimiter", "\t" if path.suffix == ".tsv" else ",").replace("tab", "\t")
    cells = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter, skipinitialspace=uci))
    if uci:
        cells = [[cell.strip() for cell in row] for row in cells]
    header = cells.pop(0) if options.get("header", not uci) and cells else []
    names = options.get("names", header)
    if not names or len(set(names)) < len(names) or any(len(row) != len(names) for row in cells):
        raise Refusal(f"{path.name}: the header is missing or has a name twice, or rows differ in length")
    return names, cells


def number(cell: str) -> float | None:
    """A finite number, or nothing."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in cell else None


def read_table(path: Path, policy: Policy) -> Table:
    """Reads the owner's table: public and private columns, and whose rows they are."""
    names, cells = cells_of(path, policy.file)
    place = {name: at for at, name in enumerate(names)}
    roles = [name for name in policy.attributes if policy.role(name) in ("public", "private")]
    unlisted = [name for name in names if name not in policy.attributes and name != policy.subject]
    lacking = [name for name in [*roles, policy.subject] if name is not None and name not in place]
    if lacking or (unlisted and policy.unlisted == "refuse"):
        raise Refusal("columns of the policy and of the table differ: " + ", ".join(lacking + unlisted))
    raw: dict[str, list[str | None]] = {}
    for name in roles:
        marks = policy.attributes[name].get("missing", policy.file.get("missing", []))
        raw[name] = [None if row[place[name]] in marks else row[place[name]] for row in cells]
    holes = {at for column in raw.values() for at, cell in enumerate(column) if cell is None}
    handling = policy.file.get("missing-rows", "refuse")
    if holes and handling == "refuse":
        raise Refusal("the table has missing values")
    kept = [at for at in range(len(cells)) if at not in holes or handling == "keep"]
    if not kept or len(cells) - len(kept) > policy.file.get("max-rows-left-out", 0.2) * len(cells):
        raise Refusal("the table has no rows, or too large a share of them is left out")
    if len(kept) < len(cells) and policy.classed in raw and len({raw[policy.classed][at] for at in kept}) == 1:
        raise Refusal("rows that are left out leave one value of the class")
    subjects = [cells[at][place[policy.subject]] for at in kept] if policy.subject else kept
    table = Table({}, {}, subjects, len(set(subjects)) < len(subjects))
    for name in roles:
        # A column without a value is not one of numbers.
        present = [cell for cell in raw[name] if cell is not None]
        numeric = bool(present) and all(number(cell) is not None for cell in present)
        table.kinds[name] = kind = policy.attributes[name].get("kind", "numeric" if numeric else "categorical")
        if kind == "numeric" and present and not numeric:
            raise Refusal(f"`{name}` has a cell that is not a number")
        table.columns[name] = [number(raw[name][at] or "") if kind == "numeric" else raw[name][at] for at in kept]
        if not all(policy.allows(name, value) for value in table.columns[name]):
            raise Refusal(f"`{name}` has a value outside its declared domain")
    return table


def day(text: str, first: str | None) -> float:
    """The days from 1970-01-01 to a date in one of the notations that policies know."""
    digits = re.fullmatch(r"(\d{4})(\d\d)(\d\d)", text.strip())
    year_first = re.match(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?=$|[T ])", text.strip())
    year_last = re.match(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?=$|[T ])", text.strip())
    if digits:
        parts = digits.groups()
    elif year_first:
        parts = year_first.group(1, 3, 4)
    elif year_last and (year_last.group(2) == "." or first == "day-first"):
        parts = year_last.group(4, 3, 1)
    elif year_last and first == "month-first":
        parts = year_last.group(4, 1, 3)
    else:
        raise Refusal("a cell is not a date")
    try:
        return float((date(int(parts[0]), int(parts[1]), int(parts[2])) - date(1970, 1, 1)).days)
    except ValueError as error:
        raise Refusal("a cell is not a date") from error


def in_days(release: dict[str, Any], policy: Policy, table: Table) -> Table:
    """The table with days where the release takes an attribute for dates: an attacker knows that they are whole."""
    for each in release.get("attributes", release.get("axes", [])):
        name = each["name"]
        if not each.get("dates"):
            continue
        if table.kinds.get(name) != "date":
            raise Refusal(f"the release takes `{name}` for dates, the policy does not")
        keys = policy.attributes[name]
        table.columns[name] = [
            None if cell is None else day(str(cell), keys.get("dates")) for cell in table.columns[name]
        ]
        table.kinds[name], keys["whole"] = "numeric", True
        if "range" in keys:
            keys["range"] = days_of(keys["range"])
        if not all(policy.allows(name, value) for value in table.columns[name]):
            raise Refusal(f"`{name}` has a value outside its declared domain")
    return table


def days_of(ends: list[Any]) -> list[float]:
    """A range of dates in days."""
    return [end if isinstance(end, float) else day(end, None) for end in ends]


def cells_in_days(rows: list[list[str]], at: int, keys: dict[str, Any]) -> None:
    """Dates of a released column, in sets and intervals as well, become numbers of days: an attacker knows that they are whole."""
    for row in rows:
        row[at] = re.sub(r"\d{4}-\d\d-\d\d", lambda found: str(int(day(found.group(0), None))), row[at])
    keys |= {"kind": "numeric", "whole": True}
    if "range" in keys:
        keys["range"] = days_of(keys["range"])
