"""The words that options accept.

They repeat what the library knows, because asking the library would import NumPy for `--help`.
"""

from enum import StrEnum


class PriorChoice(StrEnum):
    """Which priors item parameters get."""

    DEFAULT = "default"
    NONE = "none"


class OverChoice(StrEnum):
    """Which side of the data is integrated out."""

    AUTO = "auto"
    ITEMS = "items"
    RESPONDENTS = "respondents"


class FitMethodChoice(StrEnum):
    """How a model is fitted."""

    MARGINAL = "marginal"
    JOINT = "joint"
    VARIATIONAL = "variational"
    MCMC = "mcmc"


class ObjectiveChoice(StrEnum):
    """What joint estimation maximises."""

    MAP = "map"
    ML = "ml"
    LOG_LOSS = "log-loss"


class AbilityErrorsChoice(StrEnum):
    """What marginal estimation takes as known where it says how exact abilities are."""

    GIVEN_ITEMS = "given-items"
    TOTAL = "total"


class PosteriorChoice(StrEnum):
    """Which shape a variational posterior has."""

    AUTO = "auto"
    FULL_RANK = "full-rank"
    MEAN_FIELD = "mean-field"


class EngineChoice(StrEnum):
    """Who computes."""

    NUMPY = "numpy"
    JAX = "jax"


class BoundaryChoice(StrEnum):
    """What becomes of continuous responses at the ends of their range."""

    DEFAULT = "default"
    CENSOR = "censor"
    CLIP = "clip"
    NONE = "none"


class LayoutChoice(StrEnum):
    """How a table of responses is laid out."""

    AUTO = "auto"
    LONG = "long"
    WIDE = "wide"


class MethodChoice(StrEnum):
    """How abilities are estimated against a bank."""

    EAP = "eap"
    MAP = "map"
    ML = "ml"
    WLE = "wle"


class TaskChoice(StrEnum):
    """What the target of a table holds."""

    AUTO = "auto"
    CLASSIFICATION = "classification"
    REGRESSION = "regression"


class MeasureChoice(StrEnum):
    """What verdicts on robustness go by."""

    SHARE = "share"
    KAPPA = "kappa"
