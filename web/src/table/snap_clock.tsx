// The time that is left to snap: when it is over, the card is passed up.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

export function SnapClock(props: { seconds: number; onEnd: () => void }): JSX.Element {
  const [left, setLeft] = useState(props.seconds);
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(() => {
      const rest = props.seconds - (performance.now() - began) / 1000;
      setLeft(Math.max(0, rest));
      if (rest <= 0) {
        clearInterval(timer);
        props.onEnd();
      }
    }, 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="snap-clock" role="timer" aria-label="Time to snap" data-testid="snap-clock">
      <progress max={props.seconds} value={left} /> {left.toFixed(1)} s to snap
    </p>
  );
}
