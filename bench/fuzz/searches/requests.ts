// Random requests: searches by every route that takes one, and the writes beside them.
import { printExact } from '../../../src/base/exact-json.ts';
import { Choice } from '../choice.ts';
import type { FuzzRequest } from '../request.ts';
import type { SearchBody } from './bodies.ts';
import { randomClause } from './clauses.ts';
import { documentId, keyword, type Members, randomDocument, WRITTEN } from './documents.ts';
import { randomBody } from './features.ts';

/** This share of the searches has one of the bodies that all clients send: caches have it. */
const REPEATED = 0.25;
const REPEATED_BODIES = 100;

export function jsonRequest(
  method: string,
  path: string,
  body?: unknown,
  params: readonly string[] = [],
): FuzzRequest {
  if (body === undefined) return { method, path, params, headers: {} };
  return withBody(method, path, params, 'application/json', printExact(body));
}

export function linesRequest(
  path: string,
  lines: readonly unknown[],
  params: readonly string[] = [],
): FuzzRequest {
  const text = lines.map((line) => `${printExact(line)}\n`).join('');
  return withBody('POST', path, params, 'application/x-ndjson', text);
}

function withBody(
  method: string,
  path: string,
  params: readonly string[],
  type: string,
  text: string,
): FuzzRequest {
  const body = Buffer.from(text);
  const headers = { 'content-type': type, 'content-length': String(body.length) };
  return { method, path, params, headers, body };
}

/** The searches of one client: those of the same seed and client are the same in every run. */
export class SearchRequests {
  readonly #choice: Choice;
  readonly #seed: number;

  constructor(seed: number, client: number) {
    this.#choice = new Choice(seed * 1009 + client);
    this.#seed = seed;
  }

  /** A client that has no patience ends its connection after these milliseconds. */
  impatience(): number | undefined {
    return this.#choice.chance(0.08) ? this.#choice.below(20) : undefined;
  }

  next(): FuzzRequest {
    const choice = this.#choice;
    const index = choice.pick(['x1', 'x1', 'x3', 'x3', 'xs', 'x*', 'x1,x3', 'xa', 'xe,x1']);
    const body = this.#body();
    const query = body['query'] ?? { match_all: {} };
    const search = `/${index}/_search`;
    const plain = (): FuzzRequest => jsonRequest('POST', search, body);
    const make = choice.pick([
      plain,
      ...Array.from({ length: 15 }, () => plain),
      () => jsonRequest('POST', `/${index}/_count`, { query }),
      () => this.#several(index, body),
      () => jsonRequest('POST', `/${index}/_validate/query`, { query }, ['explain=true']),
      () => jsonRequest('POST', `/x1/_explain/${documentId(choice)}`, { query }),
      () => jsonRequest('POST', search, scrollable(body), ['scroll=10s']),
      () => jsonRequest('POST', search, body, ['request_cache=true', 'pretty']),
      () => jsonRequest('POST', search, body, ['filter_path=hits.total,aggregations']),
      () => jsonRequest('POST', `/${index}/_pit`, undefined, ['keep_alive=10s']),
      () => this.#byQuery(query),
    ]);
    return make();
  }

  /** The request that continues a scroll, searches a point in time, or ends it; if there is one. */
  following(answer: Members): FuzzRequest | undefined {
    const choice = this.#choice;
    const scroll = answer['_scroll_id'];
    if (typeof scroll === 'string') {
      return choice.chance(0.5)
        ? jsonRequest('POST', '/_search/scroll', { scroll_id: scroll, scroll: '5s' })
        : jsonRequest('DELETE', '/_search/scroll', { scroll_id: scroll });
    }
    const id = answer['id'];
    if (typeof id !== 'string') return undefined;
    if (choice.chance(0.3)) return jsonRequest('DELETE', '/_pit', { id });
    const slice = choice.maybe(0.3, () => ({ slice: { id: choice.below(3), max: 3 } }));
    const pit = { id, keep_alive: '5s' };
    return jsonRequest('POST', '/_search', { ...this.#body(), pit, ...slice });
  }

  #body(): SearchBody {
    if (!this.#choice.chance(REPEATED)) return randomBody(this.#choice);
    return randomBody(new Choice(this.#seed * 2003 + this.#choice.below(REPEATED_BODIES)));
  }

  #several(index: string, body: SearchBody): FuzzRequest {
    const lines = [{ index }, body, { index: 'x3' }, this.#body(), { index: 'x1' }, this.#body()];
    return linesRequest('/_msearch', lines);
  }

  #byQuery(query: unknown): FuzzRequest {
    const params = ['conflicts=proceed'];
    const max_docs = 5;
    if (this.#choice.chance(0.5))
      return jsonRequest('POST', '/x3/_delete_by_query', { query, max_docs }, params);
    const script = { source: 'ctx._source.n = 5' };
    return jsonRequest('POST', '/x3/_update_by_query', { query, script, max_docs }, params);
  }
}

/** A scroll has no such options, and pages that are not empty. */
function scrollable(body: SearchBody): SearchBody {
  const { search_after: _, collapse: __, from: ___, rescore: ____, ...rest } = body;
  const isHybrid = typeof rest['query'] === 'object' && 'hybrid' in (rest['query'] as Members);
  const query = isHybrid ? { query: { match_all: {} } } : {};
  return { ...rest, ...query, size: Math.max(1, Number(rest['size'] ?? 5)) };
}

/** Documents that are written, replaced, updated and deleted. */
export function bulkRequest(choice: Choice, count: number): FuzzRequest {
  const lines: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const place = { _index: choice.pick(WRITTEN), _id: documentId(choice) };
    const kind = choice.below(100);
    if (kind < 75) lines.push({ index: place }, randomDocument(choice));
    else if (kind < 87) lines.push({ delete: place });
    else lines.push({ update: place }, { doc: { n: choice.below(50), k: keyword(choice) } });
  }
  return linesRequest('/_bulk', lines, choice.chance(0.3) ? ['refresh=true'] : []);
}

/** What happens to an index beside its writes. */
export function indexRequests(choice: Choice): readonly FuzzRequest[] {
  const index = choice.pick(WRITTEN);
  const kind = choice.below(100);
  const query = randomClause(choice);
  if (kind < 10) return [jsonRequest('POST', '/_refresh')];
  if (kind < 15) {
    const params = [`max_num_segments=${1 + choice.below(3)}`];
    return [jsonRequest('POST', `/${index}/_forcemerge`, undefined, params)];
  }
  if (kind < 17)
    return [jsonRequest('POST', `/${index}/_close`), jsonRequest('POST', `/${index}/_open`)];
  if (kind < 20)
    return [jsonRequest('POST', `/${index}/_delete_by_query`, { query, max_docs: 50 })];
  if (kind < 22) return [jsonRequest('POST', `/${index}/_flush`)];
  return [];
}
