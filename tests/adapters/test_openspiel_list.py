"""OpenSpiel's own games: sizes and NashConv as OpenSpiel itself computes them."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

import fogtree
from fogtree.adapters.openspiel_import import OpenSpielGame, OpenSpielState, from_openspiel
from fogtree.evaluate import exploitability
from fogtree.strategy import Strategy

pyspiel = pytest.importorskip("pyspiel")

EVERYDAY = (
    "kuhn_poker(players=3)",
    "leduc_poker(suit_isomorphism=True)",
    "goofspiel(num_cards=3,imp_info=True)",
    "dark_hex(num_rows=2,num_cols=2)",
    "sheriff(max_bribe=2,max_items=3,num_rounds=2)",
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=1)",
    "oh_hell(players=3,num_suits=2,num_cards_per_suit=2,points_per_trick=1)",
)
LIST = (
    "add_noise(epsilon=0.5,seed=7,game=leduc_poker())",
    "add_noise(epsilon=1.,seed=1,game=kuhn_poker())",
    "bargaining(max_turns=1)",
    "battleship(board_width=2,board_height=1,ship_sizes=[1],ship_values=[2],num_shots=2)",
    "battleship(board_width=2,board_height=2,ship_sizes=[1;1],ship_values=[1;1],num_shots=1,"
    "allow_repeated_shots=False)",
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2,"
    "allow_repeated_shots=False)",
    "battleship(board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],num_shots=2,"
    "allow_repeated_shots=False,loss_multiplier=2.0)",
    "battleship(board_width=3,board_height=1,ship_sizes=[1;2],ship_values=[1;2],num_shots=1)",
    "blotto",
    "blotto(coins=3,fields=2)",
    "blotto(coins=3,fields=2,players=3)",
    "blotto(coins=3,fields=3)",
    "blotto(coins=4,fields=2)",
    "blotto(coins=5,fields=3)",
    "cached_tree(game=kuhn_poker())",
    "checkers(rows=4,columns=4)",
    "cliff_walking(height=3,width=3,horizon=4)",
    "clobber(rows=2,columns=2)",
    "clobber(rows=2,columns=3)",
    "connect_four(rows=3,columns=3,x_in_row=3)",
    "coordinated_mp",
    "dark_hex(num_rows=2,num_cols=2,gameversion=adh)",
    "dark_hex(num_rows=2,num_cols=2,obstype=reveal-numturns)",
    "dots_and_boxes(num_rows=1,num_cols=1)",
    "dots_and_boxes(num_rows=1,num_cols=2)",
    "first_sealed_auction",
    "first_sealed_auction(max_value=3)",
    "first_sealed_auction(max_value=4)",
    "first_sealed_auction(max_value=5)",
    "first_sealed_auction(players=3,max_value=3)",
    "go(board_size=2,max_game_length=4)",
    "goofspiel(num_cards=3)",
    "goofspiel(num_cards=3,egocentric=True,imp_info=True)",
    "goofspiel(num_cards=3,imp_info=True,points_order=ascending)",
    "goofspiel(num_cards=3,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=3,players=3,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=3,points_order=descending)",
    "goofspiel(num_cards=3,returns_type=point_difference,imp_info=True)",
    "goofspiel(num_cards=3,returns_type=total_points,imp_info=True)",
    "goofspiel(num_cards=4,imp_info=True,points_order=ascending)",
    "goofspiel(num_cards=4,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=4,num_turns=2,imp_info=True,points_order=descending)",
    "havannah(board_size=2)",
    "hex(num_cols=2,num_rows=2)",
    "hex(num_cols=3,num_rows=2)",
    "kuhn_poker(players=4)",
    "leduc_poker(players=2)",
    "lewis_signaling",
    "lewis_signaling(num_states=3,num_messages=2)",
    "liars_dice(dice_sides=2)",
    "liars_dice(dice_sides=3)",
    "liars_dice(dice_sides=4)",
    "liars_dice(numdice=1,dice_sides=5)",
    "liars_dice(numdice=2,dice_sides=2)",
    "liars_dice_ir(dice_sides=2)",
    "matching_pennies_3p",
    "matrix_bos",
    "matrix_brps",
    "matrix_cd",
    "matrix_coordination",
    "matrix_mp",
    "matrix_pd",
    "matrix_rps",
    "matrix_rpsw",
    "matrix_sh",
    "matrix_shapleys_game",
    "misere(game=kuhn_poker())",
    "misere(game=matrix_rps())",
    "misere(game=tiny_hanabi())",
    "mnk(m=2,n=2,k=2)",
    "mnk(m=3,n=2,k=2)",
    "nim(pile_sizes=1;2)",
    "nim(pile_sizes=1;3;2)",
    "nim(pile_sizes=2;2,is_misere=False)",
    "normal_form_extensive_game(game=kuhn_poker())",
    "normal_form_extensive_game(game=matrix_mp())",
    "oh_hell(players=3,num_suits=1,num_cards_per_suit=4,points_per_trick=1)",
    "oshi_zumo(coins=2,size=1,horizon=3)",
    "oshi_zumo(coins=3,size=1,horizon=4)",
    "oshi_zumo(coins=3,size=1,horizon=4,alesia=True)",
    "oshi_zumo(coins=4,size=1,horizon=6,min_bid=1)",
    "oshi_zumo(coins=4,size=2,horizon=4)",
    "restricted_nash_response(game=kuhn_poker())",
    "sheriff(item_penalty=1.0,item_value=5.0,sheriff_penalty=1.0,max_bribe=2,max_items=2,"
    "num_rounds=1)",
    "sheriff(max_bribe=1,max_items=1,num_rounds=1)",
    "sheriff(max_bribe=1,max_items=1,num_rounds=2)",
    "start_at(history=0;1,game=kuhn_poker())",
    "start_at(history=0;1,game=leduc_poker())",
    "tiny_bridge_2p(abstracted=True)",
    "tiny_hanabi",
    "trade_comm(num_items=2)",
    "trade_comm(num_items=3)",
    "turn_based_simultaneous_game(game=goofspiel(num_cards=3))",
    "turn_based_simultaneous_game(game=matrix_mp())",
    "y(board_size=2)",
    "zerosum(game=kuhn_poker())",
    "zerosum(game=matrix_pd())",
    "zerosum(game=tiny_hanabi())",
)
FORGETFUL = (
    "dark_hex_ir(num_rows=2,num_cols=2)",
    "leduc_poker(action_mapping=True,suit_isomorphism=True)",
    "liars_dice_ir(dice_sides=3)",
)
"""Games whose information states leave out what the player knew before."""

MOST = 1e-12
"""Largest difference of two values of NashConv; payoffs are of the order of 1 to 100."""


@dataclass
class Walk:
    """What OpenSpiel says about a game, from a walk over all its histories."""

    nodes: int = 0
    terminals: int = 0
    infosets: list[set[str]] = field(default_factory=list)
    actions: dict[str, dict[str, int]] = field(default_factory=dict)
    """OpenSpiel's number of each action by information state and label."""

    @classmethod
    def over(cls, game: OpenSpielGame) -> Walk:
        found = cls(infosets=[set() for _ in range(game.players)])
        stack: list[OpenSpielState] = [game.root()]
        while stack:
            here = stack.pop()
            found.nodes += 1
            if here.state.is_terminal():
                found.terminals += 1
                continue
            if not here.state.is_chance_node():
                mover = here.state.current_player()
                name = here.state.information_state_string(mover)
                found.infosets[mover].add(name)
                found.actions[name] = {str(label): n for label, n in here.numbers.items()}
            stack += [here.child(action) for action in here.numbers]
        return found

    def nash_conv(self, game: OpenSpielGame, strategy: Strategy) -> float:
        """NashConv of a strategy by OpenSpiel's best responses."""
        table = {}
        for player, names in enumerate(self.infosets):
            for name in names:
                mix, numbers = strategy[f"{player}:{name}"], self.actions[name]
                table[name] = [(numbers[label], share) for label, share in mix.items()]
        return float(pyspiel.nash_conv(game.game, pyspiel.TabularPolicy(table), False))


def difference(spec: str, iterations: int = 50) -> float:
    """The largest difference of NashConv between OpenSpiel and fogtree, for the uniform strategy
    and for a solved one; sizes must be equal."""
    game = from_openspiel(spec)
    tree = fogtree.compile(game)
    theirs, sizes = Walk.over(game), tree.sizes()
    assert (sizes.nodes, sizes.terminals) == (theirs.nodes, theirs.terminals)
    assert sizes.infosets == tuple(map(len, theirs.infosets))
    solved = fogtree.solve(tree, "cfr+", iterations=iterations).strategy
    off = 0.0
    for strategy in (Strategy.uniform(tree), solved):
        theirs_value = theirs.nash_conv(game, strategy)
        off = max(off, abs(exploitability(tree, strategy).nash_conv - theirs_value))
    return off


@pytest.mark.parametrize("spec", EVERYDAY)
def test_openspiel_measures_the_same(spec: str) -> None:
    assert difference(spec) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("spec", LIST)
def test_openspiel_measures_the_same_on_its_whole_list(spec: str) -> None:
    assert difference(spec) <= MOST


@pytest.mark.parametrize("spec", FORGETFUL)
def test_information_sets_that_openspiel_forgets_are_split(spec: str) -> None:
    game = from_openspiel(spec)
    theirs, sizes = Walk.over(game), fogtree.compile(game).sizes()
    assert (sizes.nodes, sizes.terminals) == (theirs.nodes, theirs.terminals)
    ours = sizes.infosets
    assert all(n >= len(sets) for n, sets in zip(ours, theirs.infosets, strict=True))
    assert sum(ours) > sum(map(len, theirs.infosets))


def test_the_list_has_ninety_games() -> None:
    assert len({*EVERYDAY, *LIST}) >= 90
