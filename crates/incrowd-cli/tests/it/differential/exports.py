"""Random releases, exported, and read by DuckDB, SQLite, PostgreSQL, onnxruntime, JPMML and Python, against `incrowd predict`."""

import csv
import importlib.util
import json
import math
import os
import random
import shutil
import sqlite3
import subprocess

from common import Tally, near

ODD = ["", "a", '"', "'", "\\", " b", "é", "𝄞", "<&>", "]]>", "'); --", "%s", "1", "01"]
NUMBERS = [0.0, 0.1, -7.25, 30.5, 1e-300, 1e15, 123456789.123, -1e300, 3.0, 9007199254740992.0]


def name(r, i):
    return f"{r.choice(ODD)}{i}{r.choice(ODD)}"


def tree(r):
    attributes = []
    for i in range(r.randint(1, 4)):
        if r.random() < 0.5:
            attributes.append({"name": name(r, i).strip(), "numeric": True})
        else:
            attributes.append({"name": name(r, i).strip(), "values": [name(r, j) for j in range(r.randint(1, 4))]})
    classes = [name(r, j) for j in range(r.randint(2, 3))]
    nodes = []
    waiting = [(0, 0)]
    nodes.append(None)
    most = r.choice([12, 30, 120])
    while waiting:
        place, depth = waiting.pop()
        if len(nodes) > most or depth > 60 or (depth and r.random() < 0.15):
            nodes[place] = {"leaf": {"label": r.choice(classes)}}
            continue
        attribute = r.choice(attributes)
        test = {"attribute": attribute["name"]}
        if attribute.get("numeric"):
            thresholds = sorted(set(r.sample(NUMBERS, r.randint(0, 2))))
            count = len(thresholds) + 1
            test["thresholds"] = thresholds
            route = r.choice(["otherwise", "none", "branch", "stop", "apart"])
            count += route == "apart"
        else:
            count = r.randint(1, len(attribute["values"]))
            route = r.choice(["otherwise", "otherwise", "none", "branch", "stop"])
        children = []
        for _ in range(count):
            children.append(len(nodes))
            nodes.append(None)
            waiting.append((children[-1], depth + 1))
        if attribute.get("numeric"):
            test["to"] = children
        else:
            of = [[] for _ in children]
            rest = r.randrange(count) if route == "otherwise" or r.random() < 0.5 else None
            for j, value in enumerate(attribute["values"]):
                branch = j if j < count else r.randrange(count)
                if branch != rest or r.random() < 0.5:
                    of[branch].append(value)
            test["branches"] = [{"values": values, "to": child} for values, child in zip(of, children)]
            if rest is not None:
                test["otherwise"] = rest
        if attribute.get("numeric") and route == "otherwise":
            test["otherwise"] = r.randrange(count)
        if route == "branch":
            test["missing"] = r.randrange(count)
        if route == "stop":
            test["missing"] = "stop"
        if route == "apart":
            test["missing"] = count - 1
        nodes[place] = {"test": test}
    # Children come after their parents in any order; numbering by place keeps that.
    return {
        "format": "incrowd-release", "version": 1, "family": "tree", "class": {"name": "the class", "values": classes},
        "attributes": attributes, "nodes": nodes,
    }


def table(r, release):
    rows = []
    for _ in range(30):
        row = []
        for attribute in release["attributes"]:
            if r.random() < 0.15:
                row.append(None)
            elif attribute.get("numeric"):
                row.append(r.choice(near(r.choice(NUMBERS))))
            else:
                row.append(r.choice(attribute["values"] + ["never heard of"]))
        rows.append(row)
    return rows


def by_python(path, columns, rows, numeric):
    spec = importlib.util.spec_from_file_location("exported", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # Blanks around texts, as a reader of CSV leaves them.
    padded = [{c: cell if cell is None or not isinstance(cell, str) or cell != cell.strip() else f" {cell} " for c, cell in zip(columns, row)} for row in rows]
    plain = [module.predict(dict(zip(columns, row))) for row in rows]
    blank = [module.predict(row) for row in padded]
    assert plain == blank, "blanks change a prediction"
    return plain


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def literal(cell):
    if cell is None:
        return "NULL"
    if isinstance(cell, str):
        return "'" + cell.replace("'", "''") + "'"
    text = repr(float(cell))
    return text if "e" in text else text + "e0"


def script(columns, rows, numeric, kind):
    kinds = ", ".join(f"{quoted(c)} {kind if c in numeric else 'VARCHAR(99)'}" for c in columns)
    lines = [f"CREATE TABLE t (i INTEGER, {kinds})"]
    for i, row in enumerate(rows):
        lines.append(f"INSERT INTO t VALUES ({i}, {', '.join(literal(cell) for cell in row)})")
    return lines


def expression(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def by_sqlite(path, columns, rows, numeric):
    database = sqlite3.connect(":memory:")
    for line in script(columns, rows, numeric, "REAL"):
        database.execute(line)
    return [label for (label,) in database.execute(f"SELECT {expression(path)} FROM t ORDER BY i")]


def by_duckdb(path, columns, rows, numeric):
    import duckdb

    database = duckdb.connect()
    for line in script(columns, rows, numeric, "DOUBLE"):
        database.execute(line)
    return [label for (label,) in database.execute(f"SELECT {expression(path)} FROM t ORDER BY i").fetchall()]


def by_onnx(path, columns, rows, numeric):
    import numpy
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    feed = {}
    for put in session.get_inputs():
        cells = [row[columns.index(put.name)] for row in rows]
        if put.name in numeric:
            feed[put.name] = numpy.array([[math.nan if cell is None else cell] for cell in cells], dtype=numpy.float64)
        else:
            feed[put.name] = numpy.array([["" if cell is None else cell] for cell in cells], dtype=object)
    return list(session.run(None, feed)[0])


def by_jpmml(path, columns, rows, numeric):
    from jpmml_evaluator import make_evaluator

    evaluator = make_evaluator(path).verify()
    return [evaluator.evaluate(dict(zip(columns, row)))["the class"] for row in rows]


class Server:
    """PostgreSQL in a folder of its own, on a socket there."""

    def __init__(self, folder):
        from pathlib import Path

        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres")) or [Path(shutil.which("postgres") or "/none")]
        self.bin = found[-1].parent
        if not found[-1].exists():
            raise SystemExit("PostgreSQL is not installed (Debian package postgresql)")
        self.folder = os.path.join(folder, "postgres")
        # The server does not run as the superuser.
        self.user = {"user": "postgres"} if os.geteuid() == 0 else {}
        os.makedirs(self.folder, mode=0o777)
        if self.user:
            os.chmod(folder, 0o755)
            shutil.chown(self.folder, "postgres")
        data = os.path.join(self.folder, "data")
        self.call("initdb", "-D", data, "-U", "tester", "-E", "UTF8", "--locale", "C", "--no-sync")
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off -c max_stack_depth=2MB"
        self.call("pg_ctl", "-D", data, "-o", options, "-l", os.path.join(self.folder, "log"), "-w", "start")
        self.data = data

    def call(self, program, *arguments):
        subprocess.run([str(self.bin / program), *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/", **self.user)

    def stop(self):
        self.call("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def __call__(self, path, columns, rows, numeric):
        lines = ["SET standard_conforming_strings = on", "DROP TABLE IF EXISTS t"]
        lines += script(columns, rows, numeric, "DOUBLE PRECISION")
        lines.append(f"COPY (SELECT {expression(path)} FROM t ORDER BY i) TO STDOUT WITH (FORMAT csv, FORCE_QUOTE *)")
        ran = subprocess.run(
            [str(self.bin / "psql"), "-h", self.folder, "-U", "tester", "-d", "postgres", "-q", "-v", "ON_ERROR_STOP=1"],
            input=";\n".join(lines) + ";\n", capture_output=True, encoding="utf-8",
        )
        assert ran.returncode == 0, ran.stderr[:500]
        return [row[0] for row in csv.reader(ran.stdout.splitlines())]


def run(case, count, seed, readers=None):
    readers = readers or {
        "python": ("py", [by_python]), "sql": ("sql", [by_sqlite, by_duckdb]), "onnx": ("onnx", [by_onnx]), "pmml": ("pmml", [by_jpmml]),
    }
    tally = Tally()
    for number in range(seed, seed + count):
        r = random.Random(number)
        release = tree(r)
        rows = table(r, release)
        columns = [attribute["name"] for attribute in release["attributes"]]
        numeric = {attribute["name"] for attribute in release["attributes"] if attribute.get("numeric")}
        if len(set(columns)) < len(columns):
            continue
        model = case.write("tree.json", json.dumps(release))
        case.table(rows, columns)
        roles = {c: {"role": '"public"', "kind": '"numeric"' if c in numeric else '"categorical"'} for c in columns}
        case.policy({**roles, "the class": {"role": '"private"'}}, "the class")
        expected, message = case.predict(model)
        if expected is None:
            tally.refuse(message)
            continue
        for language, (ending, programs) in readers.items():
            out = case.path("exported." + ending)
            ran = case.run("export", model, "--to", language, "--out", out, "--force")
            if ran.returncode != 0:
                tally.refuse(ran.stderr)
                continue
            for program in programs:
                found = program(out, columns, rows, numeric)
                wrong = [i for i, (a, b) in enumerate(zip(found, expected)) if a != b]
                assert len(found) == len(expected) and not wrong, (
                    f"{number}: {program}: row {wrong[:1]}: incrowd {expected[wrong[0]]!r}, {language} {found[wrong[0]]!r}"
                )
            if language in ("onnx", "pmml"):
                again, message = case.predict(out)
                assert again == expected, f"{number}: the {language} read back differs: {message}"
            tally.agreed += 1
    tally.finish(0.8)
