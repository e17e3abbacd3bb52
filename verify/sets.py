"""What private cells of a table say: sets of values, in the notation of docs/tables.md."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from inputs import Refusal

OTHERS = "other values"


def number(cell: str) -> float | None:
    """A finite number, or nothing."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in cell else None


@dataclass
class Sets:
    """A private column whose cells are not all values: the values that each cell leaves, and all that are possible."""

    of_cell: dict[str, frozenset]
    domain: frozenset
    numeric: bool

    def single(self) -> bool:
        return all(len(values) == 1 for values in self.of_cell.values())

    def overlap(self) -> bool:
        different = list(set(self.of_cell.values()))
        return any(one & other for at, one in enumerate(different) for other in different[:at])

    def classes(self, cells: Iterable[str]) -> dict[str, int]:
        """Cells of one group that may be the same value, step by step, get one number."""
        found: list[tuple[set, list[str]]] = []
        for cell in dict.fromkeys(cells):
            values, members = set(self.of_cell[cell]), [cell]
            for one in [each for each in found if each[0] & values]:
                values |= one[0]
                members += one[1]
                found.remove(one)
            found.append((values, members))
        return {cell: at for at, (_, members) in enumerate(found) for cell in members}


def read_sets(cells: Iterable[str], keys: dict[str, Any], written: bool) -> Sets | None:
    """The sets of a column; none where every cell is a value. Empty cells `written` by incrowd are missing values."""
    cells = list(dict.fromkeys(cells))
    declared = keys.get("values", [])
    named = bool(declared) or keys.get("kind", "numeric") != "numeric"
    parsed = {cell: [cell] if cell in declared else read(cell, named) for cell in cells}
    if all(isinstance(said, list) and said == [cell] and cell != OTHERS for cell, said in parsed.items()):
        return None
    numeric = keys.get("kind") == "numeric" or (not named and all_numbers(parsed.values()))
    if not numeric and any(isinstance(said, tuple) for said in parsed.values()):
        raise Refusal("some private cells are intervals, others names")
    if not numeric:
        check_commas(parsed, declared)
    made = numbers(parsed, keys) if numeric else names(parsed, declared, written)
    return Sets(made[0], made[1], numeric)


def read(cell: str, named: bool) -> Any:
    """`None` for anything, a tuple for an interval, a list of values otherwise."""
    if cell == "*":
        return None
    if cell[:1] == "{" and cell[-1:] == "}" and cell[1:-1].strip():
        parts = quoted(cell[1:-1]) or split(cell[1:-1])
        return None if "*" in parts else parts
    text, missing = (cell[:-4].rstrip(), True) if cell.endswith("or ?") else (cell, False)
    bounds = None if named else interval(text)
    return [cell] if bounds is None else (*bounds, missing)


def split(inside: str) -> list[str]:
    return [part.strip() for part in inside.split(",")]


def quoted(inside: str) -> list[str] | None:
    """The names of a set some of which are quoted; `None` where none is, or where quotes are part of names."""
    part = r'\s*(?:"((?:[^"]|"")*)"\s*|((?!\s*")[^,]*))'
    if not re.fullmatch(f"{part}(?:,{part})*", inside, re.DOTALL):
        return None
    found = re.finditer(f"(?:^|,){part}(?=,|\\Z)", inside, re.DOTALL)
    parts = [(match[1], match[2]) for match in found]
    if all(name is None for name, _ in parts):
        return None
    return [plain.strip() if name is None else name.replace('""', '"') for name, plain in parts]


def check_commas(parsed: dict[str, Any], declared: list[str]) -> None:
    """Refuses sets of names whose commas may be part of names."""
    whole = [split(cell) for cell, said in parsed.items() if said == [cell] and "," in cell]
    for cell, said in parsed.items():
        if declared or not isinstance(said, list) or said == [cell] or quoted(cell[1:-1]):
            continue
        repeats = 1 < len(set(said)) < len(said)
        if repeats or any(name == said[at : at + len(name)] for name in whole for at in range(len(said))):
            raise Refusal("some names contain commas, and sets of them are not clear")


def interval(text: str) -> tuple[Any, Any] | None:
    """The bounds of an interval, each with whether it belongs to it."""
    if text == "any number":
        return None, None
    for sign in ("<=", ">=", "<", ">"):
        if text.startswith(sign):
            bound = number(text[len(sign) :])
            one = None if bound is None else (Fraction(bound), sign.endswith("="))
            return one and ((None, one) if sign[0] == "<" else (one, None))
    if text[:1] in tuple("[(") and text[-1:] in tuple("])") and text.count(",") == 1:
        low, high = map(number, text[1:-1].split(","))
        if low is not None and high is not None:
            return (Fraction(low), text[0] == "["), (Fraction(high), text[-1] == "]")
    return None


def all_numbers(parsed: Iterable[Any]) -> bool:
    telling = [said for said in parsed if said is not None]
    lists = [part for said in telling if isinstance(said, list) for part in said]
    return bool(telling) and all(part == "?" or number(part) is not None for part in lists)


def names(parsed: dict[str, Any], declared: list[str], written: bool) -> tuple[dict[str, frozenset], frozenset]:
    """Sets of names; `other values` and whatever else is possible are two values each."""
    of_cell: dict[str, frozenset] = {}
    for cell, said in parsed.items():
        values: set[Any] = set()
        for part in said or ():
            if part == OTHERS and part not in declared:
                values |= {(OTHERS, 0), (OTHERS, 1)}
            elif (part == "?" or (written and part == "")) and part not in declared:
                values.add(None)
            elif declared and part not in declared:
                raise Refusal("a private cell has a value outside its declared domain")
            else:
                values.add(part)
        of_cell[cell] = frozenset(values)
    anything = [cell for cell, said in parsed.items() if said is None]
    rest = {("rest", 0), ("rest", 1)} if anything and not declared else set()
    domain = frozenset().union(*of_cell.values(), declared, rest)
    return of_cell | dict.fromkeys(anything, domain), domain


def numbers(parsed: dict[str, Any], keys: dict[str, Any]) -> tuple[dict[str, frozenset], frozenset]:
    """Sets of numbers: the line is tried at the numbers that are named, and twice between any two of them."""
    ends = [Fraction(end) for end in keys.get("range", ())]
    points = set(ends)
    for said in parsed.values():
        if isinstance(said, tuple):
            points |= {bound[0] for bound in said[:2] if bound}
        for part in said if isinstance(said, list) else ():
            if part not in ("?", ""):
                if number(part) is None:
                    raise Refusal("a private cell is neither a number nor a set of numbers")
                points.add(Fraction(number(part)))
    low, high = ends or (-math.inf, math.inf)
    whole = bool(keys.get("whole"))
    tried = [x for x in line(sorted(points), whole) if low <= x <= high and (not whole or x.denominator == 1)]
    of_cell = {cell: frozenset(left(said, tried)) for cell, said in parsed.items() if said is not None}
    for said in parsed.values():
        for part in said if isinstance(said, list) else ():
            if part not in ("?", "") and Fraction(number(part)) not in tried:
                raise Refusal("a private cell has a value outside its declared domain")
    if not all(of_cell.values()):
        raise Refusal("a private cell leaves no value of its declared domain")
    anything = [cell for cell, said in parsed.items() if said is None]
    everything = tried if ends or anything else []
    domain = frozenset().union(*of_cell.values(), everything)
    return of_cell | dict.fromkeys(anything, domain), domain


def line(points: list[Fraction], whole: bool) -> Iterator[Fraction]:
    yield from points
    for low, high in zip([None, *points], [*points, None]):
        if whole:
            start = math.floor(low) + 1 if low is not None else math.ceil(high or 0) - 2
            yield from (Fraction(x) for x in (start, start + 1) if high is None or x < high)
        elif low is None or high is None:
            at = low if low is not None else high or Fraction(0)
            yield from (at + step if low is not None else at - step for step in (1, 2))
        else:
            yield from (low + (high - low) * part / 3 for part in (1, 2))


def left(said: Any, tried: list[Fraction]) -> Iterator[Any]:
    if isinstance(said, list):
        yield from (None if part in ("?", "") else Fraction(number(part)) for part in said)
        return
    low, high, missing = said
    yield from [None] * missing
    for x in tried:
        above = low is None or low[0] < x or (low[1] and low[0] == x)
        below = high is None or x < high[0] or (high[1] and high[0] == x)
        if above and below:
            yield x
