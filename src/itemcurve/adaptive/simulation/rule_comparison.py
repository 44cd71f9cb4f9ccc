"""Which rule finds its way soonest: tests of known respondents replayed under each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.adaptive.simulation.convergence import NEAR, find_convergence, trace_errors
from itemcurve.adaptive.simulation.score_gaps import trace_score_gaps
from itemcurve.adaptive.simulation.simulated_tests import simulate_tests
from itemcurve.errors import ModelError
from itemcurve.estimation.refitting import fit_again
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    import pandas

RULES = ("fisher", "kl", "combined", "random")
# Fewer respondents leave nothing to fit in a fold, fewer items nothing to choose.
_FEWEST, _FEWEST_ITEMS = 4, 3
_SIGNIFICANCE = 0.05
# A test that leaves more than this of the error of asking nothing has placed nobody.
PLACED = 0.5
PerTest = Annotated[Array, axes("rules tests")]
PerItem = Annotated[Array, axes("rules items")]
Errors = Annotated[Array, axes("rules tests items")]


@dataclass(frozen=True, eq=False)
class RuleComparison:
    """Tests of the calibration's respondents, each against items calibrated without it.

    Attributes
    ----------
    rules : by name.
    respondents : who was tested.
    errors : root mean square error of the expected responses to all items, after each item.
    converged : after how many items the error stays within 5 % of its last for good
        (`find_convergence`).
    unasked : error of the plainest rival, which asks nothing: what each item's calibration expects
        of the others on average.
    score_errors : after each item, root mean square error over tests of the score on all items.
    score_unasked : the same of the rival that asks nothing.
    ability_se : standard error of ability after each item, mean over tests.
    ability_sd : how far abilities of the calibration spread.
    """

    rules: tuple[str, ...]
    respondents: tuple[str, ...]
    errors: Errors
    converged: PerTest
    unasked: Annotated[Array, axes("tests")]
    score_errors: PerItem
    score_unasked: float
    ability_se: PerItem
    ability_sd: float

    @property
    def tells(self) -> bool:
        """Whether asking nothing errs by notably more than asking all items, on average.

        Notably is what convergence calls far from the last error. Where it does not, tests have
        converged before their first item.
        """
        return bool(self.unasked.mean() > (1 + NEAR) * self.errors[:, :, -1].mean())

    @property
    def best(self) -> str:
        """The rule that converges first: by the median, of equals by the mean."""
        order = np.lexsort((self.converged.mean(axis=1), np.median(self.converged, axis=1)))
        return self.rules[int(order[0])]

    @property
    def remaining(self) -> PerItem:
        """What remains of the error of asking nothing in the score on all items."""
        # Where nobody differs from the others there is nothing to take away.
        return np.asarray(self.score_errors / max(self.score_unasked, 1e-12))

    def places_after(self, rule: str) -> int | None:
        """After how many items a rule has placed respondents; None where not even all items do.

        Placed: of the error of asking nothing in the score on all items, at most half remains, then
        and later. Errors of single responses (`converged`) are mostly noise: they stop changing
        after few items whether or not these have told anything.
        """
        is_far = self.remaining[self.rules.index(rule)] > PLACED
        after = int(np.flatnonzero(is_far)[-1]) + 2 if is_far.any() else 1
        return after if after <= len(is_far) else None

    @property
    def first_to_place(self) -> str | None:
        """The rule that places respondents with the fewest items; None where none does."""
        counts = {rule: self.places_after(rule) for rule in self.rules}
        # Of equals the one that converges first, then the first given.
        order = {rule: self.converged[place].mean() for place, rule in enumerate(self.rules)}
        found = {rule: count for rule, count in counts.items() if count is not None}
        return min(found, key=lambda rule: (found[rule], order[rule])) if found else None

    def not_told_from_best(self) -> tuple[str, ...]:
        """Rules whose tests do not converge later than those of the best (Wilcoxon, p ≥ .05)."""
        from scipy.stats import wilcoxon

        own = self.converged[self.rules.index(self.best)]
        near = []
        for rule, found in zip(self.rules, self.converged, strict=True):
            gap = found - own
            is_sure = gap.any() and wilcoxon(gap).pvalue < _SIGNIFICANCE
            near += [rule] if rule != self.best and not is_sure else []
        return tuple(near)

    def frame(self) -> "pandas.DataFrame":
        """One row per rule: items until convergence (median, quartiles), errors on the way.

        At the convergence point also what remains of the error of asking nothing in the score
        (`remaining`) and the standard error of ability; and when the rule places respondents.
        """
        import pandas

        places = np.median(self.converged, axis=1)
        low, high = np.quantile(self.converged, (0.25, 0.75), axis=1)
        means = self.errors.mean(axis=1)
        at = np.ceil(places).astype(int) - 1
        each = np.arange(len(self.rules))
        return pandas.DataFrame(
            {
                "rule": self.rules,
                "converged": places,
                "converged_lower": low,
                "converged_upper": high,
                "error_after_first": means[:, 0],
                "error_then": means[each, at],
                "error_after_all": means[:, -1],
                "remains_then": self.remaining[each, at],
                "ability_se_then": self.ability_se[each, at],
                "places_after": [self.places_after(rule) or np.nan for rule in self.rules],
            }
        )


def compare_rules(
    calibration: FitResult,
    rules: Sequence[str] = RULES,
    *,
    folds: int = 4,
    seed: int = 0,
) -> RuleComparison:
    """Replay tests of all items under each rule, and say when they converge.

    Parameters
    ----------
    calibration : a fit with its responses.
    rules : by name.
    folds : in how many parts respondents are left out; each costs a fit.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=40, items=20, seed=1).responses)
    >>> compare_rules(fit).rules
    ('fisher', 'kl', 'combined', 'random')
    """
    _check(calibration, folds)
    responses = calibration.responses
    count, size = responses.shape
    order = np.random.default_rng(seed).permutation(count)
    shape = len(rules), count, size
    errors, unasked, se = np.empty(shape), np.empty(count), np.empty(shape)
    gaps, gap_unasked = np.empty(shape), np.empty(count)
    for fold in range(min(folds, count)):
        left_out = np.sort(order[fold::folds])
        others = responses.take(rows=np.setdiff1d(order, left_out).tolist())
        known = fit_again(calibration, others)
        bank = known.bank
        own = responses.take(rows=left_out.tolist())
        of_anyone = np.mean(bank.expected_response(known.estimates.abilities), axis=0)
        gap = own.array() - of_anyone
        unasked[left_out] = np.sqrt(np.nanmean(gap**2, axis=1))
        gap_unasked[left_out] = np.nanmean(gap, axis=1)
        for place, rule in enumerate(rules):
            tests = simulate_tests(bank, responses=own, select=rule, max_items=size, seed=seed)
            errors[place, left_out] = trace_errors(tests, own)
            se[place, left_out] = tests.se_path
            gaps[place, left_out] = trace_score_gaps(tests, own)
    converged = np.array([[find_convergence(row) for row in own] for own in errors])
    return RuleComparison(
        tuple(rules),
        responses.respondents,
        errors,
        converged,
        unasked,
        np.sqrt(np.mean(gaps**2, axis=1)),
        float(np.sqrt(np.mean(gap_unasked**2))),
        se.mean(axis=1),
        float(np.std(calibration.estimates.abilities)),
    )


def _check(calibration: FitResult, folds: int) -> None:
    if not isinstance(calibration, FitResult):
        raise ModelError(
            "Rules are compared on a fit, whose items are calibrated.",
            f"Got {type(calibration).__name__}.",
            "Fit the responses first: compare_rules(itemcurve.fit(responses)).",
        )
    count, size = calibration.responses.shape
    if count < _FEWEST or size < _FEWEST_ITEMS or folds < 2:
        raise ModelError(
            f"Rules are compared on a fit of at least {_FEWEST} respondents and {_FEWEST_ITEMS} "
            "items, in 2 folds or more.",
            f"Got {count:,} respondents, {size:,} items and {folds} folds.",
            "Add respondents or items; 4 folds are usual.",
        )
