"""What `itemcurve fit` is told: which model, by which method."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import (
    AbilityErrorsChoice,
    BoundaryChoice,
    FitMethodChoice,
    ItemPriorsChoice,
    ObjectiveChoice,
    OverChoice,
    PosteriorChoice,
    PriorChoice,
)
from itemcurve.cli.options.frequent_options import Json, Quiet, RunToWrite
from itemcurve.cli.options.model_words import read_key, read_models
from itemcurve.errors import ModelError

if TYPE_CHECKING:
    from itemcurve.estimation.method import Method


@dataclass(frozen=True)
class ModelOptions:
    """A model, and what is settled about its parameters."""

    model: Annotated[
        str,
        typer.Option(
            help="As 2pl, grm, beta3 or gamma; by patterns of item names, as "
            "'mc_*=2pl,essay_*=grm', or a JSON file of them."
        ),
    ] = "2pl"
    prior: Annotated[
        PriorChoice, typer.Option(help="Priors of item parameters; none is maximum likelihood.")
    ] = PriorChoice.DEFAULT
    discrimination: Annotated[
        str | None,
        typer.Option(
            metavar="free|positive|NUMBER",
            help="Estimate it, keep it above 0, or hold it for all items.",
        ),
    ] = None
    guessing: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Hold guessing here for all items.")
    ] = None
    key: Annotated[
        str | None,
        typer.Option(
            metavar="CODE[,CODE…]", help="Of nested-logit: right options, of all items or of each."
        ),
    ] = None
    boundary: Annotated[
        BoundaryChoice,
        typer.Option(help="What becomes of scores and errors at the ends of their range."),
    ] = BoundaryChoice.DEFAULT

    by_beta3: Annotated[
        float | None,
        typer.Option(
            "--by-beta3",
            metavar="SIZE",
            help="Of errors, with --model gamma: fit beta3 to 1/(1 + error/SIZE), SIZE the usual "
            "size of errors: about the mean distance of targets from their mean, 1 where errors "
            "were divided by it.",
        ),
    ] = None

    @property
    def chosen(self) -> str | dict[str, str]:
        """The model, or models by pattern of item names; β³ where errors are read through it."""
        return read_models(self.model) if self.by_beta3 is None else self._by_beta3()

    @property
    def parameters(self) -> dict[str, str | float | list[float]]:
        """Settings of parameters as `fit` takes them."""
        found: dict[str, str | float | list[float]] = {}
        if self.discrimination is not None:
            try:
                found["discrimination"] = float(self.discrimination)
            except ValueError:
                found["discrimination"] = self.discrimination
        if self.guessing is not None:
            found["guessing"] = self.guessing
        if self.key is not None:
            found["key"] = read_key(self.key)
        return found

    def _by_beta3(self) -> str:
        assert self.by_beta3 is not None
        if not 0 < self.by_beta3 < float("inf"):
            raise ModelError(
                "SIZE of --by-beta3 must be a number above 0;",
                f"given is {self.by_beta3:g}.",
                "Use the mean distance of targets from their mean, or 1 for errors divided by it.",
            )
        if self.model not in ("gamma", "gamma-normalised"):
            raise ModelError(
                "--by-beta3 belongs to --model gamma;",
                f"the model is {self.model}.",
                "Leave --by-beta3 out, or change the model.",
            )
        return "beta3"

    @property
    def settings(self) -> dict[str, Any]:
        """All that `fit` takes besides the model."""
        prior = "default" if self.prior is PriorChoice.DEFAULT else None
        return {"prior": prior, "boundary": self.boundary.value, **self.parameters}


@dataclass(frozen=True)
class OutputOptions:
    """What becomes of a fit."""

    out: RunToWrite = None
    json: Json = False
    quiet: Quiet = False
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with code 3 when the fit does not converge.")
    ] = False


@dataclass(frozen=True)
class MethodOptions:
    """A method and the options of all methods."""

    method: Annotated[FitMethodChoice, typer.Option(help="How the model is fitted.")] = (
        FitMethodChoice.MARGINAL
    )
    over: Annotated[
        OverChoice, typer.Option(help="Side of the data to integrate out, or to call a population.")
    ] = OverChoice.AUTO
    ability_errors: Annotated[
        AbilityErrorsChoice,
        typer.Option(
            help="Of marginal: errors of abilities without or with the doubt about items."
        ),
    ] = AbilityErrorsChoice.GIVEN_ITEMS
    item_priors: Annotated[
        ItemPriorsChoice,
        typer.Option(
            help="Of marginal over respondents: the items' population estimated, or as the priors "
            "have it."
        ),
    ] = ItemPriorsChoice.ESTIMATED
    objective: Annotated[ObjectiveChoice, typer.Option(help="What joint maximises.")] = (
        ObjectiveChoice.MAP
    )
    posterior: Annotated[
        PosteriorChoice,
        typer.Option(help="Of variational: abilities and items linked, or independent."),
    ] = PosteriorChoice.AUTO
    max_iterations: Annotated[
        int, typer.Option(min=1, help="Passes over the data before giving up.")
    ] = 500
    chains: Annotated[int, typer.Option(min=1, help="Of mcmc: number of chains.")] = 4
    draws: Annotated[
        int, typer.Option(min=10, help="Of mcmc: draws per chain, after as many to adapt.")
    ] = 1000
    seed: Annotated[
        int, typer.Option(min=0, help="Of mcmc and stochastic: the same seed, the same draws.")
    ] = 0

    def settings(self) -> "Method":
        """Give the settings of the method, and refuse options of another one."""
        self._refuse_options_of_others()
        if self.method is FitMethodChoice.JOINT:
            from itemcurve.estimation.joint.settings import Joint

            return Joint(objective=self.objective.value, max_iterations=self.max_iterations)
        if self.method is FitMethodChoice.VARIATIONAL:
            from itemcurve.estimation.variational.settings import Variational

            return Variational(posterior=self.posterior.value, max_iterations=self.max_iterations)
        if self.method is FitMethodChoice.STOCHASTIC:
            from itemcurve.estimation.variational.stochastic.settings import Stochastic

            return Stochastic(seed=self.seed)
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
            max_iterations=self.max_iterations,
            ability_errors="total" if is_total else "given items",
            item_priors=self.item_priors.value,
        )

    def _refuse_options_of_others(self) -> None:
        marginal, mcmc = FitMethodChoice.MARGINAL, FitMethodChoice.MCMC
        given_items = AbilityErrorsChoice.GIVEN_ITEMS
        joint, variational = FitMethodChoice.JOINT, FitMethodChoice.VARIATIONAL
        for name, given, default, owners in (
            ("--over", self.over, OverChoice.AUTO, (marginal, mcmc)),
            ("--ability-errors", self.ability_errors, given_items, (marginal,)),
            ("--item-priors", self.item_priors, ItemPriorsChoice.ESTIMATED, (marginal,)),
            ("--objective", self.objective, ObjectiveChoice.MAP, (joint,)),
            ("--posterior", self.posterior, PosteriorChoice.AUTO, (variational,)),
        ):
            if given is not default and self.method not in owners:
                raise ModelError(
                    f"{name} belongs to --method {' or '.join(owner.value for owner in owners)};",
                    f"the method is {self.method.value}.",
                    f"Leave {name} out, or change the method.",
                )
