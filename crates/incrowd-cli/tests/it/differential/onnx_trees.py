"""Random trees in ONNX, and pipelines of skl2onnx, against onnxruntime. Leaves are found by a twin whose weights are their numbers."""

import os
import random
import re

import numpy
import onnx
import onnxruntime
from onnx import TensorProto as T
from onnx import helper as h

from common import Refused, Tally, compare, crowd, near

onnxruntime.set_default_logger_severity(4)
NAMES = ["a", "b", "c c", "é"]
KINDS = {T.FLOAT: numpy.float32, T.DOUBLE: numpy.float64, T.INT64: numpy.int64}


class Generator:
    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.kind = r.choice([T.FLOAT, T.DOUBLE, T.INT64])
        self.classes = r.choice([["no", "yes"], ["no", "yes"], ["no", "yes", "other"], [10, 20], [1, 2, 3]])
        self.odd = r.choice([None] * 14 + ["cast", "bool", "twice", "axis", "behind", "base", "post"])
        self.matrix = self.kind if r.random() < 0.5 or self.kind == T.DOUBLE else T.FLOAT
        if self.odd in ("cast", "bool"):
            self.matrix = T.FLOAT
        self.thresholds, self.nodes, self.initializers = [], [], []
        self.features()
        self.tree()

    def add(self, operator, inputs, output, domain="", **attributes):
        self.nodes.append(h.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def features(self):
        """The matrix: each column as (what it is made from, its possible numbers)."""
        r = self.r
        number = "n"
        if self.odd in ("cast", "bool"):
            number = self.add("Cast", [number], "n0", to=T.INT64 if self.odd == "cast" else T.BOOL)
        if self.odd in ("cast", "bool") or self.matrix != self.kind:
            number = self.add("Cast", [number], "n1", to=self.matrix)
        parts, self.columns = [number], [None]
        for name, values in [("s", NAMES), ("p", ["u", "v", "w"])]:
            known = r.sample(values, r.randint(1, len(values)))
            ml = {"domain": "ai.onnx.ml"}
            if r.random() < 0.5:
                codes = [float(r.randint(0, 3)) for _ in known]
                keys, numbers = (known + known[:1], codes + [9.0]) if self.odd == "twice" else (known, codes)
                if r.random() < 0.5:
                    coded = self.add("LabelEncoder", [name], f"{name}0", keys_strings=keys, values_floats=numbers,
                                     default_float=float(r.randint(-1, 3)), **ml)
                else:
                    coded = self.add("LabelEncoder", [name], f"{name}0", keys_strings=keys,
                                     values_int64s=[int(code) for code in numbers], **ml)
                parts.append(self.add("Cast", [coded], f"{name}1", to=self.matrix))
                self.columns.append(name)
            else:
                hot = self.add("OneHotEncoder", [name], f"{name}0", cats_strings=known, zeros=1, **ml)
                self.initializers.append(h.make_tensor(f"{name}_shape", T.INT64, [2], [-1, len(known)]))
                hot = self.add("Reshape", [hot, f"{name}_shape"], f"{name}1")
                parts.append(self.add("Cast", [hot], f"{name}2", to=self.matrix))
                self.columns += [name] * len(known)
        self.add("Concat", parts, "matrix", axis=0 if self.odd == "axis" else 1)

    def tree(self):
        r = self.r
        rows, self.leaves = [], []
        modes = r.choice([["BRANCH_LEQ"], ["BRANCH_LT"], ["BRANCH_LEQ", "BRANCH_GT"], ["BRANCH_GTE", "BRANCH_LEQ"]])
        modes = modes if r.random() < 0.3 else ["BRANCH_LEQ"]
        def grow(depth):
            place = len(rows)
            rows.append(None)
            if depth == 0 or r.random() < 0.15 and place:
                rows[place] = ("LEAF", 0, 0.0, 0, 0, 0)
                self.leaves.append(place)
                return place
            feature = r.randrange(len(self.columns))
            if feature == 0:
                threshold = float(numpy.float32(r.choice([0.1, 0.3, 16777216.0, 16777218.0, 3.0, -2.5, 2.0**53])))
                self.thresholds.append(threshold)
            else:
                threshold = r.choice([0.5, 0.5, 1.5, 1.0, -0.5])
            mode, tracks = r.choice(modes), r.randint(0, 1)
            yes, no = grow(depth - 1), grow(depth - 1)
            rows[place] = (mode, feature, threshold, yes, no, tracks)
            return place
        grow(3)
        self.rows_of_tree = rows

    def shape(self):
        rows = self.rows_of_tree
        return dict(
            nodes_treeids=[0] * len(rows), nodes_nodeids=list(range(len(rows))), nodes_modes=[row[0] for row in rows],
            nodes_featureids=[row[1] for row in rows], nodes_truenodeids=[row[3] for row in rows],
            nodes_falsenodeids=[row[4] for row in rows], nodes_missing_value_tracks_true=[row[5] for row in rows],
            **self.numbers("nodes_values", [row[2] for row in rows]),
        )

    def numbers(self, name, values):
        if self.matrix == T.DOUBLE:
            return {name + "_as_tensor": h.make_tensor(name, T.DOUBLE, [len(values)], values)}
        return {name: values}

    def classifier(self):
        r = self.r
        count = len(self.classes)
        style = r.choice(["all", "one", "some", "negative", "label"])
        weights = []
        for leaf in self.leaves:
            label = r.randrange(count)
            for c in range(count):
                if style == "one" and count == 2:
                    if c == self.r_side:
                        weights.append((leaf, c, r.choice([0.0, 0.25, 0.5, 0.75, 1.0])))
                elif style == "some" and r.random() < 0.4 and (count == 2 or c != label):
                    continue
                elif style == "label":
                    weights.append((leaf, c, 1.0 if c == label else 0.0))
                else:
                    weights.append((leaf, c, r.choice([0.0, 0.25, 0.5, 0.75] + ([-0.5] if style == "negative" else []))))
        more = {"base_values": [0.5] * count} if self.odd == "base" else {}
        more |= {"post_transform": "SOFTMAX"} if self.odd == "post" else {}
        labels = {"classlabels_strings" if isinstance(self.classes[0], str) else "classlabels_int64s": self.classes}
        return dict(
            class_treeids=[0] * len(weights), class_nodeids=[w[0] for w in weights], class_ids=[w[1] for w in weights],
            **self.numbers("class_weights", [w[2] for w in weights]), **labels, **more,
        )

    def models(self):
        self.r_side = self.r.randint(0, 1)
        kind = T.STRING if isinstance(self.classes[0], str) else T.INT64
        inputs = [h.make_tensor_value_info("n", self.kind, [None, 1])]
        inputs += [h.make_tensor_value_info(name, T.STRING, [None, 1]) for name in ("s", "p")]
        made = []
        ml = {"domain": "ai.onnx.ml"}
        tree = h.make_node("TreeEnsembleClassifier", ["matrix"], ["label", "scores"], **ml, **self.shape(), **self.classifier())
        behind = []
        if self.odd == "behind" and kind == T.INT64:
            behind = [h.make_node("Neg", ["label"], ["negative"])]
        output = "negative" if behind else "label"
        made.append(([tree, *behind], [h.make_tensor_value_info(output, kind, [None])]))
        weights = dict(target_treeids=[0] * len(self.leaves), target_nodeids=self.leaves, target_ids=[0] * len(self.leaves),
                       **self.numbers("target_weights", [float(leaf) for leaf in self.leaves]))
        twin = h.make_node("TreeEnsembleRegressor", ["matrix"], ["leaf"], n_targets=1, **ml, **self.shape(), **weights)
        made.append(([twin], [h.make_tensor_value_info("leaf", T.FLOAT, [None, 1])]))
        models = []
        for nodes, outputs in made:
            graph = h.make_graph([*self.nodes, *nodes], "g", inputs, outputs, self.initializers)
            model = h.make_model(graph, opset_imports=[h.make_opsetid("", 17), h.make_opsetid("ai.onnx.ml", 3)])
            model.ir_version = 8
            models.append(model)
        return models

    def rows(self):
        r = self.r
        numbers = [0.0, 16777217.0, 16777219.0] + [n for t in self.thresholds for n in near(t)]
        if self.kind == T.INT64:
            numbers = [float(round(n)) for n in numbers]
        missing = r.random() < 0.4
        rows = []
        for _ in range(r.randint(5, 16)):
            n = None if missing and self.kind != T.INT64 and r.random() < 0.2 else r.choice(numbers)
            rows.append({"n": n, "s": None if missing and r.random() < 0.2 else r.choice(NAMES), "p": r.choice("uvw")})
        return rows + [{"n": 1.0, "s": name, "p": "u"} for name in NAMES]


def feed(kind, rows):
    numbers = numpy.array([[numpy.nan if row["n"] is None else row["n"]] for row in rows])
    texts = {name: numpy.array([["" if row[name] is None else row[name]] for row in rows], dtype=object) for name in ("s", "p")}
    return {"n": numbers.astype(KINDS[kind]), **texts}


def session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run(case, count, seed):
    tally = Tally()
    for number in range(seed, seed + count):
        generator = Generator(number)
        model, twin = generator.models()
        h.set_model_props(model, {"incrowd.class": "y"})
        rows = generator.rows()
        try:
            labels, leaves = session(model), session(twin)
            expected = [str(label) for label in labels.run(None, feed(generator.kind, rows))[0].ravel()]
        except Exception:
            continue
        path = case.path("model.onnx")
        onnx.save(model, path)
        k = crowd(rows, ["n", "s"], {"p": ["u", "v", "w"]}, lambda all_rows: [
            int(leaf) for leaf in leaves.run(None, feed(generator.kind, all_rows))[0].ravel()
        ])
        classes = [str(name) for name in generator.classes]
        case.table([[row["n"], row["s"], row["p"], classes[i % 2]] for i, row in enumerate(rows)], ["n", "s", "p", "y"])
        case.policy(
            {
                "n": {"role": '"public"', "kind": '"numeric"'},
                "s": {"role": '"public"', "kind": '"categorical"', "values": '["a", "b", "c c", "é"]'},
                "p": {"role": '"private"', "values": '["u", "v", "w"]'},
                "y": {"role": '"private"', "kind": '"categorical"'},
            },
            "y",
        )
        compare(case, tally, path, expected, k, f"ONNX {number} ({generator.odd})")
    tally.finish(0.3)
    pipelines(case)


def pipelines(case):
    """What skl2onnx writes of a pipeline on a data frame, with a column that it renames."""
    import pandas
    from skl2onnx import to_onnx
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    with open(os.path.join(os.environ["INCROWD_DOCS"], "foreign-models.md"), encoding="utf-8") as file:
        parts = re.findall(r"```python\n(.*?)```", file.read(), flags=re.S)
    functions = {}
    exec("\n".join(part for part in parts if "def name_columns" in part), functions)
    for seed in range(4):
        r = numpy.random.RandomState(seed)
        size = 60
        table = pandas.DataFrame(
            {"age": r.randint(18, 90, size), "hours-per week": r.rand(size) * 40, "sex": r.choice(["f", "m", "x"], size),
             "education": r.choice(["low", "mid"], size)}
        )
        label = numpy.where((table["age"] > 40) & (table["sex"] == "f") | (table["hours-per week"] > 30), "yes", "no")
        steps = ColumnTransformer(
            [("n", "passthrough", ["age", "hours-per week"]), ("hot", OneHotEncoder(handle_unknown="ignore"), ["sex"]),
             ("codes", OrdinalEncoder(), ["education"])]
        )
        pipeline = Pipeline([("columns", steps), ("tree", DecisionTreeClassifier(max_depth=4, random_state=seed))]).fit(table, label)
        model = to_onnx(pipeline, table[:1])
        path = case.path("pipeline.onnx")
        functions["name_columns"](model, "class")
        onnx.save(model, path)
        cells = [[*row, y] for row, y in zip(table.to_numpy(object).tolist(), label)]
        case.table(cells, [*table.columns, "class"])
        roles = {name: {"role": '"public"'} for name in table.columns}
        case.policy({**roles, "class": {"role": '"private"'}}, "class")
        found, message = case.audit(path)
        assert found is None and "incrowd.names" in message or "hours_per_week" in message, message
        functions["name_columns"](model, "class", names={"hours_per_week": "hours-per week"})
        onnx.save(model, path)
        found, message = case.audit(path)
        leaves = pipeline.named_steps["tree"].apply(steps.transform(table))
        assert found == min(numpy.unique(leaves, return_counts=True)[1]), (found, message)
