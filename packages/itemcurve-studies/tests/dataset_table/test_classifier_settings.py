"""The pool."""

from itemcurve_studies.dataset_table.classifier_settings import list_settings


def test_there_are_nine_algorithms_in_eight_settings_and_five_held_out():
    settings = list_settings()
    pool = [s.algorithm for s in settings if s.group == "pool"]
    assert len(settings) == 77
    assert [pool.count(name) for name in dict.fromkeys(pool)] == [8] * 9
    assert len({s.name for s in settings}) == 77
    assert len({repr(s.build(0)) for s in settings}) == 77
