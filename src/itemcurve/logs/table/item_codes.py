"""Items over all logs, by task and content; without content, by the harness's own id."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from itemcurve.logs.table.respondent_names import Collision

SHOWN_HASH = 16


@dataclass(frozen=True)
class Item:
    """One item: what it is called here, and by its harness."""

    name: str
    task: str
    sample: str
    content: str
    harness: str
    question: str = ""
    target: str = ""


@dataclass
class ItemCodes:
    """Numbers items as logs bring them; equal content of one task is one item.

    Parameters
    ----------
    duplicated : (task, content) that some run asked under several ids; their ids tell them apart.
    """

    duplicated: set[tuple[str, str]]
    codes: dict[tuple[str, str, str], int] = field(default_factory=dict)
    first: list[tuple[str, str, str, str, str, str]] = field(default_factory=list)
    contents: dict[tuple[str, str], str] = field(default_factory=dict)
    changed: dict[str, dict[str, None]] = field(default_factory=dict)
    known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], NDArray[np.int32]] = field(
        default_factory=dict
    )

    def code(
        self,
        harness: str,
        task: str,
        samples: tuple[str, ...],
        contents: tuple[str, ...],
        notes: tuple[tuple[str, str], ...],
    ) -> NDArray[np.int32]:
        """Give the code of each sample of a log on one task.

        Parameters
        ----------
        notes : question and key of each sample, where the log says them.
        """
        # Most logs of a task ask the same samples in the same order.
        key = (task, samples, contents)
        if key not in self.known:
            parts = zip(samples, contents, notes, strict=True)
            codes = [self._code_one(harness, task, *part) for part in parts]
            self.known[key] = np.array(codes, dtype=np.int32)
        return self.known[key]

    def items(self) -> tuple[Item, ...]:
        """Give all items in the order of their codes, under names that are unique."""
        short = [_name(*entry[:3], SHOWN_HASH, self.duplicated) for entry in self.first]
        is_unique = len(set(short)) == len(short)
        names = (
            short
            if is_unique
            else [_name(*entry[:3], None, self.duplicated) for entry in self.first]
        )
        return tuple(Item(name, *entry) for name, entry in zip(names, self.first, strict=True))

    def collisions(self) -> list[Collision]:
        """Say which samples changed their content, and which contents occur twice."""
        found = [
            Collision("content", f"task {task}", f"{_count(samples)} with different content")
            for task, samples in self.changed.items()
        ]
        tasks: dict[str, int] = {}
        for task, _ in self.duplicated:
            tasks[task] = tasks.get(task, 0) + 1
        return found + [
            Collision("duplicate", f"task {task}", f"{count} questions under several sample ids")
            for task, count in tasks.items()
        ]

    def _code_one(
        self, harness: str, task: str, sample: str, content: str, note: tuple[str, str]
    ) -> int:
        is_told_by_id = not content or (task, content) in self.duplicated
        key = (task, content, sample if is_told_by_id else "")
        code = self.codes.get(key)
        if code is None:
            code = self.codes[key] = len(self.codes)
            self.first.append((task, sample, content, harness, *note))
        if content:
            before = self.contents.setdefault((task, sample), content)
            if before != content:
                self.changed.setdefault(task, {})[sample] = None
        return code


def find_duplicated(
    logs: Iterable[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]],
) -> set[tuple[str, str]]:
    """Find contents that stand under several ids within one log.

    Parameters
    ----------
    logs : tasks, samples and contents of each log.
    """
    found: set[tuple[str, str]] = set()
    for tasks, _, contents in logs:
        if len(set(contents)) == len(contents):
            continue
        counts: dict[str, int] = {}
        for content in contents:
            counts[content] = counts.get(content, 0) + 1
        several = [content for content, count in counts.items() if content and count > 1]
        found.update((task, content) for task in tasks for content in several)
    return found


def _name(
    task: str, sample: str, content: str, length: int | None, duplicated: set[tuple[str, str]]
) -> str:
    if not content:
        return f"{task}/{sample}"
    name = f"{task}/{content[:length]}"
    return f"{name}#{sample}" if (task, content) in duplicated else name


def _count(samples: dict[str, None]) -> str:
    shown = ", ".join(list(samples)[:3])
    return f"{len(samples)} sample ids ({shown}{', …' if len(samples) > 3 else ''})"
