"""Read a run folder, whatever kind of fit it holds."""

from os import PathLike
from typing import TYPE_CHECKING

from itemcurve.storage.run_folder import Run, read_whole
from itemcurve.storage.run_kinds import (
    ABILITIES,
    POPULATIONS,
    RATINGS,
    VOTES,
    name_contents,
)

if TYPE_CHECKING:
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
    from itemcurve.estimation.groups.population_fit import PopulationFit
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.estimation.result import FitResult
    from itemcurve.pairs.pair_fit import PairFit


def load(
    path: str | PathLike[str],
) -> "FitResult | PopulationFit | DimensionsFit | RaterFit | PairFit":
    """Read a fit that was saved, of responses, ratings or votes; safe on folders from strangers.

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
    ...     type(ic.load(f"{folder}/run")).__name__
    'PairFit'
    """
    return read_whole(path, read_any)


def read_any(run: Run) -> "FitResult | PopulationFit | DimensionsFit | RaterFit | PairFit":
    """Read the fit of an opened run."""
    if ABILITIES in run.files:
        from itemcurve.estimation.dimensions.saved_dimensions_fit import read_dimensions_fit

        return read_dimensions_fit(run)
    if RATINGS in run.files:
        from itemcurve.estimation.raters.saved_rater_fit import read_rater_fit

        return read_rater_fit(run)
    if VOTES in run.files:
        from itemcurve.pairs.saved_pairs import read_pairs

        return read_pairs(run)
    if POPULATIONS in run.files:
        from itemcurve.estimation.groups.saved_population_fit import read_population_fit

        return read_population_fit(run)
    from itemcurve.estimation.saving.saved_fit import read_fit

    return read_fit(run)


def other_fit(source: object) -> "RaterFit | PairFit | DimensionsFit | None":
    """Give a fit of ratings, votes or several abilities, as it is or read; None for others."""
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.pairs.pair_fit import PairFit

    if isinstance(source, RaterFit | PairFit | DimensionsFit):
        return source
    if not isinstance(source, str | PathLike) or not is_other(source):
        return None
    found = load(source)
    return found if isinstance(found, RaterFit | PairFit | DimensionsFit) else None


def is_other(path: str | PathLike[str]) -> bool:
    """Whether a folder seems to hold a run of these; its contents are checked later."""
    return name_contents(path) != "responses"
