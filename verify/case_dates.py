"""Cases of dates: whole numbers of a case become days, in the table, the policy and the release."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from case_files import Case

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")


def with_dates(case: Case, chosen: Any) -> None:
    """Makes dates of the columns that are chosen, of those that can be dates."""
    names = [name for name in case.policy["attributes"] if can_be_dates(case, name)]
    for name in names:
        if chosen():
            make_dates(case, name)


def can_be_dates(case: Case, name: str) -> bool:
    """Whether a column has whole numbers alone, also between the bounds of its cells."""
    keys = case.policy["attributes"][name]
    if name not in case.header or not ("range" in keys or keys.get("kind") == "numeric" or keys.get("whole")):
        return False
    texts = [row[case.header.index(name)] for row in case.rows] + [repr(end) for end in keys.get("range", ())]
    found = [number for text in texts for number in NUMBER.findall(text)]
    others = any(re.search(r"[a-z\d]", NUMBER.sub("", text)) for text in texts)
    return bool(found) and not others and all(abs(float(n)) < 1e4 and float(n).is_integer() for n in found)


def make_dates(case: Case, name: str) -> None:
    at = case.header.index(name)
    for row in case.rows:  # a released table has the same rows
        row[at] = NUMBER.sub(lambda found: day(found.group(0)), row[at])
    keys = case.policy["attributes"][name]
    for key in ("whole", "taxonomy"):
        keys.pop(key, None)
    keys["kind"] = "date"
    if "range" in keys:
        keys["range"] = [day(repr(end)) for end in keys["range"]]
    for each in (case.release or {}).get("attributes", (case.release or {}).get("axes", ())):
        if each["name"] == name:
            each["dates"] = True


def day(number: str) -> str:
    return (date(1970, 1, 1) + timedelta(days=int(float(number)))).isoformat()
