"""``fogtree study``: experiments with the search."""

import typer

from fogtree.cli.ablate import ablate
from fogtree.cli.safety import safety

app = typer.Typer(help="Measure what the parts of the search are worth, and how safe its play is.")
app.command()(ablate)
app.command()(safety)
