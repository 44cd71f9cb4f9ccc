"""Fits of several populations on disk: an ordinary fit, and what is known of the populations.

Whoever reads fits reads the ordinary one; `population.json` and `population.npz` hold the rest, and
tables of groups and of covariates lie beside them for reports.
"""

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ItemcurveError, StorageError
from itemcurve.estimation.densities.ability_density import AbilityDensity, read_density
from itemcurve.estimation.groups.covariate_table import Covariates
from itemcurve.estimation.groups.population_fit import GroupMoments, PopulationFit, Slopes
from itemcurve.estimation.groups.settings import GroupCodes, read_equal
from itemcurve.estimation.groups.split_items import EVERYONE, SplitItems
from itemcurve.estimation.saving.saved_fit import read_fit, save_fit
from itemcurve.models.parameters import Role
from itemcurve.models.serialisation import Record
from itemcurve.storage.run_folder import Run
from itemcurve.storage.tables import pack_table

FORMAT = "itemcurve-population-1"
DOCUMENT = "population"
_ROLES = tuple(Role)


def save_population_fit(fit: PopulationFit, path: str | PathLike[str]) -> None:
    """Write a fit to a run folder, atomically, replacing a former run."""
    split, own, table = fit.split, fit.moments, fit.covariates
    document = {
        "format": FORMAT,
        "items": list(fit.items_of),
        "groups": list(fit.group_codes.names),
        "equal": list(fit.equal),
        "covariates": list(table.names),
        "density": None if fit.density is None else fit.density.kind,
        "loose": [sorted(role.value for role in roles) for roles in split.loose],
    }
    arrays: dict[str, NDArray[Any]] = {
        "codes": np.asarray(fit.group_codes.codes, dtype=np.int64),
        "moments": np.stack([own.mean, own.mean_se, own.sd, own.sd_se]),
        "slopes": np.stack([fit.slopes.estimate, fit.slopes.error]),
        "covariates": table.values,
        "units": np.stack([table.centres, table.units]),
        "split": np.stack([split.items, split.groups]).astype(np.int64),
    }
    if fit.density is not None:
        own_density = fit.density
        arrays["density"] = np.stack(
            [own_density.abilities, own_density.shares, own_density.heights]
        )
    documents = {DOCUMENT: document}
    for name, (title, frame) in fit.tables().items():
        documents[name] = pack_table(frame, title)
    save_fit(fit.fit, path, documents=documents, arrays={DOCUMENT: arrays})


def read_population_fit(run: Run) -> PopulationFit:
    """Read the fit of an opened run."""
    fit = read_fit(run)
    record = Record(run.document(DOCUMENT), f"the populations in {str(run.path)!r}")
    if record.text("format") != FORMAT:
        raise record.refusal(f"its format is not {FORMAT}; a newer itemcurve may read it")
    try:
        return _unpack(record, run.arrays(DOCUMENT), fit)
    except StorageError:
        raise
    # Whatever a stranger's numbers break is the fault of the folder: one kind of error for it.
    except (ItemcurveError, ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise record.refusal(f"its parts do not fit together ({error})") from error


def _unpack(record: Record, arrays: dict[str, NDArray[Any]], fit: Any) -> PopulationFit:
    respondents, copies = fit.responses.shape
    items, groups = tuple(record.texts("items")), tuple(record.texts("groups"))
    terms = tuple(record.texts("covariates"))
    loose = tuple(frozenset(Role(name) for name in own) for own in record.content["loose"])
    shapes = {
        "codes": (respondents,),
        "moments": (4, len(groups)),
        "slopes": (2, len(terms)),
        "covariates": (respondents, len(terms)),
        "units": (2, len(terms)),
        "split": (2, copies),
    }
    for name, shape in shapes.items():
        kind = np.int64 if name in ("codes", "split") else np.float64
        found = arrays[name]
        if found.shape != shape or found.dtype != kind or not np.isfinite(found).all():
            raise record.refusal(f"the array {name!r} must be finite, of shape {shape}")
    split = SplitItems(arrays["split"][0], arrays["split"][1], loose)
    codes = GroupCodes(groups, arrays["codes"])
    _check(record, codes, split, len(items))
    return PopulationFit(
        fit,
        items,
        codes,
        GroupMoments(*arrays["moments"]),
        Covariates(terms, arrays["covariates"], *arrays["units"]),
        Slopes(*arrays["slopes"]),
        split,
        read_equal(record.texts("equal")),
        _density(record, arrays),
    )


def _density(record: Record, arrays: dict[str, NDArray[Any]]) -> AbilityDensity | None:
    if not record.has("density"):
        return None
    found = arrays["density"]
    is_right = found.ndim == 2 and len(found) == 3 and found.dtype == np.float64
    if not is_right or not np.isfinite(found).all() or (found[1:] < 0).any():
        raise record.refusal("its density of abilities is none")
    kind = record.text("density")
    read_density(kind)
    return AbilityDensity(kind, *found)


def _check(record: Record, codes: GroupCodes, split: SplitItems, n_items: int) -> None:
    count = len(codes.names)
    is_right = (
        count > 0
        and bool(((codes.codes >= 0) & (codes.codes < count)).all())
        and bool(((split.groups >= EVERYONE) & (split.groups < count)).all())
        and len(split.loose) == len(split.items)
        and set(split.items.tolist()) == set(range(n_items))
    )
    if not is_right:
        raise record.refusal("its groups or the items of each are not those of the fit")
