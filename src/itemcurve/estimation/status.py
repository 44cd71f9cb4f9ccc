"""How a fit ended, in words."""

from enum import StrEnum


class FitStatus(StrEnum):
    """The value is a sentence that a person can act on."""

    CONVERGED = "converged"
    MAX_ITERATIONS = "stopped at the iteration limit before converging"
    STALLED = "stopped: no step improved the objective although its gradient is not small"
    NOT_MIXED = "ended before its chains agreed: R-hat is too high"
    DIVERGENT = "met divergent transitions: part of the posterior may be missing"
    WANDERING = "ended with its last round, wandering about a maximum: another seed ends elsewhere"
    AT_BOUND = "converged, but some items have no finite estimate: they stand at a bound"
    FLAT = "converged to a flat maximum: some parameters are not determined by the data"

    @property
    def is_converged(self) -> bool:
        """Whether the estimates maximise the objective, or the draws represent the posterior."""
        return self in (FitStatus.CONVERGED, FitStatus.FLAT, FitStatus.AT_BOUND)

    @property
    def advice(self) -> str:
        """What to do about it."""
        if self is FitStatus.NOT_MIXED:
            return "Raise warmup and draws, or use a model with fewer parameters."
        if self is FitStatus.DIVERGENT:
            return "Raise target_accept towards 1, or use narrower priors."
        if self is FitStatus.WANDERING:
            return (
                "Use Variational(as_published=True), which finds the maximum, or "
                "Stochastic(report='average'); or compare several seeds."
            )
        return (
            "Raise max_iterations, keep the default priors, or use a model with fewer parameters."
        )
