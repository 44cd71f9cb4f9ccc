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


class DensityChoice(StrEnum):
    """How abilities are distributed."""

    NORMAL = "normal"
    DAVIDIAN = "davidian"
    HISTOGRAM = "histogram"


class LinkMethodChoice(StrEnum):
    """How two scales are brought together."""

    STOCKING_LORD = "stocking-lord"
    HAEBARA = "haebara"
    MEAN_MEAN = "mean-mean"
    MEAN_SIGMA = "mean-sigma"
    MEAN_GEOMETRIC_MEAN = "mean-geometric-mean"


class FitMethodChoice(StrEnum):
    """How a model is fitted."""

    MARGINAL = "marginal"
    JOINT = "joint"
    VARIATIONAL = "variational"
    STOCHASTIC = "stochastic"
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


class ItemPriorsChoice(StrEnum):
    """Whether the default priors of items are a population to be estimated."""

    ESTIMATED = "estimated"
    FIXED = "fixed"


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


class BoundedMeasureChoice(StrEnum):
    """Measures of classifiers between 0 and 1, better when larger."""

    ACCURACY = "accuracy"
    BRIER = "brier"
    LOG_LOSS = "log_loss"
    WEIGHTED_ACCURACY = "weighted_accuracy"
    AUC = "auc"
    F1 = "f1"


class DifficultyModelChoice(StrEnum):
    """Models that difficulties of rows come from."""

    ONE = "1pl"
    TWO = "2pl"
    THREE = "3pl"
    BETA3 = "beta3"


class QuestionChoice(StrEnum):
    """What a test is to tell."""

    SCORE = "score"
    ABILITY = "ability"


class SelectChoice(StrEnum):
    """Which item comes next."""

    FISHER = "fisher"
    KL = "kl"
    WEIGHTED_KL = "weighted-kl"
    POSTERIOR_VARIANCE = "posterior-variance"
    RANDOM = "random"
    COMBINED = "combined"


class FormatChoice(StrEnum):
    """How items are printed."""

    TEXT = "text"
    JSON = "json"
    LM_EVAL = "lm-eval"
    INSPECT = "inspect"


class PlotChoice(StrEnum):
    """The pictures that need nothing but a run."""

    ABILITIES = "abilities"
    ABILITY_METRIC = "ability-metric"
    ABILITY_PATHS = "ability-paths"
    CATEGORY_CURVES = "category-curves"
    FAIR_RATINGS = "fair-ratings"
    INFORMATION = "information"
    ITEM_CURVES = "item-curves"
    ITEM_FIT = "item-fit"
    ITEMS = "items"
    JUDGES = "judges"
    LOADINGS = "loadings"
    LOCAL_DEPENDENCE = "local-dependence"
    PARAMETERS = "parameters"
    RESIDUALS = "residuals"
    STRENGTHS = "strengths"
    WRIGHT_MAP = "wright-map"


class NoiseChoice(StrEnum):
    """What is noisy."""

    AUTO = "auto"
    LABELS = "labels"
    TARGETS = "targets"
    FEATURES = "features"


class NoisePlaceChoice(StrEnum):
    """Where noise is."""

    TEST = "test"
    BOTH = "both"


class ProfileChoice(StrEnum):
    """Along what κ is compared."""

    DAN = "dan"
    DAD = "dad"
    DAND = "dand"
