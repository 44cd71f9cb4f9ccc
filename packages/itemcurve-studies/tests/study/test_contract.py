"""The protocol that all studies follow."""

import pandas
import pytest

from itemcurve.errors import ModelError
from itemcurve_studies.study.claims import Claim, claims_frame, judge
from itemcurve_studies.study.contract import Reproduction, RunOptions


def small(**settings):
    """A study that finds the options it was run with."""
    claim = Claim("C1", "it is so", "1", "2", judge(True))
    return Reproduction(
        run=lambda options: options,
        title="A study",
        tables=lambda found: {"seeds": pandas.DataFrame({"seeds": [found.seeds]})},
        claims=lambda found: claims_frame([claim]),
        notes=lambda found: {"options": found},
        **settings,
    )


def test_options_reach_the_experiment_and_everything_is_made_of_it(tmp_path):
    lines = []
    result = small(takes_rows=True)(tmp_path, seeds=3, rows=5, report=lines.append, work=tmp_path)
    assert result.notes["options"] == RunOptions(tmp_path, 3, 5, False, lines.append, tmp_path)
    assert list(result.tables) == ["seeds", "claims"]
    assert result.title == "A study"
    assert lines == ["1 holds"]


def test_quick_means_few_repetitions_unless_their_number_is_given(tmp_path):
    study = small(quick_seeds=2)
    assert study(tmp_path, quick=True, report=str).notes["options"].seeds == 2
    assert study(tmp_path, quick=True, seeds=7, report=str).notes["options"].seeds == 7
    assert study(tmp_path, report=str).notes["options"].seeds is None


def test_how_much_was_run_is_said_in_the_title(tmp_path):
    study = small(scope=lambda found: "all rows")
    assert study(tmp_path, report=str).title == "A study (all rows)"


def test_rows_are_refused_before_anything_runs(tmp_path):
    with pytest.raises(ModelError, match="Leave --rows out"):
        small()(tmp_path, rows=5)
