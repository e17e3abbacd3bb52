"""Policies: what an attacker knows, and what must hold."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

from . import _bridge
from ._errors import ParameterError

#: Names of columns, or a function from a frame to names such as scikit-learn's ``make_column_selector``.
Columns = Union[str, Sequence[str], Callable[[Any], Iterable[str]], None]  # noqa: UP007 - evaluated at run time

_ROLES = ("public", "private", "identifier", "ignored")
_GUARANTEE = (
    "k", "confidence", "distinct_l", "entropy_l", "recursive", "t_closeness", "t_distance", "alpha", "beta",
    "smallest_bin", "preset", "single_bin", "several_rows", "of",
)  # fmt: skip


class Policy:
    """The roles of columns and the guarantee that every release must meet.

    Parameters
    ----------
    public : list of str or callable, optional
        Columns that an attacker may know (quasi-identifiers). A callable gets the frame and returns names, such as
        scikit-learn's ``make_column_selector``.
    private : list of str or callable, optional
        Columns that an attacker must not learn (sensitive attributes).
    identifier : list of str or callable, optional
        Columns that identify individuals. They are never read or released.
    ignored : list of str or callable, optional
        Columns that are not used.
    class_name : str, optional
        The column that a classifier predicts.
    subject : str, optional
        The column that identifies the individual if individuals have several rows.
    unlisted : {"refuse", "ignored"}, default="refuse"
        What happens to columns without a role.
    k : int, optional
        The minimum number of individuals in every group that an attacker can distinguish.
    confidence, distinct_l, entropy_l, recursive, t_closeness, t_distance, alpha, beta, smallest_bin, preset, \
single_bin, several_rows, of : optional
        Further requirements, as in the section ``[guarantee]`` of a policy file.
    missing : list of str, optional
        Texts that mark a missing value, besides nulls and ``NaN``.
    missing_rows : {"refuse", "drop", "keep"}, optional
        What happens to rows with a missing value in a public or private column. By default, such rows are an error.
    spelling : {"exact", "trim", "ignore-case"}, optional
        Which spellings of a text are one value, as the key of a policy file.
    max_rows_left_out : float, optional
        The largest share of rows that may be left out because of missing values.
    attributes : dict of str to dict, optional
        Further keys of a column: ``kind``, ``order``, ``values``, ``range``, ``whole``, ``taxonomy``,
        ``missing``, ``spelling``, ``dates``, ``decimal``, ``harmless``, ``undecided``, as in a policy file.
    dependencies : list of (list of str, str), optional
        Which attributes follow from others.

    Examples
    --------
    >>> import incrowd as ic
    >>> policy = ic.Policy(public=["age", "sex"], private=["diagnosis"], k=10)
    >>> policy.public
    ['age', 'sex']
    >>> policy.guarantee
    ['k = 10']
    >>> print(policy.to_toml())
    version = 1
    ...
    """

    def __init__(
        self,
        *,
        public: Columns = None,
        private: Columns = None,
        identifier: Columns = None,
        ignored: Columns = None,
        class_name: str | None = None,
        subject: str | None = None,
        unlisted: str = "refuse",
        k: int | None = None,
        confidence: float | None = None,
        distinct_l: int | None = None,
        entropy_l: float | None = None,
        recursive: tuple[float, int] | None = None,
        t_closeness: float | None = None,
        t_distance: str | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        smallest_bin: int | None = None,
        preset: str | Sequence[str] | None = None,
        single_bin: str | None = None,
        several_rows: str | None = None,
        of: str | Sequence[str] | None = None,
        missing: Sequence[str] | None = None,
        missing_rows: str | None = None,
        spelling: str | None = None,
        max_rows_left_out: float | None = None,
        attributes: Mapping[str, Mapping[str, Any]] | None = None,
        dependencies: Sequence[tuple[Sequence[str], str]] = (),
    ) -> None:
        given = locals()
        roles = {role: given[role] for role in _ROLES}
        self._selectors = roles if any(callable(columns) for columns in roles.values()) else None
        top = {"version": 1, "class": class_name, "subject": subject, "unlisted": unlisted}
        if missing is None and missing_rows is not None:
            missing = []
        file = {
            "missing": missing,
            "missing-rows": missing_rows,
            "spelling": spelling,
            "max-rows-left-out": max_rows_left_out,
        }
        guarantee = {name.replace("_", "-"): given[name] for name in _GUARANTEE}
        if recursive is not None:
            guarantee["recursive"] = {"c": float(recursive[0]), "l": int(recursive[1])}
        self._sections: dict[str, Any] = {
            "top": top,
            "file": file,
            "guarantee": guarantee,
            "attributes": {name: dict(keys) for name, keys in (attributes or {}).items()},
            "dependencies": [{"from": list(of_), "to": to} for of_, to in dependencies],
        }
        self._folder = os.getcwd()
        self._text = None if self._selectors else _render({r: _names(c, r) for r, c in roles.items()}, self._sections)
        self._about: dict[str, Any] | None = None
        if self._text is not None:
            self._read()

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Policy:
        """Read a policy file.

        Parameters
        ----------
        path : str or path
            A file as ``incrowd profile --out`` writes it.
        """
        path = pathlib.Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            from ._errors import FileError

            raise FileError(f"{path}: the policy cannot be read", help="check the path", file=str(path)) from error
        return cls.from_toml(text, folder=path.parent)

    @classmethod
    def from_toml(cls, text: str, folder: str | os.PathLike[str] = ".") -> Policy:
        r"""Read a policy from text; taxonomy files are searched for in ``folder``.

        Examples
        --------
        >>> import incrowd as ic
        >>> ic.Policy.from_toml('[attributes.age]\nrole = "public"').public
        ['age']
        """
        policy = cls.__new__(cls)
        policy._selectors, policy._sections = None, {}
        policy._text, policy._folder, policy._about = text, str(pathlib.Path(folder).absolute()), None
        policy._read()
        return policy

    def to_toml(self) -> str:
        """Return the policy as the text of a policy file."""
        if self._text is None:
            raise ParameterError(
                "the policy has column selectors, so its text depends on a frame",
                help="name the columns, or call `resolve` with the frame",
            )
        return self._text

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the policy as a file; an existing file is an error."""
        with open(path, "x", encoding="utf-8") as file:
            file.write(self.to_toml())

    def resolve(self, frame: Any) -> Policy:
        """Return the policy with column selectors replaced by the names that they select in a frame."""
        if self._selectors is None:
            return self
        roles = {role: _names(c(frame) if callable(c) else c, role) for role, c in self._selectors.items()}
        return Policy.from_toml(_render(roles, self._sections), self._folder)

    @property
    def public(self) -> list[str]:
        """The columns that an attacker may know."""
        return list(self._read()["public"])

    @property
    def private(self) -> list[str]:
        """The columns that an attacker must not learn."""
        return list(self._read()["private"])

    @property
    def identifier(self) -> list[str]:
        """The columns that identify individuals."""
        return list(self._read()["identifier"])

    @property
    def ignored(self) -> list[str]:
        """The columns that are not used."""
        return list(self._read()["ignored"])

    @property
    def class_name(self) -> str | None:
        """The column that a classifier predicts."""
        name: str | None = self._read()["class"]
        return name

    @property
    def subject(self) -> str | None:
        """The column that identifies the individual if individuals have several rows."""
        name: str | None = self._read()["subject"]
        return name

    @property
    def guarantee(self) -> list[str]:
        """The requirements in words, such as ``k = 10``."""
        return list(self._read()["guarantee"])

    @property
    def source(self) -> tuple[str, str]:
        """The text of the policy file, and the folder of its taxonomy files."""
        return self.to_toml(), self._folder

    def _read(self) -> dict[str, Any]:
        about = self._about
        if about is None:
            about = self._about = dict(json.loads(_bridge.policy(*self.source)))
        return about

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Policy):
            return NotImplemented
        return (self._text, self._selectors, self._sections) == (other._text, other._selectors, other._sections)

    def __hash__(self) -> int:
        return hash((self._text, self._folder))

    def __repr__(self) -> str:
        if self._text is None:
            return "Policy(<column selectors>)"
        roles = [f"{role}={getattr(self, role)!r}" for role in _ROLES if getattr(self, role)]
        named = [f"{key}={value!r}" for key in ("class_name", "subject") if (value := getattr(self, key)) is not None]
        return f"Policy({', '.join([*roles, *named, f'guarantee={self.guarantee!r}'])})"


def _names(columns: Any, role: str) -> list[str]:
    if columns is None:
        return []
    names = [columns] if isinstance(columns, str) else list(columns)
    for name in names:
        if not isinstance(name, str):
            raise ParameterError(
                f"`{role}` must be a list of column names, not of {type(name).__name__}",
                parameter=role,
                help="name columns as texts; columns of an array are named x0, x1, and so on",
            )
    return names


def _render(roles: Mapping[str, Sequence[str]], sections: Mapping[str, Any]) -> str:
    """Return the text of a policy file."""
    role_of: dict[str, str] = {}
    for role, names in roles.items():
        for name in names:
            if name in role_of:
                given = f"twice as `{role}`" if role_of[name] == role else f"as `{role_of[name]}` and as `{role}`"
                raise ParameterError(
                    f"column `{name}` is given {given}",
                    attribute=name,
                    parameter=role,
                    help="give each column one role",
                )
            role_of[name] = role
    extra = sections["attributes"]
    for name in extra:
        if name not in role_of:
            raise ParameterError(
                f"`attributes` describes column `{name}`, which has no role",
                attribute=name,
                parameter="attributes",
                help="name it in `public`, `private`, `identifier` or `ignored`",
            )
    lines = [f"{key} = {_toml(value)}" for key, value in sections["top"].items() if value is not None]
    lines += _section("[file]", sections["file"])
    for name, role in role_of.items():
        keys = {key.replace("_", "-"): value for key, value in extra.get(name, {}).items()}
        lines += _section(f"[attributes.{_toml(name)}]", {"role": role, **keys})
    for dependency in sections["dependencies"]:
        lines += _section("[[dependencies]]", dependency)
    lines += _section("[guarantee]", sections["guarantee"])
    return "\n".join(lines) + "\n"


def _section(head: str, keys: Mapping[str, Any]) -> list[str]:
    entries = [f"{key} = {_toml(value)}" for key, value in keys.items() if value is not None]
    return ["", head, *entries] if entries else []


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        entries = ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {entries} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(item) for item in value)}]"
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, os.PathLike):
        return _toml(os.fspath(value))
    raise ParameterError(
        f"a policy cannot contain a value of type {type(value).__name__}",
        help="give texts, numbers, booleans, lists and dicts",
    )
