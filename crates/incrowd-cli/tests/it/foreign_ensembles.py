"""Ensembles of other programs on Adult, for incrowd to read, with their own scores or shares for every row.

usage: ADULT.data FOLDER

Exit status 3: one of the programs is not installed.
"""

import json
import shutil
import sys

try:
    import catboost
    import lightgbm
    import numpy
    import onnx
    import onnxruntime
    import pandas
    import sklearn
    import sklearn.base

    # The converter knows versions of scikit-learn up to its own day.
    sklearn.__version__ = sklearn.base.__version__ = "1.9.0"
    import xgboost
    from skl2onnx import to_onnx
    from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier
    from sklearn2pmml import sklearn2pmml
    from sklearn2pmml.pipeline import PMMLPipeline

    if shutil.which("java") is None:
        raise ImportError("sklearn2pmml needs Java, which is not there")
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

data, folder = sys.argv[1:3]
names = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
    "capital-gain,capital-loss,hours-per-week,native-country,class"
).split(",")
table = pandas.read_csv(data, names=names, skipinitialspace=True, na_values="?").dropna().head(6000).reset_index(drop=True)
# Numbers that single precision rounds, and missing ones.
table["ratio"] = table["capital-gain"] / 7.0 + table["hours-per-week"] / 3.0
table["loss"] = table["capital-loss"].astype(float).mask(numpy.arange(len(table)) % 7 == 0)
table["long"] = pandas.cut(table["hours-per-week"], [0, 30, 45, 200], labels=["few", "some", "many"]).astype(str)
table.to_csv(f"{folder}/adult.csv", index=False)
numbers = ["age", "ratio", "capital-gain"]
frame = table[[*numbers, "loss"]].assign(
    **{name: table[name].astype("category") for name in ("relationship", "race")}
)
classes = {"": (table["class"] == ">50K").astype(int), "3": pandas.factorize(table["long"], sort=True)[0]}


def expect(name, scores):
    """Writes the scores or shares of all rows."""
    scores = numpy.asarray(scores, dtype=float)
    numpy.savetxt(f"{folder}/{name}.csv", scores.reshape(len(table), -1), delimiter=",", fmt="%.17g")


for suffix, y in classes.items():
    model = lightgbm.LGBMClassifier(n_estimators=10, num_leaves=9, verbose=-1, n_jobs=1).fit(frame, y)
    with open(f"{folder}/lightgbm{suffix}.json", "w", encoding="utf-8") as file:
        json.dump(model.booster_.dump_model(), file)
    expect(f"lightgbm{suffix}", model.predict(frame, raw_score=True))
    model = xgboost.XGBClassifier(n_estimators=10, max_depth=3, n_jobs=1, enable_categorical=True).fit(frame, y)
    model.get_booster().save_model(f"{folder}/xgboost{suffix}.ubj")
    expect(f"xgboost{suffix}", model.predict(frame, output_margin=True))
    model = catboost.CatBoostClassifier(
        iterations=10, depth=4, verbose=0, thread_count=1, allow_writing_files=False,
        loss_function="MultiClass" if suffix else "Logloss",
    ).fit(frame[[*numbers, "loss"]], y)
    model.save_model(f"{folder}/catboost{suffix}.json", format="json")
    expect(f"catboost{suffix}", model.predict(frame[[*numbers, "loss"]], prediction_type="RawFormulaVal"))

# CatBoost's own handling of categories.
frame["race"] = frame["race"].astype(str)
model = catboost.CatBoostClassifier(
    iterations=5, depth=2, verbose=0, thread_count=1, allow_writing_files=False, cat_features=["race"]
).fit(frame[["race"]], classes[""])
model.save_model(f"{folder}/categories.json", format="json")

single = table[numbers].to_numpy().astype(numpy.float32)
for class_name in ("class", "long"):
    suffix = "" if class_name == "class" else "3"
    for name, model in {
        "forest": RandomForestClassifier(6, max_depth=5, random_state=0),
        "extra": ExtraTreesClassifier(6, max_depth=5, random_state=0),
        "boosting": GradientBoostingClassifier(n_estimators=6, random_state=0),
    }.items():
        model.fit(single, table[class_name])
        made = to_onnx(model, single[:1], options={id(model): {"zipmap": False}})
        columns = json.dumps([{"name": column} for column in numbers])
        onnx.helper.set_model_props(made, {"incrowd.class": class_name, "incrowd.columns": columns})
        onnx.save(made, f"{folder}/{name}{suffix}.onnx")
        session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
        expect(f"{name}{suffix}.onnx", session.run(None, {"X": single})[1])
        if name == "extra":
            continue
        pipeline = PMMLPipeline([("classifier", model)]).fit(table[numbers], table[class_name])
        sklearn2pmml(pipeline, f"{folder}/{name}{suffix}.pmml")
        expect(f"{name}{suffix}.pmml", pipeline.predict_proba(table[numbers]))
