// Where plain searches are sent: the route, the index and the parameters of an address. Clients send the same addresses, and often the
// same bodies, again and again: what was read of them is kept for a while.
import { parse } from 'node:querystring';
import { UrlParams } from '../api/kit/params.js';
import type { Route } from '../api/kit/routes.js';
import { BoundedMap } from '../base/bounded-map.js';

/** A route of a table by a method and one of its paths. */
export interface Way {
  readonly route: Route;
  /** Its place in the table. */
  readonly at: number;
  readonly pattern: string;
}

export interface PlainAddress {
  readonly way: Way;
  readonly path: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly params: UrlParams;
}

const PATH = /^\/(?:([^/?]+)\/)?(_search|_count)(\?|$)/;
/** Letters of a name in a path, as routes of Fastify take them. */
const MOST_NAME = 4096;
/** Addresses and bodies that are kept, twice as many at times, and how long they may be. */
const KEPT = 256;
const LONGEST = 2048;

export class PlainAddresses {
  /** By method and pattern. */
  readonly #ways = new Map<string, Way>();
  readonly #recent = new BoundedMap<string, PlainAddress>(KEPT);

  constructor(routes: readonly Route[]) {
    for (const [at, route] of routes.entries()) {
      for (const method of route.methods) {
        for (const pattern of route.paths) {
          this.#ways.set(`${method} ${pattern}`, { route, at, pattern });
        }
      }
    }
  }

  /** `url`: visible ASCII. Undefined: no route, or a name that is no UTF-8. */
  of(method: 'GET' | 'POST', url: string): PlainAddress | undefined {
    const key = method + url;
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const read = this.#read(method, url);
    if (read !== undefined && key.length <= LONGEST) this.#recent.set(key, read);
    return read;
  }

  #read(method: 'GET' | 'POST', url: string): PlainAddress | undefined {
    const found = PATH.exec(url);
    if (found === null) return undefined;
    const [whole, name, action, rest] = found;
    const hasQuery = rest === '?';
    const path = hasQuery ? whole.slice(0, -1) : whole;
    const query = hasQuery ? parse(url.slice(whole.length), '&', '=', { maxKeys: 0 }) : {};
    const way = this.#ways.get(`${method} ${name === undefined ? '' : '/:index'}/${action}`);
    const index = name === undefined ? undefined : decoded(name);
    if (way === undefined || (name !== undefined && index === undefined)) return undefined;
    // Names with dates mean something else tomorrow.
    if (index?.includes('<') === true) return undefined;
    return {
      way,
      path,
      parts: index === undefined ? {} : { index },
      params: new UrlParams(query),
    };
  }
}

/** Undefined: no UTF-8, or longer than any name. */
function decoded(name: string): string | undefined {
  if (name.length > MOST_NAME) return undefined;
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
