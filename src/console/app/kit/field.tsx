// An input with its label, and a hint that screen readers find.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export function Field({
  label,
  hint,
  children,
}: {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** Builds the input with that id; `hintId` is for aria-describedby. */
  readonly children: (id: string, hintId: string | undefined) => ComponentChildren;
}) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hintId)}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly title: string }[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as Value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
