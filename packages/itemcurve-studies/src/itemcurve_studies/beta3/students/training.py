"""Gradient descent on the log-loss, as the study of β³ trained both of its models on students.

Both predict σ(a(t − d)): 2PL-ND with t = θ and d = δ, β³ with the logits of θ and δ in (0, 1).
What differs is where training starts.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.beta3.students.answers import Answers

Start = Literal["counts", "reversed counts", "normal"]
Step = Literal["mean", "sum"]
STEPS, BATCH, RATE = 2500, 2000, 0.5
# The exponent of the rate 0.5 / t^β cannot be read in the paper.
EXPONENT = 0.5
_FEWEST, _FARTHEST = 0.5, 30.0


@dataclass(frozen=True, eq=False)
class Curves:
    """Abilities t, difficulties d and discriminations a, all on the logit scale."""

    abilities: NDArray[np.float64]
    difficulties: NDArray[np.float64]
    slopes: NDArray[np.float64]

    def logits(self, answers: Answers) -> NDArray[np.float64]:
        """a(t − d) of every answer."""
        gap = self.abilities[answers.students] - self.difficulties[answers.questions]
        return np.asarray(self.slopes[answers.questions] * gap)

    def log_loss(self, answers: Answers) -> float:
        """Mean cross-entropy of the scores against the curves, in nats."""
        z = np.clip(self.logits(answers), -_FARTHEST, _FARTHEST)
        return float((np.logaddexp(0.0, z) - answers.scores * z).mean())


def draw_start(
    answers: Answers, start: Start, shape: tuple[int, int], rng: np.random.Generator
) -> Curves:
    """Draw where training starts.

    Parameters
    ----------
    start : `"counts"`: θ ~ B(right, wrong) of the student, δ ~ B(right, wrong) of the question, as
        printed for β³, so that easy questions start out difficult; `"reversed counts"`: δ ~
        B(wrong, right); `"normal"`: θ, δ ~ N(0, 1), as for 2PL-ND. Always a ~ N(1, 1).
    """
    slopes = rng.normal(1.0, 1.0, size=shape[1])
    if start == "normal":
        return Curves(rng.normal(size=shape[0]), rng.normal(size=shape[1]), slopes)
    abilities = _draw_logits(answers.students, answers.scores, shape[0], rng)
    scores = answers.scores if start == "counts" else 1 - answers.scores
    return Curves(abilities, _draw_logits(answers.questions, scores, shape[1], rng), slopes)


def descend(
    answers: Answers, curves: Curves, step: Step, rng: np.random.Generator, steps: int = STEPS
) -> Curves:
    """Take steps of 0.5 / √t along the gradient over 2,000 answers each.

    Parameters
    ----------
    step : gradient of the `"mean"` of the losses of a batch, or of their `"sum"`.
    """
    found = Curves(*(values.copy() for values in vars(curves).values()))
    size = min(BATCH, len(answers))
    for time in range(1, steps + 1):
        chosen = rng.integers(len(answers), size=size)
        part = answers.take(chosen)
        rate = RATE / time**EXPONENT / (size if step == "mean" else 1)
        _move(found, part, rate)
    return found


def _move(curves: Curves, part: Answers, rate: float) -> None:
    gap = curves.abilities[part.students] - curves.difficulties[part.questions]
    slope = curves.slopes[part.questions]
    z = np.clip(slope * gap, -_FARTHEST, _FARTHEST)
    error = part.scores - 1 / (1 + np.exp(-z))
    count = len(curves.slopes)
    push = np.bincount(part.students, slope * error, len(curves.abilities))
    pull = np.bincount(part.questions, slope * error, count)
    turn = np.bincount(part.questions, gap * error, count)
    curves.abilities[:] += rate * push
    curves.difficulties[:] -= rate * pull
    curves.slopes[:] += rate * turn
    for values in (curves.abilities, curves.difficulties, curves.slopes):
        np.clip(values, -_FARTHEST, _FARTHEST, out=values)


def _draw_logits(
    groups: NDArray[np.int64], scores: NDArray[np.float64], count: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Logits of draws from B(right, wrong); without a right or a wrong answer there is no B."""
    right = np.bincount(groups, scores, count)
    wrong = np.bincount(groups, 1 - scores, count)
    drawn = rng.beta(np.maximum(right, _FEWEST), np.maximum(wrong, _FEWEST))
    drawn = np.clip(drawn, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(drawn) - np.log1p(-drawn))
