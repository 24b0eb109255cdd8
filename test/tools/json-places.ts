// Enumerates places in a JSON value, and replaces one of them by another JSON text, which may be
// invalid.

/** Names and positions from the outside in. */
export type Place = readonly (string | number)[];

/** The places of every member at every depth, and of the value itself if it is not a list. */
export function* placesOf(value: unknown, place: Place = []): Generator<Place> {
  if (place.length === 0 && !Array.isArray(value)) yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = [...place, Array.isArray(value) ? Number(name) : name];
    yield inner;
    yield* placesOf(member, inner);
  }
}

/** `value` printed with `text` at the place. */
export function withTextAt(value: unknown, place: Place, text: string): string {
  const [name, ...rest] = place;
  if (name === undefined) return text;
  const parts = Object.entries(value as object).map(([key, member]) => {
    const inner = key === String(name) ? withTextAt(member, rest, text) : JSON.stringify(member);
    return Array.isArray(value) ? inner : `${JSON.stringify(key)}:${inner}`;
  });
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** Lines of JSON; the place begins with the number of its line. */
export function linesWithTextAt(lines: readonly unknown[], place: Place, text: string): string {
  const [at, ...rest] = place;
  return lines
    .map((line, number) => {
      const printed = number === at ? withTextAt(line, rest, text) : JSON.stringify(line);
      return `${printed}\n`;
    })
    .join('');
}

/**
 * JSON texts that are unsuitable in most places: big numbers, wrong types, names of object
 * properties.
 */
export const BAD_VALUES = [
  '9223372036854775808',
  'null',
  '1e400',
  '[]',
  '"x"',
  '{}',
  '18446744073709551616',
  'true',
  '-1e400',
  '[null]',
  '-1',
  '{"toString":1,"valueOf":null}',
  '"\\ud800"',
  '9007199254740993',
  '1.5',
  '[[{"a":9007199254740993}]]',
  '""',
  '{"__proto__":null,"a":9007199254740993}',
] as const;
