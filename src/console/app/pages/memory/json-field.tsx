// A text area for a JSON object, with what is wrong about it.
import { Field } from '../../kit/field.js';
import { isObject, type JsonObject, parseJson } from '../../kit/json.js';

/** The object; undefined for an empty text. Throws an Error that says what is wrong. */
export function readJsonObject(text: string, what: string): JsonObject | undefined {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new Error(`${what} must be a JSON object, such as {"topic": "home"}`);
  return value;
}

export function JsonField({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id, hintId) => (
        <textarea
          id={id}
          class="code-input"
          spellcheck={false}
          aria-describedby={hintId}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** The merge patch (RFC 7396) that makes `after` of `before`. */
export function mergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const patch: Record<string, JsonObject[string]> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (isObject(old) && isObject(value)) {
      const inner = mergePatch(old, value);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (JSON.stringify(old, bigints) !== JSON.stringify(value, bigints)) {
      patch[name] = value;
    }
  }
  return patch;
}

function bigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
