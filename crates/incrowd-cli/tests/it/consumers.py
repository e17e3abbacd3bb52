"""Predicts with an exported tree, each language in its own program, and compares with incrowd's predictions.

usage: consumers.py LANGUAGE MODEL DATA.csv PREDICTIONS.csv NUMERIC,COLUMNS CLASS

DATA has a header, and an empty cell where a value is missing. Exit status 3: the language's program is not installed.
"""

import csv
import importlib.util
import math
import sys

language, model, data, predictions, numeric, class_name = sys.argv[1:7]
numeric = set(numeric.split(","))

with open(data, newline="", encoding="utf-8") as file:
    rows = [{k: v if v != "" else None for k, v in row.items() if k != class_name} for row in csv.DictReader(file)]
with open(predictions, newline="", encoding="utf-8") as file:
    expected = list(csv.DictReader(file))
columns = list(rows[0])


def number(text):
    return math.nan if text is None else float(text)


def by_python():
    spec = importlib.util.spec_from_file_location("exported", model)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [module.predict(row) for row in rows], [module.probabilities(row) for row in rows]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def by_sql():
    import duckdb

    database = duckdb.connect()
    kinds = ", ".join(f"{quoted(name)} {'DOUBLE' if name in numeric else 'VARCHAR'}" for name in columns)
    database.execute(f"CREATE TABLE data (i BIGINT, {kinds})")
    import pandas

    frame = pandas.DataFrame(rows, columns=columns, dtype=object)
    frame.insert(0, "i", range(len(rows)))
    casts = ", ".join(f"CAST({quoted(c)} AS {'DOUBLE' if c in numeric else 'VARCHAR'})" for c in columns)
    database.register("frame", frame)
    database.execute(f"INSERT INTO data SELECT i, {casts} FROM frame")
    with open(model, encoding="utf-8") as file:
        expression = file.read()
    found = database.execute(f"SELECT {expression} FROM data ORDER BY i").fetchall()
    return [label for (label,) in found], None


def by_onnx():
    import numpy
    import onnx
    import onnxruntime

    onnx.checker.check_model(onnx.load(model))
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    feed = {}
    for put in session.get_inputs():
        cells = [row[put.name] for row in rows]
        if put.type == "tensor(double)":
            feed[put.name] = numpy.array([[number(cell)] for cell in cells], dtype=numpy.float64)
        else:
            feed[put.name] = numpy.array([["" if cell is None else cell] for cell in cells], dtype=object)
    outputs = session.run(None, feed)
    return list(outputs[0]), [dict(enumerate(row)) for row in outputs[1].tolist()] if len(outputs) > 1 else None


def by_pmml():
    import shutil

    import pandas
    from pypmml import Model

    if shutil.which("java") is None:
        raise ImportError("pypmml needs Java, which is not there")
    loaded = Model.load(model)
    names = [field.name for field in loaded.inputFields]
    cells = {n: [(None if row[n] is None else float(row[n])) if n in numeric else row[n] for row in rows] for n in names}
    if not names:
        found = loaded.predict({})
        return [next(value for name, value in found.items() if name.startswith("predicted"))] * len(rows), None
    found = loaded.predict(pandas.DataFrame(cells, dtype=object, index=range(len(rows))))
    label = next(name for name in found if name.startswith("predicted"))
    return list(found[label]), None


try:
    labels, shares = {"python": by_python, "sql": by_sql, "onnx": by_onnx, "pmml": by_pmml}[language]()
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)
wrong = [i for i, (a, b) in enumerate(zip(labels, expected)) if a != b["prediction"]]
assert len(labels) == len(expected) and not wrong, f"{len(wrong)} of {len(labels)} labels differ, first row {wrong[:1]}"
if shares is not None and any(name.startswith("p(") for name in expected[0]):
    names = [name for name in expected[0] if name.startswith("p(")]
    for i, (found, row) in enumerate(zip(shares, expected)):
        stated = [row[name] for name in names]
        if stated[0] == "":
            assert found is None, i
        else:
            for a, b in zip(found.values(), stated):
                assert abs(a - float(b)) < 1e-6, (i, a, b)
print(len(labels))
