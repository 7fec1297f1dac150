// A text to be copied: it is selected when it has the focus, and a button copies it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";

export function CopyField(props: { label: string; value: string; testid: string }): JSX.Element {
  const [copied, setCopied] = useState("");
  const copy = () =>
    void navigator.clipboard?.writeText(props.value).then(
      () => setCopied(props.value),
      () => {},
    );
  return (
    <div class="copy-field">
      <label>
        {props.label}
        <input
          class="link"
          data-testid={props.testid}
          readOnly
          value={props.value}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      {navigator.clipboard && (
        <button type="button" class="action" aria-label={`Copy: ${props.label}`} onClick={copy}>
          {copied === props.value ? "Copied" : "Copy"}
        </button>
      )}
    </div>
  );
}
