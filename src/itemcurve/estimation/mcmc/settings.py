"""Sampling the whole posterior by NUTS: the standard that faster methods are held against."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from itemcurve.errors import ModelError
from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.identification.integrated_side import (
    choose_side,
    refuse_common,
    refuse_dimensions,
    refuse_mixed,
)
from itemcurve.estimation.mcmc.draws_summary import summarise
from itemcurve.estimation.mcmc.nuts import Schedule, sample
from itemcurve.estimation.mcmc.sampled_density import Posterior, Side
from itemcurve.estimation.method import FitTask
from itemcurve.models.contract import ItemModel
from itemcurve.responses.matrix import Responses

PopulationChoice = Literal["auto", "respondents", "items", "none"]


@dataclass(frozen=True)
class MCMC:
    """Draw abilities and items from their joint posterior (NUTS, Hoffman and Gelman 2014).

    The log density is the likelihood that every method sees plus the priors of the model; the
    sampler is NumPyro's (`pip install 'itemcurve[bayes]'`). It always computes with JAX,
    whatever the engine.

    Chains start close together from item-rest correlations and mean responses, on one side of
    every reflection. Where (−θ, −a) is a symmetry of the likelihood, all draws are turned
    together if their mean abilities run against the mean responses; a chain that went to the
    other side shows in R-hat and is never turned alone.

    Parameters
    ----------
    chains, warmup, draws : number of chains; draws per chain to adapt, and to keep.
    seed : the same seed gives the same draws.
    target_accept : acceptance rate that the step size aims at; higher is slower and more careful.
    population : the side whose location and spread are estimated, `"respondents"` or `"items"`,
        as `Marginal(over=...)` does. `"auto"` is the respondents, or, where abilities lie in
        (0, 1), the side that `Marginal` would choose; elsewhere a population of items leaves the
        unit of ability so vague that chains crawl. `"none"` takes all priors as they are stated,
        abilities N(0, 1) or, in (0, 1), uniform.
    max_rhat : chains whose R-hat is above this for any quantity have not converged.
    """

    keeps_all_categories: ClassVar[bool] = True
    chains: int = 4
    warmup: int = 1000
    draws: int = 1000
    seed: int = 0
    target_accept: float = 0.9
    population: PopulationChoice = "auto"
    max_rhat: float = 1.01

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        for name, least in (("chains", 1), ("warmup", 10), ("draws", 10), ("seed", 0)):
            given = getattr(self, name)
            if not isinstance(given, int) or isinstance(given, bool) or given < least:
                raise ModelError(
                    f"{name} must be a whole number of at least {least}.",
                    f"Got {given!r}.",
                    "Leave it out if unsure.",
                )
        if not (0.5 <= self.target_accept < 1 and self.max_rhat > 1):
            raise ModelError(
                "target_accept must lie between 0.5 and 1, and max_rhat above 1.",
                f"Got {self.target_accept!r} and {self.max_rhat!r}.",
                "Leave them out if unsure.",
            )
        if self.population not in ("auto", "respondents", "items", "none"):
            raise ModelError(
                "population must be one of 'auto', 'respondents', 'items', 'none'.",
                f"Got {self.population!r}.",
                "Leave it out to let the data decide.",
            )

    def estimate(self, task: FitTask) -> Estimates:
        """Sample the posterior of the model given the responses, and summarise the draws."""
        responses, model = task.responses, task.model
        refuse_dimensions(model, "Sampling")
        refuse_common(model, "Sampling")
        refuse_mixed(model, "Sampling")
        posterior = Posterior.build(model, self.side(responses, model))
        schedule = Schedule(self.chains, self.warmup, self.draws, self.target_accept)
        trace = sample(posterior, responses, schedule, self.seed)
        return summarise(posterior, responses, trace, self.max_rhat)

    def side(self, responses: Responses, model: ItemModel) -> Side:
        """Whose location and spread are estimated."""
        if self.population != "auto":
            return self.population
        is_over_items = choose_side(responses, model) == "items"
        return "items" if is_over_items and model.latent.is_logit else "respondents"
