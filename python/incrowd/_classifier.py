"""What classifiers share: the class, the dataset, exports."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _bridge
from ._errors import InputError
from ._estimator import Mined, class_name, ranked, roles, rows, shortened, target, with_weights
from ._policy import Policy
from ._progress import watch


class Classifier(ClassifierMixin, Mined):  # type: ignore[misc]
    """An estimator that learns a class under a policy."""

    classes_: Any
    class_name_: str
    policy_: Policy

    def _open(self, X: Any, y: Any, sample_weight: Any) -> _bridge.Dataset:
        """Check the rows and their classes, and open them under the policy."""
        import pyarrow as pa

        table = rows(self, X, reset=True, y=y)
        labels = target(y, table)
        check_classification_targets(shortened(*labels))
        self.classes_, codes = ranked(*labels)
        if len(self.classes_) < 2:
            raise InputError(
                "`y` has one class, so there is nothing to learn", help="give rows with different values of the class"
            )
        self.class_name_ = class_name(self, y, table.column_names)
        self.policy_ = roles(self, X, table.column_names, self.class_name_)
        values = pa.array(self.classes_)
        self._texts = _bridge.cell_texts(pa.table({"class": values}))
        column = pa.DictionaryArray.from_arrays(pa.array(codes), values)
        table, weights = with_weights(table.append_column(self.class_name_, column), sample_weight, X)
        text, folder = self.policy_.source
        return _bridge.Dataset.open(table, text, folder, class_name=self.class_name_, weights=weights, watch=watch())

    def _rows(self, X: Any) -> _bridge.NewRows:
        """Check new rows, in the form that the bridge takes."""
        check_is_fitted(self, "release_")
        return rows(self, X, reset=False), self.policy_.source, watch()

    def _order(self) -> Any:
        """Return the place in ``classes_`` of each class value of the release."""
        return np.array([self._texts.index(value) for value in self.release_.model.classes()], dtype=np.intp)

    def export(self, format: str) -> str | bytes:  # noqa: A002 - the word that users look for
        """Return the model for another program.

        Parameters
        ----------
        format : {"pmml", "onnx", "sql", "python", "json"}
            The language.

        Returns
        -------
        str or bytes
            Bytes for ONNX, text for others.
        """
        check_is_fitted(self, "release_")
        exported = self.release_.model.export(format)
        return exported if format == "onnx" else exported.decode()
