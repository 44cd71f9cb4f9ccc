"""The files below a folder that may be logs."""

import os
import stat
from pathlib import Path

from itemcurve.errors import ResponsesError


def find_files(path: str | os.PathLike[str]) -> tuple[Path, list[str], dict[str, str]]:
    """List all regular files below a folder, in order of their paths.

    Hidden folders are passed over. Links that lead out of the folder are refused, and so is
    anything that is no regular file: opening a pipe would wait for ever.

    Returns
    -------
    The folder, paths relative to it, and what was refused with the reason.
    """
    root = Path(path)
    if root.is_file():
        return root.parent.resolve(), [root.name], {}
    if not root.is_dir():
        raise ResponsesError(
            "Logs are read from a folder or a file that exists;",
            f"there is no {str(root)!r}.",
            "Check the path.",
        )
    root = root.resolve()
    found, refused = [], {}
    for folder, folders, names in os.walk(root, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            full = Path(folder, name)
            shown = full.relative_to(root).as_posix()
            reason = _refuse(full, root)
            if reason:
                refused[shown] = reason
            else:
                found.append(shown)
    return root, sorted(found), refused


def _refuse(path: Path, root: Path) -> str:
    """Say why a file is not opened; "" when it is."""
    try:
        if path.is_symlink() and not path.resolve().is_relative_to(root):
            return "a link that leads out of the folder"
        if not stat.S_ISREG(path.stat().st_mode):
            return "not a regular file"
    except (OSError, RuntimeError) as error:
        return f"cannot be opened: {getattr(error, 'strerror', None) or error}"
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return "its name is not valid text"
    return ""
