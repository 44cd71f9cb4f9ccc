"""How each tool fits the 2PL to the same array (respondents × items), and what is timed."""

from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchmarks.section import Options
from benchmarks.worker import Arrays, Outcome, run_apart

Array = NDArray[np.float64]
Responses01 = NDArray[np.int8]
# Repeat until this many runs or seconds, whichever comes first: slow tools run once.
RUNS, ENOUGH = 5, 8.0


@dataclass(frozen=True)
class Fitted:
    """What a tool returned, and the seconds of what is described in `INCLUDED`."""

    seconds: float
    discrimination: Array
    difficulty: Array
    abilities: Array
    converged: str


def fit_itemcurve(Y: Responses01, prior: str | None = "default") -> Fitted:
    import itemcurve

    started = perf_counter()
    responses = itemcurve.Responses.from_array(Y)
    result = itemcurve.fit(responses, "2pl", prior=prior, on_failure="ignore")
    seconds = perf_counter() - started
    return Fitted(
        seconds,
        result.items["discrimination"].to_numpy(float),
        result.items["difficulty"].to_numpy(float),
        result.respondents["ability"].to_numpy(float),
        "yes" if result.status.is_converged else "no",
    )


def fit_itemcurve_maximum_likelihood(Y: Responses01) -> Fitted:
    return fit_itemcurve(Y, prior=None)


def fit_mirt(Y: Responses01) -> Fitted:
    import mirt

    data = Y.astype(int)
    started = perf_counter()
    result = mirt.fit_mirt(data, model="2PL")
    scores = mirt.fscores(result, data, method="EAP")
    seconds = perf_counter() - started
    parameters = result.model.parameters
    return Fitted(
        seconds,
        np.ravel(parameters["discrimination"]),
        np.ravel(parameters["difficulty"]),
        np.ravel(scores.theta),
        "yes" if result.converged else "no",
    )


def fit_girth(Y: Responses01) -> Fitted:
    from girth import twopl_mml

    data = np.ascontiguousarray(Y.T.astype(int))
    started = perf_counter()
    result = twopl_mml(data)
    seconds = perf_counter() - started
    return Fitted(
        seconds,
        result["Discrimination"],
        result["Difficulty"],
        result["Ability"],
        "does not say",
    )


def fit_py_irt(Y: Responses01) -> Fitted:
    import pyro
    import torch
    from py_irt.config import IrtConfig
    from py_irt.dataset import Dataset
    from py_irt.training import IrtModelTrainer

    # Two threads of torch wait for each other: on a busy machine one is five times faster.
    torch.set_num_threads(1)
    pyro.set_rng_seed(1)
    data = _py_irt_dataset(Dataset, Y)
    started = perf_counter()
    with redirect_stdout(StringIO()):
        trainer = IrtModelTrainer(
            config=IrtConfig(model_type="2pl", priors="hierarchical"),
            data_path=None,
            dataset=data,
            verbose=False,
        )
        trainer.train(device="cpu")
    seconds = perf_counter() - started
    found = trainer.last_params
    slope, difficulty, abilities = (np.array(found[key]) for key in ("disc", "diff", "ability"))
    # Its scale of ability is free: move it to mean 0 and standard deviation 1, as in the truth.
    centre, spread = abilities.mean(), abilities.std()
    return Fitted(
        seconds,
        slope * spread,
        (difficulty - centre) / spread,
        (abilities - centre) / spread,
        "does not say",
    )


def _py_irt_dataset(dataset: Callable[..., object], Y: Responses01) -> object:
    rows, columns = (index.ravel().tolist() for index in np.indices(Y.shape))
    subjects = {str(i): i for i in range(Y.shape[0])}
    items = {str(j): j for j in range(Y.shape[1])}
    return dataset(
        item_ids=set(items),
        subject_ids=set(subjects),
        item_id_to_ix=items,
        ix_to_item_id={j: name for name, j in items.items()},
        subject_id_to_ix=subjects,
        ix_to_subject_id={i: name for name, i in subjects.items()},
        observation_subjects=rows,
        observation_items=columns,
        observations=Y.ravel().astype(float).tolist(),
        training_example=[True] * Y.size,
    )


ITEMCURVE_ML = "itemcurve, maximum likelihood"
ITEMCURVE = "itemcurve, default priors"
TOOLS: dict[str, Callable[[Responses01], Fitted]] = {
    ITEMCURVE_ML: fit_itemcurve_maximum_likelihood,
    ITEMCURVE: fit_itemcurve,
    "mirt 1.2.0 (PyPI)": fit_mirt,
    "girth 0.8.0": fit_girth,
    "py-irt 0.7.1": fit_py_irt,
}
MODULES = {"mirt 1.2.0 (PyPI)": "mirt", "girth 0.8.0": "girth", "py-irt 0.7.1": "py_irt"}
INCLUDED = """\
- itemcurve: reading the array, items and abilities, standard errors of both.
- mirt: `fit_mirt` with its default standard errors, then EAP abilities by `fscores`.
- girth: `twopl_mml` (items and EAP abilities; it has no standard errors).
- py-irt: `IrtModelTrainer.train`, 2,000 epochs on one thread, hierarchical priors, items and
  abilities, no standard errors; building its data set is not timed. Its scale was moved to
  abilities of mean 0 and standard deviation 1. (Its default priors, called vague, take about half
  the time but hold difficulties to N(0, 0.1²).)"""


def run_tool(arrays: Arrays) -> Mapping[str, ArrayLike]:
    """Fit with one tool, several times if that is quick; give the best time (runs apart)."""
    fit, Y = TOOLS[str(arrays["tool"])], arrays["Y"]
    runs = [fit(Y)]
    while len(runs) < RUNS and sum(run.seconds for run in runs) < ENOUGH:
        runs.append(fit(Y))
    return {**vars(runs[-1]), "seconds": min(run.seconds for run in runs), "runs": len(runs)}


def fit_apart(tool: str, Y: Responses01, options: Options) -> Outcome:
    """Fit with one tool in a process of its own; what is not installed is a failure in words."""
    is_py_irt = MODULES.get(tool) == "py_irt"
    python = options.py_irt_python if is_py_irt else None
    if tool in MODULES and python is None and find_spec(MODULES[tool]) is None:
        advice = ": requirements-py-irt.txt" if is_py_irt else ""
        return Outcome({}, f"not installed{advice}")
    return run_apart("benchmarks.tools:run_tool", {"tool": tool, "Y": Y}, options.limit, python)
