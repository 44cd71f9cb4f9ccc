"""Banks in memory, each once for all sessions and tenants."""

import asyncio
from collections import OrderedDict

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.bank.item_bank import Bank
from itemcurve.bank.saved_bank import unpack_bank
from itemcurve.models.serialisation import Record
from itemcurve.storage.json_documents import unpack_json
from itemcurve.store.contents import find_holding, read_body
from itemcurve.store.database import Database


class KeptBanks:
    """The banks used last.

    Parameters
    ----------
    most : how many are kept.
    """

    def __init__(self, database: Database, most: int) -> None:
        self._database, self._most = database, most
        self._banks: OrderedDict[str, Bank] = OrderedDict()
        self._lock = asyncio.Lock()

    async def get(self, tenant: str, mark: str) -> Bank | None:
        """Give a bank that the tenant may use; None where there is none."""
        found = await asyncio.to_thread(self._database.read, find_holding(tenant, "bank", mark))
        return None if found is None else await self.get_any(mark)

    async def get_any(self, mark: str) -> Bank:
        """Give a bank that a session of the tenant is about."""
        if mark in self._banks:
            self._banks.move_to_end(mark)
            return self._banks[mark]
        # One at a time: reading a large bank twice at once would take twice the memory.
        async with self._lock:
            if mark not in self._banks:
                self._banks[mark] = await asyncio.to_thread(self._read, mark)
                while len(self._banks) > self._most:
                    self._banks.popitem(last=False)
        return self._banks[mark]

    def _read(self, mark: str) -> Bank:
        content = self._database.read(read_body("bank", mark))
        return prepare(unpack_bank(Record(unpack_json(content, "the bank"), "the bank")))


def prepare(bank: Bank) -> Bank:
    """Work out what the first question of a bank would have to wait for."""
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
