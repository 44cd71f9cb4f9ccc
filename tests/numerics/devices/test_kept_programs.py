"""Compiled programs on disk: written, found again, and never from a folder others can write to."""

import os
import subprocess
import sys

import pytest

from itemcurve.errors import StorageWarning
from itemcurve.numerics.devices.kept_programs import VARIABLE, keep_if_asked, keep_programs

jax = pytest.importorskip("jax")

FIT = """
import time
import itemcurve as ic
truth = ic.simulate("2pl", respondents=50, items=450, seed=1)
started = time.process_time()
ic.fit(truth.responses, "2pl", method=ic.Marginal(over="respondents"), engine="jax")
print(time.process_time() - started)
"""


@pytest.fixture
def unset(monkeypatch):
    """Settings of JAX as they were before, after the test."""
    names = (
        "jax_compilation_cache_dir",
        "jax_persistent_cache_min_compile_time_secs",
        "jax_persistent_cache_min_entry_size_bytes",
    )
    before = {name: getattr(jax.config, name) for name in names}
    jax.config.update("jax_compilation_cache_dir", None)
    yield monkeypatch
    for name, value in before.items():
        jax.config.update(name, value)


@pytest.mark.slow
def test_a_second_process_need_not_compile(tmp_path):
    env = {**os.environ, VARIABLE: str(tmp_path / "programs")}
    seconds = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", FIT], env=env, capture_output=True, text=True, check=True
        )
        seconds.append(float(done.stdout))
    assert len(list((tmp_path / "programs").iterdir())) > 5
    assert seconds[1] < 0.6 * seconds[0]


def test_nothing_is_kept_unless_asked(unset, tmp_path):
    unset.delenv(VARIABLE, raising=False)
    keep_if_asked()
    unset.setenv(VARIABLE, "0")
    keep_if_asked()
    assert jax.config.jax_compilation_cache_dir is None
    unset.setenv(VARIABLE, str(tmp_path / "own"))
    keep_if_asked()
    assert jax.config.jax_compilation_cache_dir == str(tmp_path / "own")
    assert (tmp_path / "own").stat().st_mode & 0o077 == 0


def test_the_users_cache_folder_is_the_default(unset, tmp_path):
    unset.setenv("XDG_CACHE_HOME", str(tmp_path))
    unset.setenv(VARIABLE, "1")
    keep_if_asked()
    assert jax.config.jax_compilation_cache_dir == str(tmp_path / "itemcurve" / "programs")


def test_a_folder_that_jax_knows_already_stays(unset, tmp_path):
    jax.config.update("jax_compilation_cache_dir", str(tmp_path))
    assert keep_programs(tmp_path / "other") == tmp_path
    assert not (tmp_path / "other").exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Permissions are those of POSIX.")
def test_a_folder_others_can_write_to_is_not_used(unset, tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    with pytest.warns(StorageWarning, match="others could write"):
        assert keep_programs(tmp_path / "shared") is None
    assert jax.config.jax_compilation_cache_dir is None
