// What a key needs for a route. Each route names its rule; what a key may see of a route's answer is not
// said there but by the key's patterns (api/granted).
import { QuarryError } from '../errors.js';
import type { Grant, Privilege } from './grant.js';

/**
 * open: nobody is asked. page: nobody needs a key, and one that is shown has to be good. metrics: the
 * metrics token, or any key. any: any key that is good. Otherwise privileges: all of a&b, one of a|b;
 * with `node:` the key has to be for all indexes as well, since the route concerns the whole node.
 */
export type PrivilegeRule = 'open' | 'page' | 'metrics' | 'any' | `${'' | 'node:'}${Needs}`;
type Needs = Privilege | 'read&write' | 'write|manage';

const OF_ANY_KEY: ReadonlySet<PrivilegeRule> = new Set<PrivilegeRule>([
  'open',
  'page',
  'metrics',
  'any',
]);

/** security_exception, 403, unless the key may. `what`: the route, as refusals name it. */
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
