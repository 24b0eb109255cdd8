// What every request passes before its body is read: where it comes from, who sends it, how often, and whether that key may do
// this. What the key may see is the business of granted/, which the routes are given in the place of everything.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { grantedDeps } from '../api/granted/services.js';
import { TaskOwners } from '../api/granted/task-owners.js';
import type { ApiDeps, Route } from '../api/kit/routes.js';
import { readBearer } from '../auth/credentials.js';
import type { Grant } from '../auth/grant.js';
import type { KeyRing } from '../auth/key-ring.js';
import { checkRule, type PrivilegeRule } from '../auth/privilege-rule.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import { QuarryError } from '../errors.js';
import { RateLimit } from '../ops/rate-limit.js';
import { answerOrigin } from './cors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the key that was shown; null: there are no keys, or the route asks for none. */
    grant: Grant | null;
  }
  interface FastifyContextConfig {
    /** Absent for routes that only refuse. */
    readonly rule?: PrivilegeRule;
  }
}

/** Tables of routes that are kept, a key each. */
const TABLES = 128;

export class Guard {
  readonly #deps: ApiDeps;
  readonly #rates: RateLimit;
  readonly #owners = new TaskOwners();
  readonly #routesOf: (deps: ApiDeps) => readonly Route[];
  /** The routes as each key may use them. */
  readonly #tables = new Map<Grant, readonly Route[]>();

  /** `routesOf`: makes all routes, in the same order every time. */
  constructor(deps: ApiDeps, routesOf: (deps: ApiDeps) => readonly Route[]) {
    this.#deps = deps;
    this.#routesOf = routesOf;
    this.#rates = new RateLimit(() => deps.live.get('limits.requests_per_second'), deps.now);
  }

  /** Throws a refusal, or rejects with it; true when the request is answered already. */
  admit(request: FastifyRequest, reply: FastifyReply): MaybePromise<boolean> {
    const { keys, live } = this.#deps;
    if (answerOrigin(request, reply, live.get('cors.allow_origins'))) return true;
    const rule = request.routeOptions.config.rule ?? 'any';
    if (rule === 'open') return false;
    const showsKey = keys !== undefined && request.headers.authorization !== undefined;
    if (rule === 'page' && !showsKey) return false;
    if (keys !== undefined && !(rule === 'metrics' && this.#isMetricsToken(request))) {
      return this.#admitKey(request, keys, rule);
    }
    this.#pace(request.ip);
    return false;
  }

  /**
   * As admit(), of a request that names no origin and that nothing paces: the key that was shown, null where there are none.
   * `pattern`: its route's, whose rule is `rule`.
   */
  admitPlain(
    { method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>,
    pattern: string,
    rule: PrivilegeRule,
  ): MaybePromise<Grant | null> {
    const { keys } = this.#deps;
    if (keys === undefined) return null;
    const path = url.split('?', 1)[0] ?? '';
    return keys.authenticate(headers.authorization, path).then((grant) => {
      checkRule(rule, grant, `${method} ${pattern}`);
      return grant;
    });
  }

  /** The route at that place of the table, as a key of that grant may use it. */
  route(grant: Grant | null, at: number, route: Route): Route {
    if (grant === null || grant.all) return route;
    return this.#tableOf(grant)[at] ?? route;
  }

  async #admitKey(request: FastifyRequest, keys: KeyRing, rule: PrivilegeRule): Promise<boolean> {
    const { method, url } = request;
    const path = url.split('?', 1)[0] ?? '';
    request.grant = await keys.authenticate(request.headers.authorization, path);
    this.#pace(request.grant.id);
    checkRule(rule, request.grant, `${method} ${request.routeOptions.url ?? path}`);
    return false;
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

  #isMetricsToken(request: FastifyRequest): boolean {
    const token = this.#deps.live.get('auth.metrics_token');
    const shown = readBearer(request.headers.authorization ?? '');
    return token !== '' && shown !== undefined && timingSafeEqual(digest(token), digest(shown));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
