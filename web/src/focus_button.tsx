// A button that takes the focus when it appears, for questions that want an answer.
import type { ButtonHTMLAttributes, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export function FocusButton(props: ButtonHTMLAttributes<HTMLButtonElement> & { "data-testid"?: string }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  return <button type="button" {...props} ref={button} />;
}
