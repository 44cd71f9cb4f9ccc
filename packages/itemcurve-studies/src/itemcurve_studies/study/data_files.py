"""Published data that a study reads."""

from pathlib import Path

from itemcurve.errors import StorageError


def find_data(data: Path, pattern: str, what: str) -> list[Path]:
    """Give the files of this pattern, in the order of their names; there must be one at least.

    Parameters
    ----------
    data : the folder that `ITEMCURVE_DATA` names.
    pattern : below its folder `data`.
    what : the study needs, for the error.
    """
    found = sorted((data / "data").glob(pattern))
    if not found:
        raise StorageError(
            f"The study needs {what};",
            f"there is no data/{pattern} under {str(data)!r}.",
            "Set ITEMCURVE_DATA to the folder that has it; --data-check says where it comes from.",
        )
    return found
