"""Which side of the data is integrated out, and whether the items can be."""

import numpy as np

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.identification.latent_population import items_beside_abilities
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.contract import ItemModel
from itemcurve.models.likelihood import Likelihood
from itemcurve.responses.matrix import Responses

# Below this many respondents (and fewer than items) the items are integrated out. Measured:
# docs/estimation.md and benchmarks/RESULTS.md have coverage and errors from both sides.
FEW_RESPONDENTS = 150
# Where the population of the items is estimated on either side, both are as accurate, but abilities
# of few items are no parameters that a population of items could lean on.
_MANY_ITEMS = 1.5
_MOST_GRADES = 3
# Half of the digits of 64-bit numbers, which is what differences of sums keep.
_WEIGHTS_APART = 1e8


def choose_side(responses: Responses, model: ItemModel) -> str:
    """Integrate items out where few respondents answered many of them, else respondents."""
    n_respondents, n_items = responses.shape
    many = _MANY_ITEMS if any(items_beside_abilities(model)) else 1.0
    few = n_respondents < min(n_items / many, FEW_RESPONDENTS)
    return "items" if few and _can_integrate_items(model) else "respondents"


def needs_own_nodes(likelihood: Likelihood) -> bool:
    """Whether posteriors of items may be too narrow for any grid that all items share.

    Scores between two ends determine an item to some hundredths, and log densities of it can be
    interpolated between nodes; those of errors without an upper end fall off cliffs between two.
    """
    return not likelihood.model.family.is_bounded and len(likelihood.free) == 2


def refuse_weights_apart(responses: Responses) -> None:
    """Refuse weights so far apart that items are far sharper in some abilities than in others.

    The maximum then lies along a ridge too narrow for steps of any use.
    """
    weight = responses.weight()
    if weight is None:
        return
    given = np.asarray(weight if isinstance(weight, np.ndarray) else weight.data)
    given = given[given > 0]
    if given.size and given.max() > _WEIGHTS_APART * given.min():
        raise ResponsesError(
            "Integrating out items on nodes of their own needs weights that are at most "
            f"{_WEIGHTS_APART:,.0f} times each other.",
            f"They go from {given.min():.3g} to {given.max():.3g}.",
            "Use over='respondents', or give the lightest responses the weight 0.",
        )


def refuse_mixed(model: ItemModel, method: str) -> None:
    """Refuse parameters that are held of some items only, for a method that cannot hold them."""
    mixed = list(dict.fromkeys(spec.name for spec in model.parameters if spec.is_mixed))
    if mixed:
        # Thresholds are held where there are none.
        verb = "is" if len(mixed) == 1 else "are"
        why = ": items differ in their categories" if isinstance(model, HasCategories) else ""
        raise ModelError(
            f"{method} needs parameters that are estimated of all items, or held of all.",
            f"{', '.join(mixed)} of {model.name} {verb} held of some{why}.",
            "Use the method marginal with over='respondents', or joint.",
        )


def refuse_common(model: ItemModel, method: str) -> None:
    """Refuse parameters that all items have in common, for a method that gives each its own."""
    common = [spec.name for spec in model.parameters if spec.is_common and spec.is_free]
    if common:
        raise ModelError(
            f"{method} serves models whose items have parameters of their own.",
            f"{', '.join(common)} of {model.name} are common to all items.",
            "Use the method marginal with over='respondents', or the model pcm.",
        )


def refuse_dimensions(model: ItemModel, method: str) -> None:
    """Refuse models of several abilities, for a method that estimates one."""
    if model.dimensions > 1:
        raise ModelError(
            f"{method} serves models of one ability.",
            f"{model.name} has {model.dimensions}.",
            "Use a model of one ability.",
        )


def check_items(likelihood: Likelihood) -> None:
    """Refuse models whose items cannot be integrated out."""
    model = likelihood.model
    refuse_dimensions(model, "Integrating items out")
    _refuse_grades(model)
    refuse_common(model, "Integrating items out")
    refuse_mixed(model, "Integrating items out")
    specs = [model.parameters[i] for i in likelihood.free]
    advice = "Use over='respondents'."
    if len(specs) > 3:
        raise ModelError(
            "Integrating items out serves up to three free item parameters.",
            f"{model.name} has {len(specs)}.",
            advice,
        )
    narrow = [spec.name for spec in specs if not spec.needs_few_nodes]
    if narrow:
        raise ModelError(
            "Integrating items out needs parameters that a grid over their population resolves.",
            f"The posterior of {', '.join(narrow)} is too narrow for one.",
            advice,
        )
    is_one_each = any(isinstance(spec.fixed, tuple) for spec in model.parameters)
    if is_one_each and not needs_own_nodes(likelihood):
        raise ModelError(
            "Integrating items out needs fixed parameters that are the same for all items.",
            "Got one value per item.",
            advice,
        )
    flat = [spec.name for spec in specs if spec.prior is None]
    if flat:
        raise ModelError(
            "Integrating items out needs a proper prior of every item parameter.",
            f"None was given for {', '.join(flat)}.",
            "Keep prior='default', or use over='respondents' for maximum likelihood.",
        )


def _refuse_grades(model: ItemModel) -> None:
    """Refuse grades that leave no room for a population of items, in words of ratings."""
    if not isinstance(model, HasCategories) or model.is_unordered:
        return
    given = [f"{model.name} has {len(model.codes)} grades"]
    if any(spec.is_common for spec in model.parameters):
        given.append("its thresholds are common to all items")
    if any(spec.is_mixed for spec in model.parameters):
        given.append("some items lack some of them")
    if len(given) > 1 or len(model.codes) > _MOST_GRADES:
        raise ModelError(
            f"Integrating items out serves up to {_MOST_GRADES} grades, which all items have, with "
            "thresholds of their own.",
            f"{', and '.join(given)}.",
            "Use over='respondents', which is meant for few respondents too; grsm and rsm let all "
            "items tell the thresholds.",
        )


def _can_integrate_items(model: ItemModel) -> bool:
    """Whether items can be integrated out: few free parameters, all with proper priors."""
    try:
        check_items(Likelihood(model.population_form()))
    except ModelError:
        return False
    return True
