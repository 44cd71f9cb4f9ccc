"""`itemcurve.toml`: an evaluation written down."""

import json

import pytest
from sklearn.datasets import load_iris

from itemcurve.cli.options.config_file import read_config
from itemcurve.errors import EvaluationError

SETTINGS = """
data = "iris.csv"
target = "species"
models = ["Naive Bayes", "Decision tree", "Nearest neighbours"]
response = "correct"
cv = 3
jobs = 1
drop = "target"
output = "run"
export = ["leaderboard.md"]
"""


@pytest.fixture(name="folder")
def settings_and_data(tmp_path):
    data = load_iris(as_frame=True)
    frame = data.frame.assign(species=[data.target_names[k] for k in data.target])
    frame.to_csv(tmp_path / "iris.csv", index=False)
    (tmp_path / "itemcurve.toml").write_text(SETTINGS)
    (tmp_path / "elsewhere").mkdir()
    return tmp_path


def test_one_command_repeats_an_evaluation(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    outcome = command("evaluate")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Settings are those of itemcurve.toml." in outcome.out
    assert "Leaderboard (3 of 3)" in outcome.out
    first = (folder / "leaderboard.md").read_text()
    assert command("evaluate").out == outcome.out
    assert (folder / "leaderboard.md").read_text() == first
    assert (folder / "run" / "run.json").is_file()


def test_options_come_before_the_file_and_paths_from_its_folder(command, folder, monkeypatch):
    monkeypatch.chdir(folder / "elsewhere")
    given = ("--config", "../itemcurve.toml", "--pool", "Naive Bayes; AdaBoost", "--json")
    found = json.loads(command("evaluate", *given).out)
    assert found["shape"] == {"items": 150, "respondents": 2}
    assert (folder / "run").is_dir()
    assert list((folder / "elsewhere").iterdir()) == []


def test_a_table_that_is_named_is_evaluated_without_the_file(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    outcome = command("evaluate", "wine", "--pool", "random:3", "--jobs", 1)
    assert "Settings are" not in outcome.out
    assert not (folder / "run").exists()
    again = command(
        "evaluate", "wine", "--config", "itemcurve.toml", "--target", "target", "--drop", "hue"
    )
    assert "cross-validation, 3 folds, 178 rows" in again.out


def test_an_audit_reads_the_same_file(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    found = json.loads(command("audit", "--json").out)
    assert len(found["audit"]) == 150
    assert not (folder / "run").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("targt = 'y'", "Did you mean 'target'"),
        ("cv = 'five'", "cv in itemcurve.toml must be a whole number; given is 'five'"),
        ("cv = true", "must be a whole number"),
        ("target = label", "must be written in TOML"),
        ("[models]\na = 1", "models in itemcurve.toml must be text or a list"),
    ],
)
def test_what_cannot_be_read_says_what_to_write(tmp_path, text, said):
    path = tmp_path / "itemcurve.toml"
    path.write_text(text)
    with pytest.raises(EvaluationError, match=said):
        read_config(path)


def test_a_file_that_is_not_there_is_told(command, tmp_path):
    outcome = command("evaluate", "--config", tmp_path / "none.toml")
    assert outcome.code == 2
    assert "there is no file" in outcome.err


def test_failures_of_ones_own_models_are_printed_and_not_warned_of(command, folder):
    (folder / "failing_models_of_a_test.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Bad(GaussianNB):\n"
        "    def fit(self, X, y):\n"
        "        raise RuntimeError('out of luck')\n"
        "pool = {'good': GaussianNB(), 'also': GaussianNB(var_smoothing=0.1), 'bad': Bad()}\n"
    )
    pool = f"{folder / 'failing_models_of_a_test.py'}:pool"
    outcome = command("evaluate", "iris", "--pool", pool, "--jobs", 1)
    assert (outcome.code, outcome.err) == (0, "")
    assert "Left out bad: RuntimeError: out of luck" in outcome.out
