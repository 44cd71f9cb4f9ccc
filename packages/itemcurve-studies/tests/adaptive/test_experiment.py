from dataclasses import replace

import numpy as np
import pytest

from itemcurve.bank.item_bank import Bank
from itemcurve.datasets.dataset_table import load_dataset_table
from itemcurve_studies.adaptive.calibration import infer_unseen
from itemcurve_studies.adaptive.claims import judge_claims
from itemcurve_studies.adaptive.experiment import run_adaptive
from itemcurve_studies.adaptive.pictures import list_pictures
from itemcurve_studies.adaptive.sequences import find_convergence, run_sequences
from itemcurve_studies.adaptive.tables import list_tables


def test_the_convergence_point_is_the_first_from_which_errors_stay_near():
    assert find_convergence(np.array([0.2, 0.1, 0.104, 0.102])) == 2
    assert find_convergence(np.array([0.1, 0.2, 0.1])) == 3
    assert find_convergence(np.array([0.1, 0.1])) == 1


@pytest.fixture(scope="module")
def bank():
    return Bank.from_parameters(
        "fractional-2pl", discrimination=[0.5, 2.0, 1.0], difficulty=[0.0, 0.0, 0.0]
    )


def test_every_rule_asks_every_data_set_once(bank):
    values = np.full((2, 3, 1), 0.7)
    for rule, shape in (("fisher", (2, 1)), ("random", (2, 4)), ("combined", (1, 1))):
        found = run_sequences(bank, values, rule, 4)
        assert found.asked.shape == (*shape, 3)
        assert (np.sort(found.asked, axis=-1) == np.arange(3)).all()
        assert found.rmse.shape == (*shape, 4)
        assert found.converged.shape == shape


def test_information_asks_the_most_discriminating_first(bank):
    found = run_sequences(bank, np.full((1, 3, 1), 0.7), "kl", 1)
    assert found.asked[0, 0].tolist() == [1, 2, 0]


@pytest.fixture(scope="module")
def small_table():
    table = load_dataset_table()
    kept = slice(0, 60)
    return replace(
        table,
        datasets=table.datasets[kept],
        shapes=table.shapes[kept],
        values=table.values[:, :, kept],
        seconds=table.seconds[:, kept],
    )


def test_unseen_measurements_are_inferred_better_than_by_the_mean(small_table):
    found = infer_unseen(small_table, "auc", 1)
    assert all(errors[0] < found.sd for errors in found.rmse.values())
    assert 0 < found.floor < found.sd


@pytest.mark.slow
def test_the_study_judges_every_claim(small_table):
    study = run_adaptive(small_table, 2, 1, lambda line: None)
    assert judge_claims(study)["claim"].tolist() == [f"A{k}" for k in range(1, 14)]
    tables = list_tables(study)
    assert len(tables["table_4_convergence"]) == 6 * 3 * 4
    assert set(list_pictures(study)) >= {"figure_1_curves", "figure_2_agreement"}
