"""The columns that the example tree_bench writes, as one matrix of floats."""

import os
import sys
import time

import numpy as np


def load(folder, dtype=np.float32):
    """The attributes (a row a row), which of them are names, and the class."""
    with open(os.path.join(folder, "columns"), encoding="utf-8") as about:
        columns = [line.split() for line in about]
    matrix, names = None, []
    for place, (name, kind, width) in enumerate(columns):
        codes = np.fromfile(os.path.join(folder, name + ".codes"), dtype=f"<u{width}")
        if name == "class":
            return matrix, names, codes.astype(np.float32)
        if matrix is None:
            matrix = np.empty((len(codes), len(columns) - 1), dtype=dtype)
        if kind == "numbers":
            values = np.fromfile(os.path.join(folder, name + ".values"), dtype="<f8").astype(dtype)
            np.take(values, codes, out=matrix[:, place])
        else:
            names.append(place)
            matrix[:, place] = codes
    sys.exit("no class")


def peak_bytes():
    """The most memory this process ever held."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def timed(work):
    """What the work returns, its seconds and the processor's."""
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - start, time.process_time() - cpu
