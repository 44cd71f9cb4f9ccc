"""What respondents answered, beside whether it was right: options, or short texts."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError, StorageError
from itemcurve.storage.folder_swap import is_folder
from itemcurve.storage.safe_npz import read_npz, write_npz

SUFFIX = ".options.npz"
_FORMAT = "itemcurve-options-1"


@dataclass(frozen=True, eq=False)
class ChosenOptions:
    """The option that each respondent chose for each item.

    Attributes
    ----------
    respondents, items : ids, in the order of the axes.
    options : names of the options.
    chosen : position in `options` (respondents × items), −1 where it is not known.
    keys : the option that counts as right, by item; "" where it is not known.
    """

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    options: tuple[str, ...]
    chosen: NDArray[np.int32]
    keys: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together."""
        shape = (len(self.respondents), len(self.items))
        if self.chosen.shape != shape or len(self.keys) not in (0, shape[1]):
            raise ResponsesError(
                f"Chosen options must be of shape {shape}, with a key for every item or none;",
                f"given are {self.chosen.shape} and {len(self.keys)} keys.",
                "Order the axes respondents, items.",
            )
        if self.chosen.size and not -1 <= self.chosen.min() <= self.chosen.max() < len(
            self.options
        ):
            raise ResponsesError(
                f"Chosen options must be positions among the {len(self.options)} options, or -1;",
                f"given are {self.chosen.min()} to {self.chosen.max()}.",
                "Count options from 0.",
            )

    def align(self, respondents: tuple[str, ...], items: tuple[str, ...]) -> "ChosenOptions":
        """Give the choices of these respondents and items; what is not known is −1."""
        rows = _places(self.respondents, respondents)
        columns = _places(self.items, items)
        padded = np.pad(self.chosen, ((0, 1), (0, 1)), constant_values=-1)
        keys = (*self.keys, "") if self.keys else ("",) * (len(self.items) + 1)
        return ChosenOptions(
            tuple(respondents),
            tuple(items),
            self.options,
            padded[np.ix_(rows, columns)],
            tuple(keys[column] for column in columns.tolist()),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an npz file, without pickle."""
        names = (self.respondents, self.items, self.options, self.keys)
        arrays = [np.array(part, dtype=str) for part in names]
        write_npz(
            path,
            {
                "format": np.array(_FORMAT),
                "chosen": self.chosen,
                **dict(zip(("respondents", "items", "options", "keys"), arrays, strict=True)),
            },
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "ChosenOptions":
        """Read what `save` wrote; safe on files from strangers."""
        arrays = read_npz(path)
        names = ("respondents", "items", "options", "keys")
        if str(arrays.get("format")) != _FORMAT or not {"chosen", *names} <= arrays.keys():
            raise StorageError(
                "Chosen options must be as `itemcurve import` wrote them;",
                f"{str(path)!r} is not.",
                "Import the logs again.",
            )
        respondents, items, options, keys = (tuple(arrays[name].tolist()) for name in names)
        return cls(respondents, items, options, arrays["chosen"].astype(np.int32), keys)


def find_options_file(source: Path) -> Path | None:
    """Find the options beside a file of responses, or the only ones beside a run folder."""
    if is_folder(source):
        found = sorted(source.resolve().parent.glob(f"*{SUFFIX}"))
        return found[0] if len(found) == 1 else None
    beside = options_path(source)
    return beside if beside.is_file() else None


def options_path(responses: Path) -> Path:
    """Name the file of options that belongs to a file of responses."""
    return responses.with_name(responses.name.partition(".")[0] + SUFFIX)


def _places(known: tuple[str, ...], wanted: tuple[str, ...]) -> NDArray[np.int64]:
    """Positions of ids; the one after the last for an id that is not known."""
    position = {name: place for place, name in enumerate(known)}
    return np.array([position.get(name, len(known)) for name in wanted], dtype=np.int64)
