// The quota of the key with which a memory is stored.
import { defaultNodesIndex } from '../../graph/names.js';
import type { KeyQuota } from '../../memory/manage/quotas.js';
import type { ApiRequest } from '../kit/routes.js';

/** Undefined: no key was sent, or it has no quota. */
export function keyQuota({ key }: ApiRequest): KeyQuota | undefined {
  if (key?.quota === undefined) return undefined;
  const { id, quota, access } = key;
  return { id, quota, allows: (namespace) => access.allows(defaultNodesIndex(namespace)) };
}
