// One memory with everything that belongs to it: its links, the memories that it supersedes and
// those that supersede it, and its earlier versions.
import type { Backend, JsonObject } from '../../backend/index.js';
import type { EgoLink } from '../../graph/ego.js';
import { sourcesOf } from '../../graph/fresh.js';
import { checkId, edgesIndex, illegal } from '../../graph/names.js';
import { shown } from '../../graph/times.js';
import { readDocument, readEntry } from '../memory-entry.js';
import { memoryIndex } from '../names.js';
import type { MemoryDeps } from '../store.js';
import { presentMoment, type RecallMoment, unseenQuery, whyUnseen } from '../visible.js';
import { type Version, versionsOf } from './versions.js';

export interface MemoryView {
  readonly text: string;
  readonly metadata: JsonObject | null;
  readonly stored_at: number | null;
  readonly edited_at: number | null;
  readonly own_time: number | null;
  readonly expires_at: number | null;
  readonly state: 'live' | 'superseded';
  readonly invalid_at: number | null;
  readonly superseded_at: number | null;
  /** Ids, the nearest first; the same for the next member. */
  readonly supersedes: readonly string[];
  readonly superseded_by: readonly string[];
  /** Links at either end, those that ended too, the strongest first. */
  readonly links: readonly EgoLink[];
  /** The latest first. */
  readonly history: readonly Version[];
  readonly not_shown: { readonly links: number };
}

export type GetAnswer = { readonly namespace: string; readonly id: string } & (
  | { readonly found: false }
  | ({ readonly found: true } & MemoryView)
);

const MAX_LINKS = 100;
/** Memories of a supersession chain in one direction. */
const MAX_CHAIN = 100;

/** Checks the id of a memory in an address: ids do not begin with `_`, which names operations. */
export function checkMemoryId(id: string): string {
  checkId(id, 'id');
  if (!id.startsWith('_')) return id;
  throw illegal(
    `[id] must not start with [_], which names operations, got ${shown(id)}; see /openapi.json for the methods of an operation`,
  );
}

/** A memory that has expired is not found; one that was superseded is. */
export async function getMemory(
  deps: MemoryDeps,
  namespace: string,
  id: string,
): Promise<GetAnswer> {
  checkMemoryId(id);
  const { backend, graph } = deps;
  const index = memoryIndex(namespace);
  const none = { namespace, id, found: false } as const;
  if (!backend.exists(index, {})) return none;
  const moment = await presentMoment(deps, namespace);
  const { source } = await backend.get({ index, id, source: true });
  if (source === undefined) return none;
  const entry = readEntry(source);
  const hidden = whyUnseen(entry, moment);
  if (hidden === 'expired') return none;
  const [around, older, newer] = await Promise.all([
    graph.ego(namespace, {
      node: id,
      direction: 'both',
      hops: 1,
      types: undefined,
      includeExpired: true,
      includeNodes: false,
      limit: MAX_LINKS,
      asOf: undefined,
      knownAt: undefined,
    }),
    chainOf(backend, namespace, id, 'out', moment),
    chainOf(backend, namespace, id, 'in', moment),
  ]);
  const document = readDocument(source);
  const edited = document['edited_at'];
  return {
    namespace,
    id,
    found: true,
    text: entry.text ?? '',
    metadata: entry.metadata,
    stored_at: entry.stored_at,
    edited_at: typeof edited === 'number' ? edited : null,
    own_time: entry.own_time,
    expires_at: entry.expires_at,
    state: hidden === 'superseded' ? 'superseded' : 'live',
    invalid_at: entry.invalid_at,
    superseded_at: entry.superseded_at,
    supersedes: older,
    superseded_by: newer,
    links: around.links,
    history: versionsOf(document),
    not_shown: { links: around.not_shown.links },
  };
}

/** The memories that links of supersession lead to in one direction, without expired ones. */
async function chainOf(
  backend: Backend,
  namespace: string,
  id: string,
  direction: 'out' | 'in',
  moment: RecallMoment,
): Promise<readonly string[]> {
  const index = edgesIndex(namespace);
  if (!backend.exists(index, {})) return [];
  await backend.publish(index);
  const found = new Set([id]);
  let seeds: readonly string[] = [id];
  while (seeds.length > 0 && found.size <= MAX_CHAIN) {
    const { links } = await backend.walkLinks({
      index,
      seeds,
      direction,
      hops: 1,
      types: ['supersedes'],
      includeExpired: true,
      moment: { world: moment.present, system: null },
      limit: MAX_CHAIN,
      frontier: MAX_CHAIN,
      degrees: false,
    });
    const ends = links.map(({ src, dst }) => (direction === 'out' ? dst : src));
    seeds = [...new Set(ends)].filter((end) => !found.has(end));
    for (const end of seeds) found.add(end);
  }
  const ids = [...found].slice(1, 1 + MAX_CHAIN);
  if (ids.length === 0) return [];
  const expired = unseenQuery('expired', moment);
  const there = await sourcesOf(
    backend,
    memoryIndex(namespace),
    ids,
    { includes: ['stored_at'] },
    expired,
  );
  return ids.filter((one) => there.has(one));
}
