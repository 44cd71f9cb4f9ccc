"""What `import itemcurve` costs, and where its version is written."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

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
