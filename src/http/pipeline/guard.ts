// What every request passes before its body is read: its origin, its key, its rate, and whether the
// key may use the route. What the key may see is decided by api/granted, whose services the routes
// of a restricted key are given.
import { createHash, timingSafeEqual } from 'node:crypto';
import { grantedDeps } from '../../api/granted/services.js';
import { TaskOwners } from '../../api/granted/task-owners.js';
import type { ApiDeps, Route } from '../../api/kit/routes.js';
import { readBearer } from '../../auth/credentials.js';
import type { Grant } from '../../auth/grant.js';
import type { KeyRing } from '../../auth/key-ring.js';
import { checkRule, isReadRule } from '../../auth/privilege-rule.js';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import { RateLimit } from '../../ops/rate-limit.js';
import type { Exchange } from './exchange.js';
import type { FixedTarget, RouteTarget } from './targets.js';

type AdmittedTarget = Pick<RouteTarget | FixedTarget, 'rule' | 'pattern'>;

/** Maximum number of keys whose tables of routes are kept. */
const TABLES = 128;

export class Guard {
  readonly #deps: ApiDeps;
  readonly #rates: RateLimit;
  readonly #owners = new TaskOwners();
  readonly #routesOf: (deps: ApiDeps) => readonly Route[];
  /** The routes as each key may use them. */
  readonly #tables = new Map<Grant, readonly Route[]>();

  /** `routesOf` makes all routes, in the same order every time. */
  constructor(deps: ApiDeps, routesOf: (deps: ApiDeps) => readonly Route[]) {
    this.#deps = deps;
    this.#routesOf = routesOf;
    this.#rates = new RateLimit(() => deps.live.get('limits.requests_per_second'), deps.now);
  }

  /**
   * Returns the grant of the key that was sent, null if none is required. Throws a refusal or rejects
   * with it: the key is invalid, or the caller sends too many requests.
   */
  authenticate(exchange: Exchange, { rule }: AdmittedTarget): MaybePromise<Grant | null> {
    const { keys } = this.#deps;
    const { headers, connection } = exchange;
    if (rule === 'open') return null;
    const showsKey = keys !== undefined && headers.authorization !== undefined;
    if (rule === 'page' && !showsKey) return null;
    if (keys !== undefined && !(rule === 'metrics' && this.#isMetricsToken(headers))) {
      return this.#authenticateKey(exchange, keys);
    }
    if (this.#isPaced) this.#pace(connection.remoteAddress ?? '');
    return null;
  }

  /** Throws security_exception if the key may not use the route, or if nothing may be changed. */
  checkPrivilege(grant: Grant | null, exchange: Exchange, { rule, pattern }: AdmittedTarget): void {
    const isRefused = this.#deps.live.get('server.read_only') && !isReadRule(rule);
    if (grant === null && !isRefused) return;
    const { method, url } = exchange;
    const what = `${method} ${pattern ?? url.split('?', 1)[0]}`;
    if (isRefused) {
      throw new QuarryError(
        'security_exception',
        `action [${what}] is refused, this service is read only: send it to the one that it follows`,
      );
    }
    if (grant !== null) checkRule(rule, grant, what);
  }

  /** The route at that index of the table, as a key of that grant may use it. */
  route(grant: Grant | null, at: number, route: Route): Route {
    if (grant === null || grant.all) return route;
    return this.#tableOf(grant)[at] ?? route;
  }

  #authenticateKey({ url, headers }: Exchange, keys: KeyRing): MaybePromise<Grant> {
    const path = url.split('?', 1)[0] ?? '';
    return thenMaybe(keys.authenticate(headers.authorization, path), (grant) => {
      if (this.#isPaced) this.#pace(grant.id);
      return grant;
    });
  }

  #tableOf(grant: Grant): readonly Route[] {
    const known = this.#tables.get(grant);
    if (known !== undefined) return known;
    const table = this.#routesOf(grantedDeps(this.#deps, grant.access, this.#owners));
    this.#tables.set(grant, table);
    for (const oldest of this.#tables.keys()) {
      if (this.#tables.size <= TABLES) break;
      this.#tables.delete(oldest);
    }
    return table;
  }

  get #isPaced(): boolean {
    return this.#deps.live.get('limits.requests_per_second') > 0;
  }

  #pace(caller: string): void {
    const wait = this.#rates.take(caller);
    if (wait === 0) return;
    const most = this.#deps.live.get('limits.requests_per_second');
    throw new QuarryError(
      'es_rejected_execution_exception',
      `more than [${most}] requests in a second (limits.requests_per_second), try again in ${wait} s`,
      { headers: { 'Retry-After': String(wait) } },
    );
  }

  #isMetricsToken(headers: Exchange['headers']): boolean {
    const token = this.#deps.live.get('auth.metrics_token');
    const shown = readBearer(headers.authorization ?? '');
    return token !== '' && shown !== undefined && timingSafeEqual(digest(token), digest(shown));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
