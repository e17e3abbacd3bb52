"""Times polars.read_csv and prints the peak memory of the process: `polars_read.py TABLE`."""

import json
import sys
import time

import polars

start = time.perf_counter()
table = polars.read_csv(sys.argv[1])
seconds = time.perf_counter() - start
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
print(json.dumps({"seconds": seconds, "rows": table.height, "peak_bytes": peak, "table_bytes": table.estimated_size()}))
