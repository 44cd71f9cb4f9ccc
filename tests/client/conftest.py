"""A service to be a client of."""

import pytest

pytest.importorskip("fastapi", reason="FastAPI is not installed")

from tests.running.http_service import HttpService

from itemcurve.service.settings import ServiceSettings
from itemcurve.store.data_folder import open_store


@pytest.fixture
def running(tmp_path):
    store = open_store(tmp_path / "store")
    service = HttpService(store, ServiceSettings())
    yield service
    service.stop()
    store.close()
