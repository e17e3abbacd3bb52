"""What the cases of regressions share."""

import json
import os
import re


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
