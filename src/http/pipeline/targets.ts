// Where the routers of the transports send a request.
import type { UrlParams } from '../../api/kit/params.js';
import type { Answer, Route } from '../../api/kit/routes.js';
import type { PrivilegeRule } from '../../auth/privilege-rule.js';

/** A route of the table under one of its path patterns. */
export interface RouteTarget {
  readonly kind: 'route';
  readonly rule: PrivilegeRule;
  readonly pattern: string;
  readonly route: Route;
  /** The index of the route in the table. */
  readonly at: number;
}

/** The routes by path pattern, then by method. Throws if two routes have the same place. */
export type TargetTable = ReadonlyMap<string, ReadonlyMap<string, RouteTarget>>;

export function targetTable(routes: readonly Route[]): TargetTable {
  const table = new Map<string, Map<string, RouteTarget>>();
  for (const [at, route] of routes.entries()) {
    for (const pattern of route.paths) {
      const target: RouteTarget = { kind: 'route', rule: route.privilege, pattern, route, at };
      const byMethod = table.get(pattern) ?? new Map<string, RouteTarget>();
      table.set(pattern, byMethod);
      for (const method of route.methods) {
        if (byMethod.has(method)) throw new Error(`${method} ${pattern} has two routes`);
        byMethod.set(method, target);
      }
    }
  }
  return table;
}

/** What answers paths and methods without a route. */
export interface FixedTarget {
  readonly kind: 'fixed';
  readonly rule: PrivilegeRule;
  readonly pattern: string | undefined;
  readonly answer: (method: string, url: string) => Answer;
}

export interface Routed {
  readonly target: RouteTarget | FixedTarget;
  /** Path and query string as they were routed, which may be rewritten. */
  readonly url: string;
  /** Decoded path parameters by name. */
  readonly parts: Readonly<Record<string, string>>;
  readonly params: UrlParams;
}
