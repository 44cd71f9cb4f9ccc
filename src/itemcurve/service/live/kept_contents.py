"""Banks and calibrations in memory, each once for all sessions and tenants."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from itemcurve.errors import StorageError
from itemcurve.storage.json_documents import unpack_json
from itemcurve.store.contents import find_holding, read_body
from itemcurve.store.database import Database

# What tests are made of is imported where it is used: the first page need not wait for it.
if TYPE_CHECKING:
    from itemcurve.adaptive.prediction.complete_responses import CompleteResponses
    from itemcurve.bank.item_bank import Bank


class KeptContents:
    """What was used last, and whatever a session in memory still needs.

    Parameters
    ----------
    most : how many are kept that no session needs.
    """

    def __init__(self, database: Database, most: int) -> None:
        self._database, self._most = database, most
        self._kept: OrderedDict[tuple[str, str], Any] = OrderedDict()
        # Sessions hold theirs: it is not read a second time beside the first.
        self._alive: WeakValueDictionary[tuple[str, str], Any] = WeakValueDictionary()
        self._lock = asyncio.Lock()

    async def get(self, tenant: str, kind: str, mark: str) -> Any:
        """Give a content that the tenant may use; None where there is none."""
        found = await asyncio.to_thread(self._database.read, find_holding(tenant, kind, mark))
        return None if found is None else await self.get_any(kind, mark)

    async def get_any(self, kind: str, mark: str) -> Any:
        """Give a content that a session of the tenant is about."""
        key = (kind, mark)
        found = self._alive.get(key)
        if found is None:
            # One at a time: reading a large bank twice at once would take twice the memory.
            async with self._lock:
                found = self._alive.get(key)
                if found is None:
                    found = await asyncio.to_thread(self._read, kind, mark)
                    self._alive[key] = found
        self._kept[key] = found
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return found

    def _read(self, kind: str, mark: str) -> Any:
        return _READERS[kind](self._database.read(read_body(kind, mark)), mark)


def prepare(bank: "Bank") -> "Bank":
    """Work out what the first question of a bank would have to wait for."""
    from itemcurve.adaptive.ability.ability_test import AdaptiveTest

    assert bank.mark
    test = AdaptiveTest(bank)
    item = test.next_item()
    assert item is not None
    for value in (0.0, 0.5, 1.0):
        try:
            test.record(item, value)
        except ValueError:
            continue
        assert test.stop_reason is None or len(bank) == 1
        break
    return bank


def read_bank(content: bytes) -> "Bank":
    """Read the bytes of a bank; safe on those of strangers."""
    from itemcurve.bank.saved_bank import unpack_bank
    from itemcurve.models.serialisation import Record

    return unpack_bank(Record(unpack_json(content, "the bank"), "the bank"))


def read_calibration(content: bytes) -> "CompleteResponses":
    """Read the bytes of a calibration; safe on those of strangers."""
    from itemcurve.adaptive.prediction.complete_responses import unpack_table
    from itemcurve.models.serialisation import Record

    return unpack_table(Record(unpack_json(content, "the calibration"), "the calibration"))


def check_names(names: Iterable[str]) -> None:
    """Refuse names that no answer could show: half of a surrogate pair has no UTF-8 form."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise StorageError(
                "Names must be text;", f"{name[:80]!a} is none.", "Change it and hand it in again."
            ) from None


def _known_calibration(content: bytes, mark: str) -> "CompleteResponses":
    found = read_calibration(content)
    # Known by its bytes: to write them all again for that takes a second where it is large.
    found.__dict__["content_mark"] = mark
    assert found.mark
    return found


_READERS: Mapping[str, Callable[[bytes, str], Any]] = {
    "bank": lambda content, mark: prepare(read_bank(content)),
    "calibration": _known_calibration,
}
