// Rejects unsupported routes of Elasticsearch by name, so that the error cannot be mistaken for a
// wrong path.
import { QuarryError } from '../../errors.js';
import type { Method, Route } from '../kit/routes.js';
import { UNSUPPORTED } from '../schemas/kinds.js';
import { UNSUPPORTED_CALLS } from './unsupported-call-list.js';

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

export function unsupportedCallRoutes(): readonly Route[] {
  return UNSUPPORTED_CALLS.map(({ what, instead, paths, methods = METHODS }) => ({
    schema: UNSUPPORTED,
    methods,
    privilege: 'any',
    paths,
    params: [],
    anyParams: true,
    ndjson: true,
    handler: () => {
      throw new QuarryError(
        'illegal_argument_exception',
        `${what} are not supported by this server, ${instead}`,
      );
    },
  }));
}
