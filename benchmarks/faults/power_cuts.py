"""What a power cut may leave of a folder: of what was never synced all, nothing, or any part.

Files and folders are kept apart from their names, as file systems do: data reach the disk when a
file is synced, names when their folder is. Before that they may come in any order, in parts, or
never; where data are missing in a file there are zeros.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.faults.faulty_disk import Step

State = dict[str, bytes | None]
"""Content by path below the folder; None for a folder."""


@dataclass
class _File:
    content: bytes = b""
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def seen(self, kept: Sequence[tuple[int, bytes | None]]) -> bytes:
        content = self.content
        for place, data in kept:
            if data is None:
                content = content[:place]
            else:
                content = content.ljust(place, b"\0")
                content = content[:place] + data + content[place + len(data) :]
        return content


@dataclass
class _Folder:
    names: dict[str, int] = field(default_factory=dict)
    pending: list[dict[str, int | None]] = field(default_factory=list)

    def seen(self, kept: Sequence[dict[str, int | None]]) -> dict[str, int]:
        names: dict[str, int | None] = dict(self.names)
        for change in kept:
            names |= change
        return {name: node for name, node in names.items() if node is not None}


class PaperDisk:
    """A folder as it is on disk and as it seems to be, step by step."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._nodes: dict[int, _File | _Folder] = {}
        self._open: dict[int, int] = {}
        self._read(root)

    def apply(self, step: Step) -> None:
        """Do one step."""
        kind, details = step.kind, step.details
        if kind == "create":
            self._open[details[1]] = self._add(details[0], _File())
        elif kind == "open":
            self._open[details[1]] = self._find(details[0])
        elif kind in ("write", "truncate"):
            data = details[2] if kind == "write" else None
            self._file(self._open[details[0]]).pending.append((details[1], data))
        elif kind == "sync":
            file = self._file(self._open[details[0]])
            file.content, file.pending = file.seen(file.pending), []
        elif kind == "sync folder":
            folder = self._folder(details[0])
            folder.names, folder.pending = folder.seen(folder.pending), []
        elif kind == "make folder":
            self._add(details[0], _Folder())
        elif kind == "link":
            self._name(details[1], self._find(details[0]))
        elif kind == "rename":
            self._rename(*details)
        else:
            self._folder(details[0].parent).pending.append({details[0].name: None})

    def _rename(self, source: Path, target: Path) -> None:
        node = self._find(source)
        if source.parent == target.parent:
            self._folder(source.parent).pending.append({source.name: None, target.name: node})
            return
        # Two folders: either may reach the disk without the other.
        self._folder(target.parent).pending.append({target.name: node})
        self._folder(source.parent).pending.append({source.name: None})

    def state(self, rng: np.random.Generator | None, *, is_all_lost: bool = False) -> State:
        """Give what is found after a power cut now; without a generator and loss, what seems so."""
        nodes = deepcopy(self._nodes)
        for node in nodes.values():
            if is_all_lost:
                node.pending.clear()
            elif rng is not None and isinstance(node, _File):
                node.pending = [_torn(part, rng) for part in node.pending if rng.random() < 0.5]
            elif rng is not None:
                node.pending = [part for part in node.pending if rng.random() < 0.5]  # type: ignore[misc]
        found: State = {}
        _walk(nodes, 0, "", found)
        return found

    def _read(self, path: Path) -> int:
        number = len(self._nodes)
        if path.is_dir():
            self._nodes[number] = folder = _Folder()
            for inner in sorted(path.iterdir()):
                folder.names[inner.name] = self._read(inner)
        else:
            self._nodes[number] = _File(path.read_bytes())
        return number

    def _add(self, path: Path, node: _File | _Folder) -> int:
        number = len(self._nodes)
        self._nodes[number] = node
        self._name(path, number)
        return number

    def _name(self, path: Path, node: int) -> None:
        self._folder(path.parent).pending.append({path.name: node})

    def _find(self, path: Path) -> int:
        node = 0
        for name in path.relative_to(self._root).parts:
            folder = self._nodes[node]
            assert isinstance(folder, _Folder)
            node = folder.seen(folder.pending)[name]
        return node

    def _folder(self, path: Path) -> _Folder:
        found = self._nodes[self._find(path)]
        assert isinstance(found, _Folder)
        return found

    def _file(self, node: int) -> _File:
        found = self._nodes[node]
        assert isinstance(found, _File)
        return found


def write_state(state: State, root: Path) -> None:
    """Make a folder hold this, and nothing else was there before."""
    root.mkdir(parents=True)
    for name, content in state.items():
        if content is None:
            (root / name).mkdir()
        else:
            (root / name).write_bytes(content)


def _torn(part: tuple[int, bytes | None], rng: np.random.Generator) -> tuple[int, bytes | None]:
    place, data = part
    return place, data if data is None else data[: int(rng.integers(len(data) + 1))]


def _walk(nodes: dict[int, "_File | _Folder"], number: int, path: str, found: State) -> None:
    node = nodes[number]
    if isinstance(node, _File):
        found[path] = node.seen(node.pending)
        return
    if path:
        found[path] = None
    for name, inner in sorted(node.seen(node.pending).items()):
        _walk(nodes, inner, f"{path}/{name}".lstrip("/"), found)
