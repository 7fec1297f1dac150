// What the small games bring to the pages: a drawing for the table of any game, and how they are called.
import type { JSX } from "preact";
import type { Registration, ShownProps } from "../registry";
import { BattleshipBoard } from "./battleship_board";
import { ChoiceBoard } from "./choice_board";
import { DiceBoard } from "./dice_board";
import type { Drawing } from "./drawing";
import { GoofspielBoard } from "./goofspiel_board";
import { HexBoard } from "./hex_board";
import { PhantomBoard } from "./phantom_board";
import { PokerBoard } from "./poker_table";

/** A drawing of one kind of views; the server says of which kind a view is. */
function drawing<View>(Board: (props: Drawing<View>) => JSX.Element): (props: ShownProps) => JSX.Element {
  return (props) => <Board {...(props as unknown as Drawing<View>)} />;
}

const none = () => false;
const always = (hint: string) => () => hint;
const SQUARE = always("Your turn: choose a square.");

const POKER: Registration = {
  games: { kuhn_poker: { round: "hand" }, leduc_poker: { round: "hand" } },
  views: { poker: { table: { draw: drawing(PokerBoard), buttons: () => true } } },
};

const PHANTOM_TTT: Registration = {
  games: { phantom_ttt: { title: "Phantom tic-tac-toe" } },
  views: { phantom_ttt: { table: { draw: drawing(PhantomBoard), buttons: none, apart: true, hint: SQUARE } } },
};

const HEX: Registration = {
  views: { hex: { table: { draw: drawing(HexBoard), buttons: none, apart: true, hint: SQUARE } } },
};

const BATTLESHIP: Registration = {
  views: { battleship: { table: { draw: drawing(BattleshipBoard), buttons: none } } },
};

const GOOFSPIEL: Registration = {
  games: { goofspiel: { round: "hand" } },
  views: { goofspiel: { table: { draw: drawing(GoofspielBoard), buttons: none, hint: always("Your turn: click the card that you bid.") } } },
};

const LIARS_DICE: Registration = {
  games: { liars_dice: { title: "Liar's dice" } },
  views: {
    liars_dice: {
      table: {
        draw: drawing(DiceBoard),
        buttons: (action) => action === "liar",
        hint: (buttons) => (buttons.length > 0 ? "Your turn: click a bid, or call the last one a lie." : "Your turn: click a bid."),
      },
    },
  },
};

const CHOICE: Registration = {
  views: { choice: { table: { draw: drawing(ChoiceBoard), buttons: none, hint: always("Your turn: click your choice.") } } },
};

export const TABLES = [POKER, PHANTOM_TTT, HEX, BATTLESHIP, GOOFSPIEL, LIARS_DICE, CHOICE];
