"""Every model and method that the contract tests run through: one line each."""

from itemcurve.estimation.marginal import Marginal

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
)

METHODS = {
    "marginal over respondents": Marginal(over="respondents"),
    "marginal over items": Marginal(over="items"),
}

# Combinations that are refused, with a word of the reason they must give.
REFUSED = {
    ("4pl", "marginal over items"): "three free item parameters",
    ("logit-normal", "marginal over items"): "too narrow",
}
