"""Records of Every Eval Ever."""

from tests.logs.examples import write, write_lines

from itemcurve.logs.log_folder import read_logs


def read(folder, columns=None):
    return read_logs(folder, columns=columns, cache=False)


def eee_sample(name, **evaluation):
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "e",
        "model_id": "org/model",
        "evaluation_name": "bench",
        "sample_id": name,
        "sample_hash": f"{hash(name) & 0xFFFF:064x}",
        "input": {"raw": name},
        "evaluation": evaluation,
        "token_usage": {"total_tokens": 17},
    }


def test_every_eval_ever_keeps_range_direction_and_errors(tmp_path):
    failed = eee_sample("c") | {"error": "timeout", "evaluation": None}
    lines = [eee_sample("a", score=20.0), eee_sample("b", score=None, is_correct=True), failed]
    write_lines(tmp_path / "u_samples.jsonl", lines)
    config = {"metric_name": "loss", "min_score": 0, "max_score": 100, "lower_is_better": True}
    entry = {"evaluation_name": "bench", "metric_config": config}
    write(tmp_path / "u.json", {"evaluation_id": "e", "evaluation_results": [entry]})
    logs = read(tmp_path)
    choice = logs.choose()[0]
    assert (choice.metric, choice.low, choice.high, choice.is_higher_better) == (
        "loss",
        0,
        100,
        False,
    )
    assert logs.select(announce=False).array().tolist() == [[20.0, 1.0]]
    assert logs.select(rescale=True, announce=False).array().tolist() == [[0.8, 0.99]]
    assert logs.summary().errors == {"bench": 1}
    assert logs.rows.cost.tolist() == [17.0] * 3
