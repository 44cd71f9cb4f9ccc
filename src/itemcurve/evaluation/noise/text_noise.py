"""Noise in texts: typing errors, letters in the wrong case, words that are lost."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from itemcurve.errors import EvaluationError

TextKind = Literal["typos", "replace", "case", "words"]
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WAYS = ("swap", "drop", "double", "replace")


@dataclass(frozen=True)
class TextNoise:
    """A perturbation of texts, for `robustness.system_curves(…, noise=TextNoise(0.05))`.

    Parameters
    ----------
    level : chance of each letter (of each word for `"words"`) to be touched, from 0 to 1.
    kind : `"typos"`: swapped with the next sign, dropped, doubled or replaced by another letter,
        each as likely; `"replace"`: another letter; `"case"`: the other case; `"words"`: dropped.

    Examples
    --------
    >>> import numpy as np
    >>> texts = np.array(["a plain sentence", "and another"], dtype=object)
    >>> TextNoise(0.0)(texts, texts, np.random.default_rng(0)).tolist()
    ['a plain sentence', 'and another']
    """

    level: float = 0.05
    kind: TextKind = "typos"

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        if not 0 <= self.level <= 1 or self.kind not in ("typos", "replace", "case", "words"):
            raise EvaluationError(
                "Noise in texts has a level from 0 to 1 and is typos, replace, case or words;",
                f"given are {self.level!r} and {self.kind!r}.",
                "Use TextNoise(0.05) for a typing error in every twentieth letter.",
            )

    def __call__(self, texts: Any, reference: Any, rng: np.random.Generator) -> Any:
        """Give the texts with noise; `reference`, the training texts, is not needed."""
        given = np.asarray(texts, dtype=object)
        if given.ndim != 1 or not all(isinstance(text, str) for text in given):
            raise EvaluationError(
                "Noise in texts needs one text per row;",
                f"given is an array of shape {given.shape}.",
                "Use perturb_features (a number as noise) for tables.",
            )
        noisy = np.empty(len(given), dtype=object)
        noisy[:] = [self._perturb(text, rng) for text in given]
        return noisy

    def _perturb(self, text: str, rng: np.random.Generator) -> str:
        if self.kind == "words":
            words = text.split(" ")
            return " ".join(w for w in words if rng.random() >= self.level)
        signs, place, found = list(text), 0, []
        while place < len(signs):
            sign = signs[place]
            if not sign.isalpha() or rng.random() >= self.level:
                found.append(sign)
            elif self._way(rng) == "swap" and place + 1 < len(signs):
                found += [signs[place + 1], sign]
                place += 1
            else:
                found.append(self._touch(sign, rng))
            place += 1
        return "".join(found)

    def _way(self, rng: np.random.Generator) -> str:
        return _WAYS[rng.integers(len(_WAYS))] if self.kind == "typos" else self.kind

    def _touch(self, sign: str, rng: np.random.Generator) -> str:
        """Drop, double or replace a letter, or change its case."""
        if self.kind == "case":
            return sign.swapcase()
        way = _WAYS[1 + rng.integers(3)] if self.kind == "typos" else "replace"
        if way == "drop":
            return ""
        if way == "double":
            return sign * 2
        others = [letter for letter in _LETTERS if letter != sign.lower()]
        letter = others[rng.integers(len(others))]
        return letter.upper() if sign.isupper() else letter
