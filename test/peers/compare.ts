// Compares two responses: the JSON must be equal except for volatile values, rounding, and the
// order of tied hits. Reports the path and the kind of each difference.

/** Never compared: times, handles, and explanatory texts. */
const IGNORED: ReadonlySet<string> = new Set([
  'took',
  '_scroll_id',
  'pit_id',
  '_node',
  'description',
  'details',
]);
/** Scores are floats whose sums were rounded in another order. */
const SCORE_DIGITS = 5;
const VALUE_DIGITS = 9;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Difference {
  readonly path: string;
  readonly peer: unknown;
  readonly quarry: unknown;
}

export function compare(peer: unknown, quarry: unknown, path = ''): readonly Difference[] {
  if (Array.isArray(peer) && Array.isArray(quarry)) return compareLists(peer, quarry, path);
  if (isObject(peer) && isObject(quarry)) return compareObjects(peer, quarry, path);
  if (typeof peer === 'number' && typeof quarry === 'number') {
    const digits = /score|sort|value$|matched_queries/.test(path) ? SCORE_DIGITS : VALUE_DIGITS;
    return near(peer, quarry, digits) ? [] : [{ path, peer, quarry }];
  }
  return peer === quarry ? [] : [{ path, peer, quarry }];
}

function near(a: number, b: number, digits: number): boolean {
  return Math.abs(a - b) <= 10 ** -digits * Math.max(1, Math.abs(a), Math.abs(b));
}

function compareObjects(peer: Json, quarry: Json, path: string): readonly Difference[] {
  if (isObject(peer['error']) && isObject(quarry['error']))
    return compareErrors(peer, quarry, path);
  const keys = new Set([...Object.keys(peer), ...Object.keys(quarry)]);
  return [...keys]
    .filter((key) => !IGNORED.has(key))
    .flatMap((key) => compare(peer[key], quarry[key], path === '' ? key : `${path}.${key}`));
}

/**
 * Errors must have the same status and type; the text of the reason is specific to each server. An
 * error of a shard may also be raised before the shard is called, with the type of the shard's
 * error.
 */
function compareErrors(peer: Json, quarry: Json, path: string): readonly Difference[] {
  const error = (answer: Json): Json => answer['error'] as Json;
  const cause = (answer: Json): unknown =>
    (error(answer)['root_cause'] as readonly Json[] | undefined)?.[0]?.['type'];
  const type = error(quarry)['type'];
  const isUnwrapped =
    error(peer)['type'] === 'search_phase_execution_exception' && cause(peer) === type;
  return [
    ...compare(peer['status'], quarry['status'], `${path}.status`),
    ...(isUnwrapped ? [] : compare(error(peer)['type'], type, `${path}.error.type`)),
  ];
}

function compareLists(
  peer: readonly unknown[],
  quarry: readonly unknown[],
  path: string,
): readonly Difference[] {
  if (path.endsWith('hits.hits')) return compareHits(peer as Json[], quarry as Json[], path);
  // The order of names is irrelevant.
  if (path.endsWith('matched_queries')) {
    const sorted = (names: readonly unknown[]): string => [...names].sort().join();
    return compare(sorted(peer), sorted(quarry), `${path} as a set`);
  }
  if (peer.length !== quarry.length) return [{ path, peer, quarry }];
  return peer.flatMap((one, i) => compare(one, quarry[i], `${path}[${i}]`));
}

/**
 * Hits by rank; within a run of equal scores or sort values any order is correct, at the page's end
 * any choice.
 */
function compareHits(
  peer: readonly Json[],
  quarry: readonly Json[],
  path: string,
): readonly Difference[] {
  if (peer.length !== quarry.length) {
    return [{ path, peer: peer.map(nameOf), quarry: quarry.map(nameOf) }];
  }
  const found: Difference[] = [];
  for (let from = 0; from < peer.length; ) {
    let to = from + 1;
    while (to < peer.length && sameRank(peer[from] as Json, peer[to] as Json)) to++;
    found.push(
      ...compareTies(peer.slice(from, to), quarry.slice(from, to), to === peer.length, path),
    );
    from = to;
  }
  return found;
}

function compareTies(
  peer: readonly Json[],
  quarry: readonly Json[],
  last: boolean,
  path: string,
): readonly Difference[] {
  return peer.flatMap((hit, i) => {
    const other = quarry.find((one) => nameOf(one) === nameOf(hit));
    if (other !== undefined) return compare(hit, other, `${path}[${nameOf(hit)}]`);
    const stand = quarry[i] as Json;
    if (last && sameRank(hit, stand)) return [];
    return [{ path: `${path}[${nameOf(hit)}]`, peer: hit, quarry: nameOf(stand) }];
  });
}

/** Nested documents of a document share its id and have another place. */
function nameOf(hit: Json): string {
  const place = hit['_nested'] === undefined ? '' : JSON.stringify(hit['_nested']);
  return `${hit['_index']}/${hit['_id']}${place}`;
}

/** Equal in the values that order hits: their sort values, or their score if there are none. */
function sameRank(a: Json, b: Json): boolean {
  const rank = (hit: Json): unknown => hit['sort'] ?? hit['_score'];
  return compare(rank(a), rank(b), 'sort').length === 0;
}
