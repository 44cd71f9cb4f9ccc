"""The method a fit is asked for, with the options that belong to it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from itemcurve.cli.options.choices import (
    AbilityErrorsChoice,
    FitMethodChoice,
    ObjectiveChoice,
    OverChoice,
    PosteriorChoice,
)
from itemcurve.errors import ModelError

if TYPE_CHECKING:
    from itemcurve.estimation.method import Method


@dataclass(frozen=True)
class MethodOptions:
    """A method and the options of all methods, as given on the command line."""

    method: FitMethodChoice
    over: OverChoice
    ability_errors: AbilityErrorsChoice
    objective: ObjectiveChoice
    posterior: PosteriorChoice
    chains: int
    draws: int
    seed: int

    def settings(self, max_iterations: int) -> "Method":
        """Give the settings of the method, and refuse options of another one."""
        self._refuse_options_of_others()
        if self.method is FitMethodChoice.JOINT:
            from itemcurve.estimation.joint.settings import Joint

            return Joint(objective=self.objective.value, max_iterations=max_iterations)
        if self.method is FitMethodChoice.VARIATIONAL:
            from itemcurve.estimation.variational.settings import Variational

            return Variational(posterior=self.posterior.value, max_iterations=max_iterations)
        if self.method is FitMethodChoice.MCMC:
            from itemcurve.estimation.mcmc.settings import MCMC

            return MCMC(
                chains=self.chains,
                warmup=self.draws,
                draws=self.draws,
                seed=self.seed,
                population=self.over.value,
            )
        from itemcurve.estimation.marginal.settings import Marginal

        is_total = self.ability_errors is AbilityErrorsChoice.TOTAL
        return Marginal(
            over=self.over.value,
            max_iterations=max_iterations,
            ability_errors="total" if is_total else "given items",
        )

    def _refuse_options_of_others(self) -> None:
        marginal, mcmc = FitMethodChoice.MARGINAL, FitMethodChoice.MCMC
        given_items = AbilityErrorsChoice.GIVEN_ITEMS
        joint, variational = FitMethodChoice.JOINT, FitMethodChoice.VARIATIONAL
        for name, given, default, owners in (
            ("--over", self.over, OverChoice.AUTO, (marginal, mcmc)),
            ("--ability-errors", self.ability_errors, given_items, (marginal,)),
            ("--objective", self.objective, ObjectiveChoice.MAP, (joint,)),
            ("--posterior", self.posterior, PosteriorChoice.AUTO, (variational,)),
        ):
            if given is not default and self.method not in owners:
                raise ModelError(
                    f"{name} belongs to --method {' or '.join(owner.value for owner in owners)};",
                    f"the method is {self.method.value}.",
                    f"Leave {name} out, or change the method.",
                )
