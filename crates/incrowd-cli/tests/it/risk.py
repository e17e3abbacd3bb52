# Re-identification risks of Adult from their definitions, in plain Python: one record after another.
# usage: risk.py adult.data CASES(JSON); prints a JSON list of figures.
import collections
import fractions
import json
import math
import sys

NAMES = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex capital-gain "
    "capital-loss hours-per-week native-country class"
).split()


def records(path):
    with open(path) as lines:
        cells = [[cell.strip() for cell in line.split(",")] for line in lines if line.strip()]
    return [dict(zip(NAMES, row)) for row in cells if "?" not in row]


def figures(risks, threshold):
    count = len(risks)
    return {
        "highest": max(risks),
        "average": sum(risks) / count,
        "above_threshold": sum(risk > threshold for risk in risks) / count,
    }


def expected(f, p):
    # E[1/F] for a negative binomial F, term by term.
    if p == 1:
        return 1 / f
    chance, total, size = p**f, 0.0, f
    while size < f + 2_000_000 and (chance > 1e-18 or size < f / p):
        total += chance / size
        chance *= (1 - p) * size / (size - f + 1)
        size += 1
    return total


def zayatz(groups, population):
    sample = sum(groups)
    sizes = collections.Counter(groups)
    ways = math.comb(population, sample)

    def once(size):
        return fractions.Fraction(size * math.comb(population - size, sample - 1), ways)

    all_once = sum(number * once(size) for size, number in sizes.items())
    share = sizes[1] * once(1) / all_once
    return float(sizes[1] * share * population / sample)


def pitman(groups, population):
    # Maximum likelihood by two nested bisections over the sums of the definition (Hoshino 2001).
    n, u, sizes = sum(groups), len(groups), collections.Counter(groups)

    def by_theta(theta, alpha):
        return sum(1 / (theta + i * alpha) for i in range(1, u)) - sum(1 / (theta + i) for i in range(1, n))

    def theta_of(alpha):
        low, high = -20.0, 20.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if by_theta(math.exp(middle), alpha) > 0 else (low, middle)
        return math.exp(low)

    def by_alpha(alpha):
        theta = theta_of(alpha)
        within = sum(number * sum(1 / (j - alpha) for j in range(1, size)) for size, number in sizes.items())
        return sum(i / (theta + i * alpha) for i in range(1, u)) - within

    low, high = 0.01, 0.999
    for _ in range(34):
        middle = (low + high) / 2
        low, high = (middle, high) if by_alpha(middle) > 0 else (low, middle)
    alpha = low
    theta = theta_of(alpha)
    return math.exp(math.lgamma(theta + 1) - math.lgamma(theta + alpha)) * population**alpha


def case(all_rows, wanted):
    rows = all_rows[: wanted["rows"]] if wanted["rows"] else all_rows
    group = lambda row: tuple(row[name] for name in wanted["public"])
    own = collections.Counter(map(group, rows))
    everyone = collections.Counter(map(group, all_rows))
    threshold = wanted["threshold"]
    result = {
        "prosecutor": figures([1 / own[group(row)] for row in rows], threshold),
        "sample_uniques": sum(size == 1 for size in own.values()),
    }
    if wanted["population"]:
        risks = [1 / everyone[group(row)] for row in rows]
        result["journalist"] = figures(risks, threshold)
        matched = sum(everyone[key] for key in own)
        result["journalist"]["average"] = max(result["journalist"]["average"], len(own) / matched)
        result["marketer"] = sum(risks) / len(rows)
        result["k_map"] = min(everyone[key] for key in own)
        shares = [own[key] / size for key, size in everyone.items()]
        result["presence"] = [min(shares), max(shares)]
        result["uniques"] = sum(size == 1 for size in everyone.values())
    if wanted["size"]:
        p = len(rows) / wanted["size"]
        risk = {f: expected(f, p) for f in set(own.values())}
        risks = [risk[own[group(row)]] for row in rows]
        result["journalist"] = figures(risks, threshold)
        result["journalist"]["average"] = max(result["journalist"]["average"], len(own) / wanted["size"])
        result["marketer"] = sum(risks) / len(rows)
        result["zayatz"] = zayatz(list(own.values()), wanted["size"])
        result["pitman"] = pitman(list(own.values()), wanted["size"]) if wanted["pitman"] else None
        result["uniques"] = sum(size == 1 for size in everyone.values())
    return result


rows = records(sys.argv[1])
print(json.dumps([case(rows, wanted) for wanted in json.loads(sys.argv[2])]))
