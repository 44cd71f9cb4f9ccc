"""What `itemcurve pairs` can be asked for."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer


class TieChoice(StrEnum):
    """What becomes of ties."""

    MODEL = "model"
    HALF = "half"
    DROP = "drop"


class BadChoice(StrEnum):
    """What becomes of votes that both are bad."""

    TIE = "tie"
    DROP = "drop"


class OrderChoice(StrEnum):
    """Whether a side may have an advantage."""

    AUTO = "auto"
    YES = "yes"
    NO = "no"


class OwnChoice(StrEnum):
    """Whether judges or items have parameters of their own."""

    SAME = "same"
    OWN = "own"


class RepeatChoice(StrEnum):
    """What becomes of votes that repeat another."""

    REFUSE = "refuse"
    KEEP = "keep"
    FIRST = "first"


class PieceChoice(StrEnum):
    """What becomes of respondents that no vote links to the others."""

    REFUSE = "refuse"
    LARGEST = "largest"


@dataclass(frozen=True)
class VoteOptions:
    """As `fit_pairs` takes them."""

    style: Annotated[
        list[str] | None,
        typer.Option(
            help="Covariate that votes may follow, as length for the columns length_a and "
            "length_b; may be repeated."
        ),
    ] = None
    ties: Annotated[TieChoice, typer.Option(help="Estimated, half a vote each, or left out.")] = (
        TieChoice.MODEL
    )
    both_bad: Annotated[
        BadChoice, typer.Option(help="Whether 'both bad' counts as a tie or is left out.")
    ] = BadChoice.TIE
    order: Annotated[OrderChoice, typer.Option(help="Whether side a may have an advantage.")] = (
        OrderChoice.AUTO
    )
    judges: Annotated[
        OwnChoice, typer.Option(help="Whether each judge has its own discrimination.")
    ] = OwnChoice.SAME
    items: Annotated[
        OwnChoice, typer.Option(help="Whether each item has its own discrimination.")
    ] = OwnChoice.SAME
    prior: Annotated[
        float | None,
        typer.Option(help="Spread of strengths, as 2.0, that keeps those who won all finite."),
    ] = None
    repeats: Annotated[
        RepeatChoice, typer.Option(help="The same vote twice by one judge on one item.")
    ] = RepeatChoice.REFUSE
    pieces: Annotated[
        PieceChoice, typer.Option(help="Respondents that no vote links to the others.")
    ] = PieceChoice.REFUSE

    def settings(self) -> dict[str, Any]:
        """Give them as `fit_pairs` takes them."""
        orders: dict[str, Any] = {"auto": "auto", "yes": True, "no": False}
        return {
            "style": tuple(self.style or ()),
            "ties": self.ties.value,
            "both_bad": self.both_bad.value,
            "order": orders[self.order.value],
            "judges": self.judges.value,
            "items": self.items.value,
            "prior": self.prior,
            "repeats": self.repeats.value,
            "pieces": self.pieces.value,
        }
