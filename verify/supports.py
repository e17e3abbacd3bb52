"""Cells that follow from the supports of rules: every world is gone through (docs/proofs.md, "Small cells")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from inputs import Policy, Refusal, Table
from models import forest_of

World = list[tuple[int, int]]  # baskets with their people
STEPS = 60_000  # of the search for worlds
ITEMS = 11


class Supports:
    """Individuals as baskets of items, in bits; items of the kinds that dependencies tell apart come last."""

    def __init__(self, document: dict[str, Any], table: Table, policy: Policy) -> None:
        both = [rule[side] for rule in document["rules"] for side in ("if", "then")]
        sides = [[item for items in side for item in items.items()] for side in both]
        possible = forest_of(document, policy, table).possible
        items = list(dict.fromkeys(item for side in sides for item in side))
        self.hidden = sum(1 << at for at, (name, _) in enumerate(items) if name not in policy.known)
        rows = range(len(table.subjects))
        seen = [self.basket(items, {n: c[row] for n, c in table.columns.items()}) for row in rows]
        contexts = [tuple(table.columns[name][row] for name in possible.known) for row in rows]
        private: dict[Any, frozenset[int]] = {}
        for context in set(contexts):
            private[context] = frozenset(self.basket(items, one) & self.hidden for one in possible.given(context))
        kinds = sorted(set(private.values()), key=sorted)
        count = len(items) + (len(kinds) if len(kinds) > 1 else 0)
        if count > ITEMS:
            raise Refusal("too many items to enumerate what supports give away")
        self.all = (1 << count) - 1
        self.truth: list[int] = []
        self.possible: list[frozenset[int]] = []  # what each individual can have
        for row in rows:
            left = private[contexts[row]]
            kind = 1 << len(items) + kinds.index(left) if len(kinds) > 1 else 0
            self.truth.append(seen[row] | kind)
            self.possible.append(frozenset(seen[row] & ~self.hidden | kind | some for some in left))
        parts = [part for left, right in zip(sides[::2], sides[1::2]) for part in (left, [*left, *right])]
        self.published = sorted({self.basket(items, dict(part)) for part in parts})

    @staticmethod
    def basket(items: list[Any], values: dict[str, Any]) -> int:
        return sum(1 << at for at, (name, value) in enumerate(items) if name in values and values[name] == value)

    def small(self, n: int) -> list[tuple[int, int, int]]:
        """Cells (items present, items spoken of) with 1 to n - 1 people in every world, and the most they have."""
        cells: dict[tuple[int, int], int] = {}
        spoken = self.all
        while spoken:
            for present, count in Counter(basket & spoken for basket in self.truth).items():
                if spoken & self.hidden and count < n:
                    cells[present, spoken] = count
            spoken = (spoken - 1) & self.all

        def see(world: World) -> bool:
            for cell, most in list(cells.items()):
                here = sum(people for basket, people in world if basket & cell[1] == cell[0])
                if 1 <= here < n:
                    cells[cell] = max(most, here)
                else:
                    del cells[cell]
            return bool(cells)

        if cells:
            self.worlds(see)
        return [(*cell, most) for cell, most in cells.items()]

    def worlds(self, see: Callable[[World], bool]) -> None:
        """Shows every world: each individual has a possible basket, and every published support comes out."""
        looks = [(sorted(some), people) for some, people in Counter(self.possible).items()]
        supports = [sum(basket & each == each for basket in self.truth) for each in self.published]
        pending: list[tuple[int, int, int, list[int], World]] = [(0, 0, looks[0][1] if looks else 0, supports, [])]
        steps = 0
        while pending:
            look, at, people, left, world = pending.pop()
            steps += 1
            if steps > STEPS:
                raise Refusal("too many worlds to enumerate")
            if look == len(looks):
                if not any(left) and not see(world):
                    return
                continue
            baskets = looks[look][0]
            if at == len(baskets):
                if not people:
                    following = looks[look + 1][1] if look + 1 < len(looks) else 0
                    pending.append((look + 1, 0, following, left, world))
                continue
            last = at + 1 == len(baskets)
            for here in range(people if last else 0, people + 1):
                rest = [some - here * (baskets[at] & each == each) for some, each in zip(left, self.published)]
                if min(rest, default=0) < 0:
                    break
                pending.append((look, at + 1, people - here, rest, [*world, (baskets[at], here)] if here else world))

    def smallest(self, n: int) -> list[int | None]:
        """For each individual the smallest of these cells that they can be in."""
        cells = self.small(n)
        found: dict[frozenset[int], int | None] = {}
        for baskets in set(self.possible):
            sizes = [most for present, spoken, most in cells if any(b & spoken == present for b in baskets)]
            found[baskets] = min(sizes, default=None)
        return [found[baskets] for baskets in self.possible]
