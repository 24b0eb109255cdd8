// Walks over links and counts of them, by searches: a hop is one search for its strongest links and
// the counts of those that are left out. The rules are those of the core (query/links/).
import type {
  ColumnsRequest,
  ColumnsResult,
  JsonObject,
  LinkCountRequest,
  LinkCounts,
  LinkDegree,
  LinkMoment,
  LinkWalkRequest,
  LinkWalkResult,
  SearchRequest,
  SearchResult,
  Waiter,
  WalkedHop,
  WalkedLink,
} from '../backend/index.js';
import { ITEMS_PER_YIELD, turn } from '../base/cooperative-task.js';
import { isObject } from './errors.js';

export interface LinksOptions {
  readonly search: (request: SearchRequest) => Promise<SearchResult>;
  readonly columns: (request: ColumnsRequest) => Promise<ColumnsResult>;
  /** Documents of an index. */
  readonly countAll: (index: string) => Promise<number>;
  /** Which of the ids have a document. */
  readonly existing: (index: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** The engine's limit for a page. */
const PAGE = 10_000;
const MOST_BUCKETS = 10_000;
const ALL = 0x7fff_ffff;
const HOUR_MS = 3_600_000;
const COLUMNS = [
  'src',
  'dst',
  'type',
  'confidence',
  'weight',
  'detector',
  'asserted',
  'evidence.source',
  'evidence.offset',
  'valid_at',
  'invalid_at',
  'created_at',
  'expired_at',
] as const;
type Column = (typeof COLUMNS)[number];
const TIMES: ReadonlySet<string> = new Set(['valid_at', 'invalid_at', 'created_at', 'expired_at']);
const NUMBERS: ReadonlySet<string> = new Set(['confidence', 'weight', 'evidence.offset']);

type Row = { readonly [K in Column]: string | number | boolean | null } & { readonly id: string };
type LinkState = 'unknown' | 'future' | 'live' | 'retired';

export class ClusterLinks {
  readonly #options: LinksOptions;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  async walk(request: LinkWalkRequest): Promise<LinkWalkResult> {
    const { hops, limit, frontier } = request;
    const shown: WalkedLink[] = [];
    const left: WalkedHop[] = [];
    const seen = new Set<string>();
    let from: readonly string[] = [...new Set(request.seeds)];
    let complete = true;
    for (let hop: 1 | 2 = 1; hop <= hops; hop = 2) {
      const room = limit - shown.length;
      const isLast = hop === hops;
      const found = await this.#hop(request, from, seen, isLast ? room : Math.max(room, frontier));
      const links = found.rows.map((row) => toLink(row, hop, new Set(from), request.direction));
      const kept = links.slice(0, room);
      shown.push(...kept);
      left.push({ ...found.left, beyond: without(found.live, kept) });
      if (isLast) break;
      for (const { id } of found.rows) seen.add(id);
      const next = nextFrontier(links, request.seeds, frontier);
      complete = next.complete && found.isAll;
      from = next.nodes;
    }
    const degrees = request.degrees ? await this.#degrees(request, shown) : new Map();
    return { links: shown, hops: left, complete, degrees };
  }

  async #hop(
    { index, direction, types, includeExpired, moment, waiter }: LinkWalkRequest,
    from: readonly string[],
    seen: ReadonlySet<string>,
    kept: number,
  ): Promise<{
    readonly rows: readonly Row[];
    readonly live: ReadonlyMap<string, number>;
    readonly left: Omit<WalkedHop, 'beyond'>;
    readonly isAll: boolean;
  }> {
    const none = { retired: new Map(), future: new Map() };
    if (from.length === 0) return { rows: [], live: new Map(), left: none, isAll: true };
    const around = aroundQuery(from, direction, types, [...seen]);
    const states = stateQueries(moment);
    const walked = includeExpired
      ? { bool: { should: [states.live, states.retired] } }
      : states.live;
    const byType = { terms: { field: 'type', size: MOST_BUCKETS, missing: '' } };
    const counted = await this.#options.search({
      index,
      waiter,
      body: {
        query: { bool: { filter: [around, states.known] } },
        size: 0,
        track_total_hits: false,
        aggs: {
          walked: { filter: walked, aggs: { types: byType } },
          retired: { filter: states.retired, aggs: { types: byType } },
          future: { filter: states.future, aggs: { types: byType } },
        },
      },
    });
    const aggs = aggregationsOf(counted);
    const rows = await this.#rows(
      index,
      { bool: { filter: [around, states.known, walked] } },
      kept,
      waiter,
    );
    const live = sorted(bucketsIn(aggs['walked'], 'types'));
    const total = [...live.values()].reduce((sum, count) => sum + count, 0);
    return {
      rows,
      live,
      left: {
        retired: includeExpired ? new Map() : sorted(bucketsIn(aggs['retired'], 'types')),
        future: sorted(bucketsIn(aggs['future'], 'types')),
      },
      isAll: total <= rows.length,
    };
  }

  /** The strongest links of a query, at most `most`, in the order of a walk. */
  async #rows(
    index: string,
    query: JsonObject,
    most: number,
    waiter: Waiter | undefined,
  ): Promise<readonly Row[]> {
    if (most <= 0) return [];
    const { hits } = await this.#options.search({
      index,
      waiter,
      body: {
        query,
        size: Math.min(PAGE, most),
        track_total_hits: false,
        _source: false,
        sort: [
          { strength: { order: 'desc', missing: 2, unmapped_type: 'double' } },
          { valid_at: { order: 'desc', unmapped_type: 'date' } },
          '_id',
        ],
        docvalue_fields: COLUMNS.map((field) =>
          TIMES.has(field) ? { field, format: 'epoch_millis' } : { field },
        ),
      },
    });
    const rows = hits.map(({ id, fields }) => toRow(id, fields));
    return rows.sort(compareRows);
  }

  async #degrees(
    { index, seeds, moment, waiter }: LinkWalkRequest,
    shown: readonly WalkedLink[],
  ): Promise<ReadonlyMap<string, LinkDegree>> {
    const nodes = [...new Set([...seeds, ...shown.flatMap(({ src, dst }) => [src, dst])])];
    const states = stateQueries(moment);
    const side = (field: 'src' | 'dst'): JsonObject => ({
      filter: { terms: { [field]: nodes } },
      aggs: { nodes: { terms: { field, size: nodes.length, include: nodes } } },
    });
    const found = await this.#options.search({
      index,
      waiter,
      body: {
        query: {
          bool: {
            filter: [states.known, states.live],
            should: [{ terms: { src: nodes } }, { terms: { dst: nodes } }],
            minimum_should_match: 1,
          },
        },
        size: 0,
        track_total_hits: false,
        aggs: { out: side('src'), in: side('dst') },
      },
    });
    const aggs = aggregationsOf(found);
    const [outs, ins] = [bucketsIn(aggs['out'], 'nodes'), bucketsIn(aggs['in'], 'nodes')];
    return new Map(
      nodes.map((node) => [node, { in: ins.get(node) ?? 0, out: outs.get(node) ?? 0 }]),
    );
  }

  async count({ index, nodes, moment, top }: LinkCountRequest): Promise<LinkCounts> {
    const rows = await this.#allRows(index);
    const counts = new Counter(moment);
    for (const [at, row] of rows.entries()) {
      counts.add(row);
      if (at % ITEMS_PER_YIELD === ITEMS_PER_YIELD - 1) await turn();
    }
    const linked = [...counts.degrees.keys()];
    const [documents, there] =
      nodes === undefined
        ? [0, new Set<string>()]
        : await Promise.all([this.#options.countAll(nodes), this.#options.existing(nodes, linked)]);
    return {
      ...counts.totals(),
      nodes: documents,
      linked: linked.length,
      missing: linked.filter((id) => !there.has(id)).length,
      hubs: hubsOf(counts.degrees, top),
    };
  }

  async #allRows(index: string): Promise<readonly Row[]> {
    const columns = COLUMNS.map((field) => ({ [field]: { unmapped_type: typeOf(field) } }));
    const found = await this.#options.columns({
      index,
      query: { match_all: {} },
      columns: ['_doc', '_id', ...columns],
      size: ALL,
    });
    const [, id, ...values] = found.columns;
    const rows: Row[] = [];
    for (let hit = 0; hit < found.hits; hit++) {
      const row: Record<string, unknown> = { id: String(id?.(hit) ?? '') };
      for (const [at, field] of COLUMNS.entries()) row[field] = values[at]?.(hit) ?? null;
      rows.push(row as unknown as Row);
      if (hit % ITEMS_PER_YIELD === ITEMS_PER_YIELD - 1) await turn();
    }
    return rows;
  }
}

function typeOf(field: string): string {
  if (TIMES.has(field)) return 'date';
  if (field === 'asserted') return 'boolean';
  return NUMBERS.has(field) ? 'double' : 'keyword';
}

/** The numbers of one count. */
class Counter {
  readonly degrees = new Map<string, { in: number; out: number }>();
  readonly #moment: LinkMoment;
  readonly #types = new Map<string, { live: number; retired: number }>();
  readonly #detectors = new Map<string, number>();
  readonly #created = new Map<number, number>();
  readonly #ended = new Map<number, number>();
  readonly #states = { live: 0, retired: 0, future: 0 };
  #detected = 0;
  #changesAt = Number.POSITIVE_INFINITY;

  constructor(moment: LinkMoment) {
    this.#moment = moment;
  }

  add(row: Row): void {
    const state = stateOf(row, this.#moment);
    if (state === 'unknown') return;
    for (const at of [timeOf(row, 'valid_at'), timeOf(row, 'invalid_at')]) {
      if (at !== null && at > this.#moment.world) this.#changesAt = Math.min(this.#changesAt, at);
    }
    addHour(this.#created, timeOf(row, 'created_at') ?? timeOf(row, 'valid_at'));
    this.#states[state] += 1;
    if (state === 'future') return;
    const name = textOf(row.type);
    const type = this.#types.get(name) ?? { live: 0, retired: 0 };
    this.#types.set(name, type);
    type[state] += 1;
    if (state === 'retired') {
      addHour(this.#ended, timeOf(row, 'expired_at') ?? timeOf(row, 'invalid_at'));
      return;
    }
    if (isEvidenced(row)) this.#detected += 1;
    const detector = row.detector;
    if (detector !== null) addOne(this.#detectors, String(detector));
    if (row.src !== null) this.#degreeOf(String(row.src)).out += 1;
    if (row.dst !== null) this.#degreeOf(String(row.dst)).in += 1;
  }

  #degreeOf(node: string): { in: number; out: number } {
    const known = this.degrees.get(node) ?? { in: 0, out: 0 };
    this.degrees.set(node, known);
    return known;
  }

  totals(): Omit<LinkCounts, 'nodes' | 'linked' | 'missing' | 'hubs'> {
    return {
      ...this.#states,
      detected: this.#detected,
      changesAt: this.#changesAt,
      types: sorted(this.#types),
      detectors: sorted(this.#detectors),
      created: new Map([...this.#created].sort(([a], [b]) => a - b)),
      ended: new Map([...this.#ended].sort(([a], [b]) => a - b)),
    };
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function addHour(hours: Map<number, number>, at: number | null): void {
  const hour = Math.floor((at ?? 0) / HOUR_MS);
  hours.set(hour, (hours.get(hour) ?? 0) + 1);
}

function hubsOf(
  degrees: ReadonlyMap<string, LinkDegree>,
  top: number,
): readonly ({ readonly id: string } & LinkDegree)[] {
  return [...degrees]
    .map(([id, degree]) => ({ id, ...degree }))
    .sort((a, b) => b.in + b.out - (a.in + a.out) || (a.id < b.id ? -1 : 1))
    .slice(0, top);
}

/** Links of the nodes on the sides of the direction, without those with one of `except`. */
function aroundQuery(
  nodes: readonly string[],
  direction: 'out' | 'in' | 'both',
  types: readonly string[] | undefined,
  except: readonly string[],
): JsonObject {
  const sides = { out: ['src'], in: ['dst'], both: ['src', 'dst'] }[direction];
  return {
    bool: {
      filter: [
        { bool: { should: sides.map((side) => ({ terms: { [side]: nodes } })) } },
        ...(types === undefined ? [] : [{ terms: { type: types } }]),
      ],
      must_not: except.length === 0 ? [] : [{ ids: { values: except } }],
    },
  };
}

/** The rule of link_state() in the core as queries. `live`, `retired` and `future` exclude each other. */
function stateQueries({
  world,
  system,
}: LinkMoment): Readonly<Record<'known' | 'live' | 'retired' | 'future', JsonObject>> {
  const range = (field: string, bounds: JsonObject): JsonObject => ({
    range: { [field]: { ...bounds, format: 'epoch_millis' } },
  });
  const unknown = system === null ? [] : [range('created_at', { gt: system })];
  const future = range('valid_at', { gt: world });
  const over = {
    bool: {
      filter: [range('invalid_at', { lte: world })],
      must_not: system === null ? [] : [range('expired_at', { gt: system })],
    },
  };
  return {
    known: { bool: { must_not: unknown } },
    future,
    retired: { bool: { filter: [over], must_not: [future] } },
    live: { bool: { must_not: [future, over] } },
  };
}

function stateOf(row: Row, { world, system }: LinkMoment): LinkState {
  const [created, valid] = [timeOf(row, 'created_at'), timeOf(row, 'valid_at')];
  const [invalid, expired] = [timeOf(row, 'invalid_at'), timeOf(row, 'expired_at')];
  if (system !== null && created !== null && created > system) return 'unknown';
  if (valid !== null && valid > world) return 'future';
  const isOver = invalid !== null && invalid <= world;
  const isKnown = system === null || expired === null || expired <= system;
  return isOver && isKnown ? 'retired' : 'live';
}

function isEvidenced(row: Row): boolean {
  return (
    row.asserted === false || row['evidence.source'] !== null || row['evidence.offset'] !== null
  );
}

function timeOf(
  row: Row,
  field: 'valid_at' | 'invalid_at' | 'created_at' | 'expired_at',
): number | null {
  const value = row[field];
  return value === null ? null : Number(value);
}

function textOf(value: Row[Column]): string {
  return value === null ? '' : String(value);
}

function shareOf(value: Row[Column]): number {
  return value === null ? 1 : Number(value);
}

function toRow(id: string, fields: string | undefined): Row {
  const values =
    fields === undefined ? {} : (JSON.parse(fields) as Record<string, readonly unknown[]>);
  const row: Record<string, unknown> = { id };
  for (const field of COLUMNS) {
    const [value = null] = values[field] ?? [];
    row[field] = TIMES.has(field) && value !== null ? Number(value) : value;
  }
  return row as unknown as Row;
}

function compareRows(a: Row, b: Row): number {
  const strength = (row: Row): number => shareOf(row.confidence) * shareOf(row.weight);
  return (
    strength(b) - strength(a) ||
    (timeOf(b, 'valid_at') ?? 0) - (timeOf(a, 'valid_at') ?? 0) ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  );
}

function toLink(
  row: Row,
  hop: 1 | 2,
  from: ReadonlySet<string>,
  direction: 'out' | 'in' | 'both',
): WalkedLink {
  const src = textOf(row.src);
  const isOut = direction !== 'in' && from.has(src);
  return {
    edge_id: row.id,
    src,
    dst: textOf(row.dst),
    type: textOf(row.type),
    confidence: shareOf(row.confidence),
    weight: shareOf(row.weight),
    detector: row.detector === null ? null : String(row.detector),
    evidenced: isEvidenced(row),
    valid_at: timeOf(row, 'valid_at'),
    invalid_at: timeOf(row, 'invalid_at'),
    created_at: timeOf(row, 'created_at'),
    expired_at: timeOf(row, 'expired_at'),
    hop,
    direction: isOut ? 'out' : 'in',
  };
}

/** The far ends of links, in their order, without the seeds. */
function nextFrontier(
  links: readonly WalkedLink[],
  seeds: readonly string[],
  most: number,
): { readonly nodes: readonly string[]; readonly complete: boolean } {
  const seen = new Set(seeds);
  const nodes: string[] = [];
  for (const { direction, src, dst } of links) {
    const far = direction === 'out' ? dst : src;
    if (far === '' || seen.has(far)) continue;
    if (nodes.length === most) return { nodes, complete: false };
    seen.add(far);
    nodes.push(far);
  }
  return { nodes, complete: true };
}

/** The counts by type without the links that are shown. */
function without(
  counts: ReadonlyMap<string, number>,
  shown: readonly WalkedLink[],
): ReadonlyMap<string, number> {
  const left = new Map(counts);
  for (const { type } of shown) {
    const count = (left.get(type) ?? 0) - 1;
    if (count > 0) left.set(type, count);
    else left.delete(type);
  }
  return left;
}

function aggregationsOf({ aggregations = [] }: SearchResult): JsonObject {
  const [text] = aggregations;
  return typeof text === 'string' ? (JSON.parse(text) as JsonObject) : {};
}

function bucketsIn(agg: unknown, name: string): ReadonlyMap<string, number> {
  const inner = isObject(agg as JsonObject) ? (agg as JsonObject)[name] : undefined;
  const buckets = isObject(inner) ? (inner['buckets'] as readonly JsonObject[] | undefined) : [];
  return new Map((buckets ?? []).map(({ key, doc_count }) => [String(key), Number(doc_count)]));
}
