"""Respondents on the workers of a Dask cluster: a fit is that of one process."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError
from itemcurve.responses.blocks import scanning

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(scanning, "_BLOCK_BYTES", 400)
    responses = ic.simulate("2pl", respondents=900, items=30, seed=1).responses
    responses.write_blocks(tmp_path / "complete")
    table = responses.array()
    table[np.random.default_rng(2).random(table.shape) < 0.3] = np.nan
    ic.Responses.from_array(table).write_blocks(tmp_path / "gaps")
    return tmp_path


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["complete", "gaps"])
def test_a_fit_is_that_of_one_process(client, folder, name):
    alone = ic.Responses.scan(folder / name)
    assert len(list(alone.blocks())) > 8
    method = ic.Marginal(ability_errors="total", tolerance=1e-12)
    expected = ic.fit(alone, method=method)
    found = ic.fit(alone.persist(client), method=method)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-12)
    for table in ("items", "respondents"):
        own, other = getattr(found, table), getattr(expected, table)
        for column in own.select_dtypes(float):
            np.testing.assert_allclose(own[column], other[column], atol=1e-9, err_msg=column)


def test_responses_in_memory_are_not_kept_by_workers():
    with pytest.raises(ResponsesError, match=r"are in memory.*write_blocks"):
        ic.Responses.from_array(np.ones((3, 4))).persist(object())


def test_only_a_client_has_workers(folder):
    with pytest.raises(ResponsesError, match=r"given is a str.*distributed\.Client"):
        ic.Responses.scan(folder / "complete").persist("tcp://10.0.0.1")
