"""How a fit ended, in words."""

from enum import StrEnum


class FitStatus(StrEnum):
    """The value is a sentence that a person can act on."""

    CONVERGED = "converged"
    MAX_ITERATIONS = "stopped at the iteration limit before converging"
    STALLED = "stopped: no step improved the objective although its gradient is not small"
    FLAT = "converged to a flat maximum: some parameters are not determined by the data"

    @property
    def is_converged(self) -> bool:
        """Whether the estimates maximise the objective."""
        return self in (FitStatus.CONVERGED, FitStatus.FLAT)
