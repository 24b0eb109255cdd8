// `GET /_security/api_key`: the API keys without their secrets, in the shape of Elasticsearch.
import { isExpired, type ListedKey } from '../../auth/key-ring.js';
import type { JsonObject } from '../../backend/index.js';
import { wildcardMatch } from '../../base/wildcard.js';
import { QuarryError } from '../../errors.js';
import { type Answer, type ApiDeps, type ApiRequest, ok } from '../kit/routes.js';

/** Keys have no users and one realm: `username` is the name of the key, as in _authenticate. */
const REALM = '_es_api_key';

export const API_KEY_PARAMS = ['id', 'name', 'username', 'realm_name', 'owner', 'active_only'];

interface KeyFilter {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly username: string | undefined;
  readonly realm: string | undefined;
  readonly owner: boolean;
  readonly activeOnly: boolean;
}

/** A key that does not manage the node sees itself alone, as with `owner=true`. */
export async function listApiKeys(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { key } = request;
  const filter = readFilter(request);
  if (deps.keys === undefined || key === null) throw keysAreOff();
  const seesAll = !filter.owner && key.all && key.privileges.has('manage');
  const now = deps.nowMs();
  const found = (await deps.keys.list()).filter(
    (one) => (seesAll || one.id === key.id) && isWanted(one, filter, now),
  );
  // As Elasticsearch: an id that is not there is 404, a name that matches nothing is an empty list.
  const status = filter.id !== undefined && found.length === 0 ? 404 : 200;
  return ok({ api_keys: found.map(viewOf) }, status);
}

export function keysAreOff(): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    'no key is needed: authentication is off, switch it on with [auth.enabled]',
  );
}

function readFilter({ params }: ApiRequest): KeyFilter {
  const filter = {
    id: params.text('id'),
    name: params.text('name'),
    username: params.text('username'),
    realm: params.text('realm_name'),
    owner: params.flag('owner') ?? false,
    activeOnly: params.flag('active_only') ?? false,
  };
  const byUser = filter.username !== undefined || filter.realm !== undefined;
  if (byUser && (filter.id !== undefined || filter.name !== undefined)) {
    throw invalid(
      'username or realm name must not be specified when the api key id or api key name is specified',
    );
  }
  if (byUser && filter.owner) {
    throw invalid(
      'neither username nor realm-name may be specified when retrieving owned API keys',
    );
  }
  if (filter.id !== undefined && filter.name !== undefined) {
    throw invalid('only one of [api key id, api key name] can be specified');
  }
  return filter;
}

function invalid(reason: string): QuarryError {
  return new QuarryError('action_request_validation_exception', `Validation Failed: 1: ${reason};`);
}

function isWanted(key: ListedKey, filter: KeyFilter, now: number): boolean {
  return (
    (filter.id === undefined || key.id === filter.id) &&
    (filter.name === undefined || wildcardMatch(filter.name, key.name)) &&
    (filter.username === undefined || key.name === filter.username) &&
    (filter.realm === undefined || filter.realm === REALM) &&
    (!filter.activeOnly || !isExpired(key, now))
  );
}

function viewOf(key: ListedKey): JsonObject {
  const { id, name, created, expires, revoked, indices, privileges, quota } = key;
  return {
    id,
    name,
    type: 'rest',
    creation: created,
    ...(expires === undefined ? {} : { expiration: expires }),
    invalidated: revoked !== undefined,
    ...(revoked === undefined ? {} : { invalidation: revoked }),
    username: name,
    realm: REALM,
    realm_type: REALM,
    metadata: quota === undefined ? {} : { quota: { ...quota } },
    role_descriptors: {
      [name]: {
        cluster: [],
        indices: [{ names: indices, privileges, allow_restricted_indices: false }],
        applications: [],
        run_as: [],
        metadata: {},
        transient_metadata: { enabled: true },
      },
    },
  };
}
