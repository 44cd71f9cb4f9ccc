"""What the page of a run of ratings, votes or abilities shows: sentences, a picture, tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from itemcurve.analysis.findings.all_findings import Findings
from itemcurve.reports.interval_picture import IntervalPicture
from itemcurve.reports.tables import PageTable

if TYPE_CHECKING:
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.pairs.pair_fit import PairFit

    OtherFit = RaterFit | PairFit | DimensionsFit

# Of more rows the run itself has the rest.
MOST_ROWS = 500


@dataclass(frozen=True)
class PlainPage:
    """What the page shows.

    Attributes
    ----------
    facts : one line below the title.
    words : sentences, the most important first.
    tables : under their captions; they may be empty.
    methods : how it was computed, in sentences.
    """

    title: str
    facts: str
    words: tuple[str, ...]
    picture: IntervalPicture | None
    tables: tuple[PageTable, ...]
    findings: Findings
    methods: tuple[str, ...]


def gather_page(fit: "OtherFit", title: str, mute: Iterable[str]) -> PlainPage:
    """Gather what the page of a fit of ratings, votes or several abilities shows."""
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.reports.other_runs.abilities_page import abilities_page
    from itemcurve.reports.other_runs.judges_page import judges_page
    from itemcurve.reports.other_runs.votes_page import votes_page

    if isinstance(fit, RaterFit):
        return judges_page(fit, title, mute)
    if isinstance(fit, DimensionsFit):
        return abilities_page(fit, title, mute)
    return votes_page(fit, title, mute)
