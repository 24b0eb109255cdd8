// Which search or count an address means: what Fastify's router finds, for threads and transports that
// answer nothing else.
import { parse } from 'node:querystring';
import { UrlParams } from '../../api/kit/params.js';
import type { Route } from '../../api/kit/routes.js';
import type { Routed, RouteTarget } from '../pipeline/targets.js';

const PATH = /^\/(?:([^/?]+)\/)?(_search|_count)(\?|$)/;
/** Patterns by action: without and with the name of an index. */
const OF_ALL = { _search: '/_search', _count: '/_count' };
const OF_SOME = { _search: '/:index/_search', _count: '/:index/_count' };
/** Maximum length of a name in a path, as for routes of Fastify. */
const MOST_NAME = 4096;

export class SearchAddresses {
  /** By method, then by pattern. */
  readonly #targets = new Map<string, Map<string, RouteTarget>>();

  /** `routes` is the table of the thread. */
  constructor(routes: readonly Route[]) {
    for (const [at, route] of routes.entries()) {
      for (const method of route.methods) {
        for (const pattern of route.paths) {
          const target: RouteTarget = { kind: 'route', rule: route.privilege, pattern, route, at };
          const targets = this.#targets.get(method) ?? new Map<string, RouteTarget>();
          this.#targets.set(method, targets.set(pattern, target));
        }
      }
    }
  }

  /** Undefined: another route, or a name that is no UTF-8. */
  of(method: string, url: string): Routed | undefined {
    const found = PATH.exec(url);
    if (found === null) return undefined;
    const [whole, name, action, rest] = found;
    const query = rest === '?' ? parse(url.slice(whole.length), '&', '=', { maxKeys: 0 }) : {};
    const patterns = name === undefined ? OF_ALL : OF_SOME;
    const target = this.#targets.get(method)?.get(patterns[action as keyof typeof patterns]);
    const index = name === undefined ? undefined : decoded(name);
    if (target === undefined || (name !== undefined && index === undefined)) return undefined;
    const parts: Record<string, string> = index === undefined ? {} : { index };
    return { target, url, parts, params: new UrlParams(query) };
  }
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
