"""What the differential tests share: running incrowd, brute-force spans, tables and policies as files."""

import collections
import csv
import itertools
import json
import math
import os
import re
import subprocess

MISSING = "NA"


class Refused(Exception):
    """The maker's own program gives no answer."""


class Case:
    """A folder with a table, its policy and a model, and what the model's maker says of them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return self.path(name)

    def table(self, rows, columns):
        """Rows are lists of texts, numbers and None."""
        with open(self.path("table.csv"), "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([MISSING if cell is None else shown(cell) for cell in row] for row in rows)
        return self.path("table.csv")

    def policy(self, attributes, class_name):
        """Attributes by name: role, and more keys as TOML texts."""
        text = f'class = {toml(class_name)}\n[file]\nmissing = ["{MISSING}"]\nmissing-rows = "keep"\n'
        for name, keys in attributes.items():
            text += f"[attributes.{toml(name)}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
        return self.write("policy.toml", text)

    def run(self, *arguments):
        ran = subprocess.run([self.program, *arguments], capture_output=True, text=True, encoding="utf-8")
        assert ran.returncode in (0, 1, 2), f"{arguments}: status {ran.returncode}: {ran.stderr}"
        assert "panicked" not in ran.stderr, ran.stderr
        return ran

    def predict(self, model):
        """The labels, or None with the message if incrowd refuses."""
        out = self.path("predictions.csv")
        ran = self.run(
            "predict", model, "--data", self.path("table.csv"), "--policy", self.path("policy.toml"),
            "--out", out, "--force", "--quiet",
        )
        if ran.returncode != 0:
            return None, ran.stderr
        with open(out, encoding="utf-8", newline="") as file:
            return [row[0] for row in csv.reader(file)][1:], ""

    def audit(self, model):
        """The smallest crowd, or None with the message if incrowd refuses."""
        ran = self.run(
            "audit", model, "--data", self.path("table.csv"), "--policy", self.path("policy.toml"), "--k", "1", "--json",
            "--quiet",
        )
        if ran.returncode == 2:
            return None, ran.stderr
        return json.loads(ran.stdout)["k"], ""


def toml(value):
    if isinstance(value, list):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def shown(cell):
    if isinstance(cell, str):
        return cell
    number = float(cell)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def crowd(rows, public, private_domains, bins):
    """The size of the smallest group of rows with the same span.

    rows: mappings; private_domains: the values of each private column; bins: from a list of whole rows to their leaves.
    """
    names = list(private_domains)
    worlds = [dict(zip(names, values)) for values in itertools.product(*private_domains.values())]
    known = [{name: row[name] for name in public} for row in rows]
    all_rows = [{**row, **world} for row in known for world in worlds]
    leaves = bins(all_rows)
    spans = [frozenset(leaves[i * len(worlds): (i + 1) * len(worlds)]) for i in range(len(rows))]
    if any(leaf is None for leaf in leaves):
        raise Refused
    return min(collections.Counter(spans).values())


def near(number):
    return [number, math.nextafter(number, math.inf), math.nextafter(number, -math.inf)]


class Tally:
    """How many cases agreed and how many incrowd refused, by reason."""

    def __init__(self):
        self.agreed, self.refused = 0, collections.Counter()

    def refuse(self, message):
        self.refused[re.sub(r"[\"'`].*?[\"'`]|\d+", "…", message.strip().splitlines()[0])[-110:]] += 1

    def finish(self, least):
        total = self.agreed + sum(self.refused.values())
        print(f"{self.agreed} of {total} cases agree; refused:")
        for reason, count in self.refused.most_common(12):
            print(f"  {count}: {reason}")
        assert self.agreed >= least * total, f"only {self.agreed} of {total} cases were not refused: {self.refused}"


def compare(case, tally, model, expected, k, where):
    """expected: labels, None where the maker gives none; k: the brute-force crowd, None if the maker gives no answer somewhere."""
    labels, refusal = case.predict(model)
    answered = all(label is not None for label in expected)
    if labels is None:
        tally.refuse(refusal)
    else:
        assert answered, f"{where}: incrowd predicts where the maker does not: {expected}"
        wrong = [i for i, (a, b) in enumerate(zip(labels, expected)) if a != b]
        assert not wrong, f"{where}: row {wrong[0] + 1}: incrowd {labels[wrong[0]]!r}, the maker {expected[wrong[0]]!r}"
    found, refusal = case.audit(model)
    if found is None:
        tally.refuse(refusal)
    else:
        assert k is not None, f"{where}: incrowd says k = {found}, but the maker has no answer for someone"
        assert found == k, f"{where}: incrowd says k = {found}, the maker's function gives {k}"
    if labels is not None or found is not None:
        tally.agreed += 1
