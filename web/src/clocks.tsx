// Clocks that tick between the events of the server.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

export function timeText(seconds: number): string {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.floor(left);
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

export function Clock(props: {
  name: string;
  /** Seconds left when the turn began. */
  seconds: number;
  running: boolean;
  /** When the turn began, by performance.now(). */
  since: number;
}): JSX.Element {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!props.running) return;
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, [props.running, props.since]);
  const passed = props.running ? Math.max(0, now - props.since) / 1000 : 0;
  const left = props.seconds - passed;
  return (
    <span
      class={`clock ${props.running ? "running" : ""} ${left < 20 ? "low" : ""}`}
      role="timer"
      aria-label={`Time of ${props.name}`}
    >
      {timeText(left)}
    </span>
  );
}
