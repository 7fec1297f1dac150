"""``fogtree cache list | clear``: the compiled games that are kept on disk."""

from __future__ import annotations

import typer

from fogtree.terminal import options
from fogtree.terminal.console import output, print_json
from fogtree.text.amounts import amount

app = typer.Typer(help="Compiled games that are kept on disk.", no_args_is_help=False)


@app.command("list")
def list_trees(*, json: options.Json = False) -> None:
    """List the compiled games on disk, the last used first, and where they are."""
    from fogtree.tree.cache import cache_folder, cached_trees, size_limit

    folder, trees = cache_folder(), cached_trees()
    if json:
        rows = [{"game": one.game, "nodes": one.nodes, "bytes": one.bytes} for one in trees]
        print_json({"folder": folder, "limit": size_limit(), "trees": rows})
        return
    if folder is None:
        output().print("compiled games are not kept: FOGTREE_CACHE is off")
        return
    for tree in trees:
        line = f"{tree.game}   {tree.nodes:,} histories   {amount(tree.bytes)}"
        output().print(line, markup=False, highlight=False, soft_wrap=True)
    total = amount(sum(tree.bytes for tree in trees))
    known = (
        f"{len(trees)} compiled game{'s' * (len(trees) != 1)}, {total} of {amount(size_limit())}"
    )
    output().print(f"{known}, in {folder}", markup=False, highlight=False, soft_wrap=True)


@app.command()
def clear() -> None:
    """Delete all compiled games on disk."""
    from fogtree.tree.cache import clear_cache

    number = clear_cache()
    output().print(f"{number} compiled game{'s' * (number != 1)} deleted")
