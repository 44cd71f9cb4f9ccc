"""Where abilities and items are reported: mean 0 and standard deviation 1, where items allow it."""

from dataclasses import dataclass

from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.models.priors import Normal
from itemcurve.numerics.shapes import PerRespondent, State


@dataclass(frozen=True)
class AbilityScale:
    """The reported scale: abilities with mean 0 and standard deviation 1 where items allow it."""

    problem: RespondentProblem

    def _ability(self, state: State) -> Normal:
        prior = self.problem.marginal.population.at(state)[0]
        assert isinstance(prior, Normal)
        return prior

    def location(self, state: State) -> float:
        """What is subtracted from abilities."""
        return self._ability(state).mean if self.problem.likelihood.model.latent.shifts else 0.0

    def unit(self, state: State) -> float:
        """What abilities are divided by."""
        return self._ability(state).sd if self.problem.likelihood.model.latent.stretches else 1.0

    def abilities(self, raw: PerRespondent, state: State) -> PerRespondent:
        """Abilities as reported."""
        return (raw - self.location(state)) / self.unit(state)

    def centre(self, state: State) -> float:
        """Mean of the population, in the search's own unit."""
        return self._ability(state).mean

    def spread(self, state: State) -> float:
        """Its standard deviation."""
        return self._ability(state).sd
