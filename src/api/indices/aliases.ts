// Routes of aliases: read and change them one by one or as a list of actions.
import type { AliasAction, IndexDescription } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { checkWaits, INDEX_READ_PARAMS, splitList } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  optionalBody,
  part,
  type Route,
  requiredBody,
  resolveIndices,
} from '../kit/routes.js';
import { INDEXES } from '../schemas/indexes.js';
import { readActions, resultsOf } from './alias-actions.js';
import { checkAliasFilters } from './alias-filters.js';
import { missingOf, selected } from './alias-names.js';

const CHANGED: Answer = { status: 200, body: { acknowledged: true, errors: false } };

const WAITS = ['timeout', 'master_timeout'];
const NAMED = ['/:index/_alias/:name', '/:index/_aliases/:name'];

export function aliasRoutes(deps: ApiDeps): readonly Route[] {
  const read = (request: ApiRequest): Answer => getAliases(deps, request);
  return [
    {
      schema: INDEXES.updateAliases,
      methods: ['POST'],
      privilege: 'manage',
      paths: ['/_aliases'],
      params: WAITS,
      handler: (r) => update(deps, r),
    },
    {
      schema: INDEXES.getAlias,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_alias', '/_aliases', '/_alias/:name', '/:index/_alias', '/:index/_alias/:name'],
      params: INDEX_READ_PARAMS,
      handler: read,
    },
    {
      schema: INDEXES.aliasExists,
      methods: ['HEAD'],
      privilege: 'any',
      paths: ['/_alias/:name', '/:index/_alias', '/:index/_alias/:name'],
      params: INDEX_READ_PARAMS,
      handler: (r) => ({ status: getAliases(deps, r).status }),
    },
    {
      schema: INDEXES.putAlias,
      methods: ['PUT', 'POST'],
      privilege: 'manage',
      paths: NAMED,
      params: WAITS,
      handler: (r) => put(deps, r),
    },
    {
      schema: INDEXES.deleteAlias,
      methods: ['DELETE'],
      privilege: 'manage',
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
  const missing = missingOf(patterns, found);
  if (missing.length === 0) return { status: 200, body };
  const word = missing.length === 1 ? 'alias' : 'aliases';
  return {
    status: 404,
    body: { error: `${word} [${missing.join(',')}] missing`, status: 404, ...body },
  };
}

async function put(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const body = await optionalBody(request);
  const add = { index: part(request, 'index'), alias: part(request, 'name'), properties: body };
  await checkAliasFilters(deps, [{ add }]);
  await deps.backend.updateAliases([{ add }]);
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

function namesOf(action: AliasAction): readonly string[] {
  if ('removeIndex' in action) return [action.removeIndex.index];
  const { index, alias } = 'add' in action ? action.add : action.remove;
  return [index, alias];
}

async function update(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const requested = readActions(await requiredBody(request));
  const actions = requested.flatMap((one) => one.actions);
  await checkAliasFilters(deps, actions);
  const outcomes = await deps.backend.updateAliases(actions);
  for (const name of request.names === undefined ? [] : actions.flatMap(namesOf)) {
    request.names?.add(name);
  }
  return { status: 200, body: { acknowledged: true, ...resultsOf(requested, outcomes) } };
}
