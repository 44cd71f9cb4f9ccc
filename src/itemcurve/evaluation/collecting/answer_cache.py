"""Answers kept on disk by the content of what they depend on, so that a run can resume."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from itemcurve import __version__
from itemcurve.errors import StorageError
from itemcurve.evaluation.collecting.splits import Fold
from itemcurve.evaluation.collecting.targets import Classes
from itemcurve.evaluation.collecting.training import FoldAnswer
from itemcurve.storage.disk import disk, make_folders
from itemcurve.storage.safe_npz import read_npz, write_npz

FORMAT = "itemcurve-answer-1"


@dataclass(frozen=True)
class AnswerCache:
    """A folder of answers, one npz file each; written atomically, read without pickle."""

    folder: Path

    @classmethod
    def at(cls, folder: str | PathLike[str]) -> "AnswerCache":
        """Open the folder, creating it when it is not there."""
        # Absolute: workers may have been started in another folder.
        path = Path(folder).absolute()
        try:
            make_folders(path)
        except OSError as error:
            raise StorageError(
                "The cache must be a folder that can be written;",
                f"{str(path)!r} cannot: {error.strerror}.",
                "Choose another path.",
            ) from error
        return cls(path)

    def read(self, key: str) -> FoldAnswer | None:
        """Give the answer under this key; None when there is none that can be read."""
        path = self.folder / f"{key}.npz"
        if not path.is_file():
            return None
        try:
            arrays = read_npz(path)
            if str(arrays["format"]) != FORMAT:
                return None
            return FoldAnswer(
                np.asarray(arrays["values"], dtype=np.float64),
                bool(arrays["is_hard"]),
                float(arrays["seconds"]),
                tuple(str(text) for text in arrays["warnings"]),
            )
        except (StorageError, LookupError, ValueError, TypeError):
            # A damaged file costs one training, not the run.
            return None

    def holds(self, key: str) -> bool:
        """Whether there is a file under this key."""
        return (self.folder / f"{key}.npz").is_file()

    def write(self, key: str, answer: FoldAnswer) -> None:
        """Keep an answer."""
        arrays = {
            "format": np.array(FORMAT),
            "values": answer.values,
            "is_hard": np.array(answer.is_hard),
            "seconds": np.array(answer.seconds),
            "warnings": np.array(answer.warnings, dtype=np.str_),
        }
        write_npz(self.folder / f"{key}.npz", arrays)


@contextmanager
def temporary_cache(
    folder: str | PathLike[str] | None, out: str | PathLike[str] | None
) -> Iterator[Path | None]:
    """Give the folder to keep answers in: the one asked for, else one beside `out`.

    The one beside `out` is removed when the block succeeds, and stays for the next attempt when
    it does not. With neither there is none.
    """
    if folder is not None or out is None:
        yield None if folder is None else Path(folder)
        return
    path = Path(out).resolve()
    beside = path.with_name(f"{path.name}.partial")
    yield beside
    disk().remove_tree(beside)


def fold_key(fold: Fold, classes: Classes | None) -> str:
    """Hash the data of a fold: features, target, classes."""
    names = () if classes is None else classes.names
    given = [fold.X_train, fold.y_train, fold.X_test]
    if fold.weights is not None:
        given.append(fold.weights)
    parts = ["trained" if part is None else content_key(part) for part in given]
    return _digest(*parts, *names)


def answer_key(estimator: Any, data: str) -> str | None:
    """Hash an estimator with its parameters, the data and the versions of what computes.

    None when the estimator holds something that has no content to hash, such as a function
    defined on the spot; such an estimator is trained again every time.
    """
    import joblib
    import scipy
    import sklearn

    try:
        identity = joblib.hash(estimator)
    except Exception:
        return None
    kind = type(estimator)
    home = __import__(kind.__module__.partition(".")[0])
    versions = (__version__, np.__version__, scipy.__version__, sklearn.__version__)
    own = str(getattr(home, "__version__", ""))
    return _digest(FORMAT, kind.__module__, kind.__qualname__, identity, data, own, *versions)


def content_key(values: Any) -> str:
    """Hash a table, an array or a sparse matrix by content."""
    if hasattr(values, "iloc"):
        return _table_key(values)
    if hasattr(values, "indptr"):
        parts = (values.data, values.indices, values.indptr)
        return _digest(str(values.shape), *(content_key(part) for part in parts))
    array = np.asarray(values)
    if array.dtype == object:
        return _objects_key(array)
    content = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return _digest(array.dtype.str, str(array.shape), content)


def _objects_key(array: np.typing.NDArray[Any]) -> str:
    """Hash objects: texts and numbers one by one, images and records as they are."""
    import joblib
    import pandas

    try:
        return _table_key(pandas.DataFrame(array.reshape(len(array), -1)))
    except TypeError:
        return _digest(str(array.shape), str(joblib.hash(array.tolist())))


def _table_key(table: Any) -> str:
    from pandas.util import hash_pandas_object

    names = [f"{name}:{kind}" for name, kind in zip(table.columns, table.dtypes, strict=True)]
    rows = hash_pandas_object(table, index=False).to_numpy()
    return _digest(*names, hashlib.sha256(rows.tobytes()).hexdigest())


def _digest(*parts: str) -> str:
    # Lengths keep ("ab", "c") and ("a", "bc") apart.
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode()).hexdigest()
