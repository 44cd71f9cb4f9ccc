"""Numbers for people, in the page's text and in its script."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from itemcurve.reports.drawings import nice_ticks
from itemcurve.reports.embedding import pack_shares
from itemcurve.reports.numbers import round_number, write_number, write_share, write_tick

FRONT_END = Path(__file__).parents[2] / "frontend"
CASES = {
    0.0625: "0.063",
    -0.0625: "-0.063",
    0.1475: "0.147",
    12.345: "12.35",
    123.45: "123.5",
    12345.678: "12,345.7",
    0.00012345: "1.2e-4",
    -2612345.5: "-2.6e6",
    1234567: "1,234,567",
    0: "0",
    1: "1",
    float("nan"): "–",
    float("inf"): "–",
}


@pytest.mark.parametrize("value", CASES)
def test_numbers_have_the_digits_that_matter(value):
    assert write_number(value) == CASES[value]


def test_the_script_writes_numbers_alike():
    if shutil.which("node") is None or not (FRONT_END / "node_modules").is_dir():
        pytest.skip("what builds the bundle is not installed: `npm ci` in frontend/, or .ci/node")
    numbers = [value for value in CASES if value == value and abs(value) != float("inf")]
    ticks = [0.2, -1.0, 2000.0, 1e-7, 0.0, 2.5e6]
    ends = [[0.0, 1.0], [-3.2, 4.1], [0.001, 0.0042], [-4000, 100]]
    code = f"""
        import {{ buildSync }} from "esbuild";
        const source = {{ entryPoints: ["src/parts/numbers.ts"], format: "esm", write: false }};
        const text = buildSync(source).outputFiles[0].text;
        const own = await import("data:text/javascript," + encodeURIComponent(text));
        console.log(JSON.stringify([{numbers}.map(own.writeNumber), {ticks}.map(own.writeTick),
            {ends}.map(([low, high]) => own.niceTicks(low, high))]));
    """
    command = ["node", "--input-type=module", "-e", code]
    done = subprocess.run(command, cwd=FRONT_END, check=True, capture_output=True, text=True)
    written, marks, steps = json.loads(done.stdout)
    assert written == [CASES[value] for value in numbers]
    assert marks == [write_tick(value) for value in ticks]
    for (low, high), found in zip(ends, steps, strict=True):
        assert found == pytest.approx(nice_ticks(low, high))


def test_shares_are_never_certain_when_they_are_not():
    assert write_share(0.99999) == "over 99.9\xa0%"
    assert write_share(1e-9) == "under 0.1\xa0%"
    assert write_share(0.954) == "95.4\xa0%"


def test_what_is_no_number_becomes_nothing():
    assert round_number(float("nan")) is None
    assert round_number(3.0) == 3
    assert round_number(0.1234567) == 0.123457


def test_shares_are_packed_as_differences():
    import numpy as np

    assert list(pack_shares(np.array([[0.0, 0.5, 0.25]]), 4)) == [0, 2, 255]
    assert list(pack_shares(np.array([[1.0, 0.0]]), 4095)) == [255, 1, 15, 240]
