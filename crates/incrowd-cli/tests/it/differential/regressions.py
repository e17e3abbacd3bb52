"""What was once read otherwise than its maker means it: one case each."""

import json
import math
import os
import re

import numpy
from onnx import TensorProto as T
from onnx import helper as h

import onnx


def refused(found, message, part):
    assert found is None and part in message, f"expected a refusal with {part!r}: {found}, {message}"


def documented(function):
    with open(os.path.join(os.environ["INCROWD_DOCS"], "foreign-models.md"), encoding="utf-8") as file:
        parts = re.findall(r"```python\n(.*?)```", file.read(), flags=re.S)
    names = {}
    exec("\n".join(part for part in parts if f"def {function}" in part), names)
    return names[function], names


def roles(case, class_name="y", **attributes):
    case.policy({name: keys for name, keys in attributes.items()}, class_name)


PUBLIC = {"role": '"public"', "kind": '"categorical"'}
NUMBER = {"role": '"public"', "kind": '"numeric"'}
PRIVATE = {"role": '"private"'}


def stump(columns, feature=0, threshold=0.5, missing_left=None):
    tree = {
        "format": "scikit-learn-tree", "version": 1, "class": {"name": "y", "values": ["no", "yes"]}, "columns": columns,
        "left": [1, -1, -1], "right": [2, -1, -1], "feature": [feature, -2, -2], "threshold": [threshold, -2, -2], "label": [0, 0, 1],
    }
    if missing_left is not None:
        tree["missing_left"] = missing_left
    return json.dumps(tree)


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


class Template(str):
    def replace(self, *pair):
        return Template(str.replace(self, *pair))

    def tree(self):
        """Parts divided by @ become the branches."""
        text = str(self)
        start, end = text.index("<!--"), text.index("-->")
        branches = text[start + 4:end].split("@")
        nodes = "".join(f'<Node id="{i + 1}" score="{["no", "yes", "other"][i % 3]}">{b}</Node>' for i, b in enumerate(branches))
        return text[:start] + nodes + text[end + 3:]


def simple(field, operator, value=None):
    value = "" if value is None else f' value="{value}"'
    return f'<SimplePredicate field="{field}" operator="{operator}"{value}/>'


PMML = Template(
    '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><DataDictionary>'
    '<DataField name="n" optype="continuous" dataType="TYPE">NVALUES</DataField>'
    '<DataField name="s" optype="categorical" dataType="string">SVALUES</DataField>'
    '<DataField name="y" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/><Value value="other"/></DataField>'
    "</DataDictionary>DERIVED<TreeModel functionName=\"classification\" STRATEGY><MiningSchema>"
    '<MiningField name="n" NFIELD/><MiningField name="s" SFIELD/><MiningField name="y" usageType="target"/></MiningSchema>'
    '<Node id="0" score="other"><True/><!--SPLIT--></Node></TreeModel></PMML>'
).replace("TYPE", "double")


def pmml(split, **parts):
    text = PMML.replace("SPLIT", split).tree()
    for name in ("NVALUES", "SVALUES", "DERIVED", "STRATEGY", "NFIELD", "SFIELD"):
        text = text.replace(name, parts.get(name, ""))
    return text.replace('dataType="double"', f'dataType="{parts.get("TYPE", "double")}"', 1)


def pmml_refuses(case):
    """Preprocessing that is not understood is refused by its name."""
    low, high = simple("n", "lessOrEqual", "3"), simple("n", "greaterThan", "3")
    interval = '<Interval closure="closedClosed" leftMargin="0" rightMargin="5"/>'
    derived = '<TransformationDictionary><DerivedField name="d" optype="continuous" dataType="{}"><FieldRef field="n"{}/></DerivedField></TransformationDictionary>'
    d = low.replace('"n"', '"d"') + "@" + high.replace('"n"', '"d"')
    cases = [
        (pmml(f"{low}@{high}", NFIELD='outliers="asMissingValues" lowValue="1"'), "outliers"),
        (pmml(f"{low}@{high}", NFIELD='outliers="asExtremeValues" highValue="1"'), "outliers"),
        (pmml(f"{low}@{high}", NVALUES='<Value value="-999" property="missing"/>'), "missing value"),
        (pmml(f"{low}@{high}", NVALUES=interval), "Interval"),
        (pmml(f"{low}@{high}", NVALUES=interval, NFIELD='invalidValueTreatment="asMissing"'), "Interval"),
        (pmml(f"{low}@{high}", NVALUES=interval, NFIELD='invalidValueTreatment="asExtremeValues"'), "invalidValueTreatment"),
        (pmml(f"{low}@{high}", NFIELD='missingValueTreatment="returnInvalid"'), "missingValueTreatment"),
        (pmml(d, DERIVED=derived.format("double", ' mapMissingTo="3"')), "mapMissingTo"),
        (pmml(d, DERIVED=derived.format("integer", "")), "dataType"),
        (pmml(f"{low}@{high}", STRATEGY='x-mathContext="float"'), "x-mathContext"),
        (pmml(f"{low}@{high}").replace("<Node id=\"0\"", "<Targets><Target field=\"y\"/></Targets><Node id=\"0\""), "Targets"),
        (pmml(f"{low}@{high}").replace('<Node id="1" score="no">', '<Node id="1" score="no"><Regression/>'), "Regression"),
    ]
    for text, part in cases:
        ran = case.run("show", case.write("m.pmml", text))
        assert ran.returncode == 2 and part in ran.stderr, f"{part}: {ran.returncode} {ran.stderr}"


def pmml_reads(case):
    """Preprocessing and missing values as JPMML has them."""
    from jpmml_evaluator import make_evaluator

    from pmml_trees import jpmml

    low, high = simple("n", "lessOrEqual", "0.1"), simple("n", "greaterThan", "0.1")
    a, not_a = simple("s", "equal", "a"), simple("s", "notEqual", "a")
    values = '<Value value="a"/><Value value="b"/>'
    cases = [
        pmml(f"{low}@{high}", TYPE="float"),
        pmml(f"{low}@<True/>", TYPE="float", STRATEGY='missingValueStrategy="lastPrediction"'),
        pmml(f"{low}@<True/>", STRATEGY='missingValueStrategy="none"'),
        pmml(f"{low}@{high}", STRATEGY='noTrueChildStrategy="returnLastPrediction"'),
        pmml(f"{low}@{high}", NFIELD='missingValueReplacement="0.05"'),
        pmml(f"{simple('n', 'isMissing')}@{low}@<True/>"),
        pmml(f"{simple('n', 'isNotMissing')}@<True/>"),
        pmml(f"{a}@{not_a}", SVALUES=values + '<Value value="?" property="missing"/>', STRATEGY='noTrueChildStrategy="returnLastPrediction"', SFIELD='invalidValueTreatment="asIs"'),
        pmml(f"{a}@<True/>", SVALUES=values, SFIELD='invalidValueTreatment="asMissing"', STRATEGY='missingValueStrategy="lastPrediction"'),
        pmml(f"{a}@{not_a}", SVALUES=values, SFIELD='invalidValueTreatment="asValue" invalidValueReplacement="a" missingValueReplacement="b"'),
        pmml(f"{a}@{simple('s', 'equal', 'b')}", STRATEGY='noTrueChildStrategy="returnLastPrediction"'),
        pmml(f"{a}@{not_a}", STRATEGY='missingValueStrategy="defaultChild"').replace('<Node id="0"', '<Node id="0" defaultChild="1"'),
    ]
    rows = [[n, s] for n in (0.1, math.nextafter(0.1, 1), 0.2, 0.0, None) for s in ("a", "b", "?", "zz", None)]
    roles(case, n=NUMBER, s={**PUBLIC, "values": '["a", "b", "?", "zz"]'}, y={**PRIVATE, "values": '["no", "yes", "other"]'})
    for i, text in enumerate(cases):
        model = case.write("m.pmml", text)
        evaluator = make_evaluator(model).verify()
        expected = [label for label, _ in jpmml(evaluator, [{"n": n, "s": s} for n, s in rows])]
        answered = [(row, label) for row, label in zip(rows, expected) if label is not None]
        assert len(answered) >= 5, f"PMML {i}: {expected}"
        case.table([[*row, "no"] for row, _ in answered], ["n", "s", "y"])
        found, message = case.predict(model)
        assert found == [label for _, label in answered], f"PMML {i}: {found} {message}, JPMML {answered}"
        case.table([[*row, "no"] for row in rows], ["n", "s", "y"])
        if len(answered) < len(rows):
            refused(*case.predict(model), "predicts nothing")
    # A prediction that is not there is not made up.
    null = case.write("m.pmml", pmml(f"{low}@<True/>", STRATEGY='missingValueStrategy="nullPrediction"'))
    refused(*case.predict(null), "predicts nothing")


def sklearn2pmml(case):
    """What sklearn2pmml writes today: shares as record counts."""
    import pandas
    import sklearn
    import sklearn.base
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    # The converter knows versions of scikit-learn up to its own day.
    sklearn.__version__ = sklearn.base.__version__ = "1.9.0"
    from sklearn2pmml import sklearn2pmml as write
    from sklearn2pmml.pipeline import PMMLPipeline

    r = numpy.random.RandomState(0)
    table = pandas.DataFrame({"age": r.randint(18, 90, 90), "hours per-week": numpy.round(r.rand(90) * 40, 3), "sex": r.choice(["f", "m", "x"], 90)})
    table["y"] = numpy.where((table["age"] > 40) & (table["sex"] == "f") | (r.rand(90) > 0.8), "yes", "no")
    steps = ColumnTransformer([("n", "passthrough", ["age", "hours per-week"]), ("s", OneHotEncoder(), ["sex"])])
    pipeline = PMMLPipeline([("columns", steps), ("classifier", DecisionTreeClassifier(max_depth=4, random_state=0))])
    pipeline.fit(table.drop(columns="y"), table["y"])
    write(pipeline, case.path("m.pmml"))
    case.table(table.to_numpy(object).tolist(), list(table.columns))
    case.policy({"age": NUMBER, "hours per-week": NUMBER, "sex": PUBLIC, "y": PRIVATE}, "y")
    found, message = case.audit(case.path("m.pmml"))
    leaves = pipeline.named_steps["classifier"].apply(steps.transform(table.drop(columns="y")))
    assert found == min(numpy.unique(leaves, return_counts=True)[1]), (found, message)
    labels, message = case.predict(case.path("m.pmml"))
    assert labels == pipeline.predict(table.drop(columns="y")).tolist(), message


def onnx_model(nodes, classes=("no", "yes"), kind=T.FLOAT, weights=None, threshold=16777216.0, matrix="m", behind=(), output="label"):
    weights = weights or [(1, 0, 1.0), (1, 1, 0.0), (2, 0, 0.0), (2, 1, 1.0)]
    tree = h.make_node(
        "TreeEnsembleClassifier", [matrix], ["label", "scores"], domain="ai.onnx.ml", nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2],
        nodes_featureids=[0, 0, 0], nodes_values=[threshold, 0.0, 0.0], nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
        nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0], class_treeids=[0] * len(weights),
        class_nodeids=[w[0] for w in weights], class_ids=[w[1] for w in weights], class_weights=[w[2] for w in weights],
        classlabels_strings=list(classes),
    )
    graph = h.make_graph(
        [*nodes, tree, *behind], "g", [h.make_tensor_value_info("x", kind, [None, 1])], [h.make_tensor_value_info(output, T.STRING, [None])]
    )
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 17), h.make_opsetid("ai.onnx.ml", 3)])
    model.ir_version = 8
    h.set_model_props(model, {"incrowd.class": "y"})
    return model


def onnx_cases(case):
    from onnx_trees import session

    same = [h.make_node("Identity", ["x"], ["m"])]
    def cast(to):
        return [h.make_node("Cast", ["x"], ["c"], to=to), h.make_node("Cast", ["c"], ["m"], to=T.FLOAT)]
    coder = h.make_node("LabelEncoder", ["x"], ["m"], domain="ai.onnx.ml", keys_strings=["a", "b", "a"], values_floats=[1.0, 2.0, 3.0])
    cases = [
        (onnx_model(cast(T.INT64)), "Cast"),
        (onnx_model(cast(T.BOOL)), "Cast"),
        (onnx_model([coder], kind=T.STRING), "key twice"),
        (onnx_model([h.make_node("Concat", ["x"], ["m"], axis=0)]), "Concat"),
        (onnx_model([h.make_node("Neg", ["x"], ["m"])]), "Neg"),
        (onnx_model(same, behind=[h.make_node("Upper", ["label"], ["out"], domain="ai.onnx.contrib")], output="out"), "Upper"),
        (onnx_model(same, classes=("no",), weights=[(1, 0, 1.0), (2, 0, 1.0)]), "fewer than two"),
    ]
    for model, part in cases:
        onnx.save(model, case.path("m.onnx"))
        ran = case.run("show", case.path("m.onnx"))
        assert ran.returncode == 2 and part in ran.stderr, f"{part}: {ran.returncode} {ran.stderr}"
    rows = numpy.array([[16777216], [16777217], [16777218], [16777219], [1]], dtype=numpy.int64)
    case.table([[float(n), "no"] for (n,) in rows], ["x", "y"])
    roles(case, x=NUMBER, y={**PRIVATE, "values": '["no", "yes"]'})
    weights = [
        None,
        [(1, 0, 0.7), (1, 1, 0.3), (2, 0, 0.2), (2, 1, 0.8)],
        [(1, 1, 0.3), (2, 1, 0.8)],
        [(1, 0, 0.3), (2, 0, 0.8)],
        [(1, 1, 0.0), (2, 1, 0.3)],
        [(1, 1, -0.3), (2, 1, 0.3)],
        [(1, 0, 0.7), (1, 1, -0.3), (2, 0, 0.2), (2, 1, 0.8)],
        [(1, 0, 1.0), (2, 1, 1.0)],
    ]
    for kind, numbers in [(T.INT64, numpy.int64), (T.FLOAT, numpy.float32)]:
        for some in weights:
            model = onnx_model(same, kind=kind, weights=some)
            onnx.save(model, case.path("m.onnx"))
            expected = session(model).run(None, {"x": rows.astype(numbers)})[0].tolist()
            assert case.predict(case.path("m.onnx")) == (expected, ""), (kind, some, case.predict(case.path("m.onnx")), expected)


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


def onnx_pipelines(case):
    """One encoder over several columns as skl2onnx writes it, and operators that change nothing before a matrix with names."""
    import pandas
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    rows = [[age, sex, job] for age in (20, 30, 40, 50) for sex in "fm" for job in "xyz"]
    frame = pandas.DataFrame(rows, columns=["age", "sex", "job"])
    labels = ["yes" if (sex == "f") != (job == "x") and age > 25 else "no" for age, sex, job in rows]
    kinds = [("age", FloatTensorType([None, 1])), ("sex", StringTensorType([None, 1])), ("job", StringTensorType([None, 1]))]
    case.table([[*row, label] for row, label in zip(rows, labels)], ["age", "sex", "job", "y"])
    case.policy({"age": NUMBER, "sex": PUBLIC, "job": PUBLIC, "y": PRIVATE}, "y")
    for drop in (None, "first"):
        pipeline = make_pipeline(
            ColumnTransformer([("hot", OneHotEncoder(drop=drop), ["sex", "job"])], remainder="passthrough"), DecisionTreeClassifier(random_state=0)
        ).fit(frame, labels)
        model = to_onnx(pipeline, initial_types=kinds, target_opset=17, options={"zipmap": False})
        model.metadata_props.add(key="incrowd.class", value="y")
        onnx.save(model, case.path("m.onnx"))
        ran = case.run("predict", case.path("m.onnx"), "--data", case.path("table.csv"), "--out", case.path("p.csv"), "--force")
        assert ran.returncode == 0, f"{drop}: {ran.stderr}"
        with open(case.path("p.csv"), encoding="utf-8") as file:
            found = [line.split(",")[0] for line in file.read().split()[1:]]
        assert found == pipeline.predict(frame).tolist() == labels, drop
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(frame[["age"]].assign(other=1.0).to_numpy(dtype="float32"), labels)
    model = to_onnx(tree, numpy.zeros((1, 2), dtype="float32"), options={"zipmap": False})
    model.graph.node[0].input[0] = "same"
    model.graph.node.insert(0, h.make_node("Identity", ["X"], ["same"]))
    model.metadata_props.add(key="incrowd.class", value="y")
    model.metadata_props.add(key="incrowd.columns", value='[{"name": "age"}, {"name": "other"}]')
    onnx.save(model, case.path("m.onnx"))
    assert case.run("show", case.path("m.onnx")).returncode == 0
    model.metadata_props.add(key="incrowd.class", value="x")
    onnx.save(model, case.path("m.onnx"))
    ran = case.run("show", case.path("m.onnx"))
    assert ran.returncode == 2 and "a key twice" in ran.stderr, ran.stderr


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
