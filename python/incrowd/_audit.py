"""Audits of models and tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _bridge
from ._errors import ParameterError
from ._frames import is_path, to_stream
from ._policy import Policy
from ._progress import watch
from ._release import Release, load
from ._report import AuditReport
from ._request import as_policy, request


def audit(
    what: Any,
    data: Any = None,
    policy: Policy | str | os.PathLike[str] | None = None,
    *,
    without: Sequence[str] = (),
    weaken: bool = False,
    **requirements: Any,
) -> AuditReport:
    """Check whether a model or a table meets the guarantee, by carrying out the linking attack.

    Parameters
    ----------
    what : estimator, release, frame or path
        A fitted estimator of incrowd; a fitted tree, forest, bagging of trees, (histogram) gradient boosting,
        ``KMeans`` or ``MiniBatchKMeans`` of scikit-learn, ``LGBMClassifier`` of LightGBM or ``XGBClassifier`` of
        XGBoost that was trained on columns of the table; a `Release`; rules; the path of a release file (``.json``)
        or of a model made elsewhere. Or a table that is, or is about to be, released: a frame, an anonymized table,
        or the path of a file.
    data : frame or path, optional
        For a model: the table that it was made from, with the class. A table is audited alone; the policy may then be
        the second argument.
    policy : Policy or path, optional
        The roles of columns and the guarantee. For an estimator, the policy that it was fitted with is the default.
    without : list of str, optional
        For a table: columns to leave out.
    weaken : bool, default=False
        Whether less than the policy's guarantee may be checked.
    **requirements
        Requirements on top of the policy: ``k``, ``confidence``, ``distinct_l`` and others.

    Returns
    -------
    AuditReport
        What was found. A breach is not an exception: see ``holds`` and ``raise_for_breach``.

    Examples
    --------
    >>> import incrowd as ic
    >>> people = {"age": ["30", "30", "40", "40"], "illness": ["a", "b", "b", "a"]}
    >>> ic.audit(people, ic.Policy(public=["age"], private=["illness"]), k=2).holds
    True
    """
    if policy is None and isinstance(data, Policy):
        data, policy = None, data
    asked = request(requirements, weaken)
    release = _release_of(what, data, policy)
    if release is None:
        if data is not None:
            raise ParameterError(
                "a table is audited alone", parameter="data", help="give the table and its policy: audit(frame, policy)"
            )
        stated = _policy_of(what, policy).resolve(what)
        source = os.fspath(what) if is_path(what) else to_stream(what, "what")
        text = _bridge.audit_table(source, *stated.source, asked, list(without), watch=watch())
        return AuditReport(text)
    if data is None:
        raise ParameterError(
            "a model is audited against the table that it was made from, and no table was given",
            parameter="data",
            help="give that table: audit(model, frame, policy)",
        )
    if without:
        raise ParameterError("`without` is for tables", parameter="without", help="leave it out")
    stated = _policy_of(what, policy).resolve(data)
    if is_path(data):
        if not is_path(what):
            raise ParameterError(
                "a model in memory is audited against a frame", parameter="data", help="read the file first"
            )
        return AuditReport(_bridge.audit_files(os.fspath(what), os.fspath(data), *stated.source, asked, watch=watch()))
    text = _bridge.audit_model(
        release.model,
        to_stream(data),
        *stated.source,
        asked,
        class_name=getattr(what, "class_name_", None),
        watch=watch(),
    )
    return AuditReport(text)


def _policy_of(what: Any, policy: Any) -> Policy:
    if policy is not None:
        return as_policy(policy)
    stated = getattr(what, "policy_", None)
    if stated is None:
        raise ParameterError(
            "the policy is missing",
            parameter="policy",
            help="give the roles of columns: incrowd.Policy(public=[...], ...)",
        )
    return as_policy(stated)


def _release_of(what: Any, data: Any, policy: Any) -> Release | None:
    """Return the model that is audited; none for a table."""
    if isinstance(what, Release):
        return what
    for name in ("release_", "release"):
        release = getattr(what, name, None)
        if isinstance(release, Release):
            return release
    if hasattr(what, "get_params"):
        from ._foreign import release_of

        class_name = None if policy is None else as_policy(policy).resolve(data).class_name
        return release_of(what, class_name, data)
    return load(what) if is_path(what) and data is not None else None
