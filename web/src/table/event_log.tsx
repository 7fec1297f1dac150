// What has happened, in words, the latest below.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function EventLog({ lines }: { lines: readonly string[] }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
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
