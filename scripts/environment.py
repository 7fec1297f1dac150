"""Makes the virtual environment that `make play` and `make test` run in; quick if nothing changed.

Usage: python scripts/environment.py EXTRA [EXTRA ...]
       python scripts/environment.py --only EXTRA    the packages of an extra, without fogtree

Needs Python >= 3.11 with its headers and nothing else: the build tools come from PyPI, and so does
a C++ compiler (ziglang) where the machine has none.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from collections import deque
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
STAMP = ENVIRONMENT / "installed.txt"
# With the stable ABI, Python's headers leave out <stdio.h>, which nanobind needs.
INCLUDE_STDIO = ("-include", "cstdio")
# Prints the version of a Python and the folders in which its headers may be.
ASK_FOR_HEADERS = """
import sysconfig
print(sysconfig.get_python_version(), sysconfig.get_config_var("INCLUDEPY"), sep="\\n")
print(sysconfig.get_path("include"), sysconfig.get_path("platinclude"), sep="\\n")
"""
BUILDING = "building and installing, once; some minutes"
BUILDING_AGAIN = "the sources or the settings of the build have changed: installing again"


def main(extras: list[str]) -> int:
    if sys.version_info < (3, 11):
        return fail(f"Python 3.11 or newer is needed; this is {platform.python_version()}")
    if extras[:1] == ["--only"]:
        return install_only(extras[1:])
    source, *installed = STAMP.read_text().split() if STAMP.exists() else [""]
    wanted = fingerprint()
    if source == wanted and set(extras) <= set(installed):
        return 0
    extras = sorted({*extras, *installed})
    try:
        if (source != wanted and not has_headers()) or not make_environment():
            return 1
        if source == wanted:  # built already; only packages of other extras are missing
            print(f"fogtree: installing what {', '.join(extras)} need", flush=True)
            pip("install", *requirements(project()["project"], extras))
        else:
            print(f"fogtree: {BUILDING_AGAIN if source else BUILDING}", flush=True)
            install(extras)
    except subprocess.CalledProcessError as error:
        return fail(f"installing failed (status {error.returncode}); the lines above say why")
    STAMP.write_text(" ".join([wanted, *extras]))
    return 0


def has_headers() -> bool:
    """Whether the Python that builds has its headers; False, with a line that says what to install,
    if not. CMake would find that out minutes later."""
    if any("CMAKE" in name or name in ("CPATH", "Python_ROOT") for name in os.environ):
        return True  # the settings of the build may lead to them
    version, folders = headers_of(PYTHON if PYTHON.exists() else Path(sys.executable))
    if any((folder / "Python.h").is_file() for folder in folders):
        return True
    fail(
        f"the headers of Python {version} are missing, which building needs "
        f"(on Debian: python{version}-dev or python3-dev)"
    )
    return False


def headers_of(python: Path) -> tuple[str, list[Path]]:
    """The version of a Python, such as 3.14, and the folders in which its headers may be."""
    command = [str(python), "-c", ASK_FOR_HEADERS]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    version, *folders = said.splitlines()
    return version, [Path(folder) for folder in folders]


def make_environment() -> bool:
    """Make the virtual environment if there is none; False, with a line that says why, if it cannot
    be made."""
    if PYTHON.exists():
        return True
    print("fogtree: making the virtual environment", flush=True)
    try:
        venv.create(ENVIRONMENT, with_pip=True)
    except (subprocess.CalledProcessError, OSError) as error:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)  # half of one would look whole next time
        fail(f"cannot make a virtual environment (on Debian: python3-venv): {error}")
        return False
    return True


def install_only(extras: list[str]) -> int:
    """Install the packages of extras alone: fogtree is neither built nor installed."""
    if not make_environment():
        return 1
    table = project()["project"]
    try:
        pip("install", *requirements({**table, "dependencies": []}, extras))
    except subprocess.CalledProcessError as error:
        return fail(f"installing failed (status {error.returncode}); the lines above say why")
    return 0


def project() -> dict[str, Any]:
    """What pyproject.toml says."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


def install(extras: list[str]) -> None:
    """Build and install the package with all that it depends on."""
    tools = project()["build-system"]["requires"]
    pip("install", *tools)
    environment = dict(os.environ)
    environment["PATH"] = f"{ENVIRONMENT / 'bin'}{os.pathsep}{environment.get('PATH', '')}"
    if "CXX" not in environment and not any(map(shutil.which, ("c++", "g++", "clang++"))):
        environment["CXX"] = zig_compiler()
    # The package itself is built with the tools above; what it depends on is installed apart, so
    # that a dependency which comes as source code gets the build tools that it asks for.
    arguments = "install", "--no-build-isolation", "--no-deps", "--verbose", "."
    run_build(pip_command(*arguments), environment)
    pip("install", *requirements(project()["project"], extras))
    if "dev" not in extras:  # who changes nothing compiles nothing; the compiler is 90 MB
        pip("uninstall", "--yes", *(re.split("[<>=]", tool)[0] for tool in tools))


def run_build(command: list[str], environment: dict[str, str]) -> None:
    """Run a build and show how many of its files are compiled. What it prints is shown only if it
    fails."""
    said: deque[str] = deque(maxlen=200)
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            show_progress(line)
    if sys.stdout.isatty():
        print()
    if process.returncode != 0:
        print("".join(said), file=sys.stderr)
        raise subprocess.CalledProcessError(process.returncode, process.args)


def show_progress(line: str) -> None:
    """Show the [12/80] of a line of the build: on one line of a terminal, or every tenth."""
    found = re.search(r"\[(\d+)/(\d+)\]", line)
    if found is None:
        return
    done, total = int(found[1]), int(found[2])
    if sys.stdout.isatty():
        print(f"\rfogtree: compiled {done} of {total} files", end="", flush=True)
    elif done % 10 == 0 or done == total:
        print(f"fogtree: compiled {done} of {total} files", flush=True)


def requirements(table: dict[str, Any], extras: list[str]) -> list[str]:
    """The dependencies in the project's table with those of extras, which may name one another."""
    wanted = list(table["dependencies"])
    for extra in extras:
        for requirement in table["optional-dependencies"][extra]:
            inner = requirement.removeprefix(f"{table['name']}[").removesuffix("]")
            wanted += (
                [requirement] if inner == requirement else requirements(table, inner.split(","))
            )
    return list(dict.fromkeys(wanted))


def zig_compiler() -> str:
    """Install the C++ compiler of PyPI's ziglang; returns the command that calls it."""
    print("fogtree: no C++ compiler here; taking the one in PyPI's ziglang", flush=True)
    pip("install", "ziglang")
    compiler = ENVIRONMENT / "bin" / "zig-c++"
    options = " ".join(INCLUDE_STDIO)
    compiler.write_text(f'#!/bin/sh\nexec "{PYTHON}" -m ziglang c++ {options} "$@"\n')
    compiler.chmod(0o755)
    return str(compiler)


def pip(verb: str, *arguments: str, environment: dict[str, str] | None = None) -> None:
    command = pip_command(verb, *arguments, "--quiet")
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def pip_command(verb: str, *arguments: str) -> list[str]:
    """A command of pip. Modules are compiled when they are first imported, and no file is kept that
    was downloaded: both take space that is hardly used again."""
    kept = ("--no-compile", "--no-cache-dir") if verb == "install" else ()
    return [str(PYTHON), "-m", "pip", "--disable-pip-version-check", verb, *kept, *arguments]


def fingerprint() -> str:
    """A hash of everything that the installed package is made of and of how it is built: if it is
    unchanged, nothing need be built again."""
    build = {name: value for name, value in os.environ.items() if name.startswith("SKBUILD_")}
    digest = hashlib.sha256(repr((sys.version, sorted(build.items()))).encode())
    files = [ROOT / "pyproject.toml", ROOT / "CMakeLists.txt", ROOT / "README.md", Path(__file__)]
    for folder in ("core", "src"):
        files += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    for path in sorted(files):
        if path.suffix not in {".pyc", ".so"}:
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def fail(message: str) -> int:
    print(f"fogtree: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
