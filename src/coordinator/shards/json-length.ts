// Estimates the length of the JSON text of a value without creating it, in several time slices if
// the value is large.
import { type CooperativeTask, ITEMS_PER_YIELD } from '../../base/cooperative-task.js';

/** The quotes of a string; escapes are not counted. */
const AROUND_TEXT = 2;

/** The approximate number of characters of the JSON of `root`. Counting stops above `most`. */
export function* jsonLengthOf(root: unknown, most: number): CooperativeTask<number> {
  let characters = 0;
  let looked = 0;
  const left: unknown[] = [root];
  while (left.length > 0 && characters <= most) {
    const value = left.pop();
    if (value instanceof Uint8Array) characters += value.length;
    else if (typeof value === 'string') characters += value.length + AROUND_TEXT;
    else if (typeof value !== 'object' || value === null) characters += String(value).length;
    else {
      // Brackets, and a comma or a colon and a comma for each member, which has a character itself.
      const names = Array.isArray(value) ? undefined : Object.keys(value);
      const members = names?.length ?? (value as readonly unknown[]).length;
      characters += 2 + members;
      if (characters + members > most) return characters + members;
      if (names === undefined) for (const member of value as readonly unknown[]) left.push(member);
      for (const name of names ?? []) {
        characters += name.length + AROUND_TEXT + 1;
        left.push((value as Readonly<Record<string, unknown>>)[name]);
      }
    }
    looked += 1;
    if (looked % ITEMS_PER_YIELD === 0) yield;
  }
  return characters;
}
