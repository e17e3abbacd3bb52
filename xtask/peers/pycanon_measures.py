"""Times pycanon on a table in memory: `pycanon_measures.py TABLE PUBLIC PRIVATE`, columns divided by commas.

Five calls give every measure that incrowd's audit is compared in: k and alpha, c and l, entropy l, t, beta.
"""

import json
import sys
import time

import pandas
from pycanon import anonymity

public, private = sys.argv[2].split(","), sys.argv[3].split(",")
table = pandas.read_csv(sys.argv[1], usecols=public + private, keep_default_na=False)

start = time.perf_counter()
alpha, k = anonymity.alpha_k_anonymity(table, public, private)
_, l = anonymity.recursive_c_l_diversity(table, public, private)
anonymity.entropy_l_diversity(table, public, private)
anonymity.t_closeness(table, public, private)
beta = anonymity.basic_beta_likeness(table, public, private)
seconds = time.perf_counter() - start

found = {"rows": len(table), "seconds": seconds, "k": int(k), "l": int(l), "alpha": float(alpha), "beta": float(beta)}
print(json.dumps(found))
