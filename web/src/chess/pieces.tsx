// The pieces, drawn for fogtree: plain shapes on a field of 45 by 45.
import type { JSX } from "preact";

const BASE = "M12 38.5h21a1.5 1.5 0 0 0 1.5-1.5v-1.2a2 2 0 0 0-2-2h-20a2 2 0 0 0-2 2V37a1.5 1.5 0 0 0 1.5 1.5z";

const SHAPES: Record<string, string[]> = {
  p: [
    BASE,
    "M17 34c0-6 3.4-8.2 3.8-13h3.4c.4 4.8 3.8 7 3.8 13z",
    "M22.5 8.5a6 6 0 1 1 0 12.2 6 6 0 0 1 0-12.2z",
  ],
  r: [BASE, "M15 34l1.2-14h12.6L30 34z", "M12.5 8.5h4.6v3.6h3v-3.6h4.8v3.6h3v-3.6h4.6v8l-3.2 3.5H15.7l-3.2-3.5z"],
  n: [
    BASE,
    "M15.5 34c-.6-6.8 4.6-9.3 5.2-13.7-2.6.4-4.3 3.2-7.2 3-2.4-.1-3.2-2.6-1.8-4.6l4-6c1-1.6 2.4-2.8 4.3-3.4L21.6 6l2.7 3.1C30.6 11 33 17.6 31.6 34z",
  ],
  b: [
    BASE,
    "M15.5 34l2.6-5h8.8l2.6 5z",
    "M22.5 10.2c6.3 4 8 10.6 5 17.6h-10c-3-7-1.3-13.6 5-17.6z",
    "M22.5 5.4a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  ],
  q: [
    BASE,
    "M14.5 34l-4.7-18.4 6.4 8.2.9-12 3.6 11.2 1.8-12.4 1.8 12.4 3.6-11.2.9 12 6.4-8.2L30.5 34z",
    "M9.6 12.4a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM17 8.2a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM22.5 6.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM28 8.2a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM35.4 12.4a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  ],
  k: [
    BASE,
    "M15 34c-.6-3.4-5.6-6.4-5.2-11.4.4-4.6 6.2-6.6 9.8-3.4l2.9 3 2.9-3c3.6-3.2 9.4-1.2 9.8 3.4.4 5-4.6 8-5.2 11.4z",
    "M21 5h3v3h3.2v3H24v6.4h-3V11h-3.2V8H21z",
  ],
};

export function Piece(props: { piece: string; class?: string }): JSX.Element {
  const white = props.piece === props.piece.toUpperCase();
  const shapes = SHAPES[props.piece.toLowerCase()] ?? [];
  return (
    <svg
      class={`piece ${white ? "white" : "black"} ${props.class ?? ""}`}
      viewBox="0 0 45 45"
      aria-hidden="true"
      focusable="false"
    >
      {shapes.map((shape) => (
        <path d={shape} />
      ))}
    </svg>
  );
}
