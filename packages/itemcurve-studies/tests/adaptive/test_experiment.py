"""A small run of the whole study."""

import pytest

from itemcurve_studies.adaptive.claims import judge_claims
from itemcurve_studies.adaptive.experiment import run_adaptive
from itemcurve_studies.adaptive.pictures import list_pictures
from itemcurve_studies.adaptive.tables import list_tables


@pytest.mark.slow
def test_the_study_judges_every_claim(small_table):
    study = run_adaptive(small_table, 2, 1, lambda line: None)
    assert judge_claims(study)["claim"].tolist() == [f"A{k}" for k in range(1, 14)]
    tables = list_tables(study)
    assert len(tables["table_4_convergence"]) == 6 * 3 * 4
    assert set(list_pictures(study)) >= {"figure_1_curves", "figure_2_agreement"}
