"""What `import itemcurve` costs, and where its version is written."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import itemcurve

ROOT = Path(__file__).parents[1]


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, itemcurve; heavy = {'numpy', 'scipy', 'pandas', 'sklearn', 'jax', "
        "'matplotlib', 'importlib.metadata'} & set(sys.modules); "
        "print(', '.join(sorted(heavy)))"
    )
    # Without the site module, which may look at what else is installed.
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(itemcurve.__file__).parents[1])},
    )
    assert done.stdout.strip() == ""


def test_the_version_of_all_distributions_is_written_in_one_place():
    projects = [ROOT / "pyproject.toml", *ROOT.glob("packages/*/pyproject.toml")]
    places = set()
    for path in projects:
        project = tomllib.loads(path.read_text("utf-8"))
        assert project["project"]["dynamic"] == ["version"]
        places.add((path.parent / project["tool"]["hatch"]["version"]["path"]).resolve())
    (source,) = places
    written = re.findall(r'^__version__ = "(.+)"$', source.read_text("utf-8"), re.MULTILINE)
    assert written == [itemcurve.__version__]


def test_a_release_has_its_place_in_the_changelog_and_a_version_under_way_has_none():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[(.+?)\](?: - (.+))?$", text, re.MULTILINE)
    names = [name for name, _ in headings]
    assert names[0] == "Unreleased"
    assert all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", date) for _, date in headings[1:])
    is_released = "dev" not in itemcurve.__version__
    assert (itemcurve.__version__ in names) == is_released


@pytest.mark.parametrize("distribution", [".", "packages/itemcurve-studies"])
def test_the_same_files_give_the_same_wheel_whoever_builds_it(distribution, tmp_path):
    pytest.importorskip("hatchling", reason="builds wheels; in the group `test` of pyproject.toml")
    copy = tmp_path / "copy"
    for part in (".", distribution):
        shutil.copytree(
            ROOT / part / "src",
            copy / part / "src",
            ignore=shutil.ignore_patterns("__pycache__", ".*"),
            dirs_exist_ok=True,
        )
        for file in (ROOT / part).iterdir():
            if file.is_file() and not file.name.startswith("."):
                shutil.copy(file, copy / part)
    # Another place, other dates, other rights, another seed of hashes and another time zone.
    for path in copy.rglob("*"):
        os.utime(path, (1_600_000_000, 1_600_000_000))
        if path.is_file():
            path.chmod(0o600)
    wheels = []
    for start, changed in ((ROOT, {}), (copy, {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"})):
        out = tmp_path / f"wheel-{len(wheels)}"
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
        subprocess.run(
            command,
            cwd=start / distribution,
            env={**os.environ, **changed},
            check=True,
            capture_output=True,
        )
        wheels.append(next(out.glob("*.whl")).read_bytes())
    assert wheels[0] == wheels[1]
