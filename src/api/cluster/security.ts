// `_security`: the caller's key, and the list of keys. Keys are managed on the machine's command line
// (cli/keys.ts), not over HTTP.
import { type Answer, type ApiDeps, type ApiRequest, ok, type Route } from '../kit/routes.js';
import { NODE } from '../schemas/node.js';
import { API_KEY_PARAMS, keysAreOff, listApiKeys } from './api-keys.js';

export function securityRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_security/_authenticate'],
      params: [],
      schema: NODE.authenticate,
      gated: false,
      handler: authenticate,
    },
    {
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_security/api_key'],
      params: API_KEY_PARAMS,
      schema: NODE.apiKeys,
      gated: false,
      handler: (request) => listApiKeys(deps, request),
    },
  ];
}

function authenticate({ key }: ApiRequest): Answer {
  if (key === null) throw keysAreOff();
  const realm = { name: '_es_api_key', type: '_es_api_key' };
  return ok({
    username: key.name,
    roles: [],
    full_name: null,
    email: null,
    metadata: { indices: key.indices, privileges: [...key.privileges] },
    enabled: true,
    authentication_realm: realm,
    lookup_realm: realm,
    authentication_type: 'api_key',
    api_key: { id: key.id, name: key.name },
  });
}
