"""Every example in a docstring runs as printed."""

import doctest
import importlib
import pkgutil

import pytest

import itemcurve
import itemcurve_studies

MODULES = sorted(
    module.name
    for package in (itemcurve, itemcurve_studies)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run_as_printed(name, tmp_path, monkeypatch):
    # Some write files.
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    failures, _ = doctest.testmod(module)
    assert failures == 0
