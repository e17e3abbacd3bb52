"""Times the installed Python package and prints the cost as JSON: incrowd_package.py WORK ARGUMENT...

- `import`: the shortest time of five interpreters to import the package;
- `audit TABLE.csv PUBLIC PRIVATE`: an audit of a pandas frame, the best of three, its conversion included;
- `tree FOLDER K`: fits a tree to a pandas frame of the columns that tree_bench writes, all features public;
- `table TABLE.csv POLICY K METHOD`: anonymizes a pandas frame;
- `parquet TABLE.csv OUT.parquet`: writes a table as Parquet;
- `frame TABLE.parquet pandas|objects|polars`: turns a frame into a coded table, the best of three; `objects` is a pandas
  frame whose names are Python objects.
"""

import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tree_data


def best(work, times=3):
    """What the work returns, and its shortest time in seconds."""
    shortest = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        shortest = min(shortest, time.perf_counter() - start)
    return result, shortest


def importing():
    code = "import time; start = time.perf_counter(); import incrowd; print(time.perf_counter() - start)"
    runs = [subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    return {"seconds": min(float(run.stdout) for run in runs)}


def audit(path, public, private):
    import incrowd as ic
    import pandas as pd

    public, private = public.split(","), private.split(",")
    frame = pd.read_csv(path, usecols=public + private, keep_default_na=False)
    policy = ic.Policy(public=public, private=private)
    report, seconds = best(lambda: ic.audit(frame, policy))
    return {"rows": len(frame), "groups": report.spans, "k": report.k, "seconds": seconds}


def tree(folder, k):
    import incrowd as ic

    frame = coded_frame(folder)
    target = frame.pop("class")
    # Loads everything that is loaded at the first use.
    ic.TreeClassifier(k=2).fit(frame.head(1000), target.head(1000))
    fitted, seconds, cpu = tree_data.timed(lambda: ic.TreeClassifier(k=int(k)).fit(frame, target))
    figures = fitted.release_.summary
    return {
        "rows": len(frame),
        "seconds": seconds,
        "cpu_seconds": cpu,
        "peak_bytes": tree_data.peak_bytes(),
        "leaves": figures["leaves"],
        "k": fitted.report_.k,
    }


def coded_frame(folder):
    """The columns that tree_bench writes, as a pandas frame with categoricals."""
    import numpy as np
    import pandas as pd

    columns = {}
    with open(os.path.join(folder, "columns"), encoding="utf-8") as about:
        lines = [line.split() for line in about]
    for name, kind, width in lines:
        codes = np.fromfile(os.path.join(folder, name + ".codes"), dtype=f"<u{width}")
        if kind == "numbers":
            columns[name] = np.fromfile(os.path.join(folder, name + ".values"), dtype="<f8").astype(np.int64)[codes]
        else:
            with open(os.path.join(folder, name + ".values"), encoding="utf-8") as values:
                columns[name] = pd.Categorical.from_codes(codes.astype(np.int32), values.read().splitlines())
    return pd.DataFrame(columns, copy=False)


def table(path, policy, k, method):
    import incrowd as ic
    import pandas as pd

    frame, policy = pd.read_csv(path, keep_default_na=False), ic.Policy.read(policy)
    made, seconds, cpu = tree_data.timed(lambda: ic.anonymize(frame, policy, method=method, k=int(k)).frame)
    return {
        "rows": len(frame),
        "seconds": seconds,
        "cpu_seconds": cpu,
        "peak_bytes": tree_data.peak_bytes(),
        "rows_out": len(made),
    }


def parquet(path, out):
    import pyarrow.csv
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.csv.read_csv(path), out)
    return {}


def frame(path, library):
    import incrowd as ic
    from incrowd import _bridge
    from incrowd._frames import to_stream

    data = read(path, library)
    *public, private = data.columns
    source = ic.Policy(public=public, private=[private], k=10).source
    reset_peak()
    before = status("VmRSS")
    # The first table is held, so the peak is that of one table beside the frame.
    start = time.perf_counter()
    coded = _bridge.Dataset.open(to_stream(data, "data"), *source)
    first = time.perf_counter() - start
    peak = tree_data.peak_bytes() - before
    del coded
    _, seconds = best(lambda: _bridge.Dataset.open(to_stream(data, "data"), *source), 2)
    return {"rows": len(data), "columns": len(data.columns), "seconds": min(first, seconds), "peak_bytes": peak}


def read(path, library):
    """A frame whose names are categoricals, or texts that few objects stand for."""
    import pyarrow as pa
    import pyarrow.parquet

    if library == "objects":
        return pyarrow.parquet.read_table(path).to_pandas(self_destruct=True, split_blocks=True)
    schema = pyarrow.parquet.read_schema(path)
    names = [field.name for field in schema if pa.types.is_string(field.type)]
    arrow = pyarrow.parquet.read_table(path, read_dictionary=names).unify_dictionaries()
    if library == "pandas":
        return arrow.to_pandas(self_destruct=True, split_blocks=True)
    import polars as pl

    return pl.from_arrow(arrow).rechunk()


def reset_peak():
    """Sets the highest memory of this process back to the present one."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as refs:
        refs.write("5")


def status(name):
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":"))


WORK = {"import": importing, "audit": audit, "tree": tree, "table": table, "parquet": parquet, "frame": frame}
print(json.dumps(WORK[sys.argv[1]](*sys.argv[2:])))
