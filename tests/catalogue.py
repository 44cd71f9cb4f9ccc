"""Every model and method that the contract tests run through: one line each."""

from itemcurve.estimation.joint.settings import Joint
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.variational.settings import Variational

MODELS = (
    "rasch",
    "1pl",
    "2pl",
    "3pl",
    "4pl",
    "beta3",
    "gamma",
    "gamma-normalised",
    "logit-normal",
    "2pl-nd",
    "fractional-1pl",
    "fractional-2pl",
    "fractional-beta3",
    "rasch-errors",
    "grm",
    "gpcm",
    "pcm",
    "rsm",
    "grsm",
    "sequential",
    "nrm",
)

METHODS = {
    "marginal over respondents": Marginal(over="respondents"),
    "marginal over items": Marginal(over="items"),
    "joint": Joint(),
    "variational": Variational(),
    "variational, mean-field": Variational(posterior="mean-field"),
}

# How closely two fits that must agree do agree, where it is not to rounding. Γ leaves its own scale
# almost undetermined: the maximum is flat, and rounding decides where on it a search ends.
TOLERANCES = {
    "gamma": 1e-3,
    "gamma-normalised": 1e-3,
    # Guessing is hardly determined by 60 answers: a flat bound, raised in many steps.
    ("3pl", METHODS["variational, mean-field"]): 1e-4,
    ("logit-normal", METHODS["variational, mean-field"]): 1e-6,
}

# How much less abilities may correlate with the truth than with the true items known, where it is
# more than 0.06: asymptotes as points, or independent of slopes, fit 60 answers too well.
LOSSES = {("4pl", METHODS["joint"]): 0.11, ("3pl", METHODS["variational, mean-field"]): 0.07}


def tolerance(case: tuple, usual: float) -> float:
    """How closely two fits of a model by a method must agree."""
    return TOLERANCES.get(case, TOLERANCES.get(case[0], usual))


# Combinations that are refused, with a word of the reason they must give.
REFUSED = {
    ("4pl", "variational"): "3 free item parameters",
    ("4pl", "variational, mean-field"): "3 free item parameters",
    ("4pl", "marginal over items"): "three free item parameters",
    ("logit-normal", "marginal over items"): "too narrow",
    # Five grades have four thresholds; what a rating scale has in common, every item tells.
    **{(name, "marginal over items"): "needs|serves" for name in ("gpcm", "grm", "nrm", "pcm")},
    ("sequential", "marginal over items"): "needs|serves",
    **{
        (model, name): "common to all items"
        for model in ("rsm", "grsm")
        for name in METHODS
        if "respondents" not in name
    },
    ("nrm", "variational"): "3 free item parameters",
    ("nrm", "variational, mean-field"): "3 free item parameters",
}
