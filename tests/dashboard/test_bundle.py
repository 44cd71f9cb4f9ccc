"""The bundle: small, without eval, and what its source gives."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from itemcurve.dashboard.bundle import SCRIPT, STYLE, frozen_page, live_page, read_asset

ROOT = Path(__file__).parents[2]
FRONT_END = ROOT / "frontend"


def test_it_is_small_and_loads_nothing():
    script, style = read_asset(SCRIPT), read_asset(STYLE)
    assert len(script.encode()) + len(style.encode()) < 400_000
    assert not re.search(r"\beval\(|new Function|import\(|</script", script)
    addresses = set(re.findall(r"https?://[\w./]+", script + style))
    assert {address.split("/")[2] for address in addresses} <= {"www.w3.org"}
    assert "@import" not in style
    assert "url(" not in style


def test_pages_have_nothing_inline_but_what_the_policy_names():
    assert "<style" not in live_page()
    assert live_page().count("<script") == live_page().count('<script type="module" src=') == 1
    page = frozen_page("Mine & <yours>", {"data-run": "QUJD"})
    assert "<title>Mine &amp; &lt;yours&gt;</title>" in page
    assert "default-src 'none'" in page
    assert "unsafe" not in page.split("<style>")[0]


def test_the_lock_names_no_host():
    text = (FRONT_END / "package-lock.json").read_text("utf-8")
    assert "resolved" not in text
    assert not re.search(r"https?://(?!opencollective|github|tidelift)", text)


def test_the_source_gives_the_bundle_byte_by_byte(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("there is no node; .ci/node installs it where it may")
    if not (FRONT_END / "node_modules").is_dir():
        pytest.skip("what builds the bundle is not installed: `npm ci` in frontend/, or .ci/node")
    command = ["node", "build.mjs", str(tmp_path)]
    subprocess.run(command, cwd=FRONT_END, check=True, timeout=120)
    for name in (SCRIPT, STYLE):
        assert (tmp_path / name).read_text("utf-8") == read_asset(name), (
            f"{name} is not what frontend/ gives: run `npm run build` there"
        )


def test_the_source_has_no_type_errors():
    checker = FRONT_END / "node_modules" / "typescript" / "bin" / "tsc"
    if shutil.which("node") is None or not checker.is_file():
        pytest.skip("TypeScript is not installed: `npm ci` in frontend/, or .ci/node")
    done = subprocess.run(
        ["node", str(checker), "--noEmit"],
        cwd=FRONT_END,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
