// A chess board with fog: drag, click or keyboard; arrows, shades, ghosts and own markers.
import type { JSX } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { usePageKeys } from "../page_keys";
import { Arrows, type Arrow } from "./arrows";
import { Piece } from "./pieces";
import { Promotion } from "./promotion";
import { describe, describeGhost, drawnSquares, isPiece, isWhite, pieceName, squareName, squareNumber } from "./squares";

export type { Arrow } from "./arrows";
/** A piece that may stand somewhere; ``guessed``: it is part of one whole guessed board. */
export type Ghost = { square: number; piece: string; share: number; guessed?: boolean };

/** Milliseconds after which a touch that stays on a square marks it. */
const LONG_PRESS = 450;
/** Pixels by which a finger may move and still stay where it is. */
const STILL = 8;

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export type BoardProps = {
  /** 64 marks from a1 to h8: a piece's letter, "." empty, "?" fog, "#" blocked by something. */
  marks: readonly string[];
  orientation: 0 | 1;
  /** Legal moves in UCI; empty while it is not our turn. */
  legal: readonly string[];
  /** Our side, whose pieces may be picked up. */
  side?: 0 | 1;
  onMove?: (move: string) => void;
  /** One line on why a click did nothing, from what this side sees alone; empty after a good one. */
  onProblem?: (line: string) => void;
  /** Moves to be made when it is our turn; null if none is set. */
  premove?: string | null;
  onPremove?: (move: string | null) => void;
  lastMove?: readonly string[];
  arrows?: readonly Arrow[];
  ghosts?: readonly Ghost[];
  /** From 0 to 1 per square: how likely something stands there. */
  shades?: readonly number[];
  markers?: ReadonlySet<number>;
  onMarker?: (square: number) => void;
  /** An arrow drawn with the right button, or in the mode of marking, as "e2e4". */
  onArrow?: (move: string) => void;
  /** Whether a click or a tap marks a square and a drag draws an arrow, in place of moves. */
  marking?: boolean;
  /** What is drawn, if it is not what the side sees: a line above the board. Empty: the line is kept free. A page where it can
   *  change always gives it, so that the board stays where it is. */
  note?: string;
  label?: string;
  /** Whether the arrow keys lead to the board from anywhere on the page. */
  keys?: boolean;
  /** The square that gets the focus when the board appears, unless something else has it. */
  focusOn?: string | null;
};

export function Board(props: BoardProps): JSX.Element {
  const { marks, orientation, legal, side } = props;
  const [picked, setPicked] = useState<number | null>(null);
  const [focus, setFocus] = useState(() => (props.focusOn ? squareNumber(props.focusOn) : orientation === 0 ? 12 : 52));
  const [promotion, setPromotion] = useState<{ from: number; to: number } | null>(null);
  const board = useRef<HTMLDivElement>(null);
  const drag = useRef<{ from: number; element: HTMLElement; moved: boolean; x: number; y: number } | null>(null);

  const targets = useMemo(() => {
    const found = new Map<number, string[]>();
    if (picked === null) return found;
    for (const move of legal) {
      if (squareNumber(move) !== picked) continue;
      const to = squareNumber(move.slice(2));
      found.set(to, [...(found.get(to) ?? []), move]);
    }
    return found;
  }, [legal, picked]);

  const mine = useCallback(
    (square: number) => {
      const mark = marks[square] ?? "?";
      return side !== undefined && isPiece(mark) && isWhite(mark) === (side === 0);
    },
    [marks, side],
  );

  const play = useCallback(
    (from: number, to: number) => {
      setPicked(null);
      if (from === to) return;
      const prefix = squareName(from) + squareName(to);
      const moves = legal.filter((move) => move.startsWith(prefix));
      if (moves.length > 1) setPromotion({ from, to });
      else if (moves.length === 1) props.onMove?.(moves[0]!);
      else if (legal.length === 0 && mine(from)) {
        const pawn = (marks[from] ?? "").toLowerCase() === "p";
        const last = to >= 56 || to < 8;
        props.onPremove?.(prefix + (pawn && last ? "q" : ""));
      } else props.onProblem?.(`The ${pieceName(marks[from] ?? "")} on ${squareName(from)} cannot go to ${squareName(to)}.`);
    },
    [legal, marks, mine, props.onMove, props.onPremove, props.onProblem],
  );

  const choose = (square: number) => {
    if (promotion) setPromotion(null);
    props.onProblem?.("");
    if (picked !== null && picked !== square && !mine(square)) play(picked, square);
    else if (picked !== null && targets.has(square)) play(picked, square);
    else if (mine(square)) {
      setPicked(picked === square ? null : square);
      const stuck = legal.length > 0 && !legal.some((move) => squareNumber(move) === square);
      if (stuck) props.onProblem?.(`The ${pieceName(marks[square] ?? "")} on ${squareName(square)} has no move now.`);
    } else {
      setPicked(null);
      if (legal.length > 0) props.onProblem?.("Choose one of your own pieces first.");
      if (props.premove) props.onPremove?.(null);
    }
  };

  const squareAt = (x: number, y: number): number | null => {
    const box = board.current?.getBoundingClientRect();
    if (!box) return null;
    const column = Math.floor(((x - box.left) / box.width) * 8);
    const row = Math.floor(((y - box.top) / box.height) * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return drawnSquares(orientation)[8 * row + column] ?? null;
  };

  const letGo = () => {
    const now = drag.current;
    drag.current = null;
    if (!now) return;
    now.element.style.transform = "";
    now.element.style.zIndex = "";
  };

  /** Mark a square on which a finger stays, instead of playing there. */
  const hold = (event: PointerEvent, square: number) => {
    const timer = setTimeout(() => {
      held.current = null;
      suppressClick.current = true;
      letGo();
      setPicked(null);
      props.onMarker?.(square);
    }, LONG_PRESS);
    held.current = { timer, x: event.clientX, y: event.clientY };
  };
  const release = () => {
    clearTimeout(held.current?.timer);
    held.current = null;
  };

  const down = (event: PointerEvent, square: number) => {
    release();
    letGo();
    drawn.current = null; // a press whose release never came draws nothing
    suppressClick.current = false;
    const marks = event.button === 2 || (props.marking === true && event.button === 0);
    if (marks) {
      drawn.current = square;
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      return;
    }
    if (event.pointerType === "touch" && props.onMarker) hold(event, square);
    if (event.button !== 0 || !mine(square)) return;
    const element = (event.currentTarget as HTMLElement).querySelector<HTMLElement>("svg.piece");
    if (!element) return;
    drag.current = { from: square, element, moved: false, x: event.clientX, y: event.clientY };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };

  const move = (event: PointerEvent) => {
    const still = held.current;
    if (still && Math.hypot(event.clientX - still.x, event.clientY - still.y) > STILL) release();
    const now = drag.current;
    if (!now) return;
    const dx = event.clientX - now.x;
    const dy = event.clientY - now.y;
    if (!now.moved && Math.hypot(dx, dy) < 5) return;
    if (!now.moved) {
      now.moved = true;
      release(); // a piece that is being dragged is no longer held still
      setPicked(now.from);
    }
    now.element.style.transform = `translate(${dx}px, ${dy}px) scale(1.08)`;
    now.element.style.zIndex = "5";
  };

  const up = (event: PointerEvent) => {
    release();
    if (drawn.current !== null) {
      const to = event.type === "pointercancel" ? null : squareAt(event.clientX, event.clientY);
      if (to === drawn.current) props.onMarker?.(to);
      else if (to !== null) props.onArrow?.(squareName(drawn.current) + squareName(to));
      drawn.current = null;
      return;
    }
    const now = drag.current;
    letGo();
    if (!now?.moved) return;
    event.preventDefault();
    const to = event.type === "pointercancel" ? null : squareAt(event.clientX, event.clientY);
    suppressClick.current = true;
    if (to !== null) play(now.from, to);
    else setPicked(null);
  };
  const suppressClick = useRef(false); // until the next press: the click after a drag or a long press
  const drawn = useRef<number | null>(null);
  const held = useRef<{ timer: number; x: number; y: number } | null>(null);
  useEffect(() => release, []);
  useEffect(() => {
    if (props.marking) setPicked(null);
  }, [props.marking]);

  /** A click, or Enter on the square that has the focus. */
  const click = (event: MouseEvent, square: number) => {
    if (suppressClick.current && event.detail > 0) return;
    if (!props.marking) choose(square);
    else if (event.detail === 0) props.onMarker?.(square); // Enter; the mouse has marked it before
  };

  const keys = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      const sign = orientation === 0 ? 1 : -1;
      const file = (focus % 8) + sign * step[0];
      const row = Math.floor(focus / 8) + sign * step[1];
      if (file >= 0 && file < 8 && row >= 0 && row < 8) setFocus(8 * row + file);
    } else if (event.key === "m") {
      props.onMarker?.(focus);
    } else if (event.key === "Escape") {
      setPicked(null);
      setPromotion(null);
      props.onPremove?.(null);
    }
  };

  const focused = () => board.current?.querySelector<HTMLElement>(`[data-square="${squareName(focus)}"]`);
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (active instanceof HTMLElement && board.current?.contains(active)) focused()?.focus();
  }, [focus]);
  useLayoutEffect(() => {
    if (props.focusOn && document.activeElement === document.body) focused()?.focus({ preventScroll: true });
  }, []);
  usePageKeys((event) => {
    if (!props.keys || !STEPS[event.key] || document.activeElement !== document.body) return;
    event.preventDefault();
    focused()?.focus();
  });

  const ghosts = useMemo(() => {
    const likeliest = new Map<number, Ghost>();
    for (const ghost of props.ghosts ?? []) {
      const before = likeliest.get(ghost.square);
      if (!before || before.share < ghost.share) likeliest.set(ghost.square, ghost);
    }
    return likeliest;
  }, [props.ghosts]);

  const marked = new Set((props.lastMove ?? []).map(squareNumber));
  const planned = props.premove ? [squareNumber(props.premove), squareNumber(props.premove.slice(2))] : [];
  return (
    <>
      {props.note !== undefined && (
        <p class="board-note">{props.note && <span data-testid="board-note">{props.note}</span>}</p>
      )}
      <div class="board-frame">
        <div
          class={props.marking ? "board marking" : "board"}
          ref={board}
          onKeyDown={keys}
          onPointerMove={move}
          onPointerUp={up}
          onPointerCancel={up}
          onContextMenu={(event) => event.preventDefault()}
        >
          <div class="ranks-of-squares" role="grid" aria-label={props.label ?? "Chess board"}>
            {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
              <div role="row" class="rank" key={row}>
                {drawnSquares(orientation)
                  .slice(8 * row, 8 * row + 8)
                  .map((square) => {
                    const mark = marks[square] ?? "?";
                    const ghost = ghosts.get(square);
                    const shade = props.shades?.[square] ?? 0;
                    const dark = (Math.floor(square / 8) + square) % 2 === 0;
                    const names = [
                      "square",
                      dark ? "dark" : "light",
                      mark === "?" ? "fog" : "",
                      mark === "#" ? "blocked" : "",
                      picked === square ? "picked" : "",
                      targets.has(square) ? (isPiece(mark) ? "capture" : "target") : "",
                      marked.has(square) ? "last" : "",
                      planned.includes(square) ? "planned" : "",
                    ];
                    return (
                      <button
                        key={square}
                        type="button"
                        role="gridcell"
                        class={names.filter(Boolean).join(" ")}
                        data-square={squareName(square)}
                        data-piece={isPiece(mark) ? mark : undefined}
                        data-ghost={isPiece(mark) ? undefined : ghost?.piece}
                        aria-label={[
                          describe(square, mark),
                          ...(ghost && !isPiece(mark) ? [describeGhost(ghost)] : []),
                          ...(targets.has(square) ? ["can move here"] : []),
                        ].join(", ")}
                        aria-selected={picked === square}
                        tabIndex={square === focus ? 0 : -1}
                        onFocus={() => setFocus(square)}
                        onPointerDown={(event) => down(event, square)}
                        onClick={(event) => click(event, square)}
                      >
                        {shade > 0.005 && <span class="shade" style={{ opacity: shadeOpacity(shade) }} />}
                        {props.markers?.has(square) && <span class="marker" />}
                        {isPiece(mark) && <Piece piece={mark} />}
                        {ghost && !isPiece(mark) && (
                          <span class={ghost.guessed ? "ghost guessed" : "ghost"}>
                            <span class="faint" style={{ opacity: ghost.guessed ? 0.55 : 0.25 + 0.65 * ghost.share }}>
                              <Piece piece={ghost.piece} />
                            </span>
                            {!ghost.guessed && ghost.share < 0.995 && <small>{Math.round(100 * ghost.share)}</small>}
                          </span>
                        )}
                      </button>
                    );
                  })}
              </div>
            ))}
          </div>
          <Arrows arrows={props.arrows ?? []} orientation={orientation} />
          {promotion && (
            <Promotion
              side={side ?? 0}
              choose={(letter) => {
                const prefix = squareName(promotion.from) + squareName(promotion.to);
                setPromotion(null);
                if (letter !== null) props.onMove?.(prefix + letter);
              }}
            />
          )}
        </div>
        <div class="files" aria-hidden="true">
          {(orientation === 0 ? "abcdefgh" : "hgfedcba").split("").map((file) => (
            <span key={file}>{file}</span>
          ))}
        </div>
        <div class="ranks" aria-hidden="true">
          {(orientation === 0 ? "87654321" : "12345678").split("").map((rank) => (
            <span key={rank}>{rank}</span>
          ))}
        </div>
      </div>
    </>
  );
}

/** How strong the colour of a square is that may hold a piece: always strong enough to be seen. */
function shadeOpacity(share: number): number {
  return Math.min(0.85, 0.12 + 0.75 * share);
}
