"""Commands that belong to Fog-of-War chess: ``fogtree chess …`` and ``fogtree uci``."""

import typer

from fogtree.games.fog_chess.commands.board import belief, perft, see
from fogtree.games.fog_chess.commands.evaluator import app as evaluator_app
from fogtree.games.fog_chess.commands.training import data, match, train_net

app = typer.Typer()
app.command()(perft)
app.command()(see)
app.command()(belief)
app.command()(data)
app.command()(train_net)
app.command()(match)
app.add_typer(evaluator_app, name="evaluator")
