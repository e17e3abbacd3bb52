"""Compares incrowd's reading of foreign models, and other programs' reading of its exports, case by case.

usage: run.py FAMILY PROGRAM FOLDER DOCS COUNT SEED
"""

import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
family, program, folder, docs, count, seed = sys.argv[1:7]
os.environ["INCROWD_DOCS"] = docs

from common import Case  # noqa: E402

importlib.import_module(family).run(Case(program, folder), int(count), int(seed))
