"""How large the study is."""

from itemcurve_studies.beta3.settings import QUICK, Beta3Settings


def test_the_quick_form_is_a_small_part_of_the_full_one():
    full = Beta3Settings()
    assert set(QUICK.levels) < set(full.levels)
    assert set(QUICK.pairs) < set(full.pairs)
