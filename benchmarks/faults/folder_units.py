"""What a folder holds for those who read it: runs, sessions and files, each old, new or damaged."""

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

from itemcurve.adaptive.session_folder import SessionFolder
from itemcurve.errors import ItemcurveError
from itemcurve.storage.run_folder import read_run

Units = dict[str, str]
# How long something took, and whether it was begun before, is no part of a result.
_PASSING = ("second", "resumed", "time", "began")
_SESSION = "s.json"
# Empty files, which end with the process as locks: the next writer uses and removes them.
_LOCKS = (".lock", ".claim")


def read_units(folder: Path, below: str = "") -> Units:
    """Give a digest of everything that a reader finds, by its path; hidden files are nobody's."""
    found: Units = {}
    for path in sorted(folder.iterdir()):
        name = path.name
        if name.startswith(".") and name.endswith(".previous"):
            # A run whose writer died between two renames is found by its own name.
            name = name[1:].removesuffix(".previous")
            if not (folder / name).exists():
                found[below + name] = _digest(lambda name=name: _run(folder / name))
        elif name.startswith(".") or name.endswith(".partial"):
            continue
        elif (path / "run.json").is_file():
            found[below + name] = _digest(lambda path=path: _run(path))
        elif path.is_dir():
            found |= read_units(path, f"{below}{name}/")
        elif name == _SESSION:
            found[below + name] = _digest(lambda path=path: _session(path))
        else:
            found[below + name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def find_leftovers(folder: Path) -> list[str]:
    """Name what a crash left behind that nobody asked for, but for locks that nobody holds."""
    names = [path.relative_to(folder) for path in folder.rglob("*") if path.suffix not in _LOCKS]
    return [
        str(name)
        for name in names
        if any(part.startswith(".") or part.endswith(".partial") for part in name.parts)
    ]


def _digest(read: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return hashlib.sha256(read()).hexdigest()
        except ItemcurveError as error:
            return f"damaged: {error}"


def _run(path: Path) -> bytes:
    run = read_run(path)
    parts = [(run.path / name).read_bytes() for name in sorted(run.files) if name.endswith(".npz")]
    documents = [name.removesuffix(".json") for name in sorted(run.files) if ".json" in name]
    parts += [_plain(run.document(name)) for name in documents]
    beside = [path for path in sorted(run.path.iterdir()) if path.name not in run.files]
    parts += [path.read_bytes() for path in beside if path.suffix == ".html"]
    return b"\n".join(parts)


def _session(path: Path) -> bytes:
    return _plain({"lines": list(SessionFolder(path.parent).read(path.name).documents)})


def _plain(document: dict[str, Any]) -> bytes:
    return json.dumps(_lasting(document), sort_keys=True).encode()


def _lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _lasting(v) for k, v in value.items() if not any(p in k for p in _PASSING)}
    return [_lasting(each) for each in value] if isinstance(value, list) else value
