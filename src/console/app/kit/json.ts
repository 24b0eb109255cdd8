// JSON of the service. Integers beyond 2^53 become `bigint`, so that ids and longs are shown as they
// are stored.

export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

type Reviver = (
  this: unknown,
  name: string,
  value: unknown,
  context?: { source?: string },
) => unknown;

/** Browsers that do not pass the source text round such integers. */
const exactIntegers: Reviver = (_, value, context) =>
  typeof value === 'number' &&
  !Number.isSafeInteger(value) &&
  context?.source !== undefined &&
  /^-?\d+$/.test(context.source)
    ? BigInt(context.source)
    : value;

export function parseJson(text: string): unknown {
  return JSON.parse(
    text,
    exactIntegers as (this: unknown, name: string, value: unknown) => unknown,
  );
}

/** Prints `value` with two spaces of indentation, or in one line. */
export function jsonText(value: unknown, indent = 2): string {
  return print(value, indent, '');
}

function print(value: unknown, indent: number, margin: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = margin + ' '.repeat(indent);
  const items = Array.isArray(value)
    ? value.map((item) => print(item, indent, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(
          ([name, item]) =>
            `${JSON.stringify(name)}:${indent > 0 ? ' ' : ''}${print(item, indent, inner)}`,
        );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  if (indent === 0) return `${open}${items.join(',')}${close}`;
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
