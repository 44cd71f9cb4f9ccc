"""A card that says what a bank is: which items, on which scale, from whom, under what licence."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from itemcurve import __version__
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import StorageError
from itemcurve.estimation.result import FitResult
from itemcurve.logs.harness.item_index import ItemIndex
from itemcurve.logs.harness.next_samples import find_samples
from itemcurve.models.serialisation import Record

FORMAT = "itemcurve-bank-card-1"


@dataclass(frozen=True)
class BankCard:
    """What there is to know about a bank before it is used.

    Attributes
    ----------
    mark : SHA-256 of the bank itself: items, parameters and their covariances.
    models : names of the item response models, with the number of items of each.
    items : how many there are.
    ability_mean, ability_sd : of the population that the scale refers to.
    respondents : how many it was calibrated on; 0 where that is not known.
    lowest, highest : calibrated abilities; None where not known.
    scale : what a unit of ability means, in words.
    content : SHA-256 over the content of all items, in the order of their names; "" where unknown.
    tasks : that the items come from.
    method : how it was calibrated.
    licence : of the bank, as an SPDX identifier or in words.
    """

    mark: str
    models: dict[str, int]
    items: int
    ability_mean: float
    ability_sd: float
    respondents: int
    lowest: float | None
    highest: float | None
    scale: str
    content: str
    tasks: tuple[str, ...]
    method: str
    licence: str
    created: str
    version: str

    def check(self, bank: Bank) -> None:
        """Refuse a bank that this is not the card of."""
        if bank.mark != self.mark:
            raise StorageError(
                "A card and its bank belong together;",
                f"the card is of bank {self.mark[:12]}, this is {bank.mark[:12]}.",
                "Take both from the same folder.",
            )

    def check_items(self, index: ItemIndex, bank: Bank) -> None:
        """Refuse items whose content is not what the bank was calibrated on."""
        if self.content and hash_items(bank.items, index) != self.content:
            raise StorageError(
                "Items must have the content that the bank was calibrated on;",
                "their hash is another.",
                "Use the version of the benchmark that the card names, or calibrate anew.",
            )

    def document(self) -> dict[str, Any]:
        """Give the card as plain data."""
        return {"format": FORMAT, **asdict(self), "tasks": list(self.tasks)}

    @classmethod
    def from_document(cls, document: dict[str, Any], place: str) -> "BankCard":
        """Read a card, without trusting it."""
        record = Record(document, place)
        if document.get("format") != FORMAT:
            raise record.refusal(f"its format is not {FORMAT}")
        models = record.record("models")
        return cls(
            mark=record.text("mark"),
            models={name: models.whole(name, 0) for name in models.content},
            items=record.whole("items", 1),
            ability_mean=record.number("ability_mean"),
            ability_sd=record.number("ability_sd"),
            respondents=record.whole("respondents", 0),
            lowest=record.number("lowest") if record.has("lowest") else None,
            highest=record.number("highest") if record.has("highest") else None,
            scale=record.text("scale"),
            content=record.text("content"),
            tasks=tuple(record.texts("tasks")),
            method=record.text("method"),
            licence=record.text("licence"),
            created=record.text("created"),
            version=record.text("version"),
        )


def describe_bank(
    source: FitResult | Bank, *, licence: str, index: ItemIndex | None = None
) -> BankCard:
    """Write the card of a bank.

    Parameters
    ----------
    source : a fit, or a bank from elsewhere, of whose calibration nothing is known.
    licence : under which others may use it; the questions may have another one.
    index : which sample is which item, from `LogResponses.index()`; gives the hash of content.
    """
    fit = source if isinstance(source, FitResult) else None
    bank = source.bank if isinstance(source, FitResult) else source
    models: dict[str, int] = {}
    for part in bank.parts:
        models[part.model.name] = models.get(part.model.name, 0) + len(part.positions)
    abilities = None if fit is None else fit.estimates.abilities
    entries = () if index is None else find_samples(bank.items, index.entries)
    return BankCard(
        mark=bank.mark,
        models=models,
        items=len(bank),
        ability_mean=float(bank.ability_mean),
        ability_sd=float(bank.ability_sd),
        respondents=0 if fit is None else fit.responses.shape[0],
        lowest=None if abilities is None else float(abilities.min()),
        highest=None if abilities is None else float(abilities.max()),
        scale=(
            f"abilities of the calibrated population have mean {bank.ability_mean:.4g} and "
            f"standard deviation {bank.ability_sd:.4g}"
        ),
        content="" if index is None else hash_items(bank.items, index),
        tasks=tuple(dict.fromkeys(entry.task for entry in entries)),
        method="unknown" if fit is None else f"{fit.model}, {fit.objective}, {fit.status.name}",
        licence=licence,
        created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        version=__version__,
    )


def hash_items(items: Sequence[str], index: ItemIndex) -> str:
    """Give one hash for the content of items, whatever their order; "" where some is not known."""
    entries = find_samples(items, index.entries)
    if not all(entry.content for entry in entries):
        return ""
    lines = sorted(f"{entry.item}\t{entry.task}\t{entry.content}" for entry in entries)
    return sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()
