// Keys that work anywhere on a page.
import { useLayoutEffect } from "preact/hooks";

/** Hand every key to `pressed`, but not those with Ctrl, Meta or Alt, nor those that are typed into a field.
 *
 * The listener changes together with what is shown, before anything is painted, so that a key always acts on what is
 * shown now: never on what was shown before the last click. */
export function usePageKeys(pressed: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)) pressed(event);
    };
    addEventListener("keydown", heard);
    return () => removeEventListener("keydown", heard);
  });
}

/** Whether a key was pressed in one of the elements that a selector names, or inside one. */
export function pressedIn(event: KeyboardEvent, selector: string): boolean {
  return event.target instanceof Element && event.target.closest(selector) !== null;
}

/** Whether a key was pressed while a box has the focus that arrow keys scroll sideways. */
export function scrollsSideways({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || target.scrollWidth <= target.clientWidth) return false;
  return ["auto", "scroll"].includes(getComputedStyle(target).overflowX);
}

function isTyping(event: KeyboardEvent): boolean {
  const { target } = event;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
