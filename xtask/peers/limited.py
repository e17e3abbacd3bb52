"""Runs a script beside this one, and stops it after some seconds: limited.py SECONDS SCRIPT ARGUMENT..."""

import json
import os
import subprocess
import sys

limit, script = float(sys.argv[1]), os.path.join(os.path.dirname(os.path.abspath(__file__)), sys.argv[2])
try:
    done = subprocess.run([sys.executable, "-I", "-W", "ignore", script, *sys.argv[3:]], capture_output=True, text=True, timeout=limit)
except subprocess.TimeoutExpired:
    print(json.dumps({"seconds": limit, "stopped": True}))
    sys.exit(0)
if done.returncode != 0:
    sys.exit(done.stderr)
print(done.stdout)
