"""What the attack compares besides the guarantee: the verifier's report with exposure, rare values and small cells.

Not part of the verifier: these figures say more than whether k and the requirements on private values hold.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from incrowd_verify import judge, scope_of
from inputs import Policy, Refusal, Table, Value, day, read_table
from models import load, private_column
from populations import check_populations
from sets import Sets, interval, number, read_sets
from spans import Release
from supports import Supports

OTHER = "\0other"  # stands for possible values of a table that no cell has


def full_report(path: Path, data: Path | None, policy_path: Path, without: set[str]) -> tuple[Release, dict[str, Any]]:
    """The release, and the verifier's report with further figures."""
    policy, plain = Policy(policy_path), Policy(policy_path)
    columns: dict[str, Sets] = {}  # private columns of a table whose cells are not all values
    release = load(path, data, policy, without, with_sets(columns, path.suffix == ".json"))
    table = None if data is None or release.family == "table" else read_table(data, plain)
    document = json.loads(path.read_text("utf-8")) if path.suffix == ".json" else {}
    if table is not None:
        check_populations(document, release, table, plain)
    join_sets(release, policy, columns)
    report = judge(release, policy, every=True) | {"ranked": release.ranked, "smallest_bin": None}
    # "Ensembles", with relations: the program may distinguish spans that are equal, and count too many as exposed.
    report["bounded"] = release.family == "ensemble" and any({*one} & release.told for one in policy.relations)
    bound_sets(release, report, columns)
    domains = {name: table_domain(name, release, policy) for name in release.cells} if table is None else {}
    domains |= {name: {value: value for value in own.domain} for name, own in columns.items()}
    if columns:
        release = with_values(release, columns)
    report |= exposure_of_persons(release, domains) if release.several else exposure(release, domains)
    for key in ("exposed", "excluded") if release.absent else ():  # nobody knows of whom
        report[key] = len(set(release.subjects))
        report[f"{key}_to"] |= dict.fromkeys(release.absent, report[key])
    report["rare_values"] = rare_in_table(release, policy) if table is None else rare_values(document, plain, table)
    if table is not None:
        judge_small_cells(release, report, plain, document, table)
    report["holds"] &= not (report["rare_values"] and "smallest-bin" in plain.guarantee)
    return release, report


def judge_small_cells(
    release: Release, report: dict[str, Any], policy: Policy, document: dict[str, Any], table: Table
) -> None:
    """A smallest bin: no cell with fewer individuals is published or can be derived."""
    least = policy.guarantee.get("smallest-bin", 1)
    if release.family == "rules":
        if least > 1 and release.several:
            raise Refusal("a smallest bin of rules where individuals have several rows")
        found = Supports(document, table, policy).smallest(least) if least > 1 else []
        small = [size for size in found if size is not None]
        report["smallest_bin"] = min(small, default=None)
        report["holds"] &= not small
        return
    population: dict[int, set[Hashable]] = defaultdict(set)
    for bin_, subject in zip(release.bins, release.subjects):
        population[bin_].add(subject)
    hidden = derivable(release, least) if least > 1 else {}
    report["smallest_bin"] = min([*map(len, population.values()), *hidden.values()])
    report["holds"] &= report["smallest_bin"] >= least and not hidden


# Private cells of tables that are sets of values.


def with_sets(columns: dict[str, Sets], written: bool) -> Any:
    """Reads private columns, also those whose cells are sets; empty cells `written` by incrowd are missing values."""

    def read(name: str, cells: list[str], policy: Policy) -> tuple[str, list[Value]]:
        keys = policy.attributes[name]
        if keys["kind"] == "date":
            keys["kind"] = "numeric"
            cells = [re.sub(r"\d{4}-\d\d-\d\d", lambda found: str(int(day(found.group(0)))), cell) for cell in cells]
        sets = read_sets(cells, {key: value for key, value in keys.items() if value not in (None, [])}, written)
        if sets is None:
            return private_column(name, cells, policy)
        if sets.single():
            values = {cell: next(iter(some)) for cell, some in sets.of_cell.items()}
            if sets.numeric:
                values = {cell: None if value is None else float(value) for cell, value in values.items()}
            return "numeric" if sets.numeric else keys["kind"] or "categorical", [values[cell] for cell in cells]
        if any(name in one for one in policy.relations):
            raise Refusal("a dependency names a private column whose cells are not all values")
        first: dict[frozenset, str] = {}
        for cell in sorted(sets.of_cell):
            first.setdefault(sets.of_cell[cell], cell)
        columns[name] = Sets({cell: some for some, cell in first.items()}, sets.domain, sets.numeric)
        return "categorical", [first[sets.of_cell[cell]] for cell in cells]

    return read


def join_sets(release: Release, policy: Policy, columns: dict[str, Sets]) -> None:
    """Cells of a group that overlap, step by step, are not distinguished."""
    release.ranked -= columns.keys()
    asked = {"t-closeness", "beta"} | ({"entropy-l"} if release.several else set())
    overlapping = {name for name, sets in columns.items() if sets.overlap()}
    if asked & policy.guarantee.keys() and overlapping & scope_of(release, policy):
        raise Refusal("private cells overlap, which leaves a requirement open")
    for rows in release.spans.values():
        marks = release.sights[rows[0]].marks
        for name, sets in columns.items():
            classes = sets.classes(marks[name])
            joined: dict[int, int] = defaultdict(int)
            for cell, mark in marks[name].items():
                joined[classes[cell]] |= mark
            marks[name] = {cell: joined[at] for cell, at in classes.items()}


def bound_sets(release: Release, report: dict[str, Any], columns: dict[str, Sets]) -> None:
    """Where cells overlap, what the span has the whole has: a share there is at least this part of the one here."""
    for name in (name for name, sets in columns.items() if sets.overlap()):
        for rows, found in zip(release.parts.values(), report["attributes"][name]):
            size = release.people(rows)
            found |= {"t_equal": Fraction(len(release.bins) - size, len(release.bins))}
            found |= {"t_ordered": found["t_equal"], "beta": Fraction(len(release.bins) - size, size)}


def with_values(release: Release, columns: dict[str, Sets]) -> Release:
    """The release with the values that cells leave possible, instead of cells."""
    sights = {}
    for span, rows in release.spans.items():
        sight = release.sights[rows[0]]
        marks = dict(sight.marks)
        for name, sets in columns.items():
            marks[name] = defaultdict(int)
            for row in rows:
                for value in sets.of_cell[release.cells[name][row]]:
                    marks[name][value] |= release.bins[row]
        sights[span] = replace(sight, marks=marks)
    return replace(release, sights=[sights[sight.span] for sight in release.sights])


def table_domain(name: str, release: Release, policy: Policy) -> dict[Value, Hashable]:
    """All values that a column of a table can have."""
    keys, found = policy.attributes[name], dict.fromkeys(release.cells[name])
    numbers = {value for value in found if isinstance(value, float)}
    more = False
    if "range" in keys:
        low, high = keys["range"]
        whole = math.floor(high) - math.ceil(low) + 1 > len(numbers)
        more = whole if keys.get("whole") else low < high or low not in numbers
    return {value: value for value in [*keys["values"], *found, *([OTHER] if more else [])]}


# Exposure: Theorem 3, and Theorem 5a for individuals with several rows.


def open_bins(release: Release) -> dict[Hashable, set[int]]:
    """Theorem 3: the bins that some world gives someone of a span, by which spans lead to which in its graph."""
    own: dict[Hashable, set[int]] = defaultdict(set)
    for sight, bin_ in zip(release.sights, release.bins):
        own[sight.span].add(bin_)
    if release.family == "table":
        return own
    views = {sight.span: sight.view for sight in release.sights}
    reach = {span: {bin_ for bin_ in set(release.bins) if not bin_ & ~view} for span, view in views.items()}
    number = {span: at for at, span in enumerate(own)}
    holders: dict[int, int] = defaultdict(int)  # spans with someone in the bin, as bits
    for span, bins in own.items():
        for bin_ in bins:
            holders[bin_] |= 1 << number[span]
    sources = {span: 1 << at for span, at in number.items()}  # spans that lead to this one
    for span, bins in reach.items():
        joined = 0
        for bin_ in bins:
            joined |= holders[bin_]
        for end, at in number.items():
            sources[end] |= 1 << number[span] if joined >> at & 1 else 0
    for via, at in number.items():
        for end in number:
            sources[end] |= sources[via] if sources[end] >> at & 1 else 0
    return {span: {bin_ for bin_ in bins if holders[bin_] & sources[span]} for span, bins in reach.items()}


def classes_of(release: Release, row: int, name: str, domains: dict[str, Any]) -> dict[Value, Hashable]:
    """What is distinguished of an attribute: of a table every value that is possible."""
    return domains[name] if domains else release.sights[row].classes(name)


def left_by(release: Release, row: int, name: str, bin_: int) -> frozenset[Value]:
    """The cells that a bin leaves possible."""
    return frozenset(cell for cell, mark in release.sights[row].marks[name].items() if not bin_ & ~mark)


def tells(release: Release, name: str, classes: dict[Value, Any]) -> bool:
    return len(set(classes.values())) > 1 if release.family == "table" else release.tells(name, classes)


def exposure(release: Release, domains: dict[str, Any]) -> dict[str, Any]:
    """Who is exposed (one value is left) and for whom a value is excluded, per attribute."""
    exposed: dict[str, set[int]] = {name: set() for name in release.cells}
    excluded: dict[str, set[int]] = {name: set() for name in release.cells}
    opened = open_bins(release)
    for rows in release.parts.values():
        row = rows[0]
        bins = opened[release.sights[row].span]
        for name in release.cells:
            classes = classes_of(release, row, name, domains)
            after = {classes[c] for bin_ in bins for c in left_by(release, row, name, bin_) if c in classes}
            excluded[name].update(rows if len(after) < len(set(classes.values())) else ())
            exposed[name].update(rows if len(after) == 1 and tells(release, name, classes) else ())
    return certain(exposed, excluded)


def certain(exposed: dict[str, set], excluded: dict[str, set]) -> dict[str, Any]:
    """How many are exposed, and for how many a value is excluded: of any attribute, and of each."""
    figures: dict[str, Any] = {}
    for key, of_name in (("exposed", exposed), ("excluded", excluded)):
        figures[key] = len(set().union(*of_name.values()))
        figures[f"{key}_to"] = {name: len(some) for name, some in of_name.items()}
    return figures


def regions(release: Release) -> list[Hashable]:
    """The region of each row: spans with rows in one bin are in one region, step by step."""
    if release.family == "rules":  # supports count individuals of many bins together
        return [0] * len(release.bins)
    if release.family == "table":
        return [sight.span for sight in release.sights]
    spans = {sight.span: at for at, sight in enumerate(release.sights)}
    region = dict(zip(spans, spans))
    first: dict[int, Hashable] = {}
    for sight, bin_ in zip(release.sights, release.bins):
        old, new = region[sight.span], region[first.setdefault(bin_, sight.span)]
        region = {span: new if one == old else one for span, one in region.items()}
    return [region[sight.span] for sight in release.sights]


def exposure_of_persons(release: Release, domains: dict[str, Any]) -> dict[str, Any]:
    """An upper bound where individuals have several rows: their rows within a region are exchanged with those of others
    who have equal parts of spans there."""
    units = list(zip(release.subjects, regions(release)))
    parts: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    for unit, sight in zip(units, release.sights):
        parts[unit][sight.part] += 1
    alike: dict[Hashable, set[Hashable]] = defaultdict(set)
    for unit, own in parts.items():
        alike[frozenset(own.items())].add(unit)
    crowd = {unit: frozenset(group) for group in alike.values() for unit in group}
    exposed: dict[str, set[Hashable]] = {}
    excluded: dict[str, set[Hashable]] = {}
    for name in release.cells:
        seen: dict[Any, set] = defaultdict(set)  # what the rows of a crowd in a part can have
        was: dict[Any, set] = {}
        left: dict[Hashable, list[frozenset]] = defaultdict(list)  # what the bin of each row leaves
        values: dict[Hashable, set[frozenset]] = defaultdict(set)  # values as the spans of someone's rows tell them
        for row, unit in enumerate(units):
            classes = classes_of(release, row, name, domains)
            cells = left_by(release, row, name, release.bins[row])
            key = crowd[unit], release.sights[row].part
            was[key] = set(classes.values())
            seen[key] |= {classes[cell] for cell in cells if cell in classes}
            if tells(release, name, classes):
                left[unit].append(cells)
                values[unit[0]] |= {frozenset(c for c in classes if classes[c] == at) for at in was[key]}
        exposed[name] = {
            one[0]
            for one, group in crowd.items()
            if any(all(any(some <= value for some in left[other]) for other in group) for value in values[one[0]])
        }
        excluded[name] = {one[0] for key, before in was.items() if seen[key] < before for one in key[0]}
    return certain(exposed, excluded)


# Small cells: Theorem 3a.


def derivable(release: Release, n: int) -> dict[tuple[Hashable, int], int]:
    """Cells (span, bin) with 1 to n - 1 individuals in every world, and the most that each can have.

    Individuals with several rows stay in place, and only the others are moved.
    """
    pairs = [(("span", sight.span), bin_) for sight, bin_ in zip(release.sights, release.bins)]
    rows, holders = Counter(release.subjects), defaultdict(set)
    for pair, subject in zip(pairs, release.subjects):
        holders[pair].add(subject)
    moved = Counter(pair for pair, subject in zip(pairs, release.subjects) if rows[subject] == 1)
    views = {("span", sight.span): sight.view for sight in release.sights}
    reach = {span: [bin_ for bin_ in set(release.bins) if not bin_ & ~view] for span, view in views.items()}
    found = {}
    for (span, bin_), own in holders.items():
        if len(own) < n and (moved[span, bin_] < len(own) or flow(moved, reach, span, bin_, len(own)) < len(own)):
            more = flow(moved, reach, bin_, span, n - len(own))
            found |= {(span, bin_): len(own) + more} if len(own) + more < n else {}
    return found


def flow(moved: Counter, reach: dict[Hashable, list[int]], start: Hashable, end: Hashable, most: int) -> int:
    """The flow from a span to a bin, or back, without that pair: one augmenting path at a time, up to a number."""
    left = Counter(moved)
    for done in range(most):
        before: dict[Hashable, Hashable] = {start: None}
        queue = [start]
        for node in queue:
            ends = reach[node] if node in reach else [span for span in reach if left[span, node]]
            new = [e for e in ends if e not in before and (node, e) not in ((start, end), (end, start))]
            before |= dict.fromkeys(new, node)
            queue += new
        if end not in before:
            return done
        node = end
        while (previous := before[node]) is not None:
            left[(previous, node) if previous in reach else (node, previous)] += 1 if previous in reach else -1
            node = previous
    return most


# Private values in print.


def rare_values(document: dict[str, Any], policy: Policy, table: Table) -> int:
    """The private values in print that someone has, but fewer than required, and that the policy does not declare."""
    k, least = policy.guarantee.get("k", 1), policy.guarantee.get("smallest-bin", 1)
    required = max(k, least)
    beside = max(min(k, 20), least) if document["family"] == "ensemble" else required
    printed: set[tuple[str, Any]] = set()
    for each in document.get("attributes", document.get("axes", [])):
        ends = {each.get("low"), each.get("high")} - {None, *policy.attributes[each["name"]].get("range", ())}
        values = each.get("values") or ()
        if document["family"] == "rules" and [*values] == ["no", "yes"]:
            items = [item for rule in document["rules"] for item in (*rule["if"], *rule["then"])]
            values = [value for value in values if {each["name"]: value} in items]
        printed |= {(each["name"], value) for value in [*values, *ends]}
    if "class" in document:
        printed |= {(document["class"]["name"], value) for value in document["class"]["values"]}
    nodes = [node for tree in document.get("trees", [document]) for node in tree.get("nodes", [])]
    tests = [node["test"] for node in nodes if "test" in node]
    cuts = {(test["attribute"], cut) for test in tests for cut in test.get("thresholds") or ()}

    def is_rare(name: str, has: Any, enough: int) -> bool:
        having = {s for value, s in zip(table.columns[name], table.subjects) if has(value)}
        return 0 < len(having) < enough

    def is_rare_cut(name: str, cut: float) -> bool:
        sides = [lambda v: v is not None and v <= cut, lambda v: v is not None and v > cut]
        return is_rare(name, lambda v: v == cut, required) or any(is_rare(name, has, beside) for has in sides)

    names = {(n, v) for n, v in printed if n in policy.private and v not in policy.attributes[n]["values"]}
    count = sum(is_rare(name, lambda cell, value=value: cell == value, required) for name, value in names)
    return count + sum(is_rare_cut(name, cut) for name, cut in cuts if name in policy.private)


def rare_in_table(release: Release, policy: Policy) -> int:
    """The same for the private cells of a table."""
    required = max(policy.guarantee.get("k", 1), policy.guarantee.get("smallest-bin", 1))
    count = 0
    for name, cells in release.cells.items():
        holders: dict[Value, set[Hashable]] = defaultdict(set)
        for cell, subject in zip(cells, release.subjects):
            holders[cell].add(subject)
        count += sum(len(own) < required and not is_harmless(name, cell, policy) for cell, own in holders.items())
    return count


def is_harmless(name: str, cell: Value, policy: Policy) -> bool:
    """Whether a cell says nothing, or only what the policy does: declared values, numbers of a range, sets of them."""
    keys = policy.attributes[name]
    bounds = keys.get("range")
    if cell in ("*", "?", "", None):
        return True

    def says_no_more(part: Value) -> bool:
        at = part if isinstance(part, float) else number(str(part))
        return part in keys["values"] or bool(bounds and at is not None and bounds[0] <= at <= bounds[1])

    if says_no_more(cell) or (bounds and isinstance(cell, str) and interval(cell.removesuffix("or ?").rstrip())):
        return True
    parts = cell[1:-1].split(",") if isinstance(cell, str) and len(cell) > 1 and cell[0] + cell[-1] == "{}" else []
    return bool(parts) and all(p.strip() in ("*", "?", "other values") or says_no_more(p.strip()) for p in parts)
