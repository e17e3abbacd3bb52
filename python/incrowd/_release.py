"""Releases of models: audited, written, read back."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _bridge
from ._report import AuditReport


class Release:
    """A model that passed its audit, as anyone reads it from its release file.

    It can be pickled. The unpickled model predicts as before, but cannot be written as a release: only models that were
    audited in the same session can.
    """

    def __init__(self, model: _bridge.Model) -> None:
        self.model = model
        self._report = model.report
        self._summary = model.summary

    @property
    def report(self) -> AuditReport | None:
        """The report of the audit that it passed."""
        return None if self._report is None else AuditReport(self._report)

    @property
    def summary(self) -> dict[str, Any]:
        """Figures for the owner."""
        figures: dict[str, Any] = json.loads(self._summary)
        return figures

    def to_json(self) -> str:
        """Return the text of the release file."""
        return self.model.text()

    def write(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Write the release file; an existing file is an error unless it may be replaced."""
        self.model.write(os.fspath(path), replace)

    def __getstate__(self) -> dict[str, Any]:
        return {"text": self.model.text(), "report": self._report, "summary": self._summary}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.model = _bridge.Model.load(state["text"].encode())
        self._report, self._summary = state["report"], state["summary"]


def load(path: str | os.PathLike[str]) -> Release:
    """Read a release, or a model made elsewhere.

    Parameters
    ----------
    path : str or path
        A release file, or a model as described in the guide (scikit-learn's trees as JSON, PMML, ONNX).

    Returns
    -------
    Release
        The model. Only `incrowd.audit` shows whether it is safe.
    """
    from ._errors import FileError

    try:
        with open(path, "rb") as file:
            return Release(_bridge.Model.load(file.read()))
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{path}: the model cannot be read", help="check the path", file=str(path)) from error
