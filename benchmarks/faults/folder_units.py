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
    """Name what a crash left behind that nobody asked for."""
    names = (str(path.relative_to(folder)) for path in folder.rglob("*"))
    return [
        n for n in names if any(p.startswith(".") or p.endswith(".partial") for p in Path(n).parts)
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
    for name in sorted(run.files):
        if name.endswith(".json"):
            parts.append(_plain(run.document(name.removesuffix(".json"))))
    for beside in sorted(run.path.iterdir()):
        if beside.name not in run.files and beside.suffix not in (".tmp", ".json", ".npz"):
            parts.append(beside.read_bytes())
    return b"\n".join(parts)


def _session(path: Path) -> bytes:
    return _plain({"lines": list(SessionFolder(path.parent).read(path.name).documents)})


def _plain(document: dict[str, Any]) -> bytes:
    return json.dumps(_lasting(document), sort_keys=True).encode()


def _lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _lasting(v) for k, v in value.items() if not any(p in k for p in _PASSING)}
    return [_lasting(each) for each in value] if isinstance(value, list) else value
