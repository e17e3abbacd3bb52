"""A tree by Weka's J48 without subtree raising: j48_tree.py FOLDER WEKA_JAR LIMIT. Weka itself says how long building took.

Where it is not done after LIMIT seconds it is stopped, and its seconds are those it had.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
import tree_data

folder, jar, limit = sys.argv[1], sys.argv[2], float(sys.argv[3])
matrix, names, target = tree_data.load(folder)
table = np.column_stack([matrix, target]).astype(np.int64)
nominal = set(names) | {matrix.shape[1]}
with tempfile.TemporaryDirectory() as place:
    path = os.path.join(place, "table.arff")
    with open(path, "w", encoding="ascii") as file:
        file.write("@relation adult\n")
        for i in range(table.shape[1]):
            kind = "{" + ",".join(map(str, range(table[:, i].max() + 1))) + "}" if i in nominal else "numeric"
            file.write(f"@attribute a{i} {kind}\n")
        file.write("@data\n")
        np.savetxt(file, table, fmt="%d", delimiter=",")
    command = ["java", "-Xmx4g", "-cp", jar, "weka.classifiers.trees.J48", "-S", "-t", path, "-no-cv"]
    with open(os.path.join(place, "out"), "w+", encoding="utf-8") as out:
        weka = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        peak, stopped, waited = 0, False, 0.0
        while weka.poll() is None:
            try:
                with open(f"/proc/{weka.pid}/status", encoding="ascii") as status:
                    held = re.search(r"VmHWM:\s+(\d+)", status.read())
                peak = max(peak, int(held.group(1)) * 1024 if held else 0)
                weka.wait(0.1)
            except (OSError, subprocess.TimeoutExpired):
                waited += 0.1
            if waited > limit:
                weka.kill()
                stopped = True
                break
        weka.wait()
        out.seek(0)
        text = out.read()
cpu = os.times()
built = re.search(r"Time taken to build model: ([\d.]+) seconds", text)
leaves = re.search(r"Number of Leaves\s*:\s*(\d+)", text)
print(json.dumps({
    "rows": len(target),
    "seconds": float(built.group(1)) if built else waited,
    "cpu_seconds": cpu.children_user + cpu.children_system,
    "peak_bytes": peak,
    "leaves": int(leaves.group(1)) if leaves else 0,
    "stopped": stopped,
}))
