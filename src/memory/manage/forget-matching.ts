// Forgets every memory that matches a filter, in batches, each a deletion of its own with an intent.
// Between two batches other requests of the namespace take their turns.
import type { Backend, Json, JsonObject } from '../../backend/index.js';
import { illegal } from '../../graph/names.js';
import {
  isObject,
  missing,
  readFlag,
  readObject,
  readWhole,
  refuseUnknown,
} from '../body-fields.js';
import { type Receipt, whatIsLeft } from '../forget.js';
import { type ForgetIntent, seenAs } from '../intent.js';
import { memoryIndex } from '../names.js';
import { removeMemories } from '../removals.js';
import type { MemoryDeps } from '../store.js';
import { filterOf } from './pages.js';

export interface ForgetMatchingRequest {
  readonly filter: JsonObject;
  readonly dryRun: boolean;
  /** Maximum number of memories. */
  readonly limit: number;
}

export interface ForgetMatchingAnswer {
  readonly namespace: string;
  readonly dry_run: boolean;
  /** Memories that matched before; with expired and superseded ones. */
  readonly matched: number;
  readonly forgotten: number;
  /** The first of them. */
  readonly ids: readonly string[];
  /** Matching memories that are left, because of the limit or because they were stored meanwhile. */
  readonly left: number;
  /** Absent from a dry run. */
  readonly receipt?: Receipt;
}

const KEYS = ['filter', 'dry_run', 'limit'];
/** The most and the default: a request is bounded, and repeated for more. */
const MAX_FORGOTTEN = 10_000;
const BATCH = 500;
const MAX_IDS = 100;

export function readForgetBody(body: JsonObject): ForgetMatchingRequest {
  refuseUnknown(body, KEYS, 'a forgetting');
  const filter = readObject(body, 'filter');
  if (filter === undefined) throw missing('[filter] is missing, it says which memories to forget');
  if (isEmpty(filter)) {
    throw illegal(
      '[filter] is empty and would match every memory; to drop the namespace, use DELETE /_memory/{namespace}',
    );
  }
  return {
    filter,
    dryRun: readFlag(body, 'dry_run') ?? false,
    limit: readWhole(body, 'limit', 1, MAX_FORGOTTEN) ?? MAX_FORGOTTEN,
  };
}

/** True for no clause, and for a `bool` without one. */
function isEmpty(filter: JsonObject): boolean {
  const clauses = Object.entries(filter);
  return clauses.every(([kind, body]) => kind === 'bool' && isObject(body) && hasNoClause(body));
}

function hasNoClause(bool: JsonObject): boolean {
  return ['must', 'filter', 'should', 'must_not'].every((occur) => {
    const given: Json = bool[occur] ?? [];
    const clauses = Array.isArray(given) ? (given as readonly Json[]) : [given];
    return clauses.every((one) => isObject(one) && isEmpty(one));
  });
}

/** `searching`: for the search, including lookups in the filter, with the privileges of the client. */
export async function forgetMatching(
  deps: MemoryDeps,
  namespace: string,
  request: ForgetMatchingRequest,
  searching: Backend = deps.backend,
): Promise<ForgetMatchingAnswer> {
  const { backend, turns } = deps;
  const index = memoryIndex(namespace);
  const { dryRun, limit } = request;
  const head = { namespace, dry_run: dryRun };
  if (!backend.exists(index, {})) {
    // The filter is checked nevertheless.
    const body = { query: request.filter, size: 0 };
    await searching.search({ index, body, ignoreUnavailable: true });
    return { ...head, matched: 0, forgotten: 0, ids: [], left: 0 };
  }
  const [query = request.filter] = filterOf(backend, index, request.filter);
  const find = { searching, backend, index, query };
  const { total: matched, hits: first } = await matching(find, Math.min(MAX_IDS, limit));
  if (dryRun) {
    return { ...head, matched, forgotten: 0, ids: first.map(({ id }) => id), left: matched };
  }
  const ids: string[] = [];
  let receipt = NOTHING;
  let read = 0;
  while (read < limit) {
    const size = Math.min(BATCH, limit - read);
    const batch = await turns.take(namespace, () => forgetSome(deps, namespace, find, size));
    receipt = sum(receipt, batch.receipt);
    ids.push(...batch.ids.slice(0, MAX_IDS - ids.length));
    read += batch.ids.length;
    if (batch.ids.length < size) break;
  }
  const { total: left } = await matching(find, 0);
  return { ...head, matched, forgotten: receipt.removed.memories, ids, left, receipt };
}

interface Find {
  readonly searching: Backend;
  readonly backend: Backend;
  readonly index: string;
  readonly query: JsonObject;
}

async function matching({ searching, backend, index, query }: Find, size: number) {
  if (!backend.exists(index, {})) return { total: 0, hits: [] };
  await backend.publish(index);
  const { hits, total } = await searching.search({
    index,
    body: {
      query: { bool: { filter: [query] } },
      size,
      sort: ['_doc'],
      track_total_hits: true,
      _source: false,
      seq_no_primary_term: true,
    },
  });
  return { hits, total: total?.value ?? 0 };
}

async function forgetSome(
  deps: MemoryDeps,
  namespace: string,
  find: Find,
  size: number,
): Promise<{ readonly ids: readonly string[]; readonly receipt: Receipt }> {
  const { hits } = await matching(find, size);
  if (hits.length === 0) return { ids: [], receipt: NOTHING };
  const ids = hits.map(({ id }) => id);
  const intent: ForgetIntent = {
    namespace,
    forgotten: hits.map((hit) => ({ id: hit.id, document: seenAs(hit) })),
  };
  const removed = await deps.intents.during(intent, () => removeMemories(deps, intent));
  return { ids, receipt: { removed, left: await whatIsLeft(deps.backend, namespace, ids) } };
}

const NOTHING: Receipt = {
  removed: { memories: 0, links: 0 },
  left: { memories: 0, postings: 0, vectors: 0, links: 0 },
};

function sum(a: Receipt, b: Receipt): Receipt {
  return {
    removed: {
      memories: a.removed.memories + b.removed.memories,
      links: a.removed.links + b.removed.links,
    },
    left: {
      memories: a.left.memories + b.left.memories,
      postings: a.left.postings + b.left.postings,
      vectors: a.left.vectors + b.left.vectors,
      links: a.left.links + b.left.links,
    },
  };
}
