"""Fits of votes on disk: a run folder, read back from strangers without trusting them.

`pairs.json` says what was asked and how it ended, `pairs.npz` holds votes and estimates; the
leaderboard is kept as a table. No pickle.
"""

from dataclasses import asdict, replace
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ItemcurveError, StorageError
from itemcurve.numerics.engine import NUMPY
from itemcurve.pairs.pair_estimates import PairEstimates
from itemcurve.pairs.pair_fit import PairFit
from itemcurve.pairs.pair_settings import PairSettings
from itemcurve.pairs.pair_setup import PairSetup, prepare
from itemcurve.pairs.pair_status import PairStatus
from itemcurve.pairs.votes.vote_data import Votes
from itemcurve.storage.run_folder import Run, read_whole, write_run
from itemcurve.storage.tables import pack_table

FORMAT = "itemcurve-pairs-1"
_VOTES = ("first", "second", "outcomes", "shares", "judge", "item", "weights", "style")
_NAMES = ("respondents", "judges", "items", "style_names")
_ARRAYS = (
    *("strengths", "covariance", "independent_errors", "theta", "core_covariance", "item_errors"),
)


def save_pairs(fit: PairFit, path: str | PathLike[str]) -> None:
    """Write a fit of votes to a run folder, atomically, replacing a former run."""
    estimates, votes = fit.estimates, fit.setup.votes
    document = {
        "format": FORMAT,
        "settings": asdict(fit.settings),
        "status": estimates.status.name,
        "numbers": {
            "log_likelihood": estimates.log_likelihood,
            "gradient": estimates.gradient,
            "seconds": fit.seconds,
        },
        "iterations": estimates.iterations,
        "clusters": estimates.clusters,
        "spreads": estimates.spreads,
        "notes": list(fit.notes),
    }
    arrays: dict[str, NDArray[Any]] = {name: np.array(getattr(votes, name)) for name in _NAMES}
    if votes.style is not None:
        # As they were given: units are found anew.
        votes = replace(votes, style=votes.style * fit.setup.style_scales)
    arrays |= {name: value for name in _VOTES if (value := getattr(votes, name)) is not None}
    arrays |= {f"estimate_{name}": getattr(estimates, name) for name in _ARRAYS}
    board = pack_table(fit.frame(), "Leaderboard of votes")
    write_run(path, {"pairs": document, "leaderboard": board}, {"pairs": arrays})


def load_pairs(path: str | PathLike[str]) -> PairFit:
    """Read a fit of votes that `PairFit.save` wrote; safe on folders from strangers.

    Parameters
    ----------
    path : the run folder.

    Examples
    --------
    >>> import tempfile
    >>> import itemcurve as ic
    >>> fit = ic.fit_pairs(ic.pairs.simulate_votes(respondents=4, votes=500, seed=1).frame())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fit.save(f"{folder}/run")
    ...     load_pairs(f"{folder}/run").status.name
    'CONVERGED'
    """
    return read_whole(path, read_pairs)


def read_pairs(run: Run) -> PairFit:
    """Read the fit of an opened run."""
    document = run.document("pairs")
    if document.get("format") != FORMAT:
        raise _refusal(run, f"its format is not {FORMAT}")
    try:
        settings = _settings(document["settings"])
        arrays = run.arrays("pairs")
        notes = tuple(str(note) for note in document["notes"])
        setup = replace(prepare(_votes(arrays), settings, NUMPY), notes=notes)
        estimates = _estimates(setup, document, arrays)
        seconds = float(document["numbers"]["seconds"])
    except StorageError:
        raise
    # Whatever a stranger's numbers break on the way in is the fault of the folder.
    except (ItemcurveError, LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise _refusal(run, str(error)) from error
    return PairFit(setup, settings, estimates, seconds)


def _settings(given: dict[str, Any]) -> PairSettings:
    names = PairSettings.__dataclass_fields__
    known = {name: value for name, value in given.items() if name in names}
    known["style"] = tuple(str(name) for name in known.get("style", ()))
    return PairSettings(**known)


def _votes(arrays: dict[str, NDArray[Any]]) -> Votes:
    names: dict[str, Any] = {name: tuple(str(value) for value in arrays[name]) for name in _NAMES}
    parts: dict[str, Any] = {name: arrays.get(name) for name in _VOTES}
    votes = Votes(**names, **parts)
    count = len(votes.first)
    lengths = {len(value) for value in parts.values() if value is not None}
    sizes = {"first": "respondents", "second": "respondents", "judge": "judges", "item": "items"}
    for name, among in sizes.items():
        codes = parts[name]
        if codes is not None and not ((codes >= 0) & (codes < len(names[among]))).all():
            raise ValueError(f"codes of {name} name nobody")
    if lengths != {count} or not ((votes.outcomes >= 0) & (votes.outcomes <= 3)).all():
        raise ValueError("votes do not fit together")
    return votes


def _estimates(
    setup: PairSetup, document: dict[str, Any], arrays: dict[str, NDArray[Any]]
) -> PairEstimates:
    own: dict[str, Any] = {name: arrays[f"estimate_{name}"].astype(np.float64) for name in _ARRAYS}
    layout, size = setup.problem.layout, len(setup.votes.respondents)
    shapes = {
        "strengths": (size,),
        "covariance": (size, size),
        "independent_errors": (size,),
        "theta": (layout.size,),
        "core_covariance": (layout.core_size, layout.core_size),
        "item_errors": (layout.n_items, max(layout.width, 1)),
    }
    for name, shape in shapes.items():
        if own[name].shape != shape:
            raise ValueError(f"{name} does not fit the votes")
    numbers = document["numbers"]
    return PairEstimates(
        **own,
        layout=layout,
        spreads={str(name): float(value) for name, value in document["spreads"].items()},
        log_likelihood=float(numbers["log_likelihood"]),
        status=PairStatus[document["status"]],
        gradient=float(numbers["gradient"]),
        iterations=int(document["iterations"]),
        clusters=int(document["clusters"]),
    )


def _refusal(run: Run, reason: str) -> StorageError:
    return StorageError(
        "A fit of votes is read from a run that `PairFit.save` wrote;",
        f"{fspath(run.path)!r} is refused: {reason}.",
        "Fit the votes again.",
    )
