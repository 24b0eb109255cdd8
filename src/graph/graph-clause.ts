// The `graph` clause of the query language: documents within some hops of nodes, at a moment. It is
// replaced by an ids clause before a search is compiled, so that it works wherever a clause does:
// in bool, as the filter of a vector clause, in every part of a hybrid query.
import type { Backend, Json, JsonObject, MaybePromise, SearchRequest } from '../backend/index.js';
import { mentionsClause, replaceClauses } from '../base/search-clauses.js';
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

/** The same request object if the body has no graph clause. */
export function withoutGraphClauses(
  deps: Deps,
  request: SearchRequest,
): MaybePromise<SearchRequest> {
  return mentionsClause(request.body, 'graph') ? withIds(deps, request) : request;
}

async function withIds(deps: Deps, request: SearchRequest): Promise<SearchRequest> {
  const body = await replaceClauses(request.body, 'graph', (value) =>
    idsOf(deps, request, readClause(value)),
  );
  return { ...request, body };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
