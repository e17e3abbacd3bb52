"""Exceptions, one class per kind of error."""

from __future__ import annotations

from typing import Any


class IncrowdError(Exception):
    """Base class of all errors of incrowd.

    A message never quotes a cell of the table.

    Attributes
    ----------
    message : str
        What is wrong, and where.
    help : str or None
        What to do about it.
    attribute : str or None
        The column of the table that the error is about.
    parameter : str or None
        The parameter that the error is about.
    file : str or None
        The file that the error is about.
    line : int or None
        The line in that file, counted from 1.
    """

    def __init__(
        self,
        message: str,
        *,
        help: str | None = None,  # noqa: A002 - the name that users look for
        attribute: str | None = None,
        parameter: str | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.attribute = attribute
        self.parameter = parameter
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return self.message if self.help is None else f"{self.message}\nhelp: {self.help}"

    def __reduce__(self) -> tuple[Any, ...]:
        details = {
            "help": self.help,
            "attribute": self.attribute,
            "parameter": self.parameter,
            "file": self.file,
            "line": self.line,
        }
        return (_rebuilt, (type(self), self.message, details))


def _rebuilt(kind: type[IncrowdError], message: str, details: dict[str, Any]) -> IncrowdError:
    return kind(message, **details)


class InputError(IncrowdError, ValueError):
    """A table, a policy or a release is invalid, or they do not match."""


class ParameterError(IncrowdError, ValueError):
    """A parameter is out of its range, or parameters contradict each other or require less than the policy."""


class Breach(IncrowdError):  # noqa: N818 - the vocabulary's word
    """The guarantee does not hold."""


class Unsatisfiable(IncrowdError, ValueError):  # noqa: N818
    """No release of this table can meet the guarantee."""


class FileError(IncrowdError, OSError):
    """The file system or the network failed."""

    def __str__(self) -> str:
        return IncrowdError.__str__(self)


class LimitError(IncrowdError, ValueError):
    """A stated bound on size, depth or number is exceeded."""


class InternalError(IncrowdError, RuntimeError):
    """A bug in incrowd."""
