// What has happened, in words, the latest below.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Scroll to the latest line, with room below it so that the first visible line is whole. */
function showLatest(box: HTMLDivElement): void {
  box.style.paddingBottom = "";
  box.scrollTop = box.scrollHeight;
  if (box.scrollTop === 0) return;
  const edge = box.getBoundingClientRect().top + box.clientTop;
  const first = [...box.children].map((line) => line.getBoundingClientRect().top - edge).find((top) => top >= 0) ?? 0;
  box.style.paddingBottom = `${parseFloat(getComputedStyle(box).paddingBottom) + first}px`;
  box.scrollTop = box.scrollHeight;
}

export function EventLog({ lines }: { lines: readonly string[] }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) showLatest(box.current);
  }, [lines.length]);
  return (
    <div class="event-log" ref={box} aria-label="What has happened" aria-live="polite" role="log" tabIndex={0}>
      {lines.map((line, number) => (
        <p key={number}>{line}</p>
      ))}
      {lines.length === 0 && <p class="quiet">Nothing has happened yet.</p>}
    </div>
  );
}
