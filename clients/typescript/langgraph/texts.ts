// The text of an item, by which questions find it: what stands at the paths of its value.
import type { JsonObject } from '../src/transport.js';

type Step = string | number | '*';

/** `paths`: `$` for all of the value, else names and places such as `a.b`, `a[0]`, `a[-1].b`, `a[*]`. */
export function textOf(value: JsonObject, paths: readonly string[]): string {
  const texts = paths.flatMap((path) => at(value, stepsOf(path)).flatMap(leaves));
  return texts.filter((text) => text.trim() !== '').join('\n');
}

function stepsOf(path: string): readonly Step[] {
  if (path === '$') return [];
  return [...path.matchAll(/\[(\*|-?\d+)\]|([^.[\]]+)/g)].map(([, place, name]) => {
    if (place === undefined) return name ?? '';
    return place === '*' ? '*' : Number(place);
  });
}

function at(value: unknown, [step, ...rest]: readonly Step[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (step === '*') {
    const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
    return inner.flatMap((one) => at(one, rest));
  }
  if (typeof step === 'number') {
    return Array.isArray(value) && value.at(step) !== undefined ? at(value.at(step), rest) : [];
  }
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
  return isThere ? at((value as JsonObject)[step], rest) : [];
}

/** The strings and numbers in a value, at every depth. */
function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leaves);
}
