import numpy as np
import pandas as pd
import pytest

from itemcurve_studies.beta3 import data as beta3_data
from itemcurve_studies.beta3.ability_claims import list_ability_claims
from itemcurve_studies.beta3.data import draw_clusters, draw_digits, draw_moons
from itemcurve_studies.beta3.item_claims import list_item_claims
from itemcurve_studies.beta3.reproduction import reproduce_beta3
from itemcurve_studies.beta3.settings import QUICK, Beta3Settings
from itemcurve_studies.beta3.students.claims import list_student_claims
from itemcurve_studies.beta3.tables import SHORT, correlate, list_tables, rank_area

WAYS = ("published", "log-loss", "log-loss joint")
LEVELS = (0.0, 0.2, 0.4, 0.5)


@pytest.fixture(scope="module")
def raw():
    """Rows in which every claim on items and abilities is true by construction."""
    rng = np.random.default_rng(0)
    items, respondents, detection = [], [], []
    names = [*SHORT, "Constant 0.5", "Always positive", "Always negative"]
    for data in ("moons", "clusters", "mnist"):
        for way in WAYS:
            for noise in LEVELS:
                keys = {"data": data, "seed": 0, "noise": noise, "way": way}
                for place, name in enumerate(names):
                    ability = 0.9 - 0.06 * place + 0.001 * rng.random()
                    # Good accuracy and nothing else, as boosted stumps have.
                    accuracy = (0.9 if name == "AdaBoost" else 0.8 - 0.01 * place) * (1 - noise)
                    respondents.append(
                        {
                            **keys,
                            "respondent": name,
                            "ability": np.log(ability / (1 - ability)),
                            "ability_01": ability,
                            "mean_response": ability,
                            "accuracy": accuracy,
                            "f1": accuracy,
                            "brier": 1 - accuracy,
                            "log_loss": 1 - accuracy,
                            "auc": accuracy,
                        }
                    )
                if noise <= 0.2:
                    items.append(_items(keys, noise))
    for way in WAYS:
        for place, recall in (("test", 0.9), ("both", 0.4)):
            row = {"way": way, "place": place, "noise": 0.2, "precision": recall, "recall": recall}
            detection += [row, row]
    return {
        "items": pd.concat(items, ignore_index=True),
        "respondents": pd.DataFrame(respondents),
        "detection": pd.DataFrame(detection),
    }


def _items(keys, noise):
    distance = np.linspace(0.1, 2, 50)
    flipped = (np.arange(50) % 5 == 0) & (noise > 0)
    difficulty = 0.45 - 0.1 * distance
    sign = np.where(flipped, -1, 1)
    return pd.DataFrame(
        {
            "flipped": flipped,
            "distance": distance,
            "line_distance": distance,
            "mean_response": 0.5 + 0.2 * sign,
            "difficulty": difficulty,
            "discrimination": sign * distance,
            "probability_negative": flipped.astype(float),
            "fixed_difficulty": np.where(flipped, 0.8, 0.2),
        }
    ).assign(**keys)


def test_claims_that_are_true_by_construction_hold(raw):
    claims = [*list_item_claims(raw), *list_ability_claims(raw)]
    verdicts = {claim.claim: claim.verdict for claim in claims}
    for name in ("B1", "B2", "B7", "B8", "B9", "B10", "B11", "B12", "B17"):
        assert verdicts[name] == "holds", name
    # The highest ability has the highest average response here.
    assert verdicts["B16"] == "holds in part"


def test_claims_without_data_cannot_be_tested(raw):
    small = {name: raw[name][raw[name]["data"] != "mnist"] for name in ("items", "respondents")}
    claims = [*list_item_claims(small), *list_ability_claims(small), *list_student_claims(small)]
    untested = {claim.claim for claim in claims if claim.verdict == "cannot be tested"}
    assert untested == {"B3", "B4", "B5", "B6", *(f"B{n}" for n in (9, 10, 11, 12, 13, 14, 15))}
    assert all(claim.cause for claim in claims if claim.claim in untested)


def test_losses_are_negated_before_ranks_are_correlated(raw):
    table = correlate(raw["respondents"], "mnist")
    row = table[(table["first"] == "accuracy") & (table["second"] == "brier")]
    assert row["mean"].tolist() == pytest.approx([1.0] * len(WAYS))


def test_tables_hold_nine_classifiers_and_every_figure(raw):
    tables = list_tables(raw)
    assert set(tables["table_2_metrics"]["respondent"]) == set(SHORT)
    assert {"figure_5_detection", "figure_8_abilities", "table_3_correlations"} < set(tables)


def test_the_area_under_the_curve_counts_pairs_in_order():
    marked = np.array([True, True, False, False])
    assert rank_area(np.array([4.0, 2.0, 3.0, 1.0]), marked) == 0.75
    assert np.isnan(rank_area(np.ones(2), np.zeros(2, dtype=bool)))


def test_distances_are_those_from_the_boundary():
    clusters, moons = draw_clusters(0), draw_moons(0)
    on_line = np.abs(clusters.X_test.sum(axis=1) - 4) / np.sqrt(2)
    np.testing.assert_allclose(clusters.distance, on_line)
    # The end (1, 0) of the outer moon lies 0.5 above the lowest point of the inner one.
    assert moons.distance.min() == pytest.approx(0.25, abs=0.01)


def test_digits_are_balanced_and_scaled(tmp_path):
    folder = tmp_path / "data" / "core"
    folder.mkdir(parents=True)
    pixels = {f"p{i}": np.arange(60) for i in range(4)}
    table = pd.DataFrame({**pixels, "target": np.tile([3, 5, 7], 20)})
    for name in beta3_data.MNIST_FILES:
        table.to_csv(folder / name, index=False)
    case = draw_digits(tmp_path, 0, (3, 5), (20, 10))
    assert (case.X_train.shape, case.X_test.shape) == ((20, 4), (10, 4))
    assert (case.y_test.mean(), case.y_train.mean()) == (0.5, 0.5)
    assert case.X_test.max() <= 1


def test_the_quick_form_is_a_small_part_of_the_full_one():
    full = Beta3Settings()
    assert set(QUICK.levels) < set(full.levels)
    assert set(QUICK.pairs) < set(full.pairs)


@pytest.mark.slow
def test_the_study_runs_without_any_data_and_resumes(tmp_path, monkeypatch):
    monkeypatch.setattr(beta3_data, "SYNTHETIC_SIZE", 60)
    lines = []
    given = {"quick": True, "report": lines.append, "work": tmp_path / "work"}
    first = reproduce_beta3(tmp_path / "none", **given)
    assert first.notes["levels"] == str(LEVELS)
    assert any("MNIST is skipped" in line for line in lines)
    assert first.tables["claims"]["claim"].tolist() == [f"B{n}" for n in range(1, 18)]
    again = reproduce_beta3(tmp_path / "none", **given)
    pd.testing.assert_frame_equal(again.tables["claims"], first.tables["claims"])
    first.save(tmp_path / "out")
    assert (tmp_path / "out" / "figure_8_moons.png").exists()
    assert (tmp_path / "out" / "claims.md").read_text().count("\n") == 2 + 17
