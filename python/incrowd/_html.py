"""HTML for notebooks; colours come from the page, so that light and dark themes both work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = (
    "<style>.incrowd{font-family:system-ui,sans-serif;font-size:13px;max-width:60em}"
    ".incrowd table{border-collapse:collapse;font-size:inherit;margin:.4em 0}"
    # The class is doubled because notebooks align all cells to the right with a selector of two classes.
    ".incrowd.incrowd table td,.incrowd.incrowd table th"
    "{border:1px solid rgba(128,128,128,.4);padding:.2em .6em;text-align:left}"
    ".incrowd.incrowd table td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".incrowd .yes,.incrowd .no{border-radius:.3em;color:#fff;font-weight:600;padding:.1em .5em}"
    ".incrowd .yes{background:#2c7a4b}.incrowd .no{background:#b3261e}"
    ".incrowd .picture{background:#fff;border-radius:.3em;display:inline-block;max-width:100%;overflow:auto}</style>"
)


def block(parts: Iterable[str]) -> str:
    """Return parts as one block of a page."""
    return f'{_STYLE}<div class="incrowd">{"".join(parts)}</div>'


def verdict(holds: bool) -> str:
    """Return whether a guarantee holds."""
    return '<span class="yes">holds</span>' if holds else '<span class="no">does not hold</span>'


def heading(text: str, after: str = "") -> str:
    """Return a heading for the next part."""
    return f"<div><b>{escape(text)}</b> {after}</div>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows under a head; numbers are aligned to the right."""
    header = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{header}</tr></thead><tbody>{lines}</tbody></table>"


def items(texts: Iterable[str]) -> str:
    """Return a list."""
    return "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in texts) + "</ul>"


def picture(svg: str) -> str:
    """Return a picture on a light background, because its colours are chosen for one."""
    return f'<div class="picture">{svg}</div>'


def number(value: object) -> str:
    """Return a number as it is shown."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _cell(value: object) -> str:
    kind = ' class="n"' if isinstance(value, (int, float)) and not isinstance(value, bool) else ""
    return f"<td{kind}>{escape(number(value))}</td>"
