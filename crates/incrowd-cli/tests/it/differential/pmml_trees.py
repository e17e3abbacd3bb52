"""Random trees in PMML, evaluated by JPMML (and PMML4S where the specification leaves no doubt)."""

import random
import re
from xml.sax.saxutils import quoteattr

from common import Refused, Tally, compare, crowd, near, toml

NAMES = ["a", "b", "c", "d e", 'q"\'', "&<"]


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        r = self.r
        self.numeric_type = r.choice(["double", "double", "float", "float", "integer"])
        self.derived = r.random() < 0.3
        self.values = NAMES[: r.randint(2, len(NAMES))]
        self.invalid = r.choice([None, "returnInvalid", "asIs", "asIs", "asMissing", "asValue"])
        self.listed = r.random() < 0.7
        self.mark = r.random() < 0.2
        self.replace_name = r.choice([None, None, self.values[0]])
        self.replace_number = r.choice([None, None, None, "3"])
        self.missing = r.choice(["none", "lastPrediction", "nullPrediction", "defaultChild", None])
        self.no_true = r.choice(["returnLastPrediction"] * 5 + ["returnNullPrediction", None])
        self.odd = r.choice([None] * 30 + ["outliers", "interval", "mapMissingTo", "integer", "weight"])
        self.next = 0
        self.thresholds = []

    def number(self):
        if self.numeric_type == "integer" and not self.derived:
            return str(self.r.randint(0, 9))
        return self.r.choice(["0.1", "0.3", "2.5", "3", "7.7", "16777217", "1e-3", "0.30000001192092896"])

    def simple(self, field, operator, value=None):
        value = "" if value is None else f" value={quoteattr(value)}"
        return f'<SimplePredicate field="{field}" operator="{operator}"{value}/>'

    def members(self, field, operator, values):
        words = " ".join('"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' for value in values)
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        return (
            f'<SimpleSetPredicate field="{field}" booleanOperator="{operator}"><Array type="string" n="{len(values)}">'
            f"{words}</Array></SimpleSetPredicate>"
        )

    def compound(self, operator, *parts):
        return f'<CompoundPredicate booleanOperator="{operator}">{"".join(parts)}</CompoundPredicate>'

    def by_number(self):
        field = "float(n)" if self.derived and self.r.random() < 0.7 else "n"
        t, u = sorted([self.number(), self.number()], key=float)
        self.thresholds += [float(t), float(u)]
        low, high = self.simple(field, "lessOrEqual", t), self.simple(field, "greaterThan", t)
        return self.r.choice(
            [
                [low, high],
                [low, "<True/>"],
                [low, high],
                [low, "<True/>"],
                [self.simple(field, "lessThan", t), self.simple(field, "greaterOrEqual", t)],
                [self.simple(field, "isMissing"), low, "<True/>"],
                [self.compound("or", low, self.simple(field, "isMissing")), high],
                [low, self.compound("and", high, self.simple(field, "lessOrEqual", u)), self.simple(field, "greaterThan", u)],
                *([[self.simple(field, "equal", t), "<True/>"], [self.simple(field, "notEqual", t)]] if self.r.random() < 0.2 else []),
                [self.simple(field, "isNotMissing"), "<True/>"],
                [self.compound("surrogate", low, self.simple("s", "equal", "a"), "<False/>"), "<True/>"],
                *([[low]] if self.r.random() < 0.3 else []),
            ]
        )

    def by_name(self, field):
        values = self.values if field == "s" else ["u", "v", "w"]
        some = self.r.sample(values, self.r.randint(1, max(1, len(values) - 1)))
        is_in, is_not = self.members(field, "isIn", some), self.members(field, "isNotIn", some)
        return self.r.choice(
            [
                [is_in, is_not],
                [is_in, "<True/>"],
                [self.simple(field, "equal", some[0]), self.simple(field, "notEqual", some[0])],
                [self.simple(field, "isMissing"), is_in, "<True/>"],
                [self.compound("or", self.simple(field, "isMissing"), is_in), is_not],
                [self.simple(field, "equal", value) for value in values],
                *([[is_in]] if self.r.random() < 0.3 else []),
            ]
        )

    def branches(self):
        kind = self.r.choice(["n", "s", "p"])
        return self.by_number() if kind == "n" else self.by_name(kind)

    def node(self, predicate, depth):
        name, self.next = self.next, self.next + 1
        score = f' score="{self.r.choice(["no", "yes"])}"' if depth == 0 or self.r.random() < 0.95 else ""
        children, default = "", ""
        if depth > 0 and self.r.random() < 0.9:
            branches = self.branches()
            if self.r.random() < 0.1:
                # Branches that ask different fields, as sklearn2pmml writes them.
                branches = branches[: self.r.randint(1, len(branches))] + self.branches()
            parts = []
            for branch in branches:
                parts.append((self.next, self.node(branch, depth - 1)))
            children = "".join(text for _, text in parts)
            if self.missing == "defaultChild" and self.r.random() < 0.9:
                default = f' defaultChild="{self.r.choice(parts)[0]}"'
        elif not score:
            score = ' score="no"'
        return f'<Node id="{name}"{score}{default}>{predicate}{children}</Node>\n'

    def document(self):
        tree = self.node("<True/>", 3)
        values = "".join(f"<Value value={quoteattr(v)}/>" for v in self.values) if self.listed else ""
        values += '<Value value="?" property="missing"/>' if self.mark else ""
        interval = '<Interval closure="closedClosed" leftMargin="0" rightMargin="5"/>' if self.odd == "interval" else ""
        outliers = ' outliers="asExtremeValues" lowValue="1" highValue="5"' if self.odd == "outliers" else ""
        invalid = f' invalidValueTreatment="{self.invalid}"' if self.invalid else ""
        invalid += f" invalidValueReplacement={quoteattr(self.values[0])}" if self.invalid == "asValue" else ""
        name = f" missingValueReplacement={quoteattr(self.replace_name)}" if self.replace_name else ""
        number = f' missingValueReplacement="{self.replace_number}"' if self.replace_number else ""
        to = ' mapMissingTo="1"' if self.odd == "mapMissingTo" else ""
        kind = "integer" if self.odd == "integer" else "float"
        derived = (
            f'<TransformationDictionary><DerivedField name="float(n)" optype="continuous" dataType="{kind}"><FieldRef field="n"{to}/>'
            "</DerivedField></TransformationDictionary>"
        )
        strategy = f' missingValueStrategy="{self.missing}"' if self.missing else ""
        strategy += f' noTrueChildStrategy="{self.no_true}"' if self.no_true else ""
        return f"""<?xml version="1.0" encoding="UTF-8"?>
<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/>
<DataDictionary>
<DataField name="n" optype="continuous" dataType="{self.numeric_type}">{interval}</DataField>
<DataField name="s" optype="categorical" dataType="string">{values}</DataField>
<DataField name="p" optype="categorical" dataType="string"><Value value="u"/><Value value="v"/><Value value="w"/></DataField>
<DataField name="y" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/></DataField>
</DataDictionary>
{derived if self.derived else ""}
<TreeModel functionName="classification"{strategy}>
<MiningSchema><MiningField name="y" usageType="target"/><MiningField name="n"{number}{outliers}/>
<MiningField name="s"{invalid}{name}/><MiningField name="p"/></MiningSchema>
<Output><OutputField name="leaf" optype="categorical" dataType="string" feature="entityId"/></Output>
{tree}</TreeModel></PMML>"""

    def rows(self):
        r = self.r
        whole = self.numeric_type == "integer"
        numbers = [0.0, 5.0, -1.0] + [n for t in self.thresholds for n in near(t)]
        numbers = [float(round(n)) for n in numbers] if whole else numbers
        clean = r.random() < 0.6
        names = self.values if clean else self.values + ["zz"] + (["?"] if self.mark else [])
        def cell(values):
            return None if not clean and r.random() < 0.15 else r.choice(values)
        rows = [{"n": cell(numbers), "s": cell(names), "p": r.choice("uvw")} for _ in range(r.randint(4, 14))]
        # Every name occurs, so that nothing has to be allowed.
        return rows + [{"n": r.choice(numbers), "s": value, "p": "u"} for value in self.values]


def evaluator(path):
    from jpmml_evaluator import make_evaluator

    return make_evaluator(path).verify()


def jpmml(model, rows):
    """Label and leaf of each row, None where there is no prediction or an error."""
    from jpmml_evaluator import JavaError

    found = []
    for row in rows:
        try:
            result = model.evaluate({name: value for name, value in row.items()})
            found.append((result.get("y"), result.get("leaf")))
        except JavaError:
            found.append((None, None))
    return found


def pmml4s(path, rows):
    """The labels of PMML4S, which gives the outputs of a model alone if it has any."""
    from pypmml import Model

    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<Output>.*?</Output>", "", file.read(), flags=re.S)
    model = Model.fromString(text)
    return [model.predict({k: v for k, v in row.items() if v is not None}).get("predicted_y") for row in rows]


def run(case, count, seed):
    tally = Tally()
    for number in range(seed, seed + count):
        generator = Generator(number)
        generator.text = generator.document()
        model = case.write("model.pmml", generator.text)
        rows = generator.rows()
        try:
            loaded = evaluator(model)
        except Exception:
            # JPMML itself refuses the file: nothing to compare with.
            continue
        found = jpmml(loaded, rows)
        expected = [label for label, _ in found]
        domains = {"p": ["u", "v", "w"]}
        try:
            k = crowd(rows, ["n", "s"], domains, lambda all_rows: [
                None if label is None else leaf for label, leaf in jpmml(loaded, all_rows)
            ])
        except Refused:
            k = None
        table = [[row["n"], row["s"], row["p"], "no" if i % 2 else "yes"] for i, row in enumerate(rows)]
        case.table(table, ["n", "s", "p", "y"])
        allowed = generator.values + ["zz", "?"]
        case.policy(
            {
                "n": {"role": '"public"', "kind": '"numeric"'},
                "s": {"role": '"public"', "kind": '"categorical"', "values": toml(allowed)},
                "p": {"role": '"private"', "values": '["u", "v", "w"]'},
                "y": {"role": '"private"', "values": '["no", "yes"]'},
            },
            "y",
        )
        compare(case, tally, model, expected, k, f"PMML {number}")
        plain = generator.missing in (None, "none") and generator.odd is None and not generator.derived and all(label is not None for label in expected)
        # PMML4S takes quotes in arrays and equality of singles otherwise.
        plain = plain and len(generator.values) < 5 and not re.search('notEqual|field="n" operator="equal"', generator.text)
        if plain and number % 3 == 0 and all(value is not None for row in rows for value in row.values()):
            assert pmml4s(model, rows) == expected, f"PMML4S and JPMML differ on {number}"
    tally.finish(0.3)
