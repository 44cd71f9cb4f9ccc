"""A task of Inspect whose answers are known beforehand; run as a script, it can be killed."""

import os
import sys
from pathlib import Path

import numpy as np
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import solver

import itemcurve as ic
from itemcurve.inspect import adaptive

ITEMS, ABILITY = 300, 0.7
_RNG = np.random.default_rng(0)
DIFFICULTY = _RNG.normal(0, 1, ITEMS)
DISCRIMINATION = np.exp(_RNG.normal(0, 0.3, ITEMS))
CHANCES = 1 / (1 + np.exp(-DISCRIMINATION * (ABILITY - DIFFICULTY)))
IS_RIGHT = _RNG.random(ITEMS) < CHANCES
BANK = ic.Bank.from_parameters(
    "2pl",
    items=[f"q{k}" for k in range(ITEMS)],
    discrimination=DISCRIMINATION,
    difficulty=DIFFICULTY,
)


class BrokenError(Exception):
    """What a solver fails with."""


@solver
def student(asked, fails_at=None, ends_at=None):
    """Answer as the table says; note every id; fail, or end the process, at the n-th."""

    async def solve(state, generate):
        if len(asked) == ends_at:
            os._exit(9)
        if len(asked) == fails_at:
            raise BrokenError
        asked.append(state.sample_id)
        word = "right" if IS_RIGHT[int(state.sample_id[1:])] else "wrong"
        state.output = ModelOutput.from_content("mockllm/model", word)
        return state

    return solve


def samples():
    return [Sample(id=f"q{k}", input=f"What is {k} + {k}?", target="right") for k in range(ITEMS)]


def arithmetic(asked, *, fails_at=None, ends_at=None, **settings):
    given = {"dataset": samples(), "solver": student(asked, fails_at, ends_at)}
    return Task(**given, scorer=match(), name="arithmetic", **settings)


class Noted(list):
    """Ids that are written to a file as they are asked."""

    def __init__(self, path):
        super().__init__()
        self.path = Path(path)

    def append(self, name):
        super().append(name)
        with self.path.open("a") as file:
            file.write(f"{name}\n")


@task
def noted(folder, ends_at=None, fails_at=None, batch=8, session=True):
    """The task of the tests that are killed or retried."""
    folder = Path(folder)
    inner = arithmetic(Noted(folder / "asked.txt"), ends_at=ends_at, fails_at=fails_at)
    kept = folder / "session.jsonl" if session else None
    rule = ic.stopping.ability_se(0.25)
    return adaptive(inner, BANK, rule, batch=batch, session=kept)


if __name__ == "__main__":
    from inspect_ai import eval as evaluate

    folder, ends_at = sys.argv[1], int(sys.argv[2])
    made = noted(folder, ends_at=None if ends_at < 0 else ends_at)
    logs = Path(folder) / "logs"
    evaluate(
        made, model="mockllm/model", log_dir=str(logs), display="none", max_samples=1, log_buffer=1
    )
