// A naive printer of responses over a tree of objects, with which the core's printer is compared.
import { stringify } from 'lossless-json';
import { patternMatcher } from '../../../src/base/wildcard.ts';

/** One key of a pattern; `null` in place of a step is the pattern's end. */
interface Step {
  readonly any: boolean;
  readonly matches: (key: string) => boolean;
  readonly rest: Step | null;
}

type States = ReadonlySet<Step | null>;

/**
 * Applies a filter_path parameter to a response; a response of which nothing remains becomes `{}`.
 */
export function filterPath(value: unknown, expression: string): unknown {
  const parts = expression.split(',').map((part) => part.trim());
  const includes = parts.filter((part) => part !== '' && !part.startsWith('-')).map(readPattern);
  const excludes = parts
    .filter((part) => part.startsWith('-'))
    .map((part) => readPattern(part.slice(1)));
  let kept = includes.length === 0 ? value : include(value, new Set(includes));
  if (excludes.length > 0 && kept !== undefined) kept = exclude(kept, new Set(excludes));
  return kept === undefined ? {} : kept;
}

function readPattern(path: string): Step | null {
  const keys = path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'));
  return keys.reduceRight<Step | null>(
    (rest, key) => ({ any: key === '**', matches: patternMatcher(key), rest }),
    null,
  );
}

/** The remaining patterns below `key`. */
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

/** True if only `**` remain of a pattern, which then matches any leaf. */
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

/** Keys that need no quotes. */
const PLAIN_KEY = /^[A-Za-z_./][\w./@*-]*$/;
/** Strings that YAML reads as another type. */
const RESERVED = /^(y|n|yes|no|on|off|true|false|null)$/i;

/** YAML in the style of Elasticsearch: quoted strings, lists at the depth of their key. */
export function toYaml(value: unknown): string {
  return `---\n${block(value, '')}`;
}

/** `value` from the start of a line on, with its line ends. */
function block(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `${indent}- ${inline(item, `${indent}  `)}`).join('');
  }
  if (isObject(value) && Object.keys(value).length > 0) return members(value, indent);
  return `${indent}${leaf(value)}\n`;
}

/** `value` after the beginning of its line; further lines are indented by `indent`. */
function inline(value: unknown, indent: string): string {
  return block(value, indent).slice(indent.length);
}

function members(value: Readonly<Record<string, unknown>>, indent: string): string {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const key = PLAIN_KEY.test(name) && !RESERVED.test(name) ? name : JSON.stringify(name);
      if (Array.isArray(member) && member.length > 0) {
        return `${indent}${key}:\n${block(member, indent)}`;
      }
      if (isObject(member) && Object.keys(member).length > 0) {
        return `${indent}${key}:\n${block(member, `${indent}  `)}`;
      }
      return `${indent}${key}: ${leaf(member)}\n`;
    })
    .join('');
}

/** JSON strings and numbers are also valid YAML, as are `{}` and `[]`. */
function leaf(value: unknown): string {
  return stringify(value) ?? 'null';
}
