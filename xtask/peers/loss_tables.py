"""Writes the tables of `cargo xtask bench loss`: loss_tables.py DATA FOLDER.

A folder for each set of taxonomies: table.csv with the quasi-identifiers, policy.toml, and taxonomies/NAME.csv in ARX's
layout. Adult has ARX's own taxonomies, the same with nodes of 2, 4, 8 ... 64 years for age, and the same with free
intervals for age (which ARX does not have). Bank has names that are shown or suppressed, and nodes of 2, 4, 8 ... for
two numbers.
"""

import csv
import gzip
import sys
from pathlib import Path

ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex capital-gain "
    "capital-loss hours-per-week native-country class"
).split()
ADULT_KEPT = "sex age race marital-status education native-country workclass occupation".split()
BANK_KEPT = "age job marital education default housing loan campaign".split()


def nodes(low, high, widest):
    """A line for each number: itself, its nodes of 2, 4, 8 ... numbers from the lowest on, and all."""
    for number in range(low, high + 1):
        line, width = [str(number)], 2
        while width <= widest:
            start = (number - low) // width * width + low
            line.append(f"{start}-{start + width - 1}")
            width *= 2
        yield ";".join([*line, "*"])


def write(folder, rows, kept, taxonomies):
    """Writes a table with its policy; columns without a taxonomy are numbers with free intervals."""
    (folder / "taxonomies").mkdir(parents=True, exist_ok=True)
    with open(folder / "table.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, kept, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    policy = ["version = 1"]
    for name in kept:
        policy += [f"[attributes.{name}]", 'role = "public"']
        if name in taxonomies:
            (folder / "taxonomies" / f"{name}.csv").write_text("\n".join(taxonomies[name]) + "\n")
            policy += ['kind = "categorical"', f'taxonomy = "taxonomies/{name}.csv"']
    (folder / "policy.toml").write_text("\n".join(policy) + "\n")


def adult(data, out):
    lines = (data / "adult/adult.data").read_text().splitlines()
    rows = [dict(zip(ADULT, line.split(", "))) for line in lines if line.strip() and "?" not in line]
    of_arx = {}
    for name in ADULT_KEPT:
        of_arx[name] = (data / f"adult/hierarchies-arx/adult_hierarchy_{name}.csv").read_text().splitlines()
    write(out / "adult-arx", rows, ADULT_KEPT, of_arx)
    write(out / "adult-nodes", rows, ADULT_KEPT, {**of_arx, "age": list(nodes(1, 100, 64))})
    del of_arx["age"]
    write(out / "adult-free", rows, ADULT_KEPT, of_arx)


def bank(data, out):
    with gzip.open(data / "bank/bank-full.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    taxonomies = {name: sorted({f"{row[name]};*" for row in rows}) for name in BANK_KEPT}
    taxonomies["age"] = list(nodes(18, 95, 64))
    taxonomies["campaign"] = list(nodes(1, 63, 32))
    write(out / "bank-nodes", rows, BANK_KEPT, taxonomies)


data, out = Path(sys.argv[1]), Path(sys.argv[2])
adult(data, out)
bank(data, out)
