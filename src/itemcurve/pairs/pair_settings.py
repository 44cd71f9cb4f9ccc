"""What a fit of votes is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, get_args

from itemcurve.errors import ModelError

Ties = Literal["model", "half", "drop"]
BothBad = Literal["tie", "drop"]
Own = Literal["same", "own"]
Errors = Literal["auto", "independent", "votes", "item", "judge", "item and judge"]
Pieces = Literal["refuse", "largest"]
OnFailure = Literal["warn", "raise", "ignore"]


@dataclass(frozen=True)
class PairSettings:
    """As `fit_pairs` takes them."""

    ties: Ties = "model"
    both_bad: BothBad = "tie"
    order: bool | Literal["auto"] = "auto"
    style: tuple[str, ...] = ()
    judges: Own = "same"
    items: Own = "same"
    reference: str | None = None
    prior: float | None = None
    errors: Errors = "auto"
    pieces: Pieces = "refuse"
    level: float = 0.9
    significance: float = 0.05
    max_iterations: int = 100

    def __post_init__(self) -> None:
        """Refuse what no fit can be made of."""
        for name, kind in (
            *(("ties", Ties), ("both_bad", BothBad), ("judges", Own), ("items", Own)),
            *(("errors", Errors), ("pieces", Pieces)),
        ):
            _check_choice(name, getattr(self, name), get_args(kind))
        _check_choice("order", self.order, (True, False, "auto"))
        for name in ("level", "significance"):
            value = getattr(self, name)
            if not 0 < value < 1:
                raise ModelError(
                    f"{name} must lie between 0 and 1;", f"given is {value}.", "Leave it out."
                )
        if self.prior is not None and not (self.prior > 0 and isfinite(self.prior)):
            raise ModelError(
                "prior is the spread of strengths, in logits, and more than 0;",
                f"given is {self.prior}.",
                "Use 2.0 if unsure, or leave it out for none.",
            )
        if self.max_iterations < 1:
            raise ModelError(
                "max_iterations must be 1 or more;", f"given is {self.max_iterations}.", "Use 100."
            )


def as_names(given: str | Sequence[str]) -> tuple[str, ...]:
    """Give one name, or several, as a tuple."""
    return (given,) if isinstance(given, str) else tuple(given)


def _check_choice(name: str, given: Any, known: tuple[Any, ...]) -> None:
    if not any(given is one or (isinstance(one, str) and given == one) for one in known):
        raise ModelError(
            f"{name} must be one of {', '.join(map(repr, known))};",
            f"given is {given!r}.",
            f"Use {known[0]!r} if unsure.",
        )
