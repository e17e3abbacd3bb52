#!/usr/bin/env python3
"""Attacks the built program: random cases of all families, each judged by the program and by the verifier.

    python3 verify/attack.py target/release/incrowd --cases 20000 --seed 1 --jobs 2 --out findings

Prints how many cases of each family were judged, held, breached and refused, and every disagreement, which is
made smaller and kept as a folder. Exit status: 0 no disagreement, 1 some, 2 could not run. See docs/attack.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import cases  # noqa: E402
from cases import AGREED, FAMILIES, FEATURES, Case  # noqa: E402
from figures import compare, crashed, leaks, message_of  # noqa: E402
from inputs import Policy, Refusal  # noqa: E402
from models import load  # noqa: E402
from oracle import derivable, full_report, open_bins  # noqa: E402
from smaller import reductions  # noqa: E402
from stated import FLAGS, ruled_out, tamper  # noqa: E402

LIMIT = 60.0  # seconds after which the program is said to hang
# The program, the family, the seed, the first case, the one after the last, and the features.
Job = tuple[str, str, int, int, int, list[str]]
COMMON = ["--json", "--quiet", "--threads", "1"]
# Refusals of the verifier that say nothing about the program: it lacks the means, not the case its sense.
BEYOND = ("too many", "not judged", "only CSV")
# Refusals of the program that err on the safe side, of what the verifier can judge.
SPOKEN = (
    "too large or too small to be compared",
    "with a missing value in",
    "spans of clusters do not support",
    "tie private items",
    "cannot be judged in an ensemble",
    "a smallest bin cannot be checked",
)
# The same for ensembles: their tests need a branch for every possible value, even for one that cannot get there.
SPOKEN_OF_ENSEMBLES = "has no branch for a value that is possible"


@dataclass
class Outcome:
    """What became of one case: a word for the count, and what the program and the verifier differ in."""

    word: str
    differences: list[str] = field(default_factory=list)
    refusal: str = ""


class Attack:
    """Runs cases in a folder of its own."""

    def __init__(self, program: str, folder: Path, features: set[str]) -> None:
        self.program, self.folder, self.features = program, folder, features

    def run(self, arguments: list[str]) -> tuple[int, dict[str, Any], str]:
        """Status, document and messages of the program; status 124 if it hangs."""
        try:
            done = subprocess.run(
                [self.program, *arguments, *COMMON], cwd=self.folder, capture_output=True, timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            return 124, {}, "hangs"
        messages = done.stderr.decode("utf-8", "replace")
        try:
            document = json.loads(done.stdout) if done.stdout.strip() else {}
        except ValueError:
            document = {}
        return done.returncode, document, messages

    def judge(self, case: Case) -> Outcome:
        """One case, from its files to the comparison."""
        for old in self.folder.iterdir():
            old.unlink()
        case.write(self.folder)
        if case.family == "worlds":
            return self.worlds(case)
        if case.mine:
            return self.mined(case)
        if case.released is not None:
            arguments = ["audit", "--table", "released.csv", "--policy", "policy.toml", *case.flags]
            release = "released.csv"
        else:
            arguments = ["audit", "release.json", "--data", "table.csv", "--policy", "policy.toml"]
            release = "release.json"
        status, document, messages = self.run(arguments)
        outcome = self.against_verifier(case, release, status, document, messages)
        if case.family == "hostile":
            outcome.word = "refused" if status == 2 else "judged"
        return outcome

    def worlds(self, case: Case) -> Outcome:
        """The oracle against worlds, all of them tried: open bins, and ranges of cells."""
        try:
            policy = Policy(self.folder / "policy.toml")
            release = load(self.folder / "release.json", self.folder / "table.csv", policy, set())
        except Refusal as refusal:
            return Outcome("refused", [], str(refusal))
        views = {sight.span: sight.view for sight in release.sights}
        reach = {span: [b for b in set(release.bins) if not b & ~view] for span, view in views.items()}
        homes = [sight.span for sight in release.sights]
        if math.prod(len(reach[home]) for home in homes) > 5000:
            return Outcome("skipped")
        population = Counter(release.bins)
        seen: dict[Any, set[Any]] = {span: set() for span in views}
        ranges: dict[Any, set[int]] = {}
        for world in itertools.product(*(reach[home] for home in homes)):
            if Counter(world) == population:
                cells = Counter(zip(homes, world))
                for span, bins in reach.items():
                    seen[span] |= {bin_ for bin_ in bins if cells[span, bin_]}
                    for bin_ in bins:
                        ranges.setdefault((("span", span), bin_), set()).add(cells[span, bin_])
        broken = [] if seen == open_bins(release) else ["open bins differ from those of all worlds"]
        for n in (2, 3):
            true = {pair for pair, counts in ranges.items() if min(counts) > 0 and max(counts) < n}
            alone = replace(release, subjects=list(range(len(release.bins))))
            if {pair: max(ranges[pair]) for pair in true} != derivable(alone, n):
                broken.append(f"derivable cells below {n} differ from those of all worlds")
        return Outcome("judged", broken)

    def mined(self, case: Case) -> Outcome:
        """Whatever is mined passes the audit with the same figures, and the verifier."""
        table = case.mine[0] == "table"
        out = "anon.csv" if table else "release.json"
        status, mined, messages = self.run(
            [*case.mine, "--data", "table.csv", "--policy", "policy.toml", "--out", out, "--force"]
        )
        broken = crashed(status, messages) + leaks(status, messages, mined)
        if status != 0:
            left = [name for name in ("release.json", "anon.csv", "anon.json") if (self.folder / name).exists()]
            broken += [f"mined with {status} but wrote {name}" for name in left]
            return Outcome(
                "refused" if status == 2 else "unmet", broken, message_of(mined, messages) if status == 2 else ""
            )
        release = "anon.json" if table else "release.json"
        arguments = ["audit", release, "--policy", "policy.toml", *([] if table else ["--data", "table.csv"])]
        status, audited, messages = self.run(arguments)
        if status != 0:
            return Outcome("mined", broken + [f"mined with 0, audited with {status}: {message_of(audited, messages)}"])
        for key in ("k", "spans", "individuals", "exposed", "max_confidence"):
            if key == "exposed" and table and "constants" not in self.features:
                continue
            if key in mined and mined[key] != audited.get(key):
                broken.append(f"mined with {key} = {mined[key]}, audited with {audited.get(key)}")
        outcome = self.against_verifier(case, release, status, audited, messages)
        if table:
            broken += self.tampered(case)
        return Outcome("mined", broken + outcome.differences, outcome.refusal)

    def tampered(self, case: Case) -> list[str]:
        """A release file with better figures about individuals than the rows allow is refused."""
        path = self.folder / "anon.json"
        right = path.read_text("utf-8")
        if not json.loads(right).get("people"):
            return []
        broken = []
        for number in range(4):
            sidecar = json.loads(right)
            key = tamper(sidecar, Random(f"{case.seed}/{number}"))
            path.write_text(json.dumps(sidecar), "utf-8")
            flags = FLAGS if key == "held" else []
            status, document, messages = self.run(["audit", "anon.json", "--policy", "policy.toml", *flags, "--weaken"])
            broken += crashed(status, messages) + leaks(status, messages, document)
            wrong = ruled_out(self.folder) if status in (0, 1) else []
            broken += [f"{key} changed, judged with {status}, though rows rule out: {each}" for each in wrong]
        path.write_text(right, "utf-8")
        return broken

    def against_verifier(
        self, case: Case, release: str, status: int, document: dict[str, Any], messages: str
    ) -> Outcome:
        broken = crashed(status, messages) + leaks(status, messages, document)
        if broken:
            return Outcome("crashed", broken)
        without = set(case.flags[1].split(",")) if "--without" in case.flags else set()
        try:
            data = None if case.family.endswith("table") else self.folder / "table.csv"
            _, report = full_report(self.folder / release, data, self.folder / "policy.toml", without)
        except Refusal as refusal:
            if any(word in str(refusal) for word in BEYOND) or status == 2 or case.family == "hostile":
                return Outcome("refused", [], str(refusal))
            if case.family == "mined-table" and "several rows" in str(refusal):
                return Outcome("judged", [], str(refusal))
            return Outcome("judged", [f"status {status}, but the verifier refuses: {refusal}"])
        except Exception as error:  # noqa: BLE001  # a hostile file that the program refuses is none of the verifier's
            if case.family == "hostile" and status == 2:
                return Outcome("refused")
            if case.family == "hostile":
                return Outcome("judged", [], f"verifier: {type(error).__name__}")
            raise
        if status == 2:
            word, ensemble = message_of(document, messages), (case.release or {}).get("family") == "ensemble"
            spoken = (*SPOKEN, SPOKEN_OF_ENSEMBLES) if ensemble else SPOKEN
            if case.family == "hostile" or any(each in word for each in spoken):
                return Outcome("refused", [], word)
            return Outcome("refused", [f"refused, but the verifier judges: {word}"], word)
        return Outcome("held" if status == 0 else "breached", compare(case, status, document, report, self.features))


def minimize(attack: Attack, case: Case, kind: str) -> Case:
    """The smallest case found that differs in the same thing."""
    if case.raw is not None:
        return case
    until = time.monotonic() + 12.0
    again = True
    while again and time.monotonic() < until:
        again = False
        for less in reductions(case):
            try:
                found = attack.judge(less)
            except Exception:  # noqa: BLE001, S112  # a reduction that makes no sense
                continue
            if any(kind_of(difference) == kind for difference in found.differences):
                case, again = less, True
                break
            if time.monotonic() > until:
                break
    return case


def kind_of(difference: str) -> str:
    """A difference without its figures."""
    return difference.split(":")[0]


def work(job: Job) -> tuple[str, Counter, Counter, list[tuple[int, list[str]]]]:
    """A worker's share of a family."""
    program, family, seed, first, last, features = job
    words: Counter = Counter()
    refusals: Counter = Counter()
    found: list[tuple[int, list[str]]] = []
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        attack = Attack(program, Path(folder), set(features))
        for number in range(first, last):
            case = cases.make(family, number, seed, attack.features)
            try:
                outcome = attack.judge(case)
            except Exception as error:
                raise RuntimeError(f"{family} case {number} of seed {seed}") from error
            words[outcome.word] += 1
            if outcome.refusal:
                refusals[outcome.refusal] += 1
            if outcome.differences:
                found.append((number, outcome.differences))
    return family, words, refusals, found


def keep(arguments: argparse.Namespace, family: str, number: int, features: set[str], differences: list[str]) -> Path:
    """Minimizes a case and writes it down."""
    folder = Path(arguments.out) / f"{family}-{arguments.seed}-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    attack = Attack(arguments.program, folder, features)
    case = minimize(attack, cases.make(family, number, arguments.seed, features), kind_of(differences[0]))
    outcome = attack.judge(case)
    command = " ".join([*case.mine, "+ audit"]) if case.mine else "audit"
    lines = [
        f"{family} case {number} of seed {arguments.seed}: {command}",
        *differences,
        "",
        "smaller:",
        *outcome.differences,
    ]
    (folder / "difference.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=os.environ.get("INCROWD", "target/release/incrowd"))
    parser.add_argument("--families", default=",".join(FAMILIES), help="which families, separated by commas")
    parser.add_argument("--cases", type=int, default=150, help="cases per family")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--features", help="what the generator may use, separated by commas, or all")
    parser.add_argument("--without", default="", help="features to leave out")
    parser.add_argument("--out", default="findings", help="folder for disagreements")
    parser.add_argument("--keep", type=int, default=20, help="how many disagreements to make smaller and keep")
    parser.add_argument("--refusals", action="store_true", help="list what was refused")
    return parser.parse_args()


def jobs_of(arguments: argparse.Namespace, features: set[str]) -> Iterator[Job]:
    """The cases in parts for the workers."""
    end = arguments.first + arguments.cases
    step = max(1, min(200, arguments.cases // (2 * arguments.jobs) or 1))
    for family in arguments.families.split(","):
        for first in range(arguments.first, end, step):
            yield arguments.program, family, arguments.seed, first, min(end, first + step), sorted(features)


def keep_some(arguments: argparse.Namespace, features: set[str], found: list[tuple[str, int, list[str]]]) -> None:
    """Prints how many cases differ in what, and keeps one of each kind."""
    found.sort(key=lambda each: FAMILIES.index(each[0]) * 10**9 + each[1])
    kinds: Counter = Counter(f"{family}: {kind_of(differences[0])}" for family, _, differences in found)
    for kind, count in kinds.most_common():
        print(f"  {count} differ in {kind}")
    kept: set[str] = set()
    for family, number, differences in found:
        kind = f"{family}: {kind_of(differences[0])}"
        if len(kept) < arguments.keep and kind not in kept:
            kept.add(kind)
            print(f"  {family} case {number}: {'; '.join(differences)[:300]}")
            print(f"    {keep(arguments, family, number, features, differences)}")


def main() -> int:
    arguments = parsed()
    program = shutil.which(arguments.program)
    if program is None:
        print(f"{arguments.program} is not a program", file=sys.stderr)
        return 2
    arguments.program = str(Path(program).resolve())
    features = set(arguments.features.split(",") if arguments.features else AGREED)
    features = (set(FEATURES) if "all" in features else features) - set(arguments.without.split(","))
    started = time.monotonic()
    words: dict[str, Counter] = {}
    refusals: Counter = Counter()
    found: list[tuple[str, int, list[str]]] = []
    with multiprocessing.Pool(arguments.jobs) as pool:
        for family, some, refused, differing in pool.imap_unordered(work, jobs_of(arguments, features)):
            words.setdefault(family, Counter()).update(some)
            refusals.update({f"{family}: {each}": count for each, count in refused.items()})
            found += [(family, number, differences) for number, differences in differing]
    total = sum(sum(each.values()) for each in words.values())
    seconds = time.monotonic() - started
    for family in arguments.families.split(","):
        counted = ", ".join(f"{count} {word}" for word, count in sorted(words.get(family, {}).items()))
        print(f"{family}: {sum(words.get(family, {}).values())} cases: {counted}")
    if arguments.refusals:
        for refusal, count in refusals.most_common():
            print(f"  {count} {refusal}")
    keep_some(arguments, features, found)
    print(f"{total} cases, {len(found)} disagreements, {seconds:.1f} s, {total / seconds:.0f} cases per second")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
