"""Algorithm 1 of β³ as its authors ran it: stochastic steps of Adam, in rounds, from a seed."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from itemcurve.errors import ConvergenceError, ModelError
from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.method import FitTask
from itemcurve.estimation.optimisation.iterate import Coordinates, Optimum, iterate
from itemcurve.estimation.settings_checks import check_choice, check_whole
from itemcurve.estimation.variational.mean_field_ascent import MeanFieldPoint
from itemcurve.estimation.variational.mean_field_elbo import MeanFieldELBO
from itemcurve.estimation.variational.posterior_estimates import build_elbo, describe
from itemcurve.estimation.variational.stochastic.drawn_slopes import (
    DrawnBound,
    Places,
    gather_cells,
)
from itemcurve.estimation.variational.stochastic.rounds import RoundPoint, Rounds, flatten
from itemcurve.estimation.variational.stochastic.unrest import measure_unrest, posterior_at
from itemcurve.models.contract import ItemModel
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import NUMPY

# Widths of discriminations before softplus, as the published code starts them.
_SLOPE_WIDTH = 0.5


@dataclass(frozen=True)
class Stochastic:
    """Variational inference by stochastic steps in rounds (Chen et al. 2019, algorithm 1).

    Each round takes 50 steps of Adam on abilities and difficulties, each at one random draw of
    everything, then one on discriminations. Steps hardly shorten, so the search does not come to
    rest: it wanders about the maximum that `Variational` finds, and another seed ends elsewhere.
    That is how the results of β³-IRT and Γ-IRT were computed, and what it is for: to know how much
    in them is noise. For models whose abilities lie in (0, 1).

    Parameters
    ----------
    seed : of start and draws.
    rounds : 1,000 in the published code, 2,000 for images.
    report : `"last"`, where the search stands after its last round, as published; `"average"`, the
        mean over the second half of its rounds, in which most of the noise goes.
    as_published : whether each term of the bound is a mean, as in the published code, or a sum, as
        in the paper (eq. 5 and 6).

    Examples
    --------
    >>> import itemcurve as ic
    >>> from itemcurve.methods import Stochastic
    >>> truth = ic.simulate("beta3", respondents=8, items=20, seed=1)
    >>> found = ic.fit(truth.responses, "beta3", method=Stochastic(rounds=20), on_failure="ignore")
    >>> found.status.is_converged
    False
    """

    seed: int = 0
    rounds: int = 1000
    report: Literal["last", "average"] = "last"
    as_published: bool = True

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        check_whole("seed", self.seed, 0)
        check_whole("rounds", self.rounds, 4)
        check_choice("report", self.report, ("last", "average"), "Use 'last' to do as published.")

    def estimate(self, task: FitTask) -> Estimates:
        """Fit the model to the responses."""
        _refuse_open_scales(task.model)
        elbo = build_elbo(task.responses, task.model, task.engine, are_means=self.as_published)
        search, start = self._search(task, elbo)
        optimum = iterate(search, start, max_iterations=self.rounds, watch=task.watch)
        point, unrest = optimum.point, measure_unrest(optimum.point, search)
        _refuse_overflow(point)
        is_mean = self.report == "average"
        found = posterior_at(unrest.mean_place if is_mean else point.moments.place, search)
        ended = MeanFieldPoint(found, elbo.bound(found))
        described = describe(
            elbo,
            Optimum(ended, unrest.status(is_mean), point.rounds),
            task.responses,
            self.as_published,
        )
        return replace(
            described,
            objective=f"{described.objective}, by noisy steps",
            diagnostics={"drift": unrest.drift, "wandering": unrest.wandering},
        )

    def _search(self, task: FitTask, elbo: MeanFieldELBO) -> tuple[Rounds, Coordinates]:
        likelihood = elbo.problem.likelihood
        bound = DrawnBound(likelihood, elbo.ability_prior, elbo.priors)
        data = gather_cells(likelihood, task.responses, elbo.problem.held, self.as_published)
        n_respondents, n_items = task.responses.shape
        shape = n_items, n_respondents, len(elbo.priors)
        place = flatten(_start(task.model, shape, self.seed, likelihood.free))
        nothing, quarters = np.zeros_like(place), np.zeros((2, len(place)))
        start = place, nothing, nothing, np.zeros(()), quarters, quarters
        return Rounds(task.engine, bound, data, shape, self.seed, self.rounds), start


def _start(
    model: ItemModel, shape: tuple[int, int, int], seed: int, free: tuple[int, ...]
) -> Places:
    """Random locations and widths; discriminations at their usual value."""
    items, respondents, _ = shape
    # A generator beside those of the rounds, which are numbered from 0.
    rng = np.random.default_rng(seed)
    t, t_width = rng.standard_normal((2, respondents))
    x, x_width = rng.standard_normal((2, items, len(free)))
    for column, index in enumerate(free):
        spec = model.parameters[index]
        usual = float(spec.transform.coordinate(NUMPY, np.array(spec.start)))
        if spec.role is Role.SLOPE:
            x[:, column], x_width[:, column] = usual, _SLOPE_WIDTH
        else:
            x[:, column] += usual
    return Places(t, t_width, x, x_width)


def _refuse_open_scales(model: ItemModel) -> None:
    if not model.latent.is_logit:
        raise ModelError(
            "Stochastic steps serve models whose abilities lie in (0, 1).",
            f"Those of {model.name} do not: the unit of their scale would drift.",
            "Use a model such as beta3, or the method variational.",
        )


def _refuse_overflow(point: RoundPoint) -> None:
    if not np.isfinite(point.moments.place).all():
        raise ConvergenceError(
            "A search must stay among numbers.",
            "A random draw led this one out of them.",
            "Take another seed, or the method variational.",
        )
