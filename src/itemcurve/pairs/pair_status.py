"""How a fit of votes ended, in words."""

from enum import StrEnum


class PairStatus(StrEnum):
    """The value is a sentence that a person can act on."""

    CONVERGED = "converged"
    UNBOUNDED = "converged, but some respondents won or lost everything: no finite strength"
    MAX_ITERATIONS = "stopped before converging"

    @property
    def is_converged(self) -> bool:
        """Whether what is finite is the maximum."""
        return self in (PairStatus.CONVERGED, PairStatus.UNBOUNDED)

    @property
    def advice(self) -> str:
        """What to do about it."""
        if self is PairStatus.UNBOUNDED:
            return "Collect more votes for them, or hold strengths together with prior=2.0."
        return "Raise max_iterations, or use fewer effects."
