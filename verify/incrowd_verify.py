#!/usr/bin/env python3
"""A second opinion on a release: does it keep the guarantee of its policy? Shares nothing with incrowd.

    python3 verify/incrowd_verify.py RELEASE --data TABLE.csv --policy POLICY.toml [--json]

Exit status: 0 the guarantee holds, 1 it does not, 2 it cannot be judged. See verify/README.md.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from inputs import Policy, Refusal, Table, cells_in_days, cells_of, day, in_days, number, read_policy, read_table  # noqa: E402
from judge import VALUE_KEYS, Release, Span, judge  # noqa: E402
from models import Clusters, Rules, Tree  # noqa: E402
from possible import OTHER, Cells, Possible  # noqa: E402
from sets import OTHERS, Sets, interval, read_sets  # noqa: E402
from supports import Supports  # noqa: E402

FAMILIES: dict[str, Any] = {"tree": Tree, "rules": Rules, "clusters": Clusters}


def spans_of(model: Any) -> Release:
    """Everyone's span by the definition, and where everyone is."""
    table = model.table
    numbers: dict[Any, int] = {}
    spans: dict[frozenset, Span] = {}
    homes: list[Span] = []
    release = Release([], [], [], [], table.subjects, table.several, {}, set())
    for row in range(len(table.subjects)):
        at = numbers.setdefault(context := model.context(row), len(numbers))
        if at == len(homes):
            profile = model.profile(context)
            homes.append(spans.setdefault(frozenset(profile), Span(sorted(profile, key=repr))))
            homes[at].profiles[at] = profile
        homes[at].rows.append(row)
        bin_, own = model.own(row)
        if bin_ not in homes[at].profiles[at]:
            raise Refusal("a row is in a bin that is not in its span: the release and the table contradict each other")
        release.bins.append(bin_)
        release.cells.append(own)
        release.profiles.append(at)
    release.spans, release.tied = list(spans.values()), any(used for _, used in model.possible.parts)
    return release


def verify_model(document: dict[str, Any], policy: Policy, model: Any) -> dict[str, Any]:
    """The judgement of a model: its spans, and what follows from them."""
    release, table, guarantee = spans_of(model), model.table, dict(policy.guarantee)
    release.overlapping = isinstance(model, Rules)
    told = set(policy.private).intersection({*getattr(model, "names", ()), *model.possible.cells})
    absent = getattr(model, "absent", set())
    scope = scope_of(policy, told | absent, isinstance(model, Rules))
    if scope & absent and any(key in guarantee for key in VALUE_KEYS):
        raise Refusal("a requirement looks at an attribute that the table does not contain but reveals")
    if isinstance(model, Clusters):
        scope = {"cluster"} if scope & told else set()
        release.orders["cluster"] = {at: at for at in range(len(document["centroids"]))}
    else:
        release.orders = {n: order_of(n, cells.values, policy, table) for n, cells in model.possible.cells.items()}
        release.ranked = {name for name in release.orders if table.kinds[name] in ("numeric", "ordered", "date")}
        release.stated = getattr(model, "stated", set())
    if isinstance(model, Released):
        for span in release.spans:
            span.classes = {n: {value: at for at, value in enumerate(model.possible.cells[n].values)} for n in told}
        release.sets, release.unseen = model.sets, OTHER
        open_keys = {"t-closeness", "beta"} | ({"entropy-l"} if table.several else set())
        if open_keys & guarantee.keys() and any(sets.overlap() for n, sets in model.sets.items() if n in scope):
            raise Refusal("private cells overlap, which leaves a requirement open")
        guarantee.pop("smallest-bin", None)
    check_populations(document, model, release)
    cells = None
    if isinstance(model, Rules):
        least = guarantee.pop("smallest-bin", 1)
        if least > 1 and release.several:
            raise Refusal("a smallest bin of rules where individuals have several rows")
        cells = Supports(model, policy.known).smallest(least) if least > 1 else []
    report = judge(release, guarantee, scope - absent, cells)
    for key in ("exposed", "excluded") if absent else ():  # nobody knows of whom
        report[key] = len(set(release.subjects))
        report[f"{key}_to"] |= dict.fromkeys(absent, report[key])
    report["rare_values"] = rare_values(document, policy, model)
    report["holds"] &= not (report["rare_values"] and "smallest-bin" in policy.guarantee)
    return report


def rare_values(document: dict[str, Any], policy: Policy, model: Any) -> int:
    """The private values in print that someone has, fewer than k and the smallest bin ask for, and that are not declared."""
    required = max(policy.guarantee.get("k", 1), policy.guarantee.get("smallest-bin", 1))
    columns = model.table.columns
    if isinstance(model, Released):
        columns = {name: [row[at] for row in model.rows] for name, at in model.private.items()}
    printed: set[tuple[str, Any]] = set()
    cuts: set[tuple[str, float]] = set()
    if isinstance(model, Released):
        cells = {(name, cell) for name, column in columns.items() for cell in column if cell}
        printed = {(name, cell) for name, cell in cells if not is_harmless(name, cell, policy)}
    for each in document.get("attributes", document.get("axes", [])) if not isinstance(model, Released) else ():
        ends = {each.get("low"), each.get("high")} - {None, *policy.attributes[each["name"]].get("range", ())}
        values = each.get("values") or ()
        if isinstance(model, Rules) and [*values] == ["no", "yes"]:
            named = {value for sides in model.sides for items in sides for name, value in items if name == each["name"]}
            values = [value for value in values if value in named]
        printed |= {(each["name"], value) for value in [*values, *ends]}
    if "class" in document:
        printed |= {(document["class"]["name"], value) for value in document["class"]["values"]}
    for test in (node["test"] for node in document.get("nodes", []) if "test" in node):
        cuts |= {(test["attribute"], cut) for cut in test.get("thresholds") or ()}

    def is_rare(name: str, has: Any) -> bool:
        having = {s for value, s in zip(columns[name], model.table.subjects) if has(value)}
        return 0 < len(having) < required

    def is_rare_cut(name: str, cut: float) -> bool:
        numbers = [lambda v: v == cut, lambda v: v is not None and v <= cut, lambda v: v is not None and v > cut]
        return any(is_rare(name, has) for has in numbers)

    count = sum(
        is_rare(name, lambda cell, value=value: cell == value)
        for name, value in printed
        if name in policy.private and not is_declared(name, value, policy)
    )
    return count + sum(is_rare_cut(name, cut) for name, cut in cuts if name in policy.private)


def is_declared(name: str, value: Any, policy: Policy) -> bool:
    """Whether the policy itself prints a value."""
    attribute = policy.attributes[name]
    return value in attribute.get("values", ()) or value in attribute.get("order", ())


def is_harmless(name: str, cell: str, policy: Policy) -> bool:
    """Whether a cell of a table says nothing, or only what the policy does: declared values, numbers of a declared range, and sets of them."""
    if cell in ("*", "?", ""):
        return True
    bounds = policy.attributes[name].get("range")

    def says_no_more(part: str) -> bool:
        at = number(part)
        return is_declared(name, part, policy) or bool(bounds and at is not None and bounds[0] <= at <= bounds[1])

    if says_no_more(cell) or (bounds and interval(cell.removesuffix("or ?").rstrip()) is not None):
        return True
    parts = (
        [part.strip() for part in cell[1:-1].split(",")] if len(cell) > 1 and cell[0] == "{" and cell[-1] == "}" else []
    )
    return bool(parts) and all(p in ("*", "?", "other values") or says_no_more(p) for p in parts)


def order_of(name: str, values: list[Any], policy: Policy, table: Table) -> dict[Any, int]:
    """The order of an attribute's cells: numbers ascending, declared orders, missing values last."""
    if table.kinds[name] == "numeric" and not any(isinstance(value, str) for value in values):
        values = sorted(value for value in values if value is not None)
    elif table.kinds[name] == "date":
        first = policy.attributes[name].get("dates")
        values = sorted((v for v in values if v is not None), key=lambda v: math.inf if v == OTHER else day(v, first))
    elif declared := policy.attributes[name].get("values"):
        # Values that are not told apart have the rank of the first of them that occurs.
        ranked = [value for value in declared if value in values or value in table.columns.get(name, declared)]
        values = [value if value in values else OTHER for value in ranked] + [v for v in values if v not in declared]
    return {value: at for at, value in reversed([*enumerate(values)])} | {None: len(values)}


def scope_of(policy: Policy, told: set[str], rules: bool) -> set[str]:
    """Whose values the requirements look at: of the private attributes that the release tells of."""
    of = policy.guarantee.get("of", "class")
    asked = any(key in policy.guarantee for key in VALUE_KEYS)
    if isinstance(of, list) and not set(of) <= set(policy.private):
        raise Refusal("`of` names an attribute that is not private, or follows from public ones")
    if asked and of == "class" and policy.classed is not None and policy.role(policy.classed) == "public":
        raise Refusal("the requirements would look at a public class and nothing else")
    if of == "class" and policy.classed in told and not rules:
        return {policy.classed}
    return set(of) if isinstance(of, list) else told


def check_populations(document: dict[str, Any], model: Any, release: Release) -> None:
    """What the release states about populations must be the table's."""
    people: dict[Any, set] = {}
    for bin_, subject in zip(release.bins, release.subjects):
        people.setdefault(bin_, set()).add(subject)
    wrong = document.get("individuals") not in (None, len(set(release.subjects)))
    for at, node in enumerate(document.get("nodes", [])):
        leaf, true = node.get("leaf", {}), [len(people.get((at, value), ())) for value in model.values]
        wrong |= leaf.get("counts") not in (None, true)
        if leaf.get("shares") is not None and sum(true):
            if document["digits"] not in range(1, 10):
                raise Refusal("`digits` is not a number from 1 to 9")
            unit = 10 ** document["digits"]
            rounded = [(2 * count * unit + sum(true)) // (2 * sum(true)) for count in true]
            wrong |= [round(share * unit) for share in leaf["shares"]] != rounded
    if "nodes" in document:
        wrong |= any(value not in model.values for _, value in people)
    for at, centroid in enumerate(document.get("centroids", [])):
        wrong |= centroid.get("population") not in (None, len(people.get(at, ())))
    for rule, (left, right) in zip(document.get("rules", []), getattr(model, "sides", [])):
        for key, items in (("antecedent", left), ("both", [*left, *right])):
            columns = [(model.table.columns[name], value) for name, value in items]
            having = {s for row, s in enumerate(release.subjects) if all(c[row] == value for c, value in columns)}
            wrong |= rule.get(key) not in (None, len(having))
    if wrong:
        raise Refusal("the release states populations that are not the table's")


def stated_kinds(path: Path) -> dict[str, str]:
    """What the cells of private columns are, where a release file beside the table states it: a generalized number is a text."""
    try:
        document = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    stated = isinstance(document, dict) and document.get("file") == path.name
    return document.get("kinds", {}) if stated else {}


def is_more(keys: dict[str, Any], numbers: list[float | None]) -> bool:
    """Whether the declared range has numbers that do not occur."""
    if "range" not in keys:
        return False
    low, high = keys["range"]
    if keys.get("whole"):
        return math.floor(high) - math.ceil(low) + 1 > len({x for x in numbers if x is not None})
    return low < high or low not in numbers


def tied_known(policy: Policy, names: set[str]) -> set[str]:
    """The known attributes that dependencies tie to private ones, directly or through others."""
    relations = [{*source, to} for source, to in policy.dependencies if not policy.known.issuperset((*source, to))]
    while more := set().union(*(each - policy.known for each in relations if each & names)) - names:
        names = names | more
    return set().union(*(each & policy.known for each in relations if each & names))


def is_hidden(cell: str, keys: dict[str, Any]) -> bool:
    """Whether a public cell may say less than a value: in the notation of docs/tables.md, or in another one."""
    if cell in keys.get("values", ()):
        return False
    if cell in ("*", OTHERS, "any number") or cell[:1] in ("{", "[", "(", "<", ">") or cell.endswith(" or ?"):
        return True
    dated = any(re.fullmatch(form, cell) for form in DATES)
    if keys.get("kind") == "numeric":
        return cell != "" and number(cell) is None
    if keys.get("kind") == "date":
        return cell != "" and not dated
    if "values" in keys:
        return cell != ""
    return "kind" not in keys and number(cell) is None and not dated and cell[:1] in tuple("0123456789+-.,~≤≥")


def tied_private(policy: Policy, names: set[str]) -> set[str]:
    """The other private attributes that dependencies tie to some."""
    relations = [{*source, to} for source, to in policy.dependencies if not policy.known.issuperset((*source, to))]
    found = set(names)
    while more := set().union(*(each - policy.known for each in relations if each & found)) - found:
        found |= more
    return (found - names) & set(policy.private)


DATES = (r"\d{4}-\d\d?-\d\d?([T ].*)?", r"\d{8}", r"\d{4}/\d\d?/\d\d?", r"\d\d?\.\d\d?\.\d{4}")


class Released:
    """A table as it stands: the span of a row are the rows with its public cells, compared as they are written."""

    def __init__(self, path: Path, policy: Policy, without: set[str]) -> None:
        names, self.rows = cells_of(path, {})
        place = {name: at for at, name in enumerate(names)}
        given = [name for name in names if name not in without]
        unlisted = [name for name in given if policy.role(name) is None and name != policy.subject]
        self.public = [place[name] for name in given if name in policy.known]
        self.private = {name: place[name] for name in given if name in policy.private}
        tied = tied_private(policy, set(self.private))
        self.private |= {name: place[name] for name in tied if name in place}
        self.absent = tied - place.keys()  # private attributes that can be inferred, nobody knows for whom
        if (unlisted and policy.unlisted == "refuse") or not self.rows or not (self.public or self.private):
            raise Refusal("the table has columns the policy does not name, or no rows, or no columns to judge")
        if policy.subject is not None and policy.subject not in place:
            raise Refusal("individuals have several rows, and the table does not have their column")
        for name in tied_known(policy, set(self.private)):
            shown = name in given and name in place
            if not shown or any(is_hidden(row[place[name]], policy.attributes[name]) for row in self.rows):
                raise Refusal("private columns depend on an attribute whose values the table does not show")
        whose = None if policy.subject is None else place[policy.subject]
        subjects = [at if whose is None else row[whose] for at, row in enumerate(self.rows)]
        self.table = Table({}, {}, subjects, len(set(subjects)) < len(subjects))
        self.domains: dict[str, list[str]] = {}
        cells: dict[str, Cells] = {}
        self.sets: dict[str, Sets] = {}
        self.respelled: set[str] = set()  # columns whose cells are sets of one number each
        kinds = dict(stated := stated_kinds(path))
        for name, at in self.private.items():
            keys = policy.attributes[name]
            if keys.get("kind") == "date":
                kinds.pop(name, None)
                cells_in_days(self.rows, at, keys)
            self.respell(name, at, keys, bool(stated))
            found = dict.fromkeys(row[at] for row in self.rows)
            if name in self.sets:
                self.domains[name] = list(self.sets[name].domain)
                self.table.kinds[name], cells[name] = "categorical", Cells(self.domains[name])
                continue
            numeric = any(found) and all(number(cell) is not None for cell in found if cell)
            kind = "numeric" if name in self.respelled else kinds.get(name, keys.get("kind", "numeric"))
            self.table.kinds[name] = "categorical" if kind == "numeric" and not numeric else kind
            order = sorted(found, key=lambda cell: (number(cell) is None, number(cell) or 0, cell))
            values = list(dict.fromkeys([*keys.get("values", ()), *order]))
            one = len(values) < 2
            more = is_more(keys, [number(cell) for cell in found])
            self.domains[name] = [*values, OTHER] if more else values
            cells[name] = Cells([*values, OTHER] if one or more else values)
        if any({name} & {*source, to} for name in self.sets for source, to in policy.dependencies):
            raise Refusal("a dependency names a private column whose cells are not all values")
        self.possible = Possible(policy, self.table, {})
        self.possible.cells = cells
        self.groups: dict[Any, Any] = {}
        for at in range(len(self.rows)):
            bin_, own = self.own(at)
            left = {n: self.sets[n].of_cell[c] if n in self.sets else frozenset([c]) for n, c in own.items()}
            self.groups.setdefault(self.context(at), {})[bin_] = left
        self.named = [name for name in given if policy.role(name) == "identifier" or name == policy.subject]

    def respell(self, name: str, at: int, keys: dict[str, Any], written: bool) -> None:
        """Equal cells of a private column become equal texts, however they are spelled; others than values are kept as sets."""
        column = [row[at] for row in self.rows]
        sets = read_sets(column, keys, written)
        if sets is None:
            numeric = keys.get("kind") == "numeric"
            low, high = keys.get("range", (-math.inf, math.inf))
            for cell in column:
                value = number(cell)
                if cell == "" and (numeric or written):
                    continue  # a missing value
                fits = value is not None and low <= value <= high and (not keys.get("whole") or value.is_integer())
                if cell != "?" and (not fits if numeric else cell not in keys.get("values", [cell])):
                    raise Refusal(f"`{name}` has a value outside its declared domain")
            return
        first: dict[frozenset, str] = {}
        for cell in sorted(sets.of_cell):
            first.setdefault(sets.of_cell[cell], cell)
        if sets.single():
            self.respelled |= {name} if sets.numeric else set()
            value_of = {cell: next(iter(values)) for cell, values in sets.of_cell.items()}
            spelled = {c: "" if v is None else repr(float(v)) if sets.numeric else v for c, v in value_of.items()}
        else:
            spelled = {cell: first[values] for cell, values in sets.of_cell.items()}
            self.sets[name] = Sets({c: sets.of_cell[c] for c in spelled.values()}, sets.domain, sets.numeric)
        for row in self.rows:
            row[at] = spelled[row[at]]

    def context(self, row: int) -> tuple[str, ...]:
        return tuple(self.rows[row][at] for at in self.public)

    def own(self, row: int) -> tuple[tuple[str, ...], dict[str, Any]]:
        own = {name: self.rows[row][at] for name, at in self.private.items()}
        return (*self.context(row), *own.values()), own

    def profile(self, context: tuple[str, ...]) -> dict[Any, Any]:
        """The rows of the group and, as a bin without rows, all others that it could have."""
        rest = {(*context, OTHER): {name: frozenset(values) for name, values in self.domains.items()}}
        return self.groups[context] | (rest if self.private else {})


def verify(release: Path, data: Path | None, policy: Policy, without: set[str]) -> dict[str, Any]:
    """Judges a release file, or a table."""
    document: dict[str, Any] = {"family": "table", "file": release.name}
    if release.suffix == ".json":
        try:
            document = json.loads(release.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Refusal(f"{release.name} cannot be read") from error
        if document.get("format") != "incrowd-release" or document.get("version") != 1:
            raise Refusal("not a release of version 1")
    if document.get("family") == "table":
        model = Released(release.parent / document["file"], policy, without)
        report = verify_model(document, policy, model) | {"named": model.named}
        return report | {"holds": report["holds"] and not model.named}
    if data is None or document.get("family") not in FAMILIES:
        raise Refusal("a tree, clusters or rules need the table they were made from (--data)")
    table = in_days(document, policy, read_table(data, policy))
    return verify_model(document, policy, FAMILIES[document["family"]](document, policy, table))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--policy", type=Path, required=True)
    parser.add_argument("--without", default="", help="judge a table as if these columns were dropped")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        report = verify(given.release, given.data, read_policy(given.policy), set(given.without.split(",")))
    except Refusal as refusal:
        print(f"cannot be judged: {refusal}", file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps(report, indent=1, default=float))
    else:
        print("the guarantee holds" if report["holds"] else "BREACH: the guarantee does not hold")
        print("".join(f"  {key}: {report[key]}\n" for key in ("individuals", "k", "spans", "exposed", "asked")), end="")
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
