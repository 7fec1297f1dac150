"""The command line: one module per command. A command's modules are imported when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from fogtree.cli.analyse import register as register_analyse
from fogtree.cli.arena import arena
from fogtree.cli.cache import app as cache_app
from fogtree.cli.compare import compare
from fogtree.cli.demo import demo
from fogtree.cli.explain import register as register_explain
from fogtree.cli.exploit import exploit
from fogtree.cli.exploitability import exploitability
from fogtree.cli.games import games
from fogtree.cli.info import info
from fogtree.cli.play import play
from fogtree.cli.replay import replay
from fogtree.cli.resume import resume
from fogtree.cli.sampling import constant_options
from fogtree.cli.serve import serve
from fogtree.cli.solve import solve
from fogtree.cli.strategy import app as strategy_app
from fogtree.cli.study import app as study_app
from fogtree.cli.train import train
from fogtree.errors import OptionError
from fogtree.registry import all_entries, resolve
from fogtree.terminal.options import with_options
from fogtree.terminal.outcome import run_to_exit_code

app = typer.Typer(
    name="fogtree",
    help="Solve, search, train on and play games with hidden information.",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(games)
app.command()(info)
app.command()(with_options(solve, constant_options()))
app.command()(resume)
app.command()(train)
app.command()(compare)
app.command()(exploitability)
app.command()(exploit)
register_explain(app)
app.add_typer(strategy_app, name="strategy")
app.command()(arena)
register_analyse(app)
app.command()(play)
app.command()(replay)
app.command()(serve)
app.add_typer(study_app, name="study")
app.add_typer(cache_app, name="cache")
app.command()(demo)
for _entry in all_entries():
    for _name, _command in _entry.top_commands.items():
        app.command(name=_name)(resolve(_command))
    if _entry.commands is not None:
        _group = _entry.commands
        app.add_typer(resolve(_group.app), name=_group.name, help=_group.help)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="With --version: facts for a bug report.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="With --version: as JSON.")] = False,
) -> None:
    """The options of ``fogtree`` itself: the version, or the help if no command is given."""
    if version:
        from fogtree.cli.version import show_version

        show_version(verbose, json)
        raise typer.Exit
    if verbose or json:
        raise OptionError(f"--{'verbose' if verbose else 'json'} needs --version before it")
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the process's exit status. The command is given by ``arguments``,
    by default those of the process."""
    return run_to_exit_code(app, arguments)
