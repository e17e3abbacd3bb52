"""PMML that was once read otherwise than its maker means it: one case each."""

import math

import numpy
from regression_helpers import NUMBER, PRIVATE, PUBLIC, refused, roles


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
