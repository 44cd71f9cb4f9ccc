"""Tables of Weights & Biases: the real package, offline, where it is installed."""

import json
import sys

import pytest
from tests.exchange.examples import make_fit

import itemcurve as ic
from itemcurve.errors import MissingExtraError, ModelError


def test_without_wandb_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(MissingExtraError, match=r"itemcurve\[wandb\]"):
        ic.exchange.log_to_wandb(make_fit())


@pytest.mark.filterwarnings("ignore")
def test_tables_and_numbers_reach_a_run(tmp_path):
    wandb = pytest.importorskip("wandb", reason="wandb is not installed")
    with pytest.raises(ModelError, match="none is active"):
        ic.exchange.log_to_wandb(make_fit())
    fit = make_fit()
    with wandb.init(mode="offline", dir=str(tmp_path), project="p") as run:
        ic.exchange.log_to_wandb(fit)
        assert run.summary["itemcurve/org/model-3/ability"] == fit.estimates.abilities[3]
    (path,) = tmp_path.rglob("respondents_*.table.json")
    table = json.loads(path.read_text("utf-8"))
    assert table["columns"] == list(fit.respondents.columns)
    assert [row[1] for row in table["data"]] == fit.estimates.abilities.tolist()
