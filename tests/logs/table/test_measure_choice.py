"""Which tasks and filters are taken, and how that is said."""

import pytest
from tests.logs.examples import (
    lm_eval_results,
    lm_eval_run,
    lm_eval_sample,
    write,
)

from itemcurve.errors import ResponsesError
from itemcurve.logs.log_folder import read_logs
from itemcurve.logs.table.measure_choice import describe_choices

SUBJECTS = ("algebra", "anatomy", "law", "physics")


def write_subjects(folder, names=tuple(f"toymmlu_{subject}" for subject in SUBJECTS)):
    for model in ("one", "two"):
        for name in names:
            samples = [
                lm_eval_sample(k, question=f"{name} {k}", acc=float(k % 2), acc_norm=1.0)
                for k in range(3)
            ]
            lm_eval_run(folder / model, samples, lm_eval_results(f"org/{model}"), name)
    return read_logs(folder, cache=False)


@pytest.mark.parametrize("name", ["toymmlu", "toymmlu_*", "toymmlu_[alp]*"])
def test_groups_and_patterns_name_all_their_tasks(tmp_path, name):
    logs = write_subjects(tmp_path)
    assert logs.select(name, announce=False).shape == (2, 12)


def test_a_task_is_itself_before_it_is_a_group(tmp_path):
    logs = write_subjects(tmp_path, ("toy", "toy_hard"))
    assert logs.select("toy", announce=False).shape == (2, 3)
    assert logs.select(("toy", "toy*"), announce=False).shape == (2, 6)


def test_an_unknown_task_is_refused_with_the_way_to_name_several(tmp_path):
    with pytest.raises(ResponsesError, match=r"unknown is 'mmlu'.*patterns as 'mmlu_\*'"):
        write_subjects(tmp_path).select("mmlu")


def test_many_tasks_are_announced_in_one_line_and_only_once(tmp_path, capsys):
    logs = write_subjects(tmp_path)
    logs.select()
    assert capsys.readouterr().err == (
        "Taking 4 tasks (toymmlu_algebra, toymmlu_anatomy, toymmlu_law, …): acc, 0 to 1 "
        "(also there: acc_norm)\n"
    )
    logs.select()
    assert capsys.readouterr().err == ""


def write_filters(folder, values):
    for model in ("one", "two"):
        samples = [
            lm_eval_sample(k, name, exact_match=value(k, model))
            for name, value in values.items()
            for k in range(3)
        ]
        lm_eval_run(folder / model, samples, lm_eval_results(f"org/{model}"))
    return read_logs(folder, cache=False)


def test_a_filter_by_which_all_models_have_nothing_right_gives_way_to_the_next(tmp_path, capsys):
    values = {
        "strict": lambda k, model: 0.0,
        "flexible": lambda k, model: float(k > 0 and model == "one"),
    }
    logs = write_filters(tmp_path, values)
    assert logs.select().means(axis=1).tolist() == [2 / 3, 0.0]
    assert "not exact_match, filter strict, which is 0 for all models" in capsys.readouterr().err
    assert logs.select(filter="strict", announce=False).means(axis=1).tolist() == [0.0, 0.0]


def test_where_no_filter_tells_models_apart_the_first_is_taken_and_that_is_said(tmp_path):
    logs = write_filters(tmp_path, {name: lambda k, model: 0.0 for name in ("strict", "flexible")})
    assert describe_choices(logs.choose()) == [
        "toy: exact_match, filter strict, 0 to 1; 0 for all models: it tells nobody apart "
        "(also there: exact_match, filter flexible)"
    ]


def test_a_filter_by_which_all_are_right_is_kept(tmp_path):
    values = {"strict": lambda k, model: 1.0, "flexible": lambda k, model: float(k > 0)}
    choice = write_filters(tmp_path, values).choose()[0]
    assert (choice.filter, choice.note) == ("strict", "")


def read(folder, columns=None):
    return read_logs(folder, columns=columns, cache=False)


def test_a_metric_that_is_not_there_is_refused_with_those_that_are(tmp_path):
    write(tmp_path / "a.csv", "respondent,item,value\nm1,q1,1\n")
    logs = read(tmp_path)
    with pytest.raises(ResponsesError, match="there are value"):
        logs.select(metric="acc")
    with pytest.raises(ResponsesError, match="unknown is 'b'"):
        logs.select(task="b")
    with pytest.raises(ResponsesError, match="Rescaling needs a range"):
        logs.select(rescale=True)
