// Routes that export and import a memory namespace as NDJSON.
import { QuarryError } from '../../errors.js';
import { checkContentType } from '../kit/media-types.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, part, type Route } from '../kit/routes.js';
import { MEMORY } from '../schemas/agents.js';

export function memoryTransferRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: MEMORY.export,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_memory/:namespace/_export'],
      params: [],
      handler: async (r): Promise<Answer> => ({
        status: 200,
        stream: await deps.memory.transfer.export(part(r, 'namespace')),
        contentType: 'application/x-ndjson',
      }),
    },
    {
      schema: MEMORY.import,
      methods: ['POST'],
      privilege: 'write',
      paths: ['/_memory/:namespace/_import'],
      params: [],
      ndjson: true,
      handler: (r) => importLines(deps, r),
    },
  ];
}

async function importLines(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  if (request.body === undefined)
    throw new QuarryError('parse_exception', 'request body is required');
  checkContentType(request.contentType, true);
  const { key, body } = request;
  // Settings in the body need the same privilege as PUT /_memory/{namespace}: [manage].
  const mayPut = key === null || key.privileges.has('manage');
  return ok(await deps.memory.transfer.import(part(request, 'namespace'), body, mayPut));
}
