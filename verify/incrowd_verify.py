#!/usr/bin/env python3
"""A second opinion on a release: does it keep the guarantee of its policy? Shares nothing with incrowd.

Exit status: 0 the guarantee holds, 1 it does not, 2 it cannot be judged. See verify/README.md.
"""

import argparse
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Hashable
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from inputs import PUBLIC, Policy, Refusal, refuse  # noqa: E402
from models import load  # noqa: E402
from spans import Release  # noqa: E402

# When requirements on private values fail; shares are rounded once, as they are reported.
FAILS = {
    "distinct-l": lambda m, least: m["distinct_l"] < least,
    "entropy-l": lambda m, least: math.log(m["entropy_l"]) < math.log(least) - 1e-12,
    "recursive": lambda m, cl: m["counts"][0] >= Fraction(cl["c"]) * sum(m["counts"][cl["l"] - 1 :]),
    "confidence": lambda m, most: float(m["max_confidence"]) > most,
    "t-closeness": lambda m, most: float(m["t"]) > most,
    "alpha": lambda m, most: float(m["alpha"]) > most,
    "beta": lambda m, most: float(m["beta"]) > most,
}


def measure(here: Counter[int], whole: list[int], size: int) -> dict[str, Any]:
    """The measures of docs/measures.md: counts by rank of the value, in the span and in the whole table."""
    total, everyone, counts = sum(here.values()), sum(whole), sorted(here.values(), reverse=True)
    entropy = math.exp(-math.fsum(count / total * math.log(count / total) for count in counts))
    excess = [here[rank] * everyone - count * total for rank, count in enumerate(whole)]
    return {
        "counts": counts,
        "distinct_l": len(counts),
        "entropy_l": float(len(counts)) if len(set(counts)) == 1 else entropy,
        "max_confidence": Fraction(counts[0], size),
        "alpha": Fraction(counts[0], total),
        "t_equal": Fraction(sum(map(abs, excess)), 2 * total * everyone),
        "t_ordered": Fraction(sum(map(abs, accumulate(excess))), total * everyone * max(1, len(whole) - 1)),
        "beta": max(Fraction(excess[rank], whole[rank] * total) for rank in here),
    }


def measures_of(release: Release, name: str, declared: list[str]) -> list[tuple[Hashable, dict[str, Any]]]:
    """The measures of an attribute, for each part of a span that reveals something about it."""
    own, owners, found = release.cells[name], defaultdict(set), []
    for cell, subject in zip(own, release.subjects):
        owners[cell].add(subject)
    # Numbers are ranked by size, names as they are declared or occur, missing values last.
    order = {value: at for at, value in enumerate(dict.fromkeys([*declared, *own]))}
    ascending = sorted(owners, key=lambda cell: (cell is None, order[cell] if isinstance(cell, str) else cell or 0))
    for rows in release.parts.values():
        classes, joined = release.sights[rows[0]].classes(name), defaultdict(list)
        if not release.tells(name, classes):
            continue
        # Values that the span does not distinguish count as one; impossible ones are values of their own.
        for cell in ascending:
            joined[classes.get(cell, (cell,))].append(cell)
        rank = {cell: at for at, cells in enumerate(joined.values()) for cell in cells}
        here = Counter(at for at, _ in {(rank[own[row]], release.subjects[row]) for row in rows})
        whole = [release.count([owners[cell] for cell in cells]) for cells in joined.values()]
        found.append((release.sights[rows[0]].span, measure(here, whole, release.people(rows))))
    return found


def sizes_of(release: Release, strict: bool) -> dict[Hashable, int]:
    """The individuals of each span or, if strict, the fewest with the same spans over all rows (Theorem 5)."""
    spans: dict[Hashable, list[Hashable]] = {subject: [] for subject in release.subjects}
    for sight, subject in zip(release.sights, release.subjects):
        spans[subject].append(sight.span)
    crowds = {subject: frozenset(Counter(own).items()) for subject, own in spans.items()}
    sizes, alike = Counter(crowds.values()), lambda row: sizes[crowds[release.subjects[row]]]
    return {span: min(map(alike, rows)) if strict else release.people(rows) for span, rows in release.spans.items()}


def scope_of(release: Release, policy: Policy) -> set[str]:
    """The private attributes that requirements on values apply to (docs/guarantees.md, "Which attributes")."""
    of, told = policy.guarantee.get("of", "class"), release.told
    listed, public = {*of} if isinstance(of, list) else set(), policy.classed in policy.of_role(*PUBLIC)
    refuse(listed - policy.private, "`of` names an attribute that is not private, or follows from public ones")
    refuse(of == "class" and public, "the requirements would look at a public class and nothing else")
    scope = listed or told - {*policy.guarantee.get("except", [])}
    scope = {policy.classed} if of == "class" and policy.classed in told and release.family != "rules" else scope
    refuse(scope & release.absent, "a requirement looks at an attribute that the table does not contain but reveals")
    return scope if release.family != "clusters" else {"cluster"} if scope & told else set()


def judge(release: Release, policy: Policy, every: bool = False) -> dict[str, Any]:
    """Which requirements fail in which spans; measures of attributes in scope, or of every attribute."""
    guarantee, individuals = policy.guarantee, len(set(release.subjects))
    asked = [key for key in FAILS if key in guarantee]
    scope = scope_of(release, policy) if asked else set()
    sizes, exempt = sizes_of(release, guarantee.get("several-rows") == "strict"), set()
    if guarantee.get("single-bin") == "exempt":
        exempt = {sight.span for sight in release.sights if sight.single}
    counted = {span: size for span, size in sizes.items() if span not in exempt}
    broken: dict[str, set[Hashable]] = {key: set() for key in asked}
    broken |= {"k": {span for span, size in counted.items() if size < guarantee["k"]}} if "k" in guarantee else {}
    figures = {}
    for name in release.cells if every else scope & release.cells.keys():
        found = measures_of(release, name, policy.attributes.get(name, {}).get("values", []))
        figures[name] = [measures for _, measures in found]
        distance = "t_ordered" if guarantee.get("t-distance") == "ordered" and name in release.ranked else "t_equal"
        for key in asked if name in scope else ():
            broken[key] |= {span for span, m in found if FAILS[key](m | {"t": m[distance]}, guarantee[key])}
    breached = set().union(*broken.values())
    return {
        "holds": not breached and not release.naming,
        "individuals": individuals,
        "k": min(counted.values(), default=individuals),
        "spans": len(sizes),
        "asked": {key: len(some) for key, some in broken.items()},
        "breaches": len(breached),
        "in_breach": release.people(row for span in breached for row in release.spans[span]),
        "attributes": figures,
    }


def verify(path: Path, data: Path | None, policy: Path) -> dict[str, Any]:
    """Judges a release file, or a table."""
    try:
        read = Policy(policy)
        refuse("smallest-bin" in read.guarantee, "a smallest bin is not judged")
        return judge(load(path, data, read, set()), read)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OSError) as error:
        raise Refusal(f"a file cannot be read, or is of a kind that is not judged: {type(error).__name__}") from error


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--policy", type=Path, required=True)
    given = parser.parse_args()
    try:
        report = verify(given.release, given.data, given.policy)
    except Refusal as refusal:
        print(f"cannot be judged: {refusal}", file=sys.stderr)
        return 2
    print("the guarantee holds" if report["holds"] else "BREACH: the guarantee does not hold")
    print("".join(f"  {key}: {report[key]}\n" for key in ("individuals", "k", "spans", "asked")), end="")
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
