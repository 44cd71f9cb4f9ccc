"""The frozen dashboard as a file: complete, closed, the same each time."""

import base64
import gzip
import json
import re

import html5lib
import numpy as np
import pytest
from tests.reports.conftest import HOSTILE

import itemcurve as ic
from itemcurve.cli.main import run as run_command
from itemcurve.dashboard.frozen_run import freeze
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def text(exam, tmp_path_factory):
    return freeze(exam, tmp_path_factory.mktemp("page") / "page.html").read_text("utf-8")


def held(text, name):
    found = re.search(f'id="{name}">([^<]*)<', text)
    return gzip.decompress(base64.b64decode(found[1]))


def test_it_is_valid_and_loads_nothing(text):
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    for element in tree.iter():
        assert element.get("src") is None
        assert not (element.get("href") or "data:").startswith(("http", "//", "file"))
    assert "default-src 'none'" in text
    assert HOSTILE not in text
    assert len(re.findall("</script>", text)) == 5


def test_answers_are_those_of_the_run(text, exam):
    fit, document = ic.load(exam), json.loads(held(text, "data-run"))
    layout = document["answers"]
    codes = np.frombuffer(held(text, "data-answers"), np.uint8).reshape(2, 40, 60)
    steps = codes[0] + 256.0 * codes[1]
    given = layout["lower"] + steps / layout["steps"] * layout["width"]
    table = {column["name"]: column["cells"] for column in document["items"]["columns"]}
    responses = fit.responses.select(layout["respondents"], table["item"]).array()
    np.testing.assert_allclose(given, responses.T)
    assert len(document["respondents"]) == 60
    assert len(document["cards"]["suspicions"]) == 40


def test_missing_answers_stay_missing(tmp_path):
    drawn = ic.simulate("2pl", respondents=30, items=6, seed=1, missing=0.3)
    fit = ic.fit(drawn.responses, "2pl")
    text = freeze(fit, tmp_path / "page.html").read_text("utf-8")
    codes = np.frombuffer(held(text, "data-answers"), np.uint8).reshape(2, -1)
    assert (codes == 255).all(axis=0).sum() == np.isnan(drawn.responses.array()).sum()


def test_the_same_run_gives_the_same_page(text, exam, tmp_path):
    assert freeze(exam, tmp_path / "again.html").read_text("utf-8") == text


def test_the_command_writes_it_and_refuses_what_is_wrong(exam, tmp_path, capsys):
    out = tmp_path / "new" / "page.html"
    wanted = ["report", str(exam), "--dashboard", "--title", "Mine & yours", "--out", str(out)]
    assert run_command(wanted) == 0
    assert "<title>Mine &amp; yours</title>" in out.read_text("utf-8")
    assert run_command(["report", str(tmp_path / "none"), "--dashboard"]) != 0
    assert "no folder" in capsys.readouterr().err
    with pytest.raises(ModelError, match="IRT123"):
        freeze(exam, out, mute=("IRT123",))
