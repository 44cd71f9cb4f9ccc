"""Which rule finds its way soonest: tests of known respondents replayed under each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.adaptive.simulation.convergence import NEAR, find_convergence, trace_errors
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
PerTest = Annotated[Array, axes("rules tests")]
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
    """

    rules: tuple[str, ...]
    respondents: tuple[str, ...]
    errors: Errors
    converged: PerTest
    unasked: Annotated[Array, axes("tests")]

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
        """One row per rule: items until convergence (median, quartiles), errors on the way."""
        import pandas

        places = np.median(self.converged, axis=1)
        low, high = np.quantile(self.converged, (0.25, 0.75), axis=1)
        means = self.errors.mean(axis=1)
        at = np.ceil(places).astype(int) - 1
        return pandas.DataFrame(
            {
                "rule": self.rules,
                "converged": places,
                "converged_lower": low,
                "converged_upper": high,
                "error_after_first": means[:, 0],
                "error_then": means[np.arange(len(self.rules)), at],
                "error_after_all": means[:, -1],
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
    errors, unasked = np.empty((len(rules), count, size)), np.empty(count)
    for fold in range(min(folds, count)):
        left_out = np.sort(order[fold::folds])
        rest = responses.take(rows=np.setdiff1d(order, left_out).tolist())
        known = fit_again(calibration, rest)
        bank = known.bank
        own = responses.take(rows=left_out.tolist())
        of_anyone = np.mean(bank.expected_response(known.estimates.abilities), axis=0)
        unasked[left_out] = np.sqrt(np.nanmean((own.array() - of_anyone) ** 2, axis=1))
        for place, rule in enumerate(rules):
            tests = simulate_tests(bank, responses=own, select=rule, max_items=size, seed=seed)
            errors[place, left_out] = trace_errors(tests, own)
    converged = np.array([[find_convergence(row) for row in own] for own in errors])
    return RuleComparison(tuple(rules), responses.respondents, errors, converged, unasked)


def _check(calibration: FitResult, folds: int) -> None:
    count, size = getattr(getattr(calibration, "responses", None), "shape", (0, 0))
    is_enough = count >= _FEWEST and size >= _FEWEST_ITEMS and folds >= 2
    if not isinstance(calibration, FitResult) or not is_enough:
        raise ModelError(
            f"Rules are compared on a fit of at least {_FEWEST} respondents and {_FEWEST_ITEMS} "
            "items, in 2 folds or more.",
            f"Got {type(calibration).__name__} with {count} × {size}, {folds} folds.",
            "Use the run of itemcurve fit or itemcurve datasets; a file of responses has no items "
            "calibrated.",
        )
