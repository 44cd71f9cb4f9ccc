"""What became of many inputs that were broken on purpose."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

# fine: read to the same values, or what is missing was said. clean error: refused in the library's
# own words. unnoticeable: cut exactly at the end of a row of text, which no reader can see.
# Of the last three there may be none.
Outcome = Literal["fine", "clean error", "unnoticeable", "traceback", "silent", "hang"]
OUTCOMES: tuple[Outcome, ...] = (
    "fine",
    "clean error",
    "unnoticeable",
    "traceback",
    "silent",
    "hang",
)
FAULTS: tuple[Outcome, ...] = ("traceback", "silent", "hang")
MOST_EXAMPLES = 5


@dataclass
class Tally:
    """One row of the table: how many inputs of a kind ended how, and examples of faults."""

    name: str
    counts: Counter[Outcome] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome, example: str = "") -> None:
        """Count one input; an example is kept of a fault alone."""
        self.counts[outcome] += 1
        if outcome in FAULTS and len(self.examples) < MOST_EXAMPLES:
            self.examples.append(f"{outcome}: {example}"[:500])

    @property
    def tried(self) -> int:
        """How many inputs there were."""
        return sum(self.counts.values())

    @property
    def faults(self) -> int:
        """How many ended as none may."""
        return sum(self.counts[outcome] for outcome in FAULTS)


def print_table(tallies: Iterable[Tally]) -> None:
    """Print a Markdown table of all kinds with their sum, and examples of faults below it."""
    rows = list(tallies)
    total = Tally("sum", sum((row.counts for row in rows), Counter()))
    print("| what | tried |", " | ".join(OUTCOMES), "|")
    print("|---|---:|" + "---:|" * len(OUTCOMES))
    for row in (*rows, total):
        cells = (str(row.counts[outcome]) for outcome in OUTCOMES)
        print(f"| {row.name} | {row.tried} |", " | ".join(cells), "|", flush=True)
    for row in rows:
        for example in row.examples:
            print(f"{row.name}: {example}")
