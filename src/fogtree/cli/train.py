"""``fogtree train``: train networks on a game by Deep CFR, in a run that can be resumed."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.cli import sampling
from fogtree.cli.train_sweep import SweepPlan, run_name, run_sweep
from fogtree.errors import OptionError
from fogtree.registry import load_game
from fogtree.system.cores import cores
from fogtree.system.user_code import is_user_code, prints_to_stderr, user_game_errors
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.inputs import find_named_game
from fogtree.terminal.outcome import ENDED_EARLY, end_at_once, to_the_end

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fogtree.deep.config import TrainingOptions
    from fogtree.deep.report import TrainingRun
    from fogtree.deep.sweep import Setting
    from fogtree.game import Game


_REASONS = {  # why a run ended, as the end of a sentence, by ``TrainingRun.stopped``
    "seconds": "; its time was up",
    "interrupted": "; interrupted",
    "terminated": "; terminated",
}


class DeviceName(StrEnum):
    """The values of ``--device``."""

    cpu = "cpu"
    gpu = "gpu"


Config = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Training options, a TOML file. Default: the game's own."),
]
Device = Annotated[
    DeviceName, typer.Option(help="Device that fits networks and, by default, runs them.")
]
Workers = Annotated[
    int,
    typer.Option(
        min=1,
        max=options.MOST_THREADS,
        help="Threads for walks; with a GPU, best two fewer than cores.",
    ),
]


Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE[,VALUE…]",
        show_default=False,
        help="A training option, or several values of it to compare: method=dcfr_plus,mmd or "
        "regret.steps=50,100; may be repeated.",
    ),
]
Seeds = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=options.at_most(1000),
        show_default=False,
        help="Number of runs of every combination, with seeds from that of the options on.",
    ),
]


NoCompile = Annotated[
    bool,
    typer.Option(
        "--no-compile",
        help="Walk the game's states as they come instead of compiling it first. A game that does "
        "not fit into memory is never compiled.",
    ),
]


@dataclass(frozen=True)
class Machine:
    """The device, threads and workers of a training run."""

    device: DeviceName = DeviceName.cpu
    workers: int = 1
    backend: sampling.BackendName = sampling.BackendName.threads


@dataclass(frozen=True)
class Choice:
    """What the command line says about the options of a game's training, apart from --set."""

    game: Game
    spec: str
    config: Path | None
    no_compile: bool
    usual: dict[bool | None, TrainingOptions] = field(default_factory=dict)
    """The game's own options that were needed so far, by whether it is compiled."""

    def options(self, settings: Iterable[Setting]) -> TrainingOptions:
        """The options with some settings: those, then the file's, then the game's own, which depend
        on whether it is compiled."""
        from fogtree.deep.config import default_options, options_from, read_options
        from fogtree.deep.sweep import tables_of
        from fogtree.deep.train import said_compiled
        from fogtree.system.file_reader import read_toml

        tables = tables_of(settings)
        compiled = said_compiled(tables)
        if compiled is None and self.config is not None:
            compiled = said_compiled(read_toml(self.config))
        if self.no_compile and compiled:
            raise OptionError("--no-compile contradicts compiled = true: leave out one of them")
        compiled = False if self.no_compile else compiled
        if compiled not in self.usual:
            with user_game_errors(self.spec), prints_to_stderr():
                self.usual[compiled] = default_options(self.game, compiled=compiled)
        usual = self.usual[compiled]
        given = usual if self.config is None else read_options(self.config, usual)
        return options_from(tables, given, usual=usual)

    def arguments(self) -> list[str]:
        """The arguments that say the same to another command."""
        config = [] if self.config is None else ["--config", str(self.config)]
        return [*config, *(["--no-compile"] if self.no_compile else [])]


def train(
    game: options.GameArgument,
    *,
    config: Config = None,
    folder: Annotated[
        Path | None,
        typer.Option("--save", metavar="FOLDER", help="Folder of the run. Default: GAME-training"),
    ] = None,
    settings: Settings = None,
    seeds: Seeds = None,
    processes: options.Processes = None,
    device: Device = DeviceName.cpu,
    workers: Workers = 1,
    backend: sampling.Backend = sampling.BackendName.threads,
    no_compile: NoCompile = False,
    json: options.Json = False,
) -> None:
    """Train networks on a game. Ctrl-C saves the run; 'fogtree resume FOLDER' continues it.

    With several values after --set, or with --seeds, all combinations are trained side by side and
    compared in a table; the same command again goes on with them.
    """
    from fogtree.deep.sweep import read_settings

    loaded = load_game(game)
    values = read_settings(settings or ())
    chosen = Choice(loaded, game, config, no_compile)
    machine = Machine(device, workers, backend)
    if seeds is not None or any(len(many) > 1 for many in values):
        folder = folder or Path(f"{loaded.short_name or 'game'}-sweep")
        plan = _sweep(
            chosen,
            values,
            seeds=seeds,
            folder=folder,
            machine=machine,
            processes=processes,
        )
        run_sweep(plan, json=json)
        return
    if processes is not None:
        raise OptionError("--processes is for several runs: --seeds, or --set with several values")
    folder = folder or Path(f"{loaded.short_name or 'game'}-training")
    options.check_folder(folder)
    given = chosen.options(many[0] for many in values)
    _run(loaded, game, given, folder, machine, resume=False, json=json)


def _sweep(
    chosen: Choice,
    values: list[list[Setting]],
    *,
    seeds: int | None,
    folder: Path,
    machine: Machine,
    processes: int | None,
) -> SweepPlan:
    """The plan of a sweep: one run per combination of the ``values`` of options, times ``seeds``.
    The options of all runs are checked first, also against those of runs that are already saved in
    the folder."""
    from fogtree.deep.checkpoint import TrainingFolder
    from fogtree.deep.support import support_for
    from fogtree.deep.sweep import grid, short_names
    from fogtree.deep.train import resumed_options

    game = chosen.game
    support = support_for(game)
    first = chosen.options(many[0] for many in values if many[0][0] == "run.compiled").run.seed
    if seeds and any(name == "run.seed" for many in values for name, _ in many):
        raise OptionError("--seeds chooses the seeds: leave out --set seed, or --seeds")
    combinations = grid(values, range(first, first + seeds) if seeds else ())
    names = short_names(values)
    for settings in combinations:
        options = chosen.options(settings)
        saved = TrainingFolder(folder / run_name(names, settings))
        if saved.exists:
            resumed_options(saved, str(game), options)
    on = ["--device", machine.device.value, "--workers", str(machine.workers)]
    return SweepPlan(
        chosen.spec,
        [*on, "--backend", machine.backend.value],
        chosen.arguments(),
        combinations,
        names,
        folder,
        processes or max(1, cores() // machine.workers),
        bound=support is not None and support.has_matches and game.players == 2,
    )


def resume_training(
    folder: Path,
    game: str | None,
    config: Path | None,
    machine: Machine,
    *,
    iterations: int | None,
    seconds: float | None,
    json: bool,
) -> None:
    """Go on with a saved training run, for as long as the given limits say, else the saved ones."""
    from fogtree.deep.checkpoint import TrainingFolder
    from fogtree.deep.config import read_options

    manifest = TrainingFolder(folder).manifest()
    loaded = load_game(game) if game else find_named_game(manifest.game, folder)
    given = manifest.options if config is None else read_options(config, manifest.options)
    if iterations is not None:
        given = replace(given, run=replace(given.run, iterations=iterations))
    if seconds is not None:
        given = replace(given, run=replace(given.run, seconds=seconds))
    spec = game or manifest.game
    _run(loaded, spec, given, folder, machine, resume=True, json=json)


def _run(
    game: Game,
    spec: str,
    given: TrainingOptions | None,
    folder: Path,
    machine: Machine,
    *,
    resume: bool,
    json: bool,
) -> None:
    """Train in a folder, show the progress, and print the result. If a signal ended the run, exit
    with the signal's status."""
    from fogtree.cli.training_display import TrainingDisplay
    from fogtree.deep.train import train as run_training

    try:
        with (
            user_game_errors(spec),
            prints_to_stderr(),
            TrainingDisplay(str(game), folder) as display,
        ):
            run = to_the_end(
                partial(
                    run_training,
                    game,
                    given,
                    folder=folder,
                    device=machine.device.value,
                    workers=machine.workers,
                    backend=machine.backend.value,
                    resume=resume,
                    watch=display.show,
                    pulse=display.pulse,
                )
            )
    except (KeyboardInterrupt, SystemExit) as end:  # without waiting for the iteration
        end_at_once(end)
    if json:
        print_json(_document(run))
    else:
        _print(run)
    if run.stopped in ENDED_EARLY:
        own = f" --game {shlex.quote(spec)}" if is_user_code(spec) else ""
        go_on = f"fogtree resume {shlex.quote(str(folder))}{own}"
        messages().print(f"Saved in {folder}. Go on with\n  {go_on}", soft_wrap=True)
        raise typer.Exit(ENDED_EARLY[run.stopped])


def _document(run: TrainingRun) -> dict[str, Any]:
    """The result of a training run as JSON."""
    return {
        "game": run.game,
        "iterations": run.iterations,
        "seconds": run.seconds,
        "nodes": run.nodes,
        "stopped": run.stopped,
        "exploitability": run.exploitability,
        "folder": run.folder,
        "reports": [report.line() for report in run.reports],
    }


def _print(run: TrainingRun) -> None:
    """Print the result of a training run."""
    from fogtree.text.amounts import duration

    console = output()
    console.print(
        f"{run.game}: {run.iterations:,} iterations, {run.nodes:,} nodes in "
        f"{duration(run.seconds)}{_REASONS.get(run.stopped, '')}"
    )
    if run.exploitability is not None:
        console.print(f"exploitability of the average strategy: {run.exploitability:.4g}")
    if run.reports:
        if run.reports[-1].win_rates:
            console.print(
                "Share of games won, a draw counting half, with its 95 % interval; of a group of "
                "agents such as mi5, the mean:",
                soft_wrap=True,
            )
        for name, rate in run.reports[-1].win_rates.items():
            console.print(f"against {name}: {rate.value:.3f} [{rate.low:.3f}, {rate.high:.3f}]")
    if run.folder is not None:
        console.print(f"The networks are in {run.folder / 'policy.npz'}.")
