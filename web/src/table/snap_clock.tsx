// The time that is left to snap. The server keeps it: when it is over, the server passes the card up.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

export function SnapClock(props: { seconds: number; since: number }): JSX.Element {
  const rest = () => Math.max(0, props.seconds - (performance.now() - props.since) / 1000);
  const [left, setLeft] = useState(rest);
  useEffect(() => {
    const timer = setInterval(() => setLeft(rest()), 100);
    return () => clearInterval(timer);
  }, [props.seconds, props.since]);
  return (
    <p class="snap-clock" role="timer" aria-label="Time to snap" data-testid="snap-clock">
      <progress max={props.seconds} value={left} /> {left.toFixed(1)} s to snap
    </p>
  );
}
