"""What a release states about populations, compared with the table. Not part of the verifier."""

from __future__ import annotations

from typing import Any

from inputs import Policy, Refusal, Table
from models import forest_of
from spans import Release


def check_populations(document: dict[str, Any], release: Release, table: Table, policy: Policy) -> None:
    """What the release states about populations must be the table's."""
    own = release.cells["cluster"] if release.family == "clusters" else []
    if release.family == "tree":
        own = forest_of(document, policy, table).vectors
    people: dict[Any, set] = {}
    for key, subject in zip(own, release.subjects):
        people.setdefault(key, set()).add(subject)
    wrong = document.get("individuals") not in (None, len(set(release.subjects)))
    for at, node in enumerate(document.get("nodes", [])):
        leaf, true = node.get("leaf", {}), [len(people.get((at, value), ())) for value in document["class"]["values"]]
        wrong |= leaf.get("counts") not in (None, true)
        if leaf.get("shares") is not None and sum(true):
            unit = 10 ** document["digits"]
            rounded = [(2 * count * unit + sum(true)) // (2 * sum(true)) for count in true]
            wrong |= [round(share * unit) for share in leaf["shares"]] != rounded
    if "nodes" in document:
        wrong |= any(value not in document["class"]["values"] for _, value in people)
    for at, centroid in enumerate(document.get("centroids", [])):
        wrong |= centroid.get("population") not in (None, len(people.get(at, ())))
    for rule in document.get("rules", []):
        left, right = ([item for items in rule[side] for item in items.items()] for side in ("if", "then"))
        for key, items in (("antecedent", left), ("both", [*left, *right])):
            columns = [(table.columns[name], value) for name, value in items]
            having = {s for row, s in enumerate(release.subjects) if all(c[row] == value for c, value in columns)}
            wrong |= rule.get(key) not in (None, len(having))
    if wrong:
        raise Refusal("the release states populations that are not the table's")
