"""Progress of long-running work, shown by tqdm."""

from __future__ import annotations

import sys
import time
from typing import Any

_shown: bool | None = None


def set_progress(shown: bool | None) -> None:
    """Choose whether progress is shown.

    Parameters
    ----------
    shown : bool or None
        ``None``, the initial value, shows progress in notebooks and in interactive sessions, but not in scripts.

    Examples
    --------
    >>> import incrowd as ic
    >>> ic.set_progress(False)
    """
    global _shown
    _shown = shown


def watch() -> Watch | None:
    """Return an object that shows the progress of work, or ``None`` if nothing is shown."""
    return Watch() if (_is_interactive() if _shown is None else _shown) else None


def _is_interactive() -> bool:
    return hasattr(sys, "ps1") or "ipykernel" in sys.modules


class Watch:
    """Shows the progress of work: with tqdm if it is installed, otherwise on a line of the notebook or of stderr."""

    #: Work that is done sooner is not shown.
    after = 0.5

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._work: str | None = None
        self._bar: Any = None
        self._output: Any = None

    def __call__(self, work: str | None = None, total: int | None = None, done: int = 0) -> None:
        """Show how much of the work is done; without arguments, show that all of it is done."""
        if work is None:
            self._close()
        elif time.monotonic() - self._start >= self.after:
            if work != self._work:
                self._close()
                self._work, self._bar = work, _bar(work, total, self._output)
            self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._output = getattr(self._bar, "output", None)
        self._work = self._bar = None


def _bar(work: str, total: int | None, output: Any) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Cell(work, total, output) if "ipykernel" in sys.modules else _Line(work, total)
    return tqdm(desc=work, total=total, leave=False, unit_scale=True)


class _Line:
    """Progress on a line of stderr."""

    def __init__(self, work: str, total: int | None) -> None:
        self.n, self._work, self._total = 0, work, total

    def update(self, amount: int) -> None:
        self.n += amount
        self._show(self._work + (f" {100 * self.n / self._total:3.0f} %" if self._total else ""))

    def _show(self, text: str) -> None:
        print(f"\r{text}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print("\r" + " " * (len(self._work) + 7) + "\r", end="", file=sys.stderr, flush=True)


class _Cell(_Line):
    """Progress in one output of a notebook's cell, where stderr would look like an error."""

    def __init__(self, work: str, total: int | None, output: Any) -> None:
        super().__init__(work, total)
        self.output = output

    def _show(self, text: str) -> None:
        from IPython.display import display

        shown = {"text/plain": text}
        if self.output is None:
            self.output = display(shown, raw=True, display_id=True)
        else:
            self.output.update(shown, raw=True)

    def close(self) -> None:
        if self.output is not None:
            self._show("")
