// Routes of many memories at once: export and import of a namespace as NDJSON, and bulk stores.
import type { Json } from '../../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../../base/cooperative-task.js';
import { QuarryError } from '../../errors.js';
import { refuseManyItems, refuseManyLines } from '../kit/item-limit.js';
import { decodeUtf8, parseJson, readJson } from '../kit/json.js';
import { checkContentType } from '../kit/media-types.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, part, type Route } from '../kit/routes.js';
import { MEMORY } from '../schemas/agents.js';
import { keyQuota } from './key-quota.js';

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
      schema: MEMORY.bulk,
      methods: ['POST'],
      privilege: 'write',
      paths: ['/_memory/:namespace/_bulk'],
      params: [],
      ndjson: true,
      alwaysAnswers: true,
      handler: (r) => bulk(deps, r),
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

async function bulk(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { body } = request;
  if (body === undefined) throw new QuarryError('parse_exception', 'request body is required');
  checkContentType(request.contentType, true);
  const items = isList(body) ? await listOf(body) : await itemsOf(deps, body);
  refuseManyItems(deps, items.length, 'memories');
  return ok(await deps.memory.bulk(part(request, 'namespace'), items, keyQuota(request)));
}

const OPEN_LIST = 0x5b;

/** Whether the first character is that of a JSON array; a line is an object. */
function isList(body: Uint8Array): boolean {
  return body.find((byte) => ![0x20, 0x09, 0x0a, 0x0d].includes(byte)) === OPEN_LIST;
}

async function listOf(body: Uint8Array): Promise<readonly Json[]> {
  const list = await readJson(body);
  return Array.isArray(list) ? list : [];
}

async function itemsOf(deps: ApiDeps, body: Uint8Array): Promise<readonly Json[]> {
  refuseManyLines(deps, body, 1, 'memories');
  return runCooperatively(linesOf(body));
}

function* linesOf(body: Uint8Array): CooperativeTask<readonly Json[]> {
  const items: Json[] = [];
  let number = 0;
  for (let at = 0; at < body.length; ) {
    number++;
    const newline = body.indexOf(0x0a, at);
    const end = newline < 0 ? body.length : newline;
    const line = body.subarray(at, end);
    at = end + 1;
    if (decodeUtf8(line).trim() !== '') items.push(readLine(line, number));
    yield;
  }
  return items;
}

function readLine(line: Uint8Array, number: number): Json {
  try {
    return parseJson(line);
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    throw new QuarryError(error.type, `line ${number} of the bulk: ${error.message}`);
  }
}
