"""Trees of scikit-learn on Adult, for incrowd to read. Follows the snippet of docs/foreign-models.md, which defines write_tree.

usage: ADULT.data FOLDER
"""

import csv
import sys

import pandas
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

data, folder = sys.argv[1:3]
names = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
    "capital-gain,capital-loss,hours-per-week,native-country,class"
).split(",")
table = pandas.read_csv(data, names=names, skipinitialspace=True, na_values="?").dropna().reset_index(drop=True)
table["ratio"] = table["capital-gain"] / 7.0 + table["hours-per-week"] / 3.0
table.to_csv(f"{folder}/adult.csv", index=False)


def predictions(name, labels):
    with open(f"{folder}/{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["prediction"])
        writer.writerows([label] for label in labels)


numbers = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
for name, least in [("free", 1), ("ten", 10)]:
    tree = DecisionTreeClassifier(min_samples_leaf=least, random_state=1).fit(table[numbers].to_numpy(), table["class"])
    leaves = tree.tree_.n_node_samples[tree.tree_.children_left < 0]
    assert leaves.min() == least, leaves.min()
    write_tree(tree, numbers, "class", f"{folder}/{name}.json")

hot_names, ordinal_names = ["sex", "occupation"], ["education", "relationship"]
hot, ordinal = OneHotEncoder(sparse_output=False), OrdinalEncoder()
mixed = table[["ratio", "age"]].copy()
hot_part, ordinal_part = hot.fit_transform(table[hot_names]), ordinal.fit_transform(table[ordinal_names])
matrix = numpy.hstack([mixed.to_numpy(), hot_part, ordinal_part])
tree = DecisionTreeClassifier(max_leaf_nodes=200, random_state=1).fit(matrix, table["class"])
columns = ["ratio", "age"]
columns += one_hot_columns(hot_names, hot) + ordinal_columns(ordinal_names, ordinal)
write_tree(tree, columns, "class", f"{folder}/mixed.json")
predictions("mixed", tree.predict(matrix))

import onnx
import onnxruntime
from skl2onnx import to_onnx

single = table[["ratio", "age"]].to_numpy().astype(numpy.float32)
tree = DecisionTreeClassifier(max_leaf_nodes=150, random_state=1).fit(single, table["class"])
model = to_onnx(tree, single[:1], options={"zipmap": False})
onnx.helper.set_model_props(
    model, {"incrowd.class": "class", "incrowd.columns": json.dumps([{"name": "ratio"}, {"name": "age"}])}
)
onnx.save(model, f"{folder}/model.onnx")
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
predictions("model", session.run(None, {"X": single})[0])
