"""Is a benchmark in good health: what is dead, saturated, redundant or wrong, and what is left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.health.headroom import Cohort, headroom_frame, measure_headroom
from itemcurve.analysis.health.item_counts import ItemCounts, count_items, group_items, item_rest
from itemcurve.analysis.health.option_votes import measure_agreement
from itemcurve.analysis.health.redundant_items import RedundantItems, find_redundant
from itemcurve.analysis.health.suspect_keys import SuspectKeys, find_suspect_keys
from itemcurve.analysis.model_fit.dimension_count import count_abilities
from itemcurve.analysis.model_fit.margin_permutation import permute_within_margins
from itemcurve.errors import ResponsesError
from itemcurve.estimation.dimensions.dimension_choice import DimensionChoice
from itemcurve.responses.chosen_options import ChosenOptions
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

_LEAST = (5, 5)
# Some graders change their mind about equal answers; more than this is another column.
LEAST_AGREEMENT = 0.9
ItemGroups = Mapping[str, str] | Sequence[str]


class OptionsError(ResponsesError):
    """Chosen options and responses do not belong together."""


class HasResponses(Protocol):
    """A fit or an evaluation."""

    @property
    def responses(self) -> Responses:
        """What it was made of."""


@dataclass(frozen=True, eq=False)
class BenchmarkHealth:
    """What a benchmark's responses say about the benchmark.

    `print(health)` says it in words, `checks()` in numbers beside those of chance, `frame()` item
    by item.

    Attributes
    ----------
    responses : what it was found from.
    groups : name of each item's group, "" where there is one group only.
    counts : items that all or nearly all have right, or none has.
    redundant : pairs of items that are nearly copies.
    keys : evidence against the keys.
    options : names of the options, where they are known.
    cohorts : what is left to gain for the best respondents and for all.
    dimensions : how many abilities predict best; None where data are too few.
    """

    responses: Responses
    groups: tuple[str, ...]
    counts: ItemCounts
    redundant: RedundantItems
    keys: SuspectKeys
    options: tuple[str, ...]
    cohorts: tuple[Cohort, ...]
    dimensions: DimensionChoice | None

    def frame(self) -> "pandas.DataFrame":
        """One row per item, in the order of the responses.

        `condition` is `all right`, `all wrong`, `saturated`, `suspect key`, `redundant` or "".
        """
        import pandas

        items = self.responses.items
        partners = set(self.redundant.items)
        redundant = np.array([item in partners for item in items], dtype=bool)
        condition = np.select(
            [
                self.counts.all_right,
                self.keys.is_suspect,
                self.counts.all_wrong,
                self.counts.saturated,
                redundant,
            ],
            ["all right", "suspect key", "all wrong", "saturated", "redundant"],
            "",
        )
        table = {
            "item": items,
            "group": self.groups,
            "condition": condition,
            "mean_response": self.counts.means,
            "best_mean": self.counts.best_means,
            "item_rest": item_rest(self.responses.array()),
            "key_error_probability": self.keys.probability,
            "key_error_log_odds": self.keys.log_odds,
        }
        if self.keys.uses_options:
            table["likely_key"] = [self.options[k] if k >= 0 else "" for k in self.keys.likely]
            table["likely_key_share"] = self.keys.likely_share
        return pandas.DataFrame(table)

    def suspect_keys(self, number: int | None = None) -> "pandas.DataFrame":
        """Rows of `frame()` by how likely their key is wrong; the suspect ones, or this many."""
        table = self.frame().assign(is_suspect=self.keys.is_suspect)
        ranked = table.sort_values(
            ["key_error_log_odds", "mean_response"], ascending=[False, True], kind="stable"
        )
        return ranked.head(int(self.keys.is_suspect.sum()) if number is None else number)

    def redundant_pairs(self) -> "pandas.DataFrame":
        """One row per pair of items that are nearly copies, the closest first."""
        return self.redundant.frame()

    def headroom(self) -> "pandas.DataFrame":
        """One row per cohort: what its members score, and what is left to gain."""
        return headroom_frame(self.cohorts)

    def checks(self) -> "pandas.DataFrame":
        """One row per check: items found, their share, how many chance gives, and what to do."""
        import pandas

        from itemcurve.analysis.health.health_text import list_checks

        return pandas.DataFrame(list_checks(self))

    def __str__(self) -> str:
        """Say it for people."""
        from itemcurve.analysis.health.health_text import describe_health

        return describe_health(self)

    def __repr__(self) -> str:
        found = self.counts
        return (
            f"BenchmarkHealth({len(self.responses.items):,} items: {found.all_right.sum():,} all "
            f"right, {found.all_wrong.sum():,} all wrong, {found.saturated.sum():,} saturated, "
            f"{self.keys.is_suspect.sum():,} suspect keys)"
        )


def health(
    responses: Responses | HasResponses,
    *,
    options: ChosenOptions | None = None,
    item_groups: ItemGroups | None = None,
    n_options: int | None = None,
    permutations: int = 3,
    seed: int = 0,
) -> BenchmarkHealth:
    """Say which items of a benchmark are dead, saturated, redundant or have a suspect key.

    Also what is left to gain for the best respondents, and how many abilities the answers hold.
    Beside every number stands what it is when answers are permuted, so that nothing is claimed
    which chance gives too. No model needs to be fitted.

    Parameters
    ----------
    responses : right and wrong answers, or scores from 0 to 1; or a fit or evaluation of them.
    options : what was chosen, where that is known (`read_logs(...).options()`): wrong keys are then
        found by what others agree on, not by who fails.
    item_groups : subject or task of each item, by id or in order; difficulties are compared within
        groups. By default the task before the "/" of ids from logs.
    n_options : number of options of a question, where only that is known.
    permutations : how often answers are drawn anew for comparison.

    Examples
    --------
    >>> import itemcurve as ic
    >>> drawn = ic.simulate("2pl", respondents=60, items=80, seed=1).responses
    >>> ic.health(drawn)
    BenchmarkHealth(80 items: 0 all right, 1 all wrong, 1 saturated, 0 suspect keys)
    """
    # Of a fit or an evaluation, what it was made of.
    responses = responses if isinstance(responses, Responses) else _responses_of(responses)
    values = _check(responses)
    names, codes = group_items(responses.items, item_groups)
    random = np.random.default_rng(seed)
    permuted = [permute_within_margins(values, random) for _ in range(permutations)]
    known = None if options is None else _align(options, responses, values)
    return BenchmarkHealth(
        responses,
        names,
        count_items(values, permutations, seed),
        find_redundant(values, responses.items, permuted),
        find_suspect_keys(
            values,
            codes,
            permuted,
            chosen=None if known is None else known.chosen,
            n_options=n_options,
            seed=seed,
        ),
        () if known is None else known.options,
        measure_headroom(values, seed=seed),
        count_abilities(values, seed=seed),
    )


def _align(
    options: ChosenOptions, responses: Responses, values: NDArray[np.float64]
) -> ChosenOptions:
    """Give the choices behind the responses; refuse choices that were scored differently."""
    known = options.align(responses.respondents, responses.items)
    agreement = measure_agreement(values, known.chosen)
    if agreement < LEAST_AGREEMENT:
        raise OptionsError(
            "Chosen options must be what was scored: each option of an item right or wrong;",
            f"only {agreement:.0%} of them are scored as the same option mostly is.",
            "Leave the options out, or import responses and options by the same metric.",
        )
    return known


def _responses_of(source: Any) -> Responses:
    found = getattr(source, "responses", None)
    if not isinstance(found, Responses):
        raise ResponsesError(
            "The health of a benchmark is judged by responses;",
            f"given is {type(source).__name__}.",
            "Use Responses.read or fit.responses.",
        )
    return found


def _check(responses: Responses) -> NDArray[np.float64]:
    """Give the responses as an array; refuse what cannot be judged."""
    known = responses.observed_values()
    if known.size and not 0 <= known.min() <= known.max() <= 1:
        raise ResponsesError(
            "Responses must lie between 0 and 1, 1 being best;",
            f"they lie between {known.min():g} and {known.max():g}.",
            "Rescale them first, from logs with select(rescale=True) or import --rescale.",
        )
    if responses.shape[0] < _LEAST[0] or responses.shape[1] < _LEAST[1]:
        raise ResponsesError(
            f"Health needs {_LEAST[0]} respondents and {_LEAST[1]} items at least;",
            f"given are {responses.shape[0]} and {responses.shape[1]}.",
            "Add the logs of more models.",
        )
    return np.asarray(responses.array(), dtype=float)
