"""Random small cases: a table, a policy and a release, for each family. Deterministic by seed."""

from __future__ import annotations

import json

from case_dates import with_dates
from case_files import Case, text
from case_models import Models
from case_tables import AGREED, FEATURES, Column

__all__ = ["AGREED", "FAMILIES", "FEATURES", "Case", "make"]


class Maker(Models):
    """Makes random cases of one family."""

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
        elif family == "boost":
            case.mine = ["boost", "--rounds", random.choice(["1", "3", "8"]), "--leaves", random.choice(["2", "4"])]
            case.mine += ["--min-leaf", random.choice(["1", "2", "3"])]
            if self.chance(0.15):
                case.mine += ["--structure", "blind"]
        else:
            case.mine = ["rules", "--min-support", random.choice(["0.1", "0.2", "0.3"])]
            case.mine += ["--min-confidence", random.choice(["0.3", "0.5", "0.8"])]
            case.mine += ["--max-length", random.choice(["2", "2", "3"])]
            if self.chance(0.1):
                case.mine.append("--keep-channels")
        case.mine += ["--seed", str(random.randrange(1, 5))]
        return case


FAMILIES = (
    "tree",
    "ensemble",
    "rules",
    "clusters",
    "table",
    "mined-tree",
    "mined-boost",
    "mined-table",
    "mined-clusters",
    "mined-rules",
    "hostile",
    "worlds",
)


def make(family: str, number: int, seed: int, features: set[str]) -> Case:
    """The case of a family with this number."""
    maker = Maker(f"{family}/{seed}/{number}", features)
    case = made(maker, family)
    if maker.chance(0.2, "dates") and not {"rules", "hostile"} & set(family.split("-")):
        with_dates(case, lambda: maker.chance(0.7))
    return case


def made(maker: Maker, family: str) -> Case:
    """A case of a family, without dates."""
    if family == "hostile":
        return hostile(maker)
    if family == "worlds":
        case = maker.random.choice([maker.tree, maker.ensemble, maker.rules, maker.clusters])()
        case.family = "worlds"
        return case
    if family.startswith("mined-"):
        return maker.mined(family.removeprefix("mined-"))
    made_by = {"tree": maker.tree, "ensemble": maker.ensemble, "rules": maker.rules}
    return {**made_by, "clusters": maker.clusters, "table": maker.released}[family]()


def hostile(maker: Maker) -> Case:
    """A release with something wrong in it: the program must answer, and never with a crash."""
    random = maker.random
    case = random.choice([maker.tree, maker.ensemble, maker.rules, maker.clusters])()
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
