"""Banks to give away: a file for the bank, and its card beside it."""

import os
from pathlib import Path

from itemcurve.adaptive.session_folder import SessionFolder
from itemcurve.bank.item_bank import Bank
from itemcurve.bank.saved_bank import bank_content, unpack_bank
from itemcurve.errors import StorageError
from itemcurve.estimation.result import FitResult
from itemcurve.exchange.bank_card import BankCard
from itemcurve.models.serialisation import Record
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.disk import make_folders
from itemcurve.storage.json_documents import pack_json, unpack_json

_SUFFIX = ".card.json"
_LARGEST = 2**20


def save_bank(source: FitResult | Bank, card: BankCard, folder: str | os.PathLike[str]) -> Path:
    """Write `bank-<hash>.json`, as sessions keep banks, and `bank-<hash>.card.json` beside it.

    Returns
    -------
    The path of the card, by which `load_bank` reads both.
    """
    bank = source.bank if isinstance(source, FitResult) else source
    card.check(bank)
    target = Path(folder)
    make_folders(target)
    SessionFolder(target).keep_content("bank", bank.mark, lambda: bank_content(bank))
    path = target / f"bank-{bank.mark}{_SUFFIX}"
    write_bytes(path, pack_json(card.document(), "the card"))
    return path


def load_bank(path: str | os.PathLike[str]) -> tuple[Bank, BankCard]:
    """Read a bank and its card, checked against one another; safe on files from strangers.

    Parameters
    ----------
    path : of the card, or of a folder that holds one.
    """
    file = _find_card(Path(path))
    if file.stat().st_size > _LARGEST:
        raise StorageError("A card is short;", f"{str(file)!r} is not.", "Ask for another copy.")
    card = BankCard.from_document(unpack_json(file.read_bytes(), str(file)), repr(str(file)))
    content = SessionFolder(file.parent).read_content("bank", card.mark)
    bank = unpack_bank(Record(unpack_json(content, "the bank"), "the bank"))
    card.check(bank)
    return bank, card


def _find_card(path: Path) -> Path:
    found = [path] if path.is_file() else sorted(path.glob(f"*{_SUFFIX}"))
    if len(found) != 1:
        raise StorageError(
            "A bank is read by its card;",
            f"{str(path)!r} has {len(found)}.",
            "Name one of the files that end in .card.json.",
        )
    return found[0]
