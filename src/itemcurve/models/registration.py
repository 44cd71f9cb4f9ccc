"""Models from outside the catalogue, known by name in the process that registers them.

A saved fit names its model and nothing else: no file makes this library import or run anything.
Whoever reads a fit of a model of their own registers that model first.
"""

import re
from dataclasses import is_dataclass

from itemcurve.errors import ItemcurveError, ModelError
from itemcurve.models.catalogue import MODELS, REGISTERED
from itemcurve.models.contract import ItemModel
from itemcurve.models.serialisation import (
    Record,
    is_same_kind,
    list_options,
    pack_model,
    unpack_model,
)
from itemcurve.storage.json_documents import pack_json, unpack_json

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def register_model(model: ItemModel) -> None:
    """Make a model of one's own known by its name.

    Then `fit` takes the name, fits of the model can be saved, and `load` reads them, here and in
    every other process that registers the model. Registering it again is no error; another model
    needs another name, one with other options or parameters too.

    Parameters
    ----------
    model : a frozen dataclass that has all that `itemcurve.models.contract.ItemModel` describes.
        Its fields besides `parameters` are its options: numbers, words, true or false. Transforms
        and priors of its parameters are those of itemcurve.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import itemcurve as ic
    >>> ic.register_model(replace(ic.get_model("rasch"), name="our-rasch"))
    >>> truth = ic.simulate("our-rasch", respondents=50, items=5, seed=1)
    >>> ic.fit(truth.responses, "our-rasch").model
    'our-rasch'
    """
    _check_contract(model)
    _check_name(model)
    former = REGISTERED.get(model.name)
    REGISTERED[model.name] = model
    try:
        _check_saving(model)
    except ItemcurveError:
        del REGISTERED[model.name]
        if former is not None:
            REGISTERED[model.name] = former
        raise


def _check_contract(model: object) -> None:
    wanted = [name for name in vars(ItemModel) if not name.startswith("_")]
    absent = [name for name in wanted if not hasattr(model, name)]
    parameters = getattr(model, "__dataclass_params__", None)
    is_frozen = is_dataclass(model) and parameters is not None and parameters.frozen
    if absent or isinstance(model, type) or not is_frozen:
        raise ModelError(
            "A model to register is a frozen dataclass with all that the contract of models names.",
            f"{model!r} " + (f"has no {', '.join(absent)}." if absent else "is none."),
            "See itemcurve.models.contract.ItemModel.",
        )


def _check_name(model: ItemModel) -> None:
    if not _NAME.fullmatch(model.name):
        raise ModelError(
            "The name of a model is made of small letters, digits and -, at most 40.",
            f"Got {model.name!r}.",
            "Choose a name such as 'our-2pl'.",
        )
    former = REGISTERED.get(model.name)
    if model.name in MODELS or (former is not None and not _is_again(former, model)):
        raise ModelError(
            "A name stands for one model.",
            f"{model.name!r} is taken.",
            "Give this model another name.",
        )


def _is_again(former: ItemModel, model: ItemModel) -> bool:
    """Whether a model is registered a second time, as by a cell of a notebook run again."""
    names = [[spec.name for spec in known.parameters] for known in (former, model)]
    return (
        is_same_kind(former, model)
        and list_options(former) == list_options(model)
        and names[0] == names[1]
    )


def _check_saving(model: ItemModel) -> None:
    """Refuse what could not be told from its name, options and parameters when it is read."""
    for form in (model, model.population_form()):
        try:
            packed = unpack_json(pack_json(pack_model(form), "the model"), "the model")
            unpack_model(Record(packed, "the model"))
        except ItemcurveError as error:
            raise ModelError(
                "A model to register must come back from its name, options and parameters.",
                f"{model.name!r} does not: {error}",
                "Let its fields be numbers, words, true or false, and `parameters`.",
            ) from error
