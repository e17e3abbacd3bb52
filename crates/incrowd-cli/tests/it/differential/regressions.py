"""What was once read otherwise than its maker means it: one case each."""

import json
import math

import numpy
from onnx_regressions import onnx_cases, onnx_pipelines
from pmml_regressions import pmml, pmml_reads, pmml_refuses, simple, sklearn2pmml
from regression_helpers import PRIVATE, PUBLIC, documented, refused, roles, stump


def spelling(case):
    """One-hot values spelled otherwise than in the table, in each format."""
    model = case.write("m.json", stump([{"name": "s", "equals": "1", "unknown": 0}]))
    other = case.write("m.pmml", pmml(simple("s", "equal", "1") + "@" + simple("s", "notEqual", "1")))
    for table in ([["01"], ["2"]], [["1.0"], ["2"]], [[" 1"], ["2"]]):
        case.table([[*row, "no"] for row in table], ["s", "y"])
        roles(case, s=PUBLIC, y=PRIVATE)
        refused(*case.audit(model), "does not occur in the table")
        refused(*case.audit(other), "of the table")
    case.table([["1", "no"], ["2", "yes"]], ["s", "y"])
    roles(case, s=PUBLIC, y=PRIVATE)
    refused(*case.audit(model), "a value of the table is not in the model")
    roles(case, s={**PUBLIC, "values": '["1", "2"]'}, y=PRIVATE)
    assert case.audit(model) == (1, ""), case.audit(model)
    strict = case.write("strict.json", stump([{"name": "s", "equals": "1"}]))
    refused(*case.audit(strict), "not in the domain")


def nan_category(case):
    """The one-hot feature of missing values."""
    write_tree, names = documented("write_tree")
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    cells = numpy.array([["a"], [math.nan], ["b"], [math.nan], ["a"]], dtype=object)
    encoder = OneHotEncoder(sparse_output=False).fit(cells)
    labels = ["no", "yes", "no", "yes", "no"]
    tree = DecisionTreeClassifier(random_state=0).fit(encoder.transform(cells), labels)
    columns = names["one_hot_columns"](["s"], encoder)
    assert any(column["equals"] is None for column in columns), columns
    write_tree(tree, columns, "y", case.path("m.json"))
    case.table([[None if isinstance(cell, float) else cell, y] for (cell,), y in zip(cells, labels)], ["s", "y"])
    roles(case, s=PUBLIC, y=PRIVATE)
    assert case.predict(case.path("m.json")) == (labels, ""), case.predict(case.path("m.json"))
    assert case.audit(case.path("m.json"))[0] == 2


def snippets_refuse(case):
    """Several outputs, and infinite thresholds."""
    write_tree, _ = documented("write_tree")
    from sklearn.tree import DecisionTreeClassifier

    x = numpy.array([[0.0], [1.0], [2.0], [3.0]])
    several = DecisionTreeClassifier().fit(x, numpy.array([[0, 1], [1, 0], [0, 0], [1, 1]]))
    only_missing = DecisionTreeClassifier().fit(numpy.array([[1.0], [1.0], [math.nan]]), [0, 0, 1])
    weighted = DecisionTreeClassifier().fit(x, [0, 1, 0, 1], sample_weight=[1, 2, 3, 0.5])
    shallow = DecisionTreeClassifier(max_depth=1).fit(x, [0, 1, 0, 1], sample_weight=[1, 2, 3, 0.7])
    for model, part in [(several, "several outputs"), (only_missing, "infinite"), (shallow, "weights")]:
        try:
            write_tree(model, ["x"], "y", case.path("m.json"))
        except ValueError as error:
            assert part in str(error), error
        else:
            raise AssertionError(f"the snippet writes a model with {part}")
    write_tree(weighted, ["x"], "y", case.path("m.json"), counts=False)


def clusters(case):
    """A scaler that does not subtract the mean."""
    write_clusters, _ = documented("write_clusters")
    from sklearn.cluster import KMeans
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    x = numpy.array([[1.0], [2.0], [10.0], [11.0], [30.0], [31.0]])
    for with_mean in (False, True):
        for with_std in (False, True):
            scaler = StandardScaler(with_mean=with_mean, with_std=with_std).fit(x)
            model = KMeans(3, n_init=2, random_state=0).fit(scaler.transform(x))
            write_clusters(model, ["x"], case.path("m.json"), scaler=scaler, labels=model.labels_)
            case.table([[float(cell)] for (cell,) in x], ["x"])
            case.write("policy.toml", '[attributes.x]\nrole = "public"\n')
            ran = case.run("predict", case.path("m.json"), "--data", case.path("table.csv"), "--out", case.path("o.csv"), "--force")
            assert ran.returncode == 0, ran.stderr
            with open(case.path("o.csv"), encoding="utf-8") as file:
                found = [int(line) - 1 for line in file.read().split()[1:]]
            assert found == model.labels_.tolist(), (with_mean, with_std, found)
    try:
        write_clusters(model, ["x"], case.path("m.json"), scaler=MinMaxScaler().fit(x))
    except ValueError:
        return
    raise AssertionError("another scaler is written")


def exports_cases(case):
    """A CASE without WHEN, one class value, a domain that comes back, integers beyond 2^53."""
    import sqlite3

    tree = {
        "format": "incrowd-release", "version": 1, "family": "tree", "class": {"name": "y", "values": ["no", "yes"]},
        "attributes": [{"name": "s", "values": ["a", "b"]}],
        "nodes": [
            {"test": {"attribute": "s", "branches": [{"values": [], "to": 1}], "otherwise": 0}},
            {"test": {"attribute": "s", "branches": [{"values": ["a"], "to": 2}, {"values": [], "to": 3}], "otherwise": 1}},
            {"leaf": {"label": "no"}}, {"leaf": {"label": "yes"}},
        ],
    }
    model = case.write("t.json", json.dumps(tree))
    ran = case.run("export", model, "--to", "sql")
    database = sqlite3.connect(":memory:")
    database.execute('CREATE TABLE t ("s" TEXT)')
    database.execute("INSERT INTO t VALUES ('a'), ('b'), (NULL)")
    assert [x for (x,) in database.execute(f"SELECT {ran.stdout} FROM t")] == ["no", "yes", "yes"], ran.stdout
    case.run("export", model, "--to", "onnx", "--out", case.path("t.onnx"), "--force")
    back = json.loads(case.run("export", case.path("t.onnx"), "--to", "json").stdout)
    assert back["attributes"][0]["values"] == ["a", "b"], back["attributes"]
    one = {**tree, "class": {"name": "y", "values": ["no"]}, "nodes": [{"leaf": {"label": "no"}}]}
    ran = case.run("export", case.write("one.json", json.dumps(one)), "--to", "onnx", "--out", case.path("o.onnx"))
    assert ran.returncode == 2 and "two class values" in ran.stderr, ran.stderr
    whole = {
        **tree, "attributes": [{"name": "x", "numeric": True}],
        "nodes": [{"test": {"attribute": "x", "thresholds": [2.0**53], "to": [1, 2]}}, {"leaf": {"label": "no"}}, {"leaf": {"label": "yes"}}],
    }
    ran = case.run("export", case.write("whole.json", json.dumps(whole)), "--to", "sql")
    database.execute("CREATE TABLE w (x INTEGER)")
    database.execute(f"INSERT INTO w VALUES ({2**53}), ({2**53 + 1}), ({2**53 + 2})")
    # incrowd reads a number as the nearest double.
    assert [x for (x,) in database.execute(f"SELECT {ran.stdout} FROM w")] == ["no", "no", "yes"], ran.stdout
    deep = {**whole, "nodes": []}
    for i in range(300):
        test = {"attribute": "x", "thresholds": [float(i)], "to": [2 * i + 1, 2 * i + 2], "otherwise": 0}
        deep["nodes"] += [{"test": test}, {"leaf": {"label": "no" if i % 2 else "yes"}}]
    deep["nodes"].append({"leaf": {"label": "no"}})
    ran = case.run("export", case.write("deep.json", json.dumps(deep)), "--to", "sql")
    database.execute("CREATE TABLE d (x REAL)")
    database.execute("INSERT INTO d VALUES " + ", ".join(f"({i - 0.5})" for i in range(305)))
    expected = ["no" if i % 2 else "yes" for i in range(300)] + ["no"] * 5
    assert [x for (x,) in database.execute(f"SELECT {ran.stdout} FROM d")] == expected


def predict_names(case):
    """Names that look like numbers are read alike, whatever the other rows hold."""
    tree = {
        "format": "incrowd-release", "version": 1, "family": "tree", "class": {"name": "y", "values": ["no", "yes"]},
        "attributes": [{"name": "s", "values": ["1", "2"]}],
        "nodes": [{"test": {"attribute": "s", "branches": [{"values": ["1"], "to": 1}, {"values": ["2"], "to": 2}], "otherwise": 1}},
                  {"leaf": {"label": "no"}}, {"leaf": {"label": "yes"}}],
    }
    model = case.write("t.json", json.dumps(tree))
    found = []
    for other in ("2", "x"):
        table = case.write("p.csv", f"s\n01\n1\n{other}\n")
        ran = case.run("predict", model, "--data", table, "--out", case.path("o.csv"), "--force")
        assert ran.returncode == 0, ran.stderr
        with open(case.path("o.csv"), encoding="utf-8") as file:
            found.append(file.read().split()[1:3])
    assert found == [["yes", "no"]] * 2, found


def rules(case):
    """Items with commas whose parts are items, too."""
    case.write("b.dat", "a,b x\na b x\na b\nx\n")
    case.write("policy.toml", '[items]\ndefault = "public"\n')
    for header, cell, status in [("rules,support", "0.5", 2), ("rules,support,count", "0.5,2", 0)]:
        text = header + '\n"{a,b} => {x}",' + (cell if status else "0.25,1") + "\n"
        model = case.write("r.csv", text)
        ran = case.run("audit", model, "--data", case.path("b.dat"), "--policy", case.path("policy.toml"), "--k", "1")
        assert (ran.returncode == 2) == (status == 2), f"{header}: {ran.returncode} {ran.stderr}"
        assert status != 2 or "one item or several" in ran.stderr, ran.stderr


def declared_values(case):
    """A private value that only the policy declares takes the branch for the others."""
    model = case.write("m.json", stump([{"name": "p", "equals": "u", "unknown": 0}]))
    case.table([["u", "no"], ["u", "yes"], ["u", "no"]], ["p", "y"])
    roles(case, p={**PRIVATE, "values": '["u", "v"]'}, y={**PRIVATE, "values": '["no", "yes"]'})
    found, message = case.audit(model)
    assert found == 3, (found, message)


def bisecting(case):
    """Clusters that are not those of the nearest centroids."""
    from sklearn.cluster import BisectingKMeans

    write_clusters, _ = documented("write_clusters")
    model = BisectingKMeans(3, random_state=0).fit(numpy.arange(24.0).reshape(12, 2))
    try:
        write_clusters(model, ["a", "b"], case.path("c.json"))
    except ValueError as error:
        assert "nearest" in str(error), error
    else:
        raise AssertionError("a BisectingKMeans is written")


def run(case, count, seed):
    for check in [
        spelling, nan_category, snippets_refuse, clusters, pmml_refuses, pmml_reads, sklearn2pmml, onnx_cases, exports_cases, predict_names,
        rules, declared_values, onnx_pipelines, bisecting,
    ]:
        print(check.__name__, flush=True)
        check(case)
