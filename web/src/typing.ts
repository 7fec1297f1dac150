// Whether a key belongs to a field into which somebody is writing.

export function typing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return /SELECT|TEXTAREA/.test(target.tagName);
}
