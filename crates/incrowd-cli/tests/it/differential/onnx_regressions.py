"""ONNX that was once read otherwise than its maker means it: one case each."""

import numpy
from onnx import TensorProto as T
from onnx import helper as h
from regression_helpers import NUMBER, PRIVATE, PUBLIC, roles

import onnx


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
