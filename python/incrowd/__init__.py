"""k-anonymous data mining: mine the data, release the knowledge, keep everyone in a crowd of k.

A data owner has a table about people and wants to share what it reveals: a classifier, clusters, association rules, or
an anonymized table. incrowd makes such releases and guarantees that an attacker who knows everyone's public attributes
(quasi-identifiers) cannot link private data (sensitive attributes) to fewer than k individuals. It also audits models
and tables made elsewhere.

>>> import incrowd as ic
>>> from sklearn.datasets import load_iris
>>> X, y = load_iris(return_X_y=True, as_frame=True)
>>> clf = ic.TreeClassifier(k=20).fit(X, y)
>>> clf.report_.holds
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._errors import (
    Breach,
    FileError,
    IncrowdError,
    InputError,
    InternalError,
    LimitError,
    ParameterError,
    Unsatisfiable,
)
from ._policy import Policy
from ._progress import set_progress

if TYPE_CHECKING:
    from ._audit import audit
    from ._boost import BoostClassifier
    from ._bridge import set_threads
    from ._clusters import Clusters
    from ._compare import Comparison, compare
    from ._foreign import write_model
    from ._profile import Profile, profile
    from ._recoder import Recoder
    from ._release import Release, load
    from ._report import AuditReport
    from ._rules import Rules, rules
    from ._table import Anonymized, anonymize
    from ._tree import TreeClassifier

__all__ = [
    "Anonymized",
    "AuditReport",
    "BoostClassifier",
    "Breach",
    "Clusters",
    "Comparison",
    "FileError",
    "IncrowdError",
    "InputError",
    "InternalError",
    "LimitError",
    "ParameterError",
    "Policy",
    "Profile",
    "Recoder",
    "Release",
    "Rules",
    "TreeClassifier",
    "Unsatisfiable",
    "anonymize",
    "audit",
    "compare",
    "load",
    "profile",
    "rules",
    "set_progress",
    "set_threads",
    "write_model",
]

# Loaded when they are first used, because scikit-learn and Arrow take longer to import than everything here.
_LATER = {
    "Anonymized": "_table",
    "AuditReport": "_report",
    "BoostClassifier": "_boost",
    "Clusters": "_clusters",
    "Comparison": "_compare",
    "Profile": "_profile",
    "Recoder": "_recoder",
    "Release": "_release",
    "Rules": "_rules",
    "TreeClassifier": "_tree",
    "anonymize": "_table",
    "audit": "_audit",
    "compare": "_compare",
    "profile": "_profile",
    "load": "_release",
    "rules": "_rules",
    "set_threads": "_bridge",
    "write_model": "_foreign",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
