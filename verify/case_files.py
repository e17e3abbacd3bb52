"""The files of a case: a table, a policy and a release."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Case:
    """One case: files, and the command that mines the release if there is one."""

    family: str
    seed: str
    header: list[str]
    rows: list[list[str]]
    policy: dict[str, Any]
    release: Any = None  # a JSON document, or None if the release is mined
    mine: list[str] = field(default_factory=list)
    released: tuple[list[str], list[list[str]]] | None = None  # a released table
    flags: list[str] = field(default_factory=list)
    raw: bytes | None = None  # a hostile release

    def write(self, folder: Path) -> None:
        """Writes table.csv, policy.toml and the release."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.csv").write_text(csv_text(self.header, self.rows), encoding="utf-8")
        (folder / "policy.toml").write_text(toml_text(self.policy), encoding="utf-8")
        if self.raw is not None:
            (folder / "release.json").write_bytes(self.raw)
        elif self.released is not None:
            (folder / "released.csv").write_text(csv_text(*self.released), encoding="utf-8")
        elif self.release is not None:
            (folder / "release.json").write_text(json.dumps(self.release), encoding="utf-8")


def csv_text(header: list[str], rows: list[list[str]]) -> str:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\n\r') or not cell else cell

    return "".join(",".join(map(quoted, row)) + "\n" for row in [header, *rows])


def toml_text(policy: dict[str, Any]) -> str:
    """The policy as TOML: scalars first, then sections."""
    lines = [f"{key} = {toml_value(value)}" for key, value in policy.items() if not isinstance(value, (dict, list))]
    for key, value in policy.items():
        if key == "attributes":
            for name, keys in value.items():
                lines += ["", f"[attributes.{json.dumps(name)}]"] + [f"{k} = {toml_value(v)}" for k, v in keys.items()]
        elif isinstance(value, dict):
            lines += ["", f"[{key}]"] + [f"{k} = {toml_value(v)}" for k, v in value.items()]
        elif isinstance(value, list):
            for each in value:
                lines += ["", f"[[{key}]]"] + [f"{k} = {toml_value(v)}" for k, v in each.items()]
    return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value) if isinstance(value, str) else repr(value)


def text(value: Any) -> str:
    if value is None:
        return "?"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0" else repr(value)
    return str(value)
