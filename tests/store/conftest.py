"""A store on either database."""

import pytest

from itemcurve.store.data_folder import open_store
from itemcurve.store.tenants import add_tenant


@pytest.fixture
def store(database_url, tmp_path):
    opened = open_store(tmp_path / "store", database_url)
    for tenant in ("a", "b"):
        opened.database.write(add_tenant(tenant))
    yield opened
    opened.close()
