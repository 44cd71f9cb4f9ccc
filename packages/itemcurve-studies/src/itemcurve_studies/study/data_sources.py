"""Where the data of a study come from, which of them are there, and which are others than ours."""

import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from itemcurve.errors import StorageError

if TYPE_CHECKING:
    import pandas

State = Literal["there", "there, other bytes", "missing"]


@dataclass(frozen=True)
class DataSource:
    """One file that a study reads.

    Attributes
    ----------
    file : its place below the data folder.
    name : what people call the data.
    identifier : by which their keeper knows them.
    address : where anyone can get them.
    checksum : SHA-256 of the file, unpacked where it is compressed.
    part : of the study that needs it.
    note : how the file is laid out, or in what it differs from the keeper's.
    """

    file: str
    name: str
    identifier: str
    address: str
    checksum: str
    part: str
    note: str = ""

    def state(self, data: Path) -> State:
        """Say whether the file is there, with the bytes that we used."""
        path = data / self.file
        if not path.is_file():
            return "missing"
        return "there" if measure_checksum(path) == self.checksum else "there, other bytes"


def measure_checksum(path: Path) -> str:
    """Give the SHA-256 of a file as it is when unpacked: packers differ, contents need not."""
    content = path.read_bytes()
    return sha256(gzip.decompress(content) if path.suffix == ".gz" else content).hexdigest()


def check_data(data: Path, sources: Iterable[DataSource]) -> "pandas.DataFrame":
    """Give one row per file: whether it is there, and where it comes from."""
    import pandas

    rows = [
        {
            "file": source.file,
            "state": source.state(data),
            "name": source.name,
            "identifier": source.identifier,
            "address": source.address,
            "part": source.part,
            "sha256": source.checksum,
            "note": source.note,
        }
        for source in sources
    ]
    return pandas.DataFrame(rows)


def find_missing(data: Path, sources: Iterable[DataSource]) -> list[DataSource]:
    """Give the sources whose files are not there; nothing is read for it."""
    return [source for source in sources if not (data / source.file).is_file()]


def say_missing(missing: Sequence[DataSource], sources: Sequence[DataSource]) -> list[str]:
    """Say of every part of a study what it lacks, in a line each."""
    lines = []
    for part in dict.fromkeys(source.part for source in missing):
        own = [source for source in missing if source.part == part]
        count = sum(source.part == part for source in sources)
        first = own[0]
        lines.append(
            f"{part}: {len(own)} of {count} files {'is' if len(own) == 1 else 'are'} missing, "
            f"{'' if len(own) == 1 else 'the first '}{first.file} ({first.name}, "
            f"{first.identifier}: {first.address})."
        )
    return lines


def refuse_missing(data: Path, missing: Sequence[DataSource]) -> None:
    """Refuse to begin a study that can do nothing without these."""
    first = missing[0]
    more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
    raise StorageError(
        f"The study needs {first.name} ({first.identifier}, {first.address}){more};",
        f"there is no {first.file} under {str(data)!r}.",
        "Set ITEMCURVE_DATA to the folder that has it; --data-check lists all files.",
    )
