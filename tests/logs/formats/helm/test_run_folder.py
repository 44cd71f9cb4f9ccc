"""HELM run folders, and the traps in them."""

from tests.logs.examples import helm_run, helm_stat, write

from itemcurve.logs.log_folder import read_logs


def read(folder):
    return read_logs(folder, cache=False)


def instance(name, *stats, **changes):
    return {"instance_id": name, "train_trial_index": 0, "stats": list(stats), **changes}


def test_bookkeeping_is_cost_and_not_a_score(tmp_path):
    stats = [
        helm_stat("num_prompt_tokens", 300),
        helm_stat("num_output_tokens", 5),
        helm_stat("inference_runtime", 1.5),
        helm_stat("max_prob", 0.9),
        helm_stat("finish_reason_stop", 1),
        helm_stat("exact_match", 1.0),
    ]
    helm_run(tmp_path, [instance("id1", *stats)])
    logs = read(tmp_path)
    assert [entry.measure.metric for entry in logs.measures] == ["exact_match"]
    assert logs.rows.cost.tolist() == [305]


def test_the_main_metric_is_that_of_the_scenario(tmp_path):
    stats = [helm_stat("exact_match", 0.0), helm_stat("f1_score", 0.5)]
    helm_run(tmp_path / "m", [instance("id1", *stats)])
    helm_run(tmp_path / "n", [instance("id1", *stats)], "narrative_qa:model=a", ["narrative_qa"])
    chosen = {choice.task: choice.metric for choice in read(tmp_path).choose()}
    assert chosen == {"mmlu:subject=law": "exact_match", "narrative_qa": "f1_score"}


def test_instance_ids_of_two_scenarios_are_different_items(tmp_path):
    for subject in ("law", "art"):
        name = f"mmlu:subject={subject},model=org_gpt"
        helm_run(tmp_path / subject, [instance("id1", helm_stat("exact_match", 1.0))], name)
    assert [item.task for item in read(tmp_path).items] == ["mmlu:subject=art", "mmlu:subject=law"]


def test_perturbations_are_filters_and_trials_are_repeats(tmp_path):
    stat = helm_stat("exact_match", 1.0)
    wrong = helm_stat("exact_match", 0.0)
    helm_run(
        tmp_path,
        [
            instance("id1", stat),
            instance("id1", wrong, train_trial_index=1),
            instance("id1", wrong, perturbation={"name": "typos"}),
        ],
    )
    logs = read(tmp_path)
    plain = logs.select(announce=False)
    assert plain.weight().toarray().tolist() == [[2.0]]
    assert plain.array().tolist() == [[0.5]]
    assert logs.select(filter="typos", announce=False).array().tolist() == [[0.0]]


def test_a_statistic_that_was_never_taken_is_missing(tmp_path):
    helm_run(
        tmp_path,
        [
            instance("id1", helm_stat("exact_match", None)),
            instance("id2", helm_stat("exact_match", 1)),
        ],
    )
    logs = read(tmp_path)
    assert logs.select().shape == (1, 1)
    assert logs.summary().measures[0].unscored == 1


def test_the_model_is_that_of_the_specification_and_not_of_the_folder(tmp_path):
    folder = tmp_path / "mmlu-subject=law,model=org_gpt"
    path = helm_run(folder, [instance("id1", helm_stat("exact_match", 1.0))])
    assert read(tmp_path).respondents == ("org/gpt",)
    (path.parent / "run_spec.json").unlink()
    note = next(n for n in read(tmp_path).files if n.path.endswith("per_instance_stats.json"))
    assert (note.status, "run_spec.json" in note.reason) == ("damaged", True)


def test_requests_that_failed_are_missing(tmp_path):
    path = helm_run(tmp_path, [instance("id1", helm_stat("exact_match", 0.0))])
    state = {"instance": {"id": "id1", "input": {"text": "q"}}, "result": {"success": False}}
    write(path.parent / "scenario_state.json", {"adapter_spec": {}, "request_states": [state]})
    logs = read(tmp_path)
    assert logs.summary().errors == {"mmlu:subject=law": 1}
    assert not logs.summary().measures


def test_public_releases_carry_their_scores_with_the_predictions(tmp_path):
    path = helm_run(tmp_path, [instance("id1", helm_stat("exact_match", 1.0))])
    shown = [{"instance_id": "id1", "predicted_text": "A", "stats": {"exact_match": 1.0}}]
    write(path.parent / "display_predictions.json", shown)
    both = read(tmp_path)
    assert both.rows.value.size == 1
    path.unlink()
    alone = read(tmp_path)
    assert alone.select().array().tolist() == [[1.0]]
    assert [item.name for item in alone.items] == [item.name for item in both.items]


def test_totals_by_split_are_compared(tmp_path):
    totals = [
        helm_stat("exact_match", 0.5),
        helm_stat("exact_match", 0.0, perturbation={"name": "r", "computed_on": "worst"}),
    ]
    instances = [instance(f"id{k}", helm_stat("exact_match", float(k))) for k in range(2)]
    instances.append(instance("id9", helm_stat("exact_match", 1.0, "valid")))
    helm_run(tmp_path, instances, totals=totals)
    logs = read(tmp_path)
    assert all(not note.reason for note in logs.files)
    assert logs.select(group="test").shape == (1, 2)
    assert logs.select().shape == (1, 3)
    helm_run(tmp_path, instances, totals=[helm_stat("exact_match", 0.75)])
    assert "reports 0.75" in str(read(tmp_path).summary())
