// What games bring to the pages: their names, pages and drawings. Generic code names no game and looks here.
import type { JSX } from "preact";
import type { Setup } from "./keys";
import type { Action, LiveGame } from "./live_game";
import type { ReviewDocument } from "./review/review_data";
import type { Drawing, LogLine } from "./table/drawing";

export type LiveProps = { id: string; live: LiveGame };
export type TableView = { kind: string; moves?: LogLine[]; [field: string]: unknown };
export type ShownProps = Drawing<TableView>;

/** A page of a game, in the menu before the other games or among the pages for study. `rest`: what follows it in the address. */
export type OwnPage = { path: string; menu: string; place: "games" | "study"; Page: (props: { rest?: string }) => JSX.Element };

/** Times for decisions that the server takes when they run out, to choose from for a new game; 0: no limit. */
export type Timeouts = { label: string; testid: string; choices: [number, string][] };

/** What the pages know of one game, by its name on the server. */
export type GameParts = {
  /** What people call it, where that is not its name in words. */
  title?: string;
  /** What people call one round of it; "game" if left out. */
  round?: "hand" | "game";
  /** Its own pages; a game is started on the first of them. */
  pages?: OwnPage[];
  /** Whether who starts is drawn by lot, so that there is no seat to choose. */
  drawnStart?: boolean;
  timeouts?: Timeouts;
  /** What is shown until a game with the usual rules is here. */
  Loading?: (props: { setup: Setup; words: string }) => JSX.Element;
};

/** A drawing on the table of any game. */
export type TableDrawing = {
  draw: (props: ShownProps) => JSX.Element;
  /** Whether an action is left to a plain button. */
  buttons: (action: string) => boolean;
  /** Whether reviews show what each player knew beside the truth. */
  apart?: boolean;
  /** What to do in the own turn, given what is left to plain buttons. */
  hint?: (buttons: readonly Action[]) => string;
};

/** How views of one kind are shown. */
export type ViewParts = {
  /** A running game; left out: the table of any game. */
  Live?: (props: LiveProps) => JSX.Element;
  /** A finished game; left out: the review of any game. */
  Review?: (props: LiveProps & { review: ReviewDocument }) => JSX.Element;
  /** Whether the review takes the place of the game when it is over. */
  reviewAlone?: boolean;
  /** Whether players move in turn, so that our second turn says that the other one has moved. */
  inTurn?: boolean;
  table?: TableDrawing;
};

/** What a game, or several that look alike, bring: parts by the names of games, and by the kinds of their views. */
export type Registration = { games?: Record<string, GameParts>; views?: Record<string, ViewParts> };

const games = new Map<string, GameParts>();
const views = new Map<string, ViewParts>();

export function register(found: Registration): void {
  for (const [name, parts] of Object.entries(found.games ?? {})) games.set(name, parts);
  for (const [kind, parts] of Object.entries(found.views ?? {})) views.set(kind, parts);
}

/** The parts of a game by its name or its spec, such as name(key=value). */
export const gameParts = (spec: string): GameParts => games.get(spec.split("(")[0]!) ?? {};

export const viewParts = (kind: string | undefined): ViewParts => views.get(kind ?? "") ?? {};

/** The pages of all games, in the order in which the games were registered. */
export const ownPages = (): OwnPage[] => [...games.values()].flatMap((one) => one.pages ?? []);
