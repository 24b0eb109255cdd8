// Walks and counts over a list of links by naive loops: the expected results of the core, which
// uses posting lists and columns.
import type {
  JsonObject,
  LinkCountRequest,
  LinkCounts,
  LinkDegree,
  LinkWalkRequest,
  LinkWalkResult,
  WalkedHop,
  WalkedLink,
} from '../../src/backend/index.ts';
import { type Edge, fromSource, strength } from '../../src/graph/edge.ts';
import { HOUR_MS } from '../../src/graph/timeline.ts';
import { type LinkState, type Moment, stateAt } from '../../src/graph/times.ts';

/** A document of an index of links. */
export interface LinkDocument {
  readonly id: string;
  readonly source: Uint8Array;
}

export function linksOf(documents: readonly LinkDocument[]): readonly Edge[] {
  return documents.map(({ id, source }) => {
    const { asserted, evidence } = JSON.parse(Buffer.from(source).toString()) as JsonObject;
    const quoted = (evidence ?? {}) as JsonObject;
    const evidenced = asserted === false || 'source' in quoted || 'offset' in quoted;
    return { ...fromSource(id, source), evidence: null, evidenced };
  });
}

export function naiveWalk(all: readonly Edge[], request: LinkWalkRequest): LinkWalkResult {
  const { seeds, limit, frontier } = request;
  const hops: WalkedHop[] = [];
  const links: WalkedLink[] = [];
  const seen = new Set<string>();
  let complete = true;
  let from = new Set(seeds);
  for (const hop of [1, 2] as const) {
    if (hop > request.hops) break;
    const { found, retired, future } = stepFrom(all, request, from, seen);
    const shown = found.slice(0, limit - links.length);
    const left = found.slice(shown.length);
    hops.push({ beyond: byType(left), retired: byType(retired), future: byType(future) });
    links.push(
      ...shown.map(({ evidence: _evidence, ...link }): WalkedLink => {
        return { ...link, hop, direction: wayOf(link, from, request) };
      }),
    );
    if (hop === request.hops) break;
    const kept = found.slice(0, Math.max(limit, frontier));
    const ends = new Set(
      kept.map((link) => (wayOf(link, from, request) === 'out' ? link.dst : link.src)),
    );
    // A link without an end leads nowhere.
    for (const seed of [...seeds, '']) ends.delete(seed);
    complete = kept.length === found.length && ends.size <= frontier;
    from = new Set([...ends].slice(0, frontier));
  }
  const degrees = new Map<string, LinkDegree>();
  if (request.degrees) {
    const nodes = new Set([...seeds, ...links.flatMap(({ src, dst }) => [src, dst])]);
    for (const node of nodes) degrees.set(node, degreeOf(all, node, request.moment));
  }
  return { links, hops, complete, degrees };
}

type Ends = Pick<Edge, 'src' | 'dst'>;

/** A link between two nodes that the hop starts from is followed in its own direction. */
function wayOf(link: Ends, from: ReadonlySet<string>, request: LinkWalkRequest): 'out' | 'in' {
  if (request.direction !== 'both') return request.direction;
  return from.has(link.src) ? 'out' : 'in';
}

function stepFrom(
  all: readonly Edge[],
  { direction, types, includeExpired, moment }: LinkWalkRequest,
  from: ReadonlySet<string>,
  seen: Set<string>,
): { readonly found: Edge[]; readonly retired: Edge[]; readonly future: Edge[] } {
  const found: Edge[] = [];
  const retired: Edge[] = [];
  const future: Edge[] = [];
  for (const link of all) {
    const touched =
      (direction !== 'in' && from.has(link.src)) || (direction !== 'out' && from.has(link.dst));
    if (!touched || seen.has(link.edge_id)) continue;
    seen.add(link.edge_id);
    if (types !== undefined && !types.includes(link.type)) continue;
    const state = stateAt(link, moment);
    if (state === 'live' || (state === 'retired' && includeExpired)) found.push(link);
    else if (state === 'retired') retired.push(link);
    else if (state === 'future') future.push(link);
  }
  return { found: found.sort(inOrder), retired, future };
}

function inOrder(a: Edge, b: Edge): number {
  const later = (b.valid_at ?? 0) - (a.valid_at ?? 0);
  return strength(b) - strength(a) || later || (a.edge_id < b.edge_id ? -1 : 1);
}

function byType(links: readonly Edge[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of links) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

function degreeOf(all: readonly Edge[], node: string, moment: Moment): LinkDegree {
  const live = all.filter((link) => node !== '' && stateAt(link, moment) === 'live');
  return {
    in: live.filter(({ dst }) => dst === node).length,
    out: live.filter(({ src }) => src === node).length,
  };
}

/** `nodes`: ids of the documents of the nodes index. */
export function naiveCount(
  all: readonly Edge[],
  nodes: ReadonlySet<string>,
  { moment, top }: Omit<LinkCountRequest, 'index' | 'nodes'>,
): LinkCounts {
  const of = (state: LinkState): readonly Edge[] =>
    all.filter((link) => stateAt(link, moment) === state);
  const [live, retired, future] = [of('live'), of('retired'), of('future')];
  const known = [...live, ...retired, ...future];
  const ahead = known
    .flatMap(({ valid_at, invalid_at }) => [valid_at, invalid_at])
    .filter((at) => at !== null)
    .filter((at) => at > moment.world);
  const linked = [...new Set(live.flatMap(({ src, dst }) => [src, dst]))].filter((id) => id !== '');
  const hubs = linked.map((id) => ({ id, ...degreeOf(all, id, moment) }));
  hubs.sort((a, b) => b.in + b.out - a.in - a.out || (a.id < b.id ? -1 : 1));
  const types = new Set([...live, ...retired].map(({ type }) => type));
  const typesOf = (links: readonly Edge[], type: string): number =>
    links.filter((link) => link.type === type).length;
  return {
    live: live.length,
    retired: retired.length,
    future: future.length,
    detected: live.filter(({ evidenced }) => evidenced).length,
    changesAt: Math.min(...ahead),
    nodes: nodes.size,
    linked: linked.length,
    missing: linked.filter((id) => !nodes.has(id)).length,
    hubs: hubs.slice(0, top),
    types: new Map(
      [...types].map((type) => [
        type,
        { live: typesOf(live, type), retired: typesOf(retired, type) },
      ]),
    ),
    detectors: countBy(live.flatMap(({ detector }) => detector ?? [])),
    created: countBy(known.map((link) => hourOf(link.created_at ?? link.valid_at))),
    ended: countBy(retired.map((link) => hourOf(link.expired_at ?? link.invalid_at))),
  };
}

function hourOf(ms: number | null): number {
  return Math.floor((ms ?? 0) / HOUR_MS);
}

function countBy<K>(keys: readonly K[]): Map<K, number> {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
