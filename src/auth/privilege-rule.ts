// The privilege that a route requires, declared by each route. Which parts of an answer a key may
// see is decided by the key's patterns (api/granted), not here.
import { QuarryError } from '../errors.js';
import type { Grant, Privilege } from './grant.js';

/**
 * open: no key is checked. page: no key is required, but one that is sent must be valid. metrics:
 * the metrics token or any valid key. any: any valid key. Otherwise privileges: both of a&b, one of
 * a|b; with `node:` the key must also be valid for all indexes, because the route concerns the
 * whole node.
 */
export type PrivilegeRule = 'open' | 'page' | 'metrics' | 'any' | `${'' | 'node:'}${Needs}`;
type Needs = Privilege | 'read&write' | 'write|manage';

const OF_ANY_KEY: ReadonlySet<PrivilegeRule> = new Set<PrivilegeRule>([
  'open',
  'page',
  'metrics',
  'any',
]);

/** Whether a route with this rule only reads. */
export function isReadRule(rule: PrivilegeRule): boolean {
  return OF_ANY_KEY.has(rule) || rule === 'read' || rule === 'node:read';
}

/**
 * Throws security_exception with status 403 unless the key satisfies the rule. `what` is the route
 * in the message.
 */
export function checkRule(rule: PrivilegeRule, grant: Grant, what: string): void {
  if (OF_ANY_KEY.has(rule)) return;
  const isNode = rule.startsWith('node:');
  const needs = isNode ? rule.slice('node:'.length) : rule;
  if (isNode && !grant.all) {
    throw lacking(grant, what, 'this action needs a key for all indices [*]');
  }
  const has = (one: string): boolean => grant.privileges.has(one as Privilege);
  const good = needs.includes('|') ? needs.split('|').some(has) : needs.split('&').every(has);
  if (good) return;
  const named = needs.split(/[|&]/).join(',');
  throw lacking(grant, what, `this action is granted by the privileges [${named}]`);
}

function lacking({ id, name }: Grant, what: string, remedy: string): QuarryError {
  return new QuarryError(
    'security_exception',
    `action [${what}] is unauthorized for API key id [${id}] of user [${name}], ${remedy}`,
  );
}
