"""Runs a program that prints JSON, and adds what it cost: measured.py PROGRAM ARGUMENT..."""

import json
import resource
import subprocess
import sys
import time

start = time.perf_counter()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
seconds = time.perf_counter() - start
if done.returncode != 0:
    sys.exit(done.stderr)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
result = json.loads(done.stdout)
result.update(seconds=seconds, cpu_seconds=used.ru_utime + used.ru_stime, peak_bytes=used.ru_maxrss * 1024)
print(json.dumps(result))
