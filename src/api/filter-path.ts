// `filter_path`: keeps of an answer what its patterns name. `*` stands for one key (or a part of it), `**` for any
// number of keys, a leading `-` takes away.

import { wildcardMatch } from '../wildcard.js';

type Pattern = readonly string[];

interface Filter {
  readonly includes: readonly Pattern[];
  readonly excludes: readonly Pattern[];
}

/** Applies a filter_path parameter to an answer; an answer of which nothing is left becomes `{}`. */
export function filterPath(value: unknown, expression: string): unknown {
  const parts = expression.split(',').map((part) => part.trim());
  const filter: Filter = {
    includes: parts.filter((part) => part !== '' && !part.startsWith('-')).map(split),
    excludes: parts.filter((part) => part.startsWith('-')).map((part) => split(part.slice(1))),
  };
  let kept = filter.includes.length === 0 ? value : include(value, filter.includes);
  if (filter.excludes.length > 0 && kept !== undefined) kept = exclude(kept, filter.excludes);
  return kept ?? {};
}

function split(path: string): Pattern {
  return path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'));
}

/** What remains of each pattern below `key`; an empty remainder means: matched to its end. */
function below(patterns: readonly Pattern[], key: string): readonly Pattern[] {
  return patterns.flatMap((pattern) => {
    const [head, ...rest] = pattern;
    if (head === undefined) return [];
    if (head === '**') return [pattern, ...below([rest], key)];
    return wildcardMatch(head, key) ? [rest] : [];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function include(value: unknown, patterns: readonly Pattern[]): unknown {
  if (patterns.some((pattern) => pattern.length === 0)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => include(item, patterns)).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(value))
    return patterns.some((pattern) => pattern.every((key) => key === '**')) ? value : undefined;
  const members = Object.entries(value).flatMap(([key, item]) => {
    const deeper = below(patterns, key);
    const kept = deeper.length === 0 ? undefined : include(item, deeper);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function exclude(value: unknown, patterns: readonly Pattern[]): unknown {
  if (patterns.length === 0) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => exclude(item, patterns)).filter((item) => item !== undefined);
    return items.length === 0 && value.length > 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, item]) => {
    const deeper = below(patterns, key);
    if (deeper.some((pattern) => pattern.length === 0)) return [];
    const kept = exclude(item, deeper);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return members.length === 0 && Object.keys(value).length > 0
    ? undefined
    : Object.fromEntries(members);
}
