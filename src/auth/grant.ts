// What a key grants: privileges on the indexes that its patterns match.
import type { Access } from '../backend/index.js';
import { isStateIndex } from '../base/state-indexes.js';
import { patternMatcher } from '../base/wildcard.js';
import { QuarryError } from '../errors.js';
import type { KeyRecord } from './key-record.js';

export const PRIVILEGES = ['read', 'write', 'manage'] as const;
export type Privilege = (typeof PRIVILEGES)[number];

/** The grant of a key; the same object as long as the key does not change. */
export interface Grant {
  readonly id: string;
  readonly name: string;
  readonly privileges: ReadonlySet<Privilege>;
  readonly indices: readonly string[];
  /** The key covers every index, including future ones, and the node as a whole. */
  readonly all: boolean;
  /** What all namespaces of memories hold at most that the key may use, and its stores a minute. */
  readonly quota: KeyRecord['quota'];
  readonly access: Access;
}

/** Characters of lists and patterns of names. */
const SEVERAL = /[,*]/;

/** `onRefusal` is called with every rejected name. */
export function grantOf(record: KeyRecord, onRefusal: (index: string) => void): Grant {
  const { id, name, indices, privileges, quota } = record;
  const matchers = indices.map(patternMatcher);
  const who = `API key id [${id}] of user [${name}]`;
  return {
    id,
    name,
    privileges: new Set(privileges),
    indices,
    all: indices.includes('*'),
    quota,
    access: {
      owner: id,
      allows: (index) =>
        !SEVERAL.test(index) && !isStateIndex(index) && matchers.some((matches) => matches(index)),
      refusal: (index) => {
        onRefusal(index);
        return new QuarryError(
          'security_exception',
          `action is unauthorized for ${who} on indices [${index}], ${remedyOf(index, indices)}`,
        );
      },
      refusalOf: (what, index) => {
        onRefusal(index);
        return new QuarryError(
          'security_exception',
          `action is unauthorized for ${who} on ${what}, this key is granted indices [${indices.join(',')}]`,
        );
      },
    },
  };
}

function remedyOf(index: string, granted: readonly string[]): string {
  return isStateIndex(index)
    ? 'which holds state of the service and needs a key for all indices [*]'
    : `this key is granted indices [${granted.join(',')}]`;
}
