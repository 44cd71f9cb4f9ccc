"""Fixtures of itemcurve's own tests, and the studies as the command line finds them."""

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.cli.conftest import command
from tests.conftest import shared_data

from itemcurve.cli import installed_studies

__all__ = ["command", "shared_data"]

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


@pytest.fixture
def entry_points(monkeypatch) -> dict[str, EntryPoint]:
    """The entry points of this checkout, also where another one is installed, or none."""
    declared = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["entry-points"]
    group = installed_studies.GROUP
    points = {name: EntryPoint(name, value, group) for name, value in declared[group].items()}
    monkeypatch.setattr(installed_studies, "entry_points", lambda group: points.values())
    return points
