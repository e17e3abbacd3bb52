"""The notebooks run from top to bottom, and what they show can be shown."""

from __future__ import annotations

import ast
import json
import os
import pathlib

import pytest

#: Where benchmark data is, if nothing else is said.
BESIDE = pathlib.Path(__file__).parents[3] / "shared" / "data"
NOTEBOOKS = sorted((pathlib.Path(__file__).parents[1] / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INCROWD_DATA", os.environ.get("INCROWD_DATA", str(BESIDE)))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        assert not cell.get("outputs"), "clear the outputs of the notebook"
        if cell["cell_type"] == "code":
            shown = run(ast.parse("".join(cell["source"])), names)
            if hasattr(shown, "_repr_html_"):
                assert shown._repr_html_()
            if hasattr(shown, "_repr_mimebundle_") and type(shown).__module__.startswith("incrowd"):
                # Notebooks prefer the bundle; that of scikit-learn shows parameters, not results.
                assert shown._repr_mimebundle_()["text/html"] == shown._repr_html_()


def run(code: ast.Module, names: dict[str, object]) -> object:
    """Run a cell, and return the value of its last expression."""
    last = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
    exec(compile(code, "<cell>", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
