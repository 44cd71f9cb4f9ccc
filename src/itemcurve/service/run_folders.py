"""Run folders of the command line, found where the service is started."""

from pathlib import Path

from itemcurve.storage.run_manifest import MANIFEST


def find_run_folders(below: Path, depth: int = 3) -> list[Path]:
    """Look for runs of the command line in a folder and a few levels below it."""
    if (below / MANIFEST).is_file():
        return [below]
    if depth == 0 or not below.is_dir():
        return []
    found: list[Path] = []
    for folder in sorted(below.iterdir()):
        is_own = not folder.name.startswith(".") and not folder.is_symlink()
        if is_own and folder.is_dir():
            found += find_run_folders(folder, depth - 1)
    return found
