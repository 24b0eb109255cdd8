// Inputs for a moment, in the local time of the browser.
import { Field } from './field.js';

/** `value` in epoch milliseconds; undefined: none is chosen. */
export function MomentField({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id, hintId) => (
        <input
          id={id}
          type="datetime-local"
          step="1"
          aria-describedby={hintId}
          value={value === undefined ? '' : inputText(value)}
          onInput={(event) => {
            const ms = new Date(event.currentTarget.value).getTime();
            onChange(Number.isNaN(ms) ? undefined : ms);
          }}
        />
      )}
    </Field>
  );
}

/** Local time in the form of inputs: 2026-01-31T12:00:00. */
function inputText(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 19);
}
