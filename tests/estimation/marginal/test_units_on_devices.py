"""Units on several devices, of one process or two, give the estimates of one device."""

import json
import os
import socket
import subprocess
import sys

import numpy as np
import pytest

import itemcurve as ic

pytest.importorskip("jax")

# 8 devices do not share 61 respondents evenly: five of them are on all.
FIT = """
import json, sys
import jax
devices, processes, rank, port = map(int, sys.argv[1:])
if processes > 1:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    address = f"127.0.0.1:{port}"
    jax.distributed.initialize(address, num_processes=processes, process_id=rank)
assert len(jax.devices()) == devices * processes
import itemcurve as ic
from itemcurve.numerics import engine
engine._WORTH_SHARING = 0
truth = ic.simulate("2pl", respondents=61, items=450, seed=1)
fit = ic.fit(truth.responses, "2pl", method=ic.Marginal(over="respondents"), engine="jax")
estimates = fit.estimates
print("found", json.dumps({
    "values": estimates.values.tolist(),
    "abilities": estimates.abilities.tolist(),
    "ability_errors": estimates.ability_errors.tolist(),
    "errors": estimates.item_errors["discrimination"].tolist(),
    "objective": estimates.objective_value,
}))
"""


def start(devices, processes, rank, port):
    env = dict(os.environ)
    env["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    env["JAX_PLATFORMS"] = "cpu"
    given = [str(number) for number in (devices, processes, rank, port)]
    command = [sys.executable, "-c", FIT, *given]
    return subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def read(process):
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors[-2000:]
    (line,) = [line for line in output.splitlines() if line.startswith("found ")]
    return json.loads(line.removeprefix("found "))


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def alone():
    """The same fit by NumPy."""
    truth = ic.simulate("2pl", respondents=61, items=450, seed=1)
    estimates = ic.fit(truth.responses, "2pl", method=ic.Marginal(over="respondents")).estimates
    return {
        "values": estimates.values,
        "abilities": estimates.abilities,
        "ability_errors": estimates.ability_errors,
        "errors": estimates.item_errors["discrimination"],
        "objective": estimates.objective_value,
    }


@pytest.mark.slow
@pytest.mark.parametrize(("devices", "processes"), [(8, 1), (1, 2), (3, 2)])
def test_devices_and_processes_find_what_one_finds(alone, devices, processes):
    port = free_port()
    running = [start(devices, processes, rank, port) for rank in range(processes)]
    for process in running:
        found = read(process)
        for name in ("values", "abilities", "ability_errors", "objective"):
            np.testing.assert_allclose(found[name], alone[name], rtol=1e-9, atol=1e-9)
        # Differences over steps of 1e-5 leave five digits less.
        np.testing.assert_allclose(found["errors"], alone["errors"], rtol=1e-6)
