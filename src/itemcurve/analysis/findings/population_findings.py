"""The finding that abilities are not distributed as a fit took them to be."""

from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.estimation.densities.normality_test import cannot_test
from itemcurve.estimation.result import FitResult

# Of many respondents the least departure is plain; what slopes suffer from is a large one.
_PLAIN, _SKEWED, _PEAKED = 1e-3, 0.5, 1.5


def find_other_shape(fit: FitResult) -> Finding | None:
    """Abilities that were integrated out as normal and plainly are not."""
    if cannot_test(fit):
        return None
    tested = fit.check_normality()
    is_far = abs(tested.skewness) >= _SKEWED or abs(tested.kurtosis) >= _PEAKED
    if tested.p_value >= _PLAIN or not is_far:
        return None
    return Finding(
        "IRT023",
        "note",
        f"{tested} Slopes and their intervals take them as normal.",
        "Estimate their shape with them: itemcurve.fit(…, density='davidian'), or fit --density "
        "davidian. The order of respondents hardly depends on it.",
    )
