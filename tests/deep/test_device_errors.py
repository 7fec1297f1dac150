"""What an accelerator refuses is told in one line, on a machine without one too."""

from __future__ import annotations

import logging
import signal
import sys
from importlib import import_module
from types import ModuleType

import pytest

import fogtree.deep.train as train_module
from fogtree.cli import main
from fogtree.deep.fitting import NumpyBackend
from fogtree.deep.train import train
from fogtree.errors import MemoryLimitError, OptionError
from tests.support.training import small

FULL = (
    "RESOURCE_EXHAUSTED: [0] Failed to load in-memory CUBIN (compiled for a different GPU?).: "
    "CUDA_ERROR_OUT_OF_MEMORY: out of memory"
)
CUDA = "jaxlib/cuda/versions_helpers.cc:135: operation cuInit(0) failed: CUDA_ERROR_OUT_OF_MEMORY"


class FakeDeviceError(RuntimeError):
    """In the place of JAX's own error."""


@pytest.fixture
def jax(monkeypatch):
    """A JAX without a device, in the place of the real one."""
    fake, errors = ModuleType("jax"), ModuleType("jax.errors")
    errors.JaxRuntimeError = FakeDeviceError  # type: ignore[attr-defined]
    fake.errors = errors  # type: ignore[attr-defined]
    fake.jit = lambda function, **options: function  # type: ignore[attr-defined]
    for name, module in {"jax": fake, "jax.errors": errors, "jax.numpy": ModuleType("x")}.items():
        monkeypatch.setitem(sys.modules, name, module)
    return fake


class FullBackend(NumpyBackend):
    """A backend whose device refuses to fit."""

    error: Exception = FakeDeviceError(FULL)

    def fit(self, *args, **more):
        raise self.error


@pytest.mark.usefixtures("jax")
def test_a_full_accelerator_is_told_in_one_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(train_module, "make_backend", lambda device, threads: FullBackend(threads))
    with pytest.raises(MemoryLimitError, match="too little free memory"):
        train("kuhn_poker", small())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quick.toml").write_text("[run]\niterations = 1\n[traversal]\ntraversals = 5\n")
    assert main(["train", "kuhn_poker", "--config", "quick.toml"]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("fogtree: the accelerator has too little free memory")


@pytest.mark.usefixtures("jax")
def test_other_errors_of_a_device_are_told_in_one_line(monkeypatch):
    monkeypatch.setattr(FullBackend, "error", FakeDeviceError("INTERNAL: device\nlost"))
    monkeypatch.setattr(train_module, "make_backend", lambda device, threads: FullBackend(threads))
    with pytest.raises(OptionError, match=r"the accelerator fails; .*: INTERNAL: device\\nlost$"):
        train("kuhn_poker", small())


def test_errors_that_are_not_of_the_device_stay_as_they_are(monkeypatch):
    monkeypatch.setattr(FullBackend, "error", RuntimeError("a bug"))
    monkeypatch.setattr(train_module, "make_backend", lambda device, threads: FullBackend(threads))
    with pytest.raises(RuntimeError, match=r"^a bug$"):
        train("kuhn_poker", small())


@pytest.fixture
def jax_device(jax):
    """The module that looks for devices, with the other JAX."""
    name = "fogtree.system.jax_device"
    before = sys.modules.pop(name, None)
    yield import_module(name)
    del sys.modules[name]
    if before is not None:
        sys.modules[name] = before


def test_the_log_of_jax_stays_off_the_terminal_and_its_reason_is_told(jax, jax_device, caplog):
    logger = logging.getLogger("jax._src.xla_bridge")

    def devices(kind):
        logger.error("Jax plugin configuration error", exc_info=RuntimeError(CUDA))
        logger.warning("An NVIDIA GPU may be present on this machine. Falling back to cpu.")
        raise RuntimeError(f"Unknown backend {kind}")

    jax.devices = devices
    reason = r"\(cuInit\(0\) failed: CUDA_ERROR_OUT_OF_MEMORY\)"
    with pytest.raises(OptionError, match=f"finds no accelerator here {reason}; use --device cpu"):
        jax_device.find_device(accelerator=True)
    assert caplog.records == []
    logger.warning("later")
    assert [record.message for record in caplog.records] == ["later"]


def test_ctrl_c_waits_until_jax_is_imported(jax, monkeypatch):
    """JAX aborts the process if it is interrupted while it is imported."""
    seen = []

    def importing(name):
        if name == "jax":
            signal.raise_signal(signal.SIGINT)
        seen.append(name)
        return jax

    monkeypatch.delitem(sys.modules, "fogtree.system.jax_device", raising=False)
    monkeypatch.setattr("importlib.import_module", importing)
    with pytest.raises(KeyboardInterrupt):
        import_module("fogtree.system.jax_device")
    assert seen == ["jax", "jax.numpy"]
