// The `graph` clause of the query language: documents within some hops of nodes, at a moment. It is
// replaced by an ids clause before a search is compiled, so that it works wherever a clause does:
// in bool, as the filter of a vector clause, in every part of a hybrid query.
import type { Backend, Json, JsonObject, MaybePromise, SearchRequest } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import type { GraphDeps } from './graph.js';
import { brainOfNodes, checkId, defaultNodesIndex, illegal } from './names.js';
import { reachable } from './reach.js';
import { momentOf, readTime, shown } from './times.js';
import type { Direction } from './visible.js';

type Deps = Pick<GraphDeps, 'backend' | 'brains' | 'clock'>;

interface GraphClause {
  readonly brain: string | undefined;
  readonly seeds: readonly string[];
  readonly hops: 1 | 2;
  readonly types: readonly string[] | undefined;
  readonly direction: Direction;
  readonly asOf: number | undefined;
  readonly knownAt: number | undefined;
  /** Members that the ids clause in its place takes over. */
  readonly rest: JsonObject;
}

const KEYS = ['brain', 'node', 'seeds', 'hops', 'types', 'direction', 'as_of', 'known_at'];
const KEPT = ['boost', '_name'];
const DIRECTIONS: readonly Direction[] = ['out', 'in', 'both'];
/** The same limit as for a terms clause. */
const MAX_IDS = 65_536;

/**
 * Keys whose value is a clause or a list of clauses, and below keys whose value is an object of
 * named clauses.
 */
const HOLDERS = new Set(
  'query filter must should must_not queries positive negative post_filter organic rescore_query highlight_query background_filter'.split(
    ' ',
  ),
);
const NAMED_HOLDERS = new Set(['filters']);

/** The same request object if the body has no graph clause. */
export function withoutGraphClauses(
  deps: Deps,
  request: SearchRequest,
): MaybePromise<SearchRequest> {
  return mentions(request.body, 'elsewhere') ? replaceClauses(deps, request) : request;
}

async function replaceClauses(deps: Deps, request: SearchRequest): Promise<SearchRequest> {
  const body = (await resolved(deps, request, request.body, 'elsewhere')) as JsonObject;
  return { ...request, body };
}

type Place = 'clause' | 'names' | 'elsewhere';

function placeOf(key: string): Place {
  if (HOLDERS.has(key)) return 'clause';
  return NAMED_HOLDERS.has(key) ? 'names' : 'elsewhere';
}

/** The place of a member of an object that is in `place` itself. */
function placeWithin(place: Place, key: string): Place {
  // An aggregation of filters has two nested members of that name.
  return place === 'names' && !NAMED_HOLDERS.has(key) ? 'clause' : placeOf(key);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Vectors are arrays of numbers: the type of the first item is enough. */
function isListOfObjects(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && typeof value[0] === 'object';
}

function isGraph(value: JsonObject, place: Place): boolean {
  return place === 'clause' && 'graph' in value && Object.keys(value).length === 1;
}

function mentions(value: Json | undefined, place: Place): boolean {
  if (isListOfObjects(value)) return value.some((item) => mentions(item, place));
  if (!isObject(value)) return false;
  if (isGraph(value, place)) return true;
  // A loop without allocation, because every search passes here, some with ten thousand clauses.
  for (const key in value) {
    const inner = value[key];
    if (typeof inner === 'object' && mentions(inner, placeWithin(place, key))) return true;
  }
  return false;
}

async function resolved(
  deps: Deps,
  request: SearchRequest,
  value: Json,
  place: Place,
): Promise<Json> {
  if (!mentions(value, place)) return value;
  // Sequential, because each clause reads links and a body may have a thousand of them.
  if (isListOfObjects(value)) {
    const items: Json[] = [];
    for (const item of value) items.push(await resolved(deps, request, item, place));
    return items;
  }
  if (!isObject(value)) return value;
  if (isGraph(value, place)) return idsOf(deps, request, readClause(value['graph']));
  const members: [string, Json][] = [];
  for (const [key, inner] of Object.entries(value))
    members.push([key, await resolved(deps, request, inner, placeWithin(place, key))]);
  return Object.fromEntries(members);
}

async function idsOf(deps: Deps, request: SearchRequest, clause: GraphClause): Promise<JsonObject> {
  const { backend, brains, clock } = deps;
  const { seeds, hops, types, direction, rest } = clause;
  const name = clause.brain ?? brainOf(backend, request);
  const nodes = defaultNodesIndex(name);
  if (request.access?.allows(nodes) === false) throw request.access.refusal(nodes);
  const { edges, hasEdges } = await brains.known(name);
  const ids = new Set(seeds);
  if (hasEdges) {
    await backend.publish(edges);
    const moment = momentOf(clause, await clock.now(name));
    const { nodes } = await reachable(backend, edges, { seeds, hops, types, direction, moment });
    for (const id of nodes.keys()) ids.add(id);
  }
  if (ids.size <= MAX_IDS) return { ids: { values: [...ids], ...rest } };
  throw illegal(
    `[graph] reaches ${ids.size} documents, at most ${MAX_IDS} are allowed; ask for fewer hops, [types] or one [direction]`,
  );
}

function brainOf(backend: Backend, { index, body: _body, ...options }: SearchRequest): string {
  const [first, second] = backend.resolve(index, options);
  const brain = first === undefined || second !== undefined ? undefined : brainOfNodes(first.name);
  if (brain !== undefined) return brain;
  throw malformed(
    `needs [brain], the name of a link graph, unless one memory namespace's index is searched; this is a search of [${index}]`,
  );
}

function readClause(body: Json | undefined): GraphClause {
  if (!isObject(body)) throw malformed(`must be an object, got ${shown(body ?? null)}`);
  const unknown = Object.keys(body).find((key) => ![...KEYS, ...KEPT].includes(key));
  if (unknown !== undefined) {
    throw malformed(
      `does not know [${unknown}], expected some of [${[...KEYS, ...KEPT].join(', ')}]`,
    );
  }
  const types = readTexts(body, 'types');
  return {
    brain: readText(body, 'brain'),
    seeds: readSeeds(body),
    hops: readHops(body['hops']),
    types: types?.length === 0 ? undefined : types,
    direction: readDirection(body['direction']),
    asOf: readInstant(body, 'as_of'),
    knownAt: readInstant(body, 'known_at'),
    rest: Object.fromEntries(Object.entries(body).filter(([key]) => KEPT.includes(key))),
  };
}

function readSeeds(body: JsonObject): readonly string[] {
  const node = readText(body, 'node');
  const seeds = readTexts(body, 'seeds');
  if ((node === undefined) === (seeds === undefined)) {
    throw malformed(
      'needs [node], the id to start from, or [seeds], a list of such ids; one of them',
    );
  }
  const ids = node === undefined ? (seeds ?? []) : [node];
  if (ids.length === 0) throw malformed('needs at least one id in [seeds]');
  if (ids.length > MAX_IDS)
    throw illegal(`[graph] [seeds] has ${ids.length} ids, at most ${MAX_IDS} are allowed`);
  return ids.map((id) => checkId(id, node === undefined ? 'seeds' : 'node'));
}

function readText(body: JsonObject, key: string): string | undefined {
  const value = body[key] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw malformed(`[${key}] must be a string, got ${shown(value)}`);
}

function readTexts(body: JsonObject, key: string): readonly string[] | undefined {
  const value = body[key] ?? undefined;
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item): item is string => typeof item === 'string')) {
    return value;
  }
  throw malformed(`[${key}] must be a list of strings, got ${shown(value)}`);
}

function readHops(value: Json | undefined): 1 | 2 {
  if (value === undefined || value === null || value === 1) return 1;
  if (value === 2) return 2;
  throw malformed(`[hops] must be 1 or 2, got ${shown(value)}`);
}

function readDirection(value: Json | undefined): Direction {
  const direction = DIRECTIONS.find((one) => one === (value ?? 'both'));
  if (direction !== undefined) return direction;
  throw malformed(
    `[direction] must be one of [${DIRECTIONS.join(', ')}], got ${shown(value ?? null)}`,
  );
}

function readInstant(body: JsonObject, key: string): number | undefined {
  const value = body[key] ?? undefined;
  return value === undefined ? undefined : readTime(value, key);
}

function malformed(reason: string): QuarryError {
  return new QuarryError('parsing_exception', `[graph] query ${reason}`);
}
