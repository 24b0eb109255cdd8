// Aliases: second names of indexes, read and changed one by one or as a list of actions.
import type { AliasAction, IndexDescription, Json, JsonObject } from '../backend.js';
import { QuarryError } from '../errors.js';
import { isPattern, wildcardMatch } from '../wildcard.js';
import { checkWaits, INDEX_READ_PARAMS, splitList } from './params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  optionalBody,
  part,
  type Route,
  requiredBody,
  resolveIndices,
} from './routes.js';
import { INDEXES } from './schemas/indexes.js';

/** Aliases that must not be there and are not count as errors; here they fail the request. */
const CHANGED: Answer = { status: 200, body: { acknowledged: true, errors: false } };

const WAITS = ['timeout', 'master_timeout'];
const NAMED = ['/:index/_alias/:name', '/:index/_aliases/:name'];

export function aliasRoutes(deps: ApiDeps): readonly Route[] {
  const read = (request: ApiRequest): Answer => getAliases(deps, request);
  return [
    {
      schema: INDEXES.updateAliases,
      methods: ['POST'],
      paths: ['/_aliases'],
      params: WAITS,
      handler: (r) => update(deps, r),
    },
    {
      schema: INDEXES.getAlias,
      methods: ['GET'],
      paths: ['/_alias', '/_aliases', '/_alias/:name', '/:index/_alias', '/:index/_alias/:name'],
      params: INDEX_READ_PARAMS,
      handler: read,
    },
    {
      schema: INDEXES.aliasExists,
      methods: ['HEAD'],
      paths: ['/_alias/:name', '/:index/_alias/:name'],
      params: INDEX_READ_PARAMS,
      handler: (r) => ({ status: getAliases(deps, r).status }),
    },
    {
      schema: INDEXES.putAlias,
      methods: ['PUT', 'POST'],
      paths: NAMED,
      params: WAITS,
      handler: (r) => put(deps, r),
    },
    {
      schema: INDEXES.deleteAlias,
      methods: ['DELETE'],
      paths: NAMED,
      params: WAITS,
      handler: (r) => remove(deps, r),
    },
  ];
}

function getAliases(deps: ApiDeps, request: ApiRequest): Answer {
  const indices = resolveIndices(deps, request, { expandWildcards: ['all'] });
  const name = request.parts['name'];
  const patterns = name === undefined || name === '_all' ? ['*'] : splitList(name);
  const found = new Set<string>();
  const body: Record<string, unknown> = {};
  for (const index of indices) {
    const aliases = Object.entries(index.aliases).filter(([alias]) =>
      selected(patterns, alias, found),
    );
    if (aliases.length > 0 || name === undefined) {
      body[index.name] = { aliases: Object.fromEntries(aliases) };
    }
  }
  const missing = patterns.filter((_, i) => isMissing(patterns, i, found)).sort();
  if (missing.length === 0) return { status: 200, body };
  const word = missing.length === 1 ? 'alias' : 'aliases';
  return {
    status: 404,
    body: { error: `${word} [${missing.join(',')}] missing`, status: 404, ...body },
  };
}

/** Whether the i-th pattern is a plain name that was neither found nor excluded by what follows it. */
function isMissing(patterns: readonly string[], i: number, found: ReadonlySet<string>): boolean {
  const name = patterns[i] ?? '';
  const wildcard = firstWildcard(patterns);
  if (isPattern(name) || (i > wildcard && name.startsWith('-')) || found.has(name)) return false;
  const later = patterns.slice(Math.max(i + 1, wildcard));
  return !later.some((other) => other.startsWith('-') && wildcardMatch(other.slice(1), name));
}

/** From the first wildcard on a leading `-` excludes; before it is a part of the name. */
function firstWildcard(patterns: readonly string[]): number {
  const at = patterns.findIndex(isPattern);
  return at < 0 ? patterns.length : at;
}

/** Whether the patterns, exclusions included, name the alias; notes which plain names were found. */
function selected(patterns: readonly string[], alias: string, found: Set<string>): boolean {
  let inside = false;
  const wildcard = firstWildcard(patterns);
  for (const [i, pattern] of patterns.entries()) {
    const excludes = i >= wildcard && pattern.startsWith('-');
    if (!wildcardMatch(excludes ? pattern.slice(1) : pattern, alias)) continue;
    inside = !excludes;
    if (!excludes) found.add(pattern);
  }
  return inside;
}

async function put(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const body = optionalBody(request);
  await deps.backend.updateAliases([
    { add: { index: part(request, 'index'), alias: part(request, 'name'), properties: body } },
  ]);
  return CHANGED;
}

async function remove(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const indices = deps.backend.resolve(part(request, 'index'), { expandWildcards: ['all'] });
  const patterns = splitList(part(request, 'name')).map((name) => (name === '_all' ? '*' : name));
  const actions = indices.flatMap((index) => removals(index, patterns));
  if (actions.length === 0) {
    const names = patterns.join(',');
    throw new QuarryError('aliases_not_found_exception', `aliases [${names}] missing`, {
      extra: { 'resource.type': 'aliases', 'resource.id': names },
    });
  }
  await deps.backend.updateAliases(actions);
  return CHANGED;
}

function removals(index: IndexDescription, patterns: readonly string[]): readonly AliasAction[] {
  return Object.keys(index.aliases)
    .filter((alias) => selected(patterns, alias, new Set()))
    .map((alias) => ({ remove: { index: index.name, alias } }));
}

async function update(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const body = requiredBody(request);
  const actions = body['actions'];
  if (!Array.isArray(actions)) {
    throw new QuarryError('parsing_exception', '[aliases] body needs an array [actions]');
  }
  for (const key of Object.keys(body)) {
    if (key !== 'actions')
      throw new QuarryError('x_content_parse_exception', `[aliases] unknown field [${key}]`);
  }
  if (actions.length === 0)
    throw new QuarryError('illegal_argument_exception', 'No action specified');
  await deps.backend.updateAliases(actions.flatMap(readAction));
  return CHANGED;
}

function readAction(action: Json): readonly AliasAction[] {
  const entries = typeof action === 'object' && action !== null ? Object.entries(action) : [];
  const [entry] = entries;
  if (entry === undefined || entries.length !== 1) {
    throw new QuarryError('parsing_exception', 'each alias action must be an object with one key');
  }
  const [kind, spec] = entry as [string, JsonObject];
  const { index, indices, alias, aliases, must_exist: mustExist, ...properties } = spec ?? {};
  if (kind !== 'add' && kind !== 'remove' && kind !== 'remove_index') {
    throw new QuarryError('x_content_parse_exception', `[alias_action] unknown field [${kind}]`);
  }
  const indexNames = textList(kind, 'index', index ?? indices);
  if (kind === 'remove_index') {
    if (alias !== undefined || aliases !== undefined) {
      throw new QuarryError(
        'illegal_argument_exception',
        '[alias] is unsupported for [remove_index]',
      );
    }
    return indexNames.map((name) => ({ removeIndex: { index: name } }));
  }
  const aliasNames = textList(kind, 'alias', alias ?? aliases);
  return indexNames.flatMap((name) =>
    aliasNames.map((aliasName): AliasAction => {
      if (kind === 'add') return { add: { index: name, alias: aliasName, properties } };
      const must = typeof mustExist === 'boolean' ? { mustExist } : {};
      return { remove: { index: name, alias: aliasName, ...must } };
    }),
  );
}

function textList(kind: string, key: string, value: Json | undefined): readonly string[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  if (list.length === 0) {
    throw new QuarryError(
      'illegal_argument_exception',
      `One of [${key}] or [${key === 'index' ? 'indices' : 'aliases'}] is required for [${kind}]`,
    );
  }
  return list.map((item) => {
    if (typeof item === 'string' && item !== '') return item;
    throw new QuarryError('illegal_argument_exception', `[${key}] can't be empty string`);
  });
}
