// `_resolve/index`: the indexes and aliases that an expression matches.
import type { IndexDescription, JsonObject } from '../../backend/index.js';
import { patternMatcher } from '../../base/wildcard.js';
import { INDEX_OPTIONS, splitList } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  part,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { INDEXES } from '../schemas/indexes.js';

export function resolveIndexRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: INDEXES.resolve,
      methods: ['GET', 'POST'],
      privilege: 'any',
      paths: ['/_resolve/index/:index'],
      params: INDEX_OPTIONS,
      handler: (request) => resolveIndex(deps, request),
    },
  ];
}

function resolveIndex(deps: ApiDeps, request: ApiRequest): Answer {
  const requested = resolveIndices(deps, request);
  const expression = part(request, 'index');
  const means = namesOf(expression);
  const aliases = new Map<string, string[]>();
  for (const { index, alias } of aliasesOf(deps, request, expression)) {
    if (!means(alias)) continue;
    const behind = aliases.get(alias);
    if (behind === undefined) aliases.set(alias, [index]);
    else behind.push(index);
  }
  return ok({
    indices: requested.filter(({ name }) => means(name)).map(printed),
    aliases: [...aliases.keys()].sort().map((name) => ({ name, indices: aliases.get(name) })),
    data_streams: [],
  });
}

/**
 * Aliases of all indexes in any state. A hidden alias is included if the expression names it or
 * `expand_wildcards` includes hidden ones.
 */
function aliasesOf(
  deps: ApiDeps,
  { params }: ApiRequest,
  expression: string,
): readonly { readonly index: string; readonly alias: string }[] {
  const expand = params.list('expand_wildcards') ?? [];
  const showsHidden = expand.includes('hidden') || expand.includes('all');
  const named = new Set(splitList(expression));
  return deps.backend.resolve('*', { expandWildcards: ['all'] }).flatMap((index) =>
    Object.entries(index.aliases)
      .filter(
        ([alias, properties]) =>
          showsHidden || named.has(alias) || properties['is_hidden'] !== true,
      )
      .map(([alias]) => ({ index: index.name, alias })),
  );
}

/**
 * A test of whether the expression matches a name; after the first pattern, a leading `-` excludes.
 */
function namesOf(expression: string): (name: string) => boolean {
  const tokens = splitList(expression).map((token) => (token === '_all' ? '*' : token));
  const firstPattern = tokens.findIndex((token) => token.includes('*'));
  const tests = tokens.map((token, i) => {
    const excludes = firstPattern >= 0 && i > firstPattern && token.startsWith('-');
    return { excludes, test: patternMatcher(excludes ? token.slice(1) : token) };
  });
  return (name) => {
    let inside = false;
    for (const { excludes, test } of tests) if (test(name)) inside = !excludes;
    return inside;
  };
}

function printed(index: IndexDescription): JsonObject {
  const aliases = Object.keys(index.aliases).sort();
  return {
    name: index.name,
    ...(aliases.length > 0 ? { aliases } : {}),
    attributes: [
      ...(index.hidden ? ['hidden'] : []),
      index.state === 'open' ? 'open' : 'closed',
    ].sort(),
  };
}
