// A playing card, face up or face down. Its signs are drawn by the style sheet: the words that a screen reader says and
// that can be spoken to choose it are in its name.
import type { JSX } from "preact";
import { counted } from "../values";
import { drawnFace, faceWords, type Face } from "./card_face";

export function Card(props: {
  face: Face | null;
  /** What a screen reader says before the face: "your card 2". */
  name: string;
  note?: string;
  slot?: number;
  /** Who of the others has seen it. */
  seen?: string;
  picked?: boolean;
  onChoose?: () => void;
  /** A place without a card. */
  empty?: boolean;
}): JSX.Element {
  const { face } = props;
  const drawn = face && drawnFace(face.name);
  const words = [
    props.name,
    props.empty ? "none" : face ? faceText(face) : "face down",
    props.seen ? `seen by ${props.seen}` : "",
    props.onChoose ? (props.note ?? "can be chosen") : "",
  ].filter(Boolean);
  const names = [
    "card-face",
    props.empty ? "empty" : face ? "up" : "down",
    drawn?.red ? "red" : "",
    props.picked ? "picked" : "",
    props.onChoose ? "can" : "",
  ];
  const inside = (
    <>
      {drawn && (
        <span class="card-rank" data-text={drawn.rank} aria-hidden="true">
          <span class="suit" data-text={drawn.suit} />
        </span>
      )}
      {face?.points !== undefined && <span class="points" data-text={counted(face.points, "pt")} aria-hidden="true" />}
      {props.slot !== undefined && <span class="slot" data-text={`#${props.slot + 1}`} aria-hidden="true" />}
      {props.seen && (
        <svg class="seen" viewBox="0 0 20 12" aria-hidden="true">
          <title>{`seen by ${props.seen}`}</title>
          <path d="M1 6q9-10 18 0q-9 10-18 0z" />
          <circle cx="10" cy="6" r="2.6" />
        </svg>
      )}
    </>
  );
  const label = words.join(", ");
  if (!props.onChoose) {
    return (
      <span class={names.filter(Boolean).join(" ")} role="img" aria-label={label} data-card={face?.name ?? ""}>
        {inside}
      </span>
    );
  }
  return (
    <button
      type="button"
      class={names.filter(Boolean).join(" ")}
      aria-label={label}
      aria-pressed={props.picked ?? false}
      data-card={face?.name ?? ""}
      onClick={(event) => event.detail < 2 && props.onChoose?.()} // the second click of a double click was not meant for this
    >
      {inside}
    </button>
  );
}

function faceText(face: Face): string {
  const words = faceWords(face.name);
  return face.points === undefined ? words : `${words}, ${counted(face.points, "point")}`;
}
