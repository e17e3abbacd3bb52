"""Loss measures of a released table of Adult, from their definitions: argv are the source, the release, and the public
columns by name and kind as JSON. Nothing is shared with the program."""
import csv
import json
import math
import re
import sys

source, released, columns = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
NAMES = columns["names"]
rows = [[c.strip() for c in line.split(",")] for line in open(source) if line.strip()]
used = [NAMES.index(name) for name in columns["public"]]
rows = [row for row in rows if "?" not in [row[place] for place in used]]
with open(released, newline="") as file:
    out = list(csv.DictReader(file))
N, lost = len(rows), len(rows) - len(out)


def bounds(cell, low, high):
    """The ends of a numeric cell."""
    if cell in ("*", "any number"):
        return low, high
    found = re.fullmatch(r"[\[(](.+), (.+)[\])]", cell)
    if found:
        return float(found[1]), float(found[2])
    found = re.fullmatch(r"(<=|<|>=|>) (.+)", cell)
    if found:
        return (low, float(found[2])) if found[1].startswith("<") else (float(found[2]), high)
    return float(cell), float(cell)


def holds(cell, number):
    """Whether a numeric cell covers a number."""
    if cell in ("*", "any number"):
        return True
    found = re.fullmatch(r"([\[(])(.+), (.+)([\])])", cell)
    if found:
        low, high = float(found[2]), float(found[3])
        above = number >= low if found[1] == "[" else number > low
        return above and (number <= high if found[4] == "]" else number < high)
    found = re.fullmatch(r"(<=|<|>=|>) (.+)", cell)
    if found:
        bound = float(found[2])
        return {"<=": number <= bound, "<": number < bound, ">=": number >= bound, ">": number > bound}[found[1]]
    return number == float(cell)


def members(cell, domain):
    if cell == "*":
        return set(domain)
    if cell.startswith("{"):
        return {part.strip() for part in cell[1:-1].split(",")}
    return {cell}


total_loss = total_ncp = 0.0
entropy = most = 0.0
is_global = True
for name, kind in columns["public"].items():
    place = NAMES.index(name)
    values = [row[place] for row in rows]
    cells = [row[name] for row in out]
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    if kind == "number":
        numbers = [float(value) for value in values]
        low, high = min(numbers), max(numbers)
        for cell in cells:
            start, end = bounds(cell, low, high)
            width = (min(end, high) - max(start, low)) / (high - low)
            total_loss += width
            total_ncp += width
        covers = {cell: [v for v in counts if holds(cell, float(v))] for cell in set(cells)}
    else:
        domain = set(values)
        for cell in cells:
            size = len(members(cell, domain))
            total_loss += (size - 1) / (len(domain) - 1)
            total_ncp += size / len(domain) if size > 1 else 0.0
        covers = {cell: [v for v in counts if v in members(cell, domain)] for cell in set(cells)}
    total_loss += lost
    total_ncp += lost
    is_global = is_global and sum(len(c) for c in covers.values()) == len(counts) and lost == 0
    if is_global:
        for covered in covers.values():
            size = sum(counts[v] for v in covered)
            entropy += sum(counts[v] * math.log2(size / counts[v]) for v in covered)
    most += sum(n * math.log2(N / n) for n in counts.values())

groups = {}
for row in out:
    key = tuple(row[name] for name in columns["public"])
    groups[key] = groups.get(key, 0) + 1
cells = N * len(columns["public"])
print(json.dumps({
    "loss": total_loss / cells,
    "loss_released": (total_loss - lost * len(columns["public"])) / (len(out) * len(columns["public"])),
    "ncp": total_ncp / cells,
    "entropy_loss": entropy / most if is_global else None,
    "discernibility": sum(n * n for n in groups.values()) + lost * N,
    "average_group": len(out) / len(groups),
    "average_class_size": N / (len(groups) + (lost > 0)),
    "rows_lost": lost,
}))
