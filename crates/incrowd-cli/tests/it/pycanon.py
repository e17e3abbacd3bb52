"""Measures a table with pycanon: `pycanon.py TABLE CASES`, where TABLE is a CSV file and CASES is JSON.

A case is {"public": [...], "private": name, "numeric": bool, "every": bool}. For each case one object is printed: pycanon's
results as they are, and `exact`, which is pycanon's own code with two things changed (see `Exact`).
Groups are few hundred at most where `every` measure is asked for: pycanon takes about a millisecond a group and measure.
"""

import json
import sys

import numpy
import pandas
from pycanon import anonymity
from pycanon.anonymity import _l_diversity


class Exact:
    """numpy for pycanon's l-diversity: counts sorted as the definition has them, and nothing rounded.

    Recursive (c,l)-diversity has r1 >= r2 >= ...; pycanon sorts ascending, so that its r1 is the rarest value. It
    then rounds to the next whole c with floor(ratio + 1); here the ratio itself comes back.
    """

    def __getattr__(self, name):
        return getattr(numpy, name)

    @staticmethod
    def sort(counts):
        return numpy.sort(counts)[::-1]

    @staticmethod
    def floor(ratio_and_one):
        return ratio_and_one - 1


def exactly(measure, *arguments):
    """Calls a function of pycanon's l-diversity with `Exact` for numpy, and with `int` cutting nothing off."""
    _l_diversity.np, _l_diversity.int = Exact(), float
    try:
        return measure(*arguments)
    finally:
        _l_diversity.np = numpy
        del _l_diversity.int


def plain(value):
    """A number that JSON knows; null for pycanon's NaN."""
    value = float(value)
    return None if numpy.isnan(value) else value


def measured(table, case):
    public, private = case["public"], [case["private"]]
    result = {
        "k": anonymity.k_anonymity(table, public),
        "l": anonymity.l_diversity(table, public, private),
        "beta": anonymity.basic_beta_likeness(table, public, private),
    }
    if case["every"]:
        arguments = (table, public, private)
        result["alpha"] = anonymity.alpha_k_anonymity(*arguments)[0]
        result["t"] = anonymity.t_closeness(*arguments)
        result["entropy_l"] = anonymity.entropy_l_diversity(*arguments)
        result["c"] = anonymity.recursive_c_l_diversity(*arguments)[0]
        result["exact_entropy_l"] = exactly(anonymity.entropy_l_diversity, *arguments)
        result["exact_c"] = exactly(anonymity.recursive_c_l_diversity, *arguments)[0]
    return {name: plain(value) for name, value in result.items()}


def main():
    # Everything is text, whatever it looks like; pandas' own ideas of missing values are off.
    table = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
    results = []
    for case in json.loads(sys.argv[2]):
        # pycanon chooses the distance of t-closeness by the column's type.
        column = case["private"]
        seen = table.astype({column: float}) if case["numeric"] else table
        results.append(measured(seen, case))
    json.dump(results, sys.stdout)


main()
