"""Checks that exports of a forest predict nothing for a sex that it does not know, and something for one that it does.

usage: stopped.py MODEL.onnx MODEL.pmml MODEL.py

Exit status 3: a program that reads them is not installed.
"""

import importlib.util
import math
import shutil
import sys

try:
    import numpy
    import onnxruntime
    from jpmml_evaluator import JavaError, make_evaluator

    if shutil.which("java") is None:
        raise ImportError("jpmml_evaluator needs Java, which is not there")
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

onnx, pmml, python = sys.argv[1:4]
spec = importlib.util.spec_from_file_location("exported", python)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
expected = module.probabilities({"age": 30, "sex": "Male"})
try:
    module.predict({"age": 30, "sex": "Other"})
    raise AssertionError("Python predicts")
except ValueError:
    pass

session = onnxruntime.InferenceSession(onnx, providers=["CPUExecutionProvider"])
columns = {"age": numpy.array([[30.0], [30.0]]), "sex": numpy.array([["Male"], ["Other"]], dtype=object)}
labels, shares = session.run(None, columns)
assert list(labels) == [module.predict({"age": 30, "sex": "Male"}), ""], labels
assert numpy.allclose(shares[0], list(expected.values())), shares
assert all(math.isnan(share) for share in shares[1]), shares

evaluator = make_evaluator(pmml).verify()
found = evaluator.evaluate({"age": 30.0, "sex": "Male"})
assert found["class"] == labels[0], found
try:
    # A score that is missing is an error of the model that uses it.
    assert evaluator.evaluate({"age": 30.0, "sex": "Other"}).get("class") is None
except JavaError:
    pass
