// One seat's connection to a live game: its events so far, and messages to the server.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { LiveSocket, type Event } from "./socket";
import { viewParts } from "./registry";
import { findKey, findSetup } from "./keys";

/** What the server calls a player who is no agent. */
export const PERSON = "person";

export type Action = { action: string; label: string };

export type StartEvent = {
  n: number;
  type: "start";
  game: string;
  seat: number;
  seats: string[];
  players: string[];
  clock: [number, number] | null;
  casual: boolean;
};

export type ViewEvent<View = Record<string, unknown>> = {
  n: number;
  type: "view";
  view: View & { kind: string };
  turn: boolean;
  actions: Action[];
  news: string;
  clock: number[] | null;
  /** Whether we have a decision of our own behind us, which could be taken back. */
  decided?: boolean;
  /** Seconds that are left for this decision; then the server decides. */
  seconds?: number;
  /** When it arrived here, for the clocks. */
  arrived: number;
};

export type OverEvent = { n: number; type: "over"; returns: number[]; reason: string };
export type Offer = { what: string; by: number };

export type LiveGame = {
  key: string;
  /** Our seat, or SPECTATOR. */
  seat: number;
  start: StartEvent | null;
  views: ViewEvent[];
  over: OverEvent | null;
  offer: Offer | null;
  /** The last line worth saying about an offer: made, declined. */
  notice: string;
  /** Agents that have failed and play at random since, each with the number of views before that. */
  failures: { by: number; views: number }[];
  refused: string;
  /** Another game with the same people: who asks for it, or our seat in it. */
  rematch: { by?: number; id?: string; seat?: number; key?: string } | null;
  /** The seats of people whose page is open, where that was asked for. */
  present: number[] | null;
  /** The seats of people who have never come; until then no clock runs. */
  waiting: number[];
  /** Whether this browser made the game and has the links for the others. */
  invites: boolean;
  /** The last answer to "look", as the server sent it. */
  look: Event | null;
  /** Seconds and nodes of the answers so far to this look: how its tree grew. */
  growth: [number, number][];
  connected: boolean;
  /** Whether the events that the server had when the page was opened are here. */
  loaded: boolean;
  /** Whether it is our turn: false as soon as our action is sent. */
  turn: boolean;
  /** What we may do now; empty as soon as our action is sent. */
  actions: readonly Action[];
  /** Why the server does not let us in; empty if it does. */
  shut: string;
  send: (message: Record<string, unknown>) => boolean;
  /** Do one of the actions. */
  act: (action: string) => void;
};

type State = Omit<LiveGame, "send" | "act" | "turn" | "actions" | "connected" | "shut" | "key" | "seat" | "invites"> & {
  /** Whether the events that the server had when this connection began are here. */
  upToDate: boolean;
  /** The number of the view at which our action was sent; 0 if it was answered. */
  sent: number;
};

/** Milliseconds between two questions whether the others are there. */
const PRESENCE = 3000;

const NONE: readonly Action[] = [];

const EMPTY: State = {
  start: null,
  views: [],
  over: null,
  offer: null,
  notice: "",
  failures: [],
  refused: "",
  present: null,
  waiting: [],
  look: null,
  growth: [],
  rematch: null,
  loaded: false,
  upToDate: false,
  sent: 0,
};

function after(state: State, event: Event): State {
  switch (event.type) {
    case "start":
      return { ...state, start: event as unknown as StartEvent };
    case "view": {
      const view = { ...(event as unknown as ViewEvent), arrived: performance.now() };
      // It is our turn again where players move in turn: the friend has moved, and so has come.
      const moved = view.turn && state.views.length > 0 && viewParts(view.view.kind).inTurn;
      const waiting = moved ? [] : state.waiting;
      return { ...state, views: [...state.views, view], waiting, offer: null, refused: "", notice: "", look: null, growth: [] };
    }
    case "clock": {
      const last = state.views.at(-1);
      if (!last || !Array.isArray(event.clock)) return state;
      const fresh = { ...last, clock: event.clock as number[], arrived: performance.now() };
      return { ...state, views: [...state.views.slice(0, -1), fresh], waiting: event.waiting as number[] };
    }
    case "timeout": {
      const last = state.views.at(-1);
      if (!last) return state;
      const fresh = { ...last, seconds: Number(event.seconds), arrived: performance.now() };
      return { ...state, views: [...state.views.slice(0, -1), fresh] };
    }
    case "over":
      return { ...state, over: event as unknown as OverEvent, offer: null, refused: "" };
    case "offer":
      return { ...state, offer: { what: String(event.what), by: Number(event.by) }, notice: "" };
    case "decline":
      return { ...state, offer: null, notice: `The ${event.what === "draw" ? "draw" : "take-back"} was declined.` };
    case "fail":
      return { ...state, failures: [...state.failures, { by: Number(event.by), views: state.views.length }] };
    case "refused":
      return { ...state, refused: String(event.why), sent: 0 };
    case "pong":
      return { ...state, loaded: true, upToDate: true, sent: 0, refused: "" }; // what was sent before a break may be lost
    case "rematch":
      return { ...state, rematch: event as unknown as LiveGame["rematch"] };
    case "present":
      return { ...state, present: event.seats as number[], waiting: event.waiting as number[] };
    case "look":
      return { ...state, look: event, growth: grown(state.growth, event) };
    default:
      return state;
  }
}

/** The growth of a tree with one more answer; an answer without a tree begins anew. */
export function grown(before: [number, number][], event: { [field: string]: unknown }): [number, number][] {
  if (typeof event.nodes !== "number" || typeof event.seconds !== "number") return [];
  return [...before, [event.seconds, event.nodes]];
}

export function useLiveGame(id: string): LiveGame {
  const [state, setState] = useState<State>(EMPTY);
  const [connected, setConnected] = useState(false);
  const [shut, setShut] = useState("");
  const socket = useRef<LiveSocket | null>(null);
  const [seat] = useState(() => findKey(id));
  const [invites] = useState(() => Object.keys(findSetup(id)?.others ?? {}).length > 0);
  useEffect(() => {
    if (seat === null) {
      setShut("This browser has no key to a game at this address.");
      return;
    }
    const live = new LiveSocket(
      `/ws/games/${id}`,
      { key: seat.key },
      (event) => setState((before) => after(before, event)),
      (open) => {
        setConnected(open);
        setState((before) => ({ ...before, upToDate: false }));
      },
      setShut,
    );
    socket.current = live;
    return () => live.close();
  }, [id, seat]);
  const send = useCallback((message: Record<string, unknown>) => {
    const sent = socket.current?.send(message) ?? false;
    return sent;
  }, []);
  const now = state.views.at(-1);
  const waiting = now === undefined || state.sent === now.n;
  const act = (action: string) => {
    if (!waiting && send({ type: "act", at: now.n, action })) setState((before) => ({ ...before, sent: now.n }));
  };
  // With other people in the game the page asks now and then whether they are there: when all events are here, because
  // a question for each of them would be too many messages.
  const people = (state.start?.players.filter((one) => one === PERSON).length ?? 0) > 1 && state.over === null;
  useEffect(() => {
    if (!people || !state.upToDate) return;
    const ask = () => socket.current?.send({ type: "present" });
    ask();
    const timer = setInterval(ask, PRESENCE);
    return () => clearInterval(timer);
  }, [people, state.upToDate, now?.n]); // who has just moved is there
  const turn = !waiting && now.turn;
  const actions = waiting ? NONE : now.actions;
  return { ...state, key: seat?.key ?? "", seat: seat?.seat ?? 0, invites, turn, actions, connected, shut, send, act };
}
