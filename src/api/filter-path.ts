// `filter_path`: keeps of an answer what its patterns name. `*` stands for one key (or a part of it), `**` for any
// number of keys, a leading `-` takes away. Patterns are walked as states of an automaton, so that many `**` cost no
// more than their number at each key.

import { patternMatcher } from '../wildcard.js';

/** One key of a pattern; `null` in place of a step is the pattern's end. */
interface Step {
  readonly any: boolean;
  readonly matches: (key: string) => boolean;
  readonly rest: Step | null;
}

type States = ReadonlySet<Step | null>;

/** Applies a filter_path parameter to an answer; an answer of which nothing is left becomes `{}`. */
export function filterPath(value: unknown, expression: string): unknown {
  const parts = expression.split(',').map((part) => part.trim());
  const includes = parts.filter((part) => part !== '' && !part.startsWith('-')).map(readPattern);
  const excludes = parts
    .filter((part) => part.startsWith('-'))
    .map((part) => readPattern(part.slice(1)));
  let kept = includes.length === 0 ? value : include(value, new Set(includes));
  if (excludes.length > 0 && kept !== undefined) kept = exclude(kept, new Set(excludes));
  return kept ?? {};
}

function readPattern(path: string): Step | null {
  const keys = path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'));
  return keys.reduceRight<Step | null>(
    (rest, key) => ({ any: key === '**', matches: patternMatcher(key), rest }),
    null,
  );
}

/** What remains of each pattern below `key`. */
function below(states: States, key: string): States {
  const next = new Set<Step | null>();
  for (const state of states) {
    for (let step = state; step !== null; step = step.rest) {
      if (step.any) next.add(step);
      else {
        if (step.matches(key)) next.add(step.rest);
        break;
      }
    }
  }
  return next;
}

/** Whether only `**` remain of a pattern, which then fits any leaf. */
function fitsLeaf(state: Step | null): boolean {
  for (let step = state; step !== null; step = step.rest) if (!step.any) return false;
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function include(value: unknown, states: States): unknown {
  if (states.has(null)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => include(item, states)).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(value)) return [...states].some(fitsLeaf) ? value : undefined;
  const members = Object.entries(value).flatMap(([key, item]) => {
    const deeper = below(states, key);
    const kept = deeper.size === 0 ? undefined : include(item, deeper);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function exclude(value: unknown, states: States): unknown {
  if (states.size === 0) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => exclude(item, states)).filter((item) => item !== undefined);
    return items.length === 0 && value.length > 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, item]) => {
    const deeper = below(states, key);
    const kept = deeper.has(null) ? undefined : exclude(item, deeper);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return members.length === 0 && Object.keys(value).length > 0
    ? undefined
    : Object.fromEntries(members);
}
