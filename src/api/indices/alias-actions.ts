// The actions of an `_aliases` request: parsing, validation, expansion into actions of one index
// and one alias, and the results.
import type { AliasAction, AliasOutcome, Json, JsonObject } from '../../backend/index.js';
import { printValue } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';

type Kind = 'add' | 'remove' | 'remove_index';

/**
 * One action of the request. The backend takes actions of one index expression and one alias, so it
 * expands to several.
 */
export interface RequestedAliasAction {
  readonly kind: Kind;
  readonly aliases: readonly string[];
  readonly actions: readonly AliasAction[];
}

const PROPERTIES = [
  'filter',
  'routing',
  'index_routing',
  'search_routing',
  'is_write_index',
  'is_hidden',
];
const KNOWN: Readonly<Record<Kind, readonly string[]>> = {
  add: ['index', 'indices', 'alias', 'aliases', ...PROPERTIES],
  remove: ['index', 'indices', 'alias', 'aliases', 'must_exist'],
  remove_index: ['index', 'indices'],
};

export function readActions(body: JsonObject): readonly RequestedAliasAction[] {
  const { actions, ...unknown } = body;
  if (!Array.isArray(actions)) {
    throw new QuarryError('parsing_exception', '[aliases] body needs an array [actions]');
  }
  for (const key of Object.keys(unknown)) {
    throw malformed(`[aliases] unknown field [${key}], known is [actions]`);
  }
  if (actions.length === 0) throw illegal('No action specified');
  const read: RequestedAliasAction[] = [];
  let count = 0;
  for (const action of actions) {
    const one = readAction(action);
    read.push(one);
    count += one.actions.length;
    checkCount(count);
  }
  return read;
}

/**
 * Limit of expanded actions. All of them are evaluated in one uninterrupted time slice before
 * anything changes.
 */
const MAX_ACTIONS = 2000;

function checkCount(count: number): void {
  if (count <= MAX_ACTIONS) return;
  throw illegal(
    `[actions] change [${count}] or more pairs of an index and an alias, more than [${MAX_ACTIONS}]: send them in several requests`,
  );
}

function readAction(action: Json): RequestedAliasAction {
  const entries = isObject(action) ? Object.entries(action) : [];
  const [entry] = entries;
  if (entry === undefined || entries.length !== 1) {
    throw new QuarryError('parsing_exception', 'each alias action must be an object with one key');
  }
  const [kind, given] = entry;
  const spec = given ?? {};
  if (kind !== 'add' && kind !== 'remove' && kind !== 'remove_index') {
    throw malformed(`[alias_action] unknown field [${kind}]`);
  }
  if (!isObject(spec)) {
    throw malformed(`[alias_action] [${kind}] must be an object, got ${printValue(spec)}`);
  }
  checkKeys(kind, spec);
  const indexes = names(kind, spec, 'index', 'indices');
  if (kind === 'remove_index') {
    const actions = indexes.map((index) => ({ removeIndex: { index } }));
    return { kind, aliases: [], actions };
  }
  const aliases = names(kind, spec, 'alias', 'aliases');
  checkCount(indexes.length * aliases.length);
  const make = kind === 'add' ? adding(spec) : removing(spec);
  const actions = indexes.flatMap((index) => aliases.map((alias) => make(index, alias)));
  return { kind, aliases, actions };
}

function checkKeys(kind: Kind, spec: JsonObject): void {
  for (const key of Object.keys(spec)) {
    if (KNOWN[kind].includes(key)) continue;
    if (kind === 'remove_index' && (key === 'alias' || key === 'aliases')) {
      throw illegal(`[${key}] is unsupported for [remove_index]`);
    }
    throw malformed(`[${kind}] unknown field [${key}], known are [${KNOWN[kind].join(', ')}]`);
  }
}

type Make = (index: string, alias: string) => AliasAction;

function adding(spec: JsonObject): Make {
  const properties = Object.fromEntries(
    Object.entries(spec).filter(([key]) => PROPERTIES.includes(key)),
  );
  return (index, alias) => ({ add: { index, alias, properties } });
}

function removing(spec: JsonObject): Make {
  const mustExist = spec['must_exist'];
  if (mustExist === undefined || mustExist === null) {
    return (index, alias) => ({ remove: { index, alias } });
  }
  if (mustExist !== true && mustExist !== false) {
    throw illegal(
      `Failed to parse value [${String(mustExist)}] of [must_exist] as only [true] or [false] are allowed.`,
    );
  }
  return (index, alias) => ({ remove: { index, alias, mustExist } });
}

function names(kind: Kind, spec: JsonObject, one: string, several: string): readonly string[] {
  const [single, list] = [spec[one] ?? undefined, spec[several] ?? undefined];
  if (single !== undefined && list !== undefined) {
    throw illegal(`Only one of [${one}] and [${several}] is supported for [${kind}]`);
  }
  const given = single ?? list ?? [];
  const found = Array.isArray(given) ? given : [given];
  if (found.length === 0) {
    throw illegal(`One of [${one}] or [${several}] is required for [${kind}]`);
  }
  return found.map((item) => {
    if (item === '') throw illegal(`[${one}] can't be empty string`);
    if (typeof item === 'string') return item;
    throw illegal(`[${one}] of [${kind}] must be a string, got [${printValue(item)}]`);
  });
}

/**
 * The member `errors` and, if there are any, the result of each action. `outcomes` holds the
 * outcomes of all `actions` of all requested actions, in order.
 */
export function resultsOf(
  requested: readonly RequestedAliasAction[],
  outcomes: readonly AliasOutcome[],
): JsonObject {
  let at = 0;
  const results = requested.map(({ kind, aliases, actions }) => {
    const own = outcomes.slice(at, at + actions.length);
    at += actions.length;
    const done = own.some((outcome) => outcome.done);
    const indices = [...new Set(own.flatMap(({ indexes }) => indexes))];
    const action = { type: kind, indices, ...(kind === 'remove_index' ? {} : { aliases }) };
    return done ? { action, status: 200 } : { action, status: 404, error: missing(aliases) };
  });
  const errors = results.some(({ status }) => status !== 200);
  return errors ? { errors, action_results: results } : { errors };
}

function missing(aliases: readonly string[]): JsonObject {
  const names = aliases.join(',');
  return {
    type: 'aliases_not_found_exception',
    reason: `aliases [${names}] missing`,
    'resource.type': 'aliases',
    'resource.id': names,
  };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

function malformed(reason: string): QuarryError {
  return new QuarryError('x_content_parse_exception', reason);
}
