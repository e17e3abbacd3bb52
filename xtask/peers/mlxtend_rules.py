"""Rules by mlxtend: mlxtend_rules.py FILE SUPPORT CONFIDENCE OUT. Timed from a one-hot frame in memory to the frame of rules (fpgrowth, then association_rules).

OUT gets a line a rule, sorted, as the example rules_bench writes it.
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
import pandas as pd
import tree_data
from mlxtend.frequent_patterns import association_rules, fpgrowth

path, support, confidence, out = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
delimiter = None if path.endswith(".dat") else ","
with open(path, encoding="utf-8") as file:
    baskets = [{item.strip() for item in line.split(delimiter)} - {""} for line in file if line.strip()]
items = sorted(set().union(*baskets))
place = {item: i for i, item in enumerate(items)}
matrix = np.zeros((len(baskets), len(items)), dtype=bool)
for row, basket in enumerate(baskets):
    matrix[row, [place[item] for item in basket]] = True
frame = pd.DataFrame(matrix, columns=items)


def work():
    sets = fpgrowth(frame, min_support=support, use_colnames=True)
    return association_rules(sets, num_itemsets=len(frame), metric="confidence", min_threshold=confidence)


rules, seconds, cpu = tree_data.timed(work)


def side(items):
    return "|".join(sorted(items))


def count(share):
    return round(share * len(frame))


lines = [
    f"{side(left)}=>{side(right)} {count(of_left)} {count(both)}\n"
    for left, right, of_left, both in zip(rules["antecedents"], rules["consequents"], rules["antecedent support"], rules["support"])
]
with open(out, "w", encoding="utf-8") as file:
    file.writelines(sorted(lines))
print(json.dumps({"rows": len(frame), "rules": len(rules), "seconds": seconds, "cpu_seconds": cpu, "peak_bytes": tree_data.peak_bytes()}))
