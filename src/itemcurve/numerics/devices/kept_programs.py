"""Compiled programs kept on disk, so that the first fit of a process need not compile them again.

Only who asks for it gets it: programs are run as they are read, so their folder must be one that
nobody else can write to. `ITEMCURVE_PROGRAMS` names the folder, or says `1` for the user's own.
"""

import os
import stat
import warnings
from pathlib import Path
from typing import Any

from itemcurve.errors import StorageWarning

VARIABLE = "ITEMCURVE_PROGRAMS"


def keep_programs(folder: str | os.PathLike[str] | None = None) -> Path | None:
    """Keep compiled programs in a folder from now on, in this process.

    Parameters
    ----------
    folder : made if it is not there; the user's cache folder when left out.

    Returns
    -------
    The folder; None, with a warning, when others could write to it. A folder that JAX was told of
    before stays the one it uses.
    """
    import jax

    config: Any = jax.config
    known = config.jax_compilation_cache_dir
    if known:
        return Path(known)
    path = _users_folder() if folder is None else Path(folder)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_own(path):
        warnings.warn(
            f"Compiled programs are not kept in {path}: others could write to it, and what they "
            "write would be run. Make it yours alone (chmod 700), or name another folder.",
            StorageWarning,
            stacklevel=2,
        )
        return None
    config.update("jax_compilation_cache_dir", str(path))
    # By default only what takes seconds to compile is kept; here it is many small programs.
    config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return path


def keep_if_asked() -> None:
    """Keep compiled programs if the environment says so."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted and wanted != "0":
        keep_programs(None if wanted == "1" else wanted)


def _users_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "itemcurve" / "programs"


def _is_own(path: Path) -> bool:
    """Whether a folder belongs to this user and nobody else can write to it."""
    if not hasattr(os, "getuid"):
        return True
    found = path.stat()
    is_shared = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    return found.st_uid == os.getuid() and not is_shared
