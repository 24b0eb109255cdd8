// `_security/_authenticate`: describes the caller's key. Keys are managed on the machine's command
// line (cli/keys.ts), not over HTTP.
import { QuarryError } from '../../errors.js';
import { type Answer, type ApiRequest, ok, type Route } from '../kit/routes.js';
import { NODE } from '../schemas/node.js';

export function securityRoutes(): readonly Route[] {
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
  ];
}

function authenticate({ key }: ApiRequest): Answer {
  if (key === null) {
    throw new QuarryError(
      'illegal_argument_exception',
      'no key is needed: authentication is off, switch it on with [auth.enabled]',
    );
  }
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
