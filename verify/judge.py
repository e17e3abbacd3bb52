"""Whether a guarantee holds: measures per span, exposure by Theorem 3, derivable cells by flows."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

Bin = Hashable
VALUE_KEYS = ("distinct-l", "entropy-l", "recursive", "confidence", "t-closeness", "alpha", "beta")


@dataclass
class Span:
    """A set of bins, the rows that share it, and what each bin allows, by profile (several only with relations)."""

    bins: list[Bin]
    rows: list[int] = field(default_factory=list)
    profiles: dict[int, dict[Bin, dict[str, frozenset]]] = field(default_factory=dict)
    classes: dict[str, dict[Any, int]] = field(default_factory=dict)

    def partition(self, name: str, order: dict[Any, int]) -> dict[Any, int]:
        """The values of an attribute that the span tells apart: cells are alike if the same bins allow them."""
        if name not in self.classes:
            signs: dict[Any, list[tuple[int, int]]] = defaultdict(list)
            for number, profile in self.profiles.items():
                for at, bin_ in enumerate(self.bins):
                    for cell in profile[bin_].get(name, ()):
                        signs[cell].append((number, at))
            numbers: dict[Any, int] = {}
            ordered = sorted(signs, key=lambda cell: order.get(cell, len(order)))
            self.classes[name] = {cell: numbers.setdefault(tuple(signs[cell]), len(numbers)) for cell in ordered}
        return self.classes[name]


@dataclass
class Release:
    """What is judged: spans; for each row its bin, cells, profile and individual; the private attributes told of."""

    spans: list[Span]
    bins: list[Bin]
    cells: list[dict[str, Any]]
    profiles: list[int]
    subjects: list[Hashable]
    several: bool
    orders: dict[str, dict[Any, int]]
    ranked: set[str]
    overlapping: bool = False  # whether individuals of many bins are counted together, as supports of rules do
    tied: bool = False  # whether relations restrict what is possible
    unseen: Any = ()  # stands for possible values that no cell of a table has
    sets: dict[str, Any] = field(default_factory=dict)  # private columns of a table whose cells are not all values
    stated: set[str] = field(default_factory=set)  # what a model contains, if more than one value of it is possible

    def tells(self, name: str, possible: set[int], classes: dict[Any, int]) -> bool:
        """Whether one value left is an inference: another was possible, or the model states the only one."""
        return len(possible) > 1 or (name in self.stated and len(possible) == len(classes) == 1)

    def people(self, rows: Any) -> int:
        return len({self.subjects[row] for row in rows})

    def parts(self, span: Span) -> list[Span]:
        """People of a span for whom every bin leaves the same values; without relations those are all of them."""
        alike: dict[Any, list[int]] = defaultdict(list)
        for number, profile in span.profiles.items() if self.tied else ():
            alike[frozenset((bin_, *sorted(some.items(), key=repr)) for bin_, some in profile.items())].append(number)
        if len(alike) < 2:
            return [span]
        return [
            Span(span.bins, [row for row in span.rows if self.profiles[row] in some], {some[0]: span.profiles[some[0]]})
            for some in alike.values()
        ]

    def homes(self) -> list[int]:
        """The span of each row."""
        home = {row: at for at, span in enumerate(self.spans) for row in span.rows}
        return [home[row] for row in range(len(self.bins))]


def measure(counts: list[int], whole: list[int], size: int) -> dict[str, Any]:
    """The measures of docs/measures.md: counts by value in their order, in the span and in the whole table."""
    total, everyone = sum(counts), sum(whole)
    shares = [(Fraction(count, total), Fraction(usual, everyone)) for count, usual in zip(counts, whole)]
    some = sorted(filter(None, counts), reverse=True)
    entropy = math.exp(-math.fsum(count / total * math.log(count / total) for count in some))
    running = far = Fraction(0)
    for p, q in shares:  # values that no individual has take no rank
        running += p - q
        far += abs(running) if q else 0
    return {
        "distinct_l": len(some),
        "entropy_l": float(len(some)) if len(set(some)) == 1 else entropy,
        "counts": some,
        "max_confidence": Fraction(some[0], size),
        "alpha": Fraction(some[0], total),
        "t_equal": sum((abs(p - q) for p, q in shares), Fraction(0)) / 2,
        "t_ordered": far / max(1, sum(1 for usual in whole if usual) - 1),
        "beta": max((p - q) / q for p, q in shares if q),
    }


def measures_of(release: Release, span: Span, name: str, whole: dict[Any, set]) -> dict[str, Any] | None:
    """The measures of an attribute in a span; none where the span tells nothing of it apart."""
    if name in release.sets:
        return measures_of_sets(release, span, name, whole)
    classes = dict(span.partition(name, release.orders[name]))
    if len(classes) > 2:  # what no cell has is not counted
        classes.pop(release.unseen, None)
    if not release.tells(name, set(classes.values()), classes):
        return None
    outside = [cell for cell in whole if cell not in classes]  # impossible for the span, and each a value of its own
    classes |= {cell: -1 - at for at, cell in enumerate(outside)}
    order = release.orders[name]
    # Only cells that occur have a rank.
    ranks = dict.fromkeys(
        classes[cell] for cell in sorted(classes, key=lambda cell: (cell not in whole, order.get(cell, len(order))))
    )
    classes = {cell: list(ranks).index(at) for cell, at in classes.items()}
    number = len(ranks)
    here: list[set] = [set() for _ in range(number)]
    overall: list[set] = [set() for _ in range(number)]
    for row in span.rows:
        here[classes[release.cells[row][name]]].add(release.subjects[row])
    for cell, owners in whole.items():
        overall[classes[cell]] |= owners
    return measure([len(owners) for owners in here], [len(owners) for owners in overall], release.people(span.rows))


def measures_of_sets(release: Release, span: Span, name: str, whole: dict[Any, set]) -> dict[str, Any]:
    """The same where cells are sets of values: those of the span that overlap, step by step, count as one value."""
    sets = release.sets[name]
    classes = sets.classes(release.cells[row][name] for row in span.rows)
    overlap, size = sets.overlap(), release.people(span.rows)
    if not overlap:
        order = {values: at for at, values in enumerate(dict.fromkeys(sets.of_cell.values()))}
        classes = {cell: order[values] for cell, values in sets.of_cell.items()}
    here: dict[int, set] = defaultdict(set)
    overall: dict[int, set] = defaultdict(set)
    for row in span.rows:
        here[classes[release.cells[row][name]]].add(release.subjects[row])
    for cell, owners in whole.items():
        overall[classes.get(cell, -1)] |= owners
    keys = sorted(overall)
    found = measure([len(here[key]) for key in keys], [len(overall[key]) for key in keys], size)
    if overlap:
        # What the span has the whole has: a share there is at least this part of the one here.
        outside = len(release.bins) - size
        found |= {"t_equal": Fraction(outside, len(release.bins)), "beta": Fraction(outside, size)}
        found["t_ordered"] = found["t_equal"]
    return found


def violated(key: str, bound: Any, m: dict[str, Any], ordered: bool) -> bool:
    """Whether a requirement on private values fails; shares are rounded once, as they are reported."""
    if key == "distinct-l":
        return m["distinct_l"] < bound
    if key == "entropy-l":
        return math.log(m["entropy_l"]) < math.log(bound) - 1e-12
    if key == "recursive":
        return not m["counts"][0] < Fraction(bound["c"]) * sum(m["counts"][bound["l"] - 1 :])
    name = {"confidence": "max_confidence", "t-closeness": "t_ordered" if ordered else "t_equal"}.get(key, key)
    return float(m[name]) > bound


def judge(
    release: Release, guarantee: dict[str, Any], scope: set[str], supports: list[int | None] | None = None
) -> dict[str, Any]:
    """The report: figures by the names the program uses. `supports` are, for rules, the smallest cells of individuals."""
    spans, everyone = release.spans, release.people(range(len(release.bins)))
    crowd = crowds(release)
    sizes = [release.people(span.rows) for span in spans]
    if guarantee.get("several-rows") == "strict":
        sizes = [min(len(crowd[release.subjects[row]]) for row in span.rows) for span in spans]
    exempt = guarantee.get("single-bin") == "exempt"
    counted = [at for at, span in enumerate(spans) if not (exempt and len(span.bins) == 1)]
    broken: dict[str, set[int]] = {key: set() for key in VALUE_KEYS if key in guarantee}
    if "k" in guarantee:
        broken["k"] = {at for at in counted if sizes[at] < guarantee["k"]}
    figures: dict[str, list[dict[str, Any]]] = {}
    for name in release.orders:
        whole: dict[Any, set] = defaultdict(set)
        for row, cells in enumerate(release.cells):
            whole[cells[name]].add(release.subjects[row])
        parts = [(at, part) for at, span in enumerate(spans) for part in release.parts(span)]
        found = [(at, m) for at, part in parts if (m := measures_of(release, part, name, whole))]
        ordered = guarantee.get("t-distance") == "ordered" and name in release.ranked
        for key in VALUE_KEYS if name in scope else ():
            broken.get(key, set()).update(
                at for at, m in found if key in guarantee and violated(key, guarantee[key], m, ordered)
            )
        figures[name] = [m for _, m in found]
    population: dict[Bin, set] = defaultdict(set)
    for bin_, subject in zip(release.bins, release.subjects):
        population[bin_].add(subject)
    least = guarantee.get("smallest-bin", 1)
    hidden = derivable(release, least)
    small = [bin_ for bin_, owners in population.items() if len(owners) < least]
    smallest = min([*map(len, population.values()), *(most for _, most in hidden)])
    if supports is not None:
        some = [cell for cell in supports if cell is not None]
        hidden, small, smallest = [], some, min(some, default=None)
    breached = set().union(*broken.values())
    return {
        "holds": not (breached or small or hidden),
        "individuals": everyone,
        "k": min((sizes[at] for at in counted), default=everyone),
        "spans": len(spans),
        "asked": {key: len(some) for key, some in broken.items()},
        "breaches": len(breached),
        "in_breach": release.people(row for at in breached for row in spans[at].rows),
        "smallest_bin": smallest,
        "small_bins": len(small),
        "derivable": len(hidden),
        "attributes": figures,
        "ranked": sorted(release.ranked),
        **(exposure_of_persons(release) if release.several else exposure(release)),
    }


def crowds(release: Release) -> dict[Hashable, frozenset]:
    """For each individual those who have the same multiset of spans over their rows."""
    spans: dict[Hashable, list[int]] = defaultdict(list)
    for home, subject in zip(release.homes(), release.subjects):
        spans[subject].append(home)
    same: dict[tuple[int, ...], list[Hashable]] = defaultdict(list)
    for subject, homes in spans.items():
        same[tuple(sorted(homes))].append(subject)
    return {subject: group for group in map(frozenset, same.values()) for subject in group}


def open_bins(release: Release) -> list[set[Bin]]:
    """Theorem 3: the bins that some world gives someone of a span, by which spans lead to which in its graph."""
    holders: dict[Bin, int] = defaultdict(int)  # spans with someone in the bin, as bits
    for home, bin_ in set(zip(release.homes(), release.bins)):
        holders[bin_] |= 1 << home
    sources = [1 << at for at in range(len(release.spans))]  # spans that lead to this one
    for at, span in enumerate(release.spans):
        for end in bits({holders[bin_] for bin_ in span.bins}):
            sources[end] |= 1 << at
    linked = [at for at, some in enumerate(sources) if some != 1 << at]
    for via in linked:
        for end in linked:
            if sources[end] >> via & 1:
                sources[end] |= sources[via]
    return [{bin_ for bin_ in span.bins if holders[bin_] & some} for span, some in zip(release.spans, sources)]


def bits(masks: set[int]) -> list[int]:
    """The places of all bits that are set in some mask."""
    joined = 0
    for mask in masks:
        joined |= mask
    return [at for at in range(joined.bit_length()) if joined >> at & 1]


def exposure(release: Release) -> dict[str, Any]:
    """Who is exposed (one value is left) and for whom a value is excluded, per attribute."""
    exposed: dict[str, set[int]] = {name: set() for name in release.orders}
    excluded: dict[str, set[int]] = {name: set() for name in release.orders}
    parts = [(part, some) for span, some in zip(release.spans, open_bins(release)) for part in release.parts(span)]
    for part, opened in parts:
        profile = next(iter(part.profiles.values()))
        for name in release.orders:
            classes = part.partition(name, release.orders[name])
            before, after = (
                {classes[cell] for bin_ in bins for cell in profile[bin_].get(name, ())} for bins in (part.bins, opened)
            )
            excluded[name].update(part.rows if after < before else ())
            exposed[name].update(part.rows if len(after) == 1 and release.tells(name, before, classes) else ())
    return certain(exposed, excluded)


def certain(exposed: dict[str, set], excluded: dict[str, set]) -> dict[str, Any]:
    """How many are exposed, and for how many a value is excluded: of any attribute, and of each."""
    figures: dict[str, Any] = {}
    for key, of_name in (("exposed", exposed), ("excluded", excluded)):
        figures[key] = len(set().union(*of_name.values()))
        figures[f"{key}_to"] = {name: len(some) for name, some in of_name.items()}
    return figures


def regions(release: Release) -> list[int]:
    """For each row the number of its region: spans with rows in one bin are in one region, step by step."""
    homes = release.homes()
    region = list(range(len(release.spans)))
    if release.overlapping:
        return [0] * len(homes)
    first: dict[Bin, int] = {}
    for home, bin_ in zip(homes, release.bins):
        old, new = region[home], region[first.setdefault(bin_, home)]
        region = [new if one == old else one for one in region]
    return [region[home] for home in homes]


def exposure_of_persons(release: Release) -> dict[str, Any]:
    """An upper bound where individuals have several rows: their rows within a region are exchanged with those of others
    who have equal parts of spans there."""
    region = regions(release)
    parts = [part for span in release.spans for part in release.parts(span)]
    units = list(zip(release.subjects, region))
    divided = replace(release, spans=parts, subjects=units)
    crowd, homes = crowds(divided), divided.homes()
    exposed: dict[str, set[Hashable]] = {}
    excluded: dict[str, set[Hashable]] = {}
    for name in release.orders:
        seen: dict[tuple[frozenset, int], set] = defaultdict(set)  # what the rows of a crowd in a span can have
        was: dict[tuple[frozenset, int], set] = {}
        left: dict[Hashable, list[frozenset]] = defaultdict(list)  # what the bin of each row leaves
        values: dict[Hashable, set[frozenset]] = defaultdict(set)  # values as the spans of someone's rows tell them
        for row, (home, unit) in enumerate(zip(homes, units)):
            span = parts[home]
            classes = span.partition(name, release.orders[name])
            profile = next(iter(span.profiles.values()))
            before = {classes[cell] for bin_ in span.bins for cell in profile[bin_].get(name, ())}
            key = crowd[unit], home
            was[key] = before
            seen[key] |= {classes[cell] for cell in profile[release.bins[row]].get(name, ())}
            if release.tells(name, before, classes):
                left[unit].append(frozenset(profile[release.bins[row]].get(name, ())))
                values[unit[0]] |= {frozenset(c for c in classes if classes[c] == at) for at in before}
        exposed[name] = {
            one[0]
            for one, group in crowd.items()
            if any(all(any(some <= value for some in left[other]) for other in group) for value in values[one[0]])
        }
        excluded[name] = {one[0] for key, before in was.items() if seen[key] < before for one in key[0]}
    return certain(exposed, excluded)


def derivable(release: Release, n: int) -> list[tuple[tuple[int, Bin], int]]:
    """Cells (span, bin) that hold 1 to n - 1 individuals in every world: no flow empties them or fills them up.

    With each comes the most individuals it has in a world.
    """
    if n < 2:
        return []
    rows = Counter(release.subjects)
    pairs = list(zip(release.homes(), release.bins))
    # Individuals with several rows stay where they are, and only the others are moved.
    true = Counter(pair for pair, subject in zip(pairs, release.subjects) if rows[subject] == 1)
    reach = [set(span.bins) for span in release.spans]
    found = []
    for pair in dict.fromkeys(pairs):
        count = len(holders(release, *pair))
        stays = count - true[pair]
        empties = not stays and shift(true, reach, pair, -count)
        if count < n and not empties and not shift(true, reach, pair, n - count):
            more = max(change for change in range(n - count) if change == 0 or shift(true, reach, pair, change))
            found.append((pair, count + more))
    return found


def holders(release: Release, home: int, bin_: Bin) -> set[Hashable]:
    """The individuals of a span who are in a bin."""
    rows = release.spans[home].rows
    return {release.subjects[row] for row in rows if release.bins[row] == bin_}


def shift(true: dict[tuple[int, Bin], int], reach: list[set[Bin]], pair: tuple[int, Bin], change: int) -> bool:
    """Whether a cell can change by so much: a flow through the other cells, one augmenting path at a time."""
    flow = dict(true)
    start, end = ((0, pair[0]), (1, pair[1])) if change < 0 else ((1, pair[1]), (0, pair[0]))
    for _ in range(abs(change)):
        before: dict[Any, Any] = {start: start}
        queue: list[Any] = [start]
        for side, at in queue:
            if side == 0:
                ends = [(1, other) for other in reach[at] if (at, other) != pair]
            else:
                ends = [(0, other) for other in range(len(reach)) if flow.get((other, at)) and (other, at) != pair]
            for after in ends:
                if after not in before:
                    before[after] = (side, at)
                    queue.append(after)
        if end not in before:
            return False
        node = end
        while node != start:
            previous = before[node]
            cell, by = ((previous[1], node[1]), 1) if previous[0] == 0 else ((node[1], previous[1]), -1)
            flow[cell] = flow.get(cell, 0) + by
            node = previous
    return True
