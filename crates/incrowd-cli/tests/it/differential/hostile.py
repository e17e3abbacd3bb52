"""Files made to take time and memory: refused with status 2 within stated bounds."""

import json
import resource
import subprocess
import sys
import time

SECONDS, BYTES = 2.0, 1 << 30
# A debug build on a busy machine is slower than what users run.
SLOWER = 10.0


def files():
    head = '<PMML><DataDictionary><DataField name="n" optype="continuous" dataType="double"/><DataField name="y" optype="categorical" dataType="string"/></DataDictionary>'
    head += '<TreeModel functionName="classification"><MiningSchema><MiningField name="n"/><MiningField name="y" usageType="target"/></MiningSchema>'
    yield "deep.pmml", head + '<Node score="a"><True/>' * 100_000 + "</Node>" * 100_000 + "</TreeModel></PMML>"
    yield "attributes.pmml", "<PMML " + " ".join(f'a{i}="1"' for i in range(200_000)) + "/>"
    yield "namespaces.pmml", "<PMML " + " ".join(f'xmlns:a{i}="u{i}"' for i in range(200_000)) + "/>"
    yield "elements.pmml", "<PMML>" + "<a/>" * 5_000_000 + "</PMML>"
    yield "predicate.pmml", head + "<Node><True/><Node>" + '<CompoundPredicate booleanOperator="or">' * 30_000 + "</CompoundPredicate>" * 30_000 + "</Node></Node></TreeModel></PMML>"
    wide = {"format": "scikit-learn-tree", "version": 1, "class": {"name": "y", "values": [str(i) for i in range(20_000)]}, "columns": [{"name": "n"}]}
    count = 100_001
    inner = count // 2
    wide["left"] = [2 * i + 1 if i < inner else -1 for i in range(count)]
    wide["right"] = [2 * i + 2 if i < inner else -1 for i in range(count)]
    wide["feature"], wide["threshold"], wide["label"] = [0] * count, [0.5] * count, [0] * count
    yield "classes.json", json.dumps(wide)
    yield "lists.json", '{"format": "scikit-learn-tree", "counts": [' + "[]," * 18_000_000 + "[]]}"


def run(case, count, seed):
    for name, text in files():
        path = case.write(name, text)
        start = time.monotonic()
        ran = subprocess.run(
            [case.program, "show", path], capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES)),
        )
        seconds = time.monotonic() - start
        print(f"{name}: status {ran.returncode}, {seconds:.2f} s, {ran.stderr.strip().splitlines()[:1]}")
        assert ran.returncode == 2 and ran.stderr.startswith("error"), f"{name}: {ran.returncode} {ran.stderr[:300]}"
        assert seconds < SECONDS * SLOWER, f"{name}: {seconds} s"
    sys.stdout.flush()
