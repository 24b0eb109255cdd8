// Which search, count, document or recall an address means: what Fastify's router finds, for threads
// and transports that answer nothing else.
import { parse } from 'node:querystring';
import { UrlParams } from '../../api/kit/params.js';
import type { Routed, RouteTarget, TargetTable } from '../pipeline/targets.js';

const SEARCH = /^\/(?:([^/?]+)\/)?(_search|_count)(\?|$)/;
/** Other routes may have two further parts behind a name that begins with an underscore. */
const DOCUMENT = /^\/([^_/?][^/?]*)\/(_doc|_source)\/([^/?]+)(\?|$)/;
const RECALL = /^\/_memory\/([^/?]+)\/_recall(\?|$)/;
const RECALL_PATTERN = '/_memory/:namespace/_recall';
/** Patterns by action. */
const OF_ALL = { _search: '/_search', _count: '/_count' };
const OF_INDEX = { _search: '/:index/_search', _count: '/:index/_count' };
const OF_DOCUMENT = { _doc: '/:index/_doc/:id', _source: '/:index/_source/:id' };
/** Maximum length of a name in a path, as for routes of Fastify. */
const MOST_NAME = 4096;

interface Address {
  readonly method: string;
  readonly url: string;
  readonly routed: Routed | undefined;
}

export class ReadAddresses {
  readonly #table: TargetTable;
  /** Most clients send one request after another to the same address. */
  #last: Address = { method: '', url: '', routed: undefined };

  /** `table` has the routes of the thread. */
  constructor(table: TargetTable) {
    this.#table = table;
  }

  /** Undefined: another route, or a name that is no UTF-8. */
  of(method: string, url: string): Routed | undefined {
    const last = this.#last;
    if (last.url === url && last.method === method) return last.routed;
    const routed =
      this.#search(method, url) ?? this.#document(method, url) ?? this.#recall(method, url);
    this.#last = { method, url, routed };
    return routed;
  }

  #search(method: string, url: string): Routed | undefined {
    const found = SEARCH.exec(url);
    if (found === null) return undefined;
    const [whole, name, action, rest] = found;
    const patterns = name === undefined ? OF_ALL : OF_INDEX;
    const target = this.#table.get(patterns[action as keyof typeof patterns])?.get(method);
    if (name === undefined) return routed(target, url, rest === '?' ? whole.length : 0, {});
    const index = decoded(name);
    if (index === undefined) return undefined;
    return routed(target, url, rest === '?' ? whole.length : 0, { index });
  }

  #document(method: string, url: string): Routed | undefined {
    const found = DOCUMENT.exec(url);
    if (found === null) return undefined;
    const [whole, name = '', action, document = '', rest] = found;
    const pattern = OF_DOCUMENT[action as keyof typeof OF_DOCUMENT];
    const target = this.#table.get(pattern)?.get(method);
    const index = decoded(name);
    const id = decoded(document);
    if (index === undefined || id === undefined || index.startsWith('_')) return undefined;
    return routed(target, url, rest === '?' ? whole.length : 0, { index, id });
  }

  #recall(method: string, url: string): Routed | undefined {
    const found = RECALL.exec(url);
    if (found === null) return undefined;
    const [whole, name = '', rest] = found;
    const namespace = decoded(name);
    if (namespace === undefined) return undefined;
    const target = this.#table.get(RECALL_PATTERN)?.get(method);
    return routed(target, url, rest === '?' ? whole.length : 0, { namespace });
  }
}

/** `queryAt`: the offset of the query string, 0 if there is none. */
function routed(
  target: RouteTarget | undefined,
  url: string,
  queryAt: number,
  parts: Record<string, string>,
): Routed | undefined {
  if (target === undefined) return undefined;
  const query = queryAt === 0 ? {} : parse(url.slice(queryAt), '&', '=', { maxKeys: 0 });
  return { target, url, parts, params: new UrlParams(query) };
}

/** Undefined: not UTF-8, or longer than any name. */
function decoded(name: string): string | undefined {
  if (name.length > MOST_NAME) return undefined;
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
