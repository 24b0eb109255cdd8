// Stored scripts: search templates under the names by which searches refer to them. Scripts of
// other languages cannot be stored; they are sent with each request.

import type { Json, JsonObject, StoredScript } from '../../backend/index.js';
import { printValue } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { toJson } from '../kit/json.js';
import { checkWaits } from '../kit/params.js';
import {
  ACKNOWLEDGED,
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  part,
  type Route,
  requiredBody,
} from '../kit/routes.js';
import { TEMPLATES } from '../schemas/search-templates.js';

const WAITS = ['timeout', 'master_timeout'];
/** Script contexts of Elasticsearch for which search templates may be compiled. */
const CONTEXTS = ['template', 'search'];
const JSON_TYPE = 'application/json;charset=utf-8';
const CONTENT_TYPES = [JSON_TYPE, 'application/json; charset=UTF-8', 'application/json'];
const MAX_ID_BYTES = 512;

export function storedScriptRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: TEMPLATES.put,
      methods: ['PUT', 'POST'],
      privilege: 'node:manage',
      paths: ['/_scripts/:id', '/_scripts/:id/:context'],
      params: [...WAITS, 'context'],
      handler: (request) => put(deps, request),
    },
    {
      schema: TEMPLATES.get,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/_scripts/:id'],
      params: ['master_timeout'],
      handler: (request) => {
        checkWaits(request.params);
        const id = part(request, 'id');
        const script = deps.searchTemplates.get(id);
        if (script === undefined) return ok({ _id: id, found: false }, 404);
        return ok({ _id: id, found: true, script });
      },
    },
    {
      schema: TEMPLATES.delete,
      methods: ['DELETE'],
      privilege: 'node:manage',
      paths: ['/_scripts/:id'],
      params: WAITS,
      handler: async (request) => {
        checkWaits(request.params);
        await deps.searchTemplates.remove(part(request, 'id'));
        return ACKNOWLEDGED;
      },
    },
  ];
}

async function put(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params, parts } = request;
  checkWaits(params);
  const context = parts['context'] ?? params.text('context');
  if (context !== undefined && !CONTEXTS.includes(context)) {
    throw illegal(
      `stored scripts for the context [${context}] are not supported by this server, expected [${CONTEXTS.join('] or [')}]`,
    );
  }
  const id = part(request, 'id');
  if (id.includes('#')) {
    throw new QuarryError(
      'action_request_validation_exception',
      "Validation Failed: 1: id cannot contain '#' for stored script;",
    );
  }
  const bytes = Buffer.byteLength(id);
  if (bytes > MAX_ID_BYTES) {
    throw illegal(
      `exceeded max allowed stored script id length [${MAX_ID_BYTES}] with length [${bytes}]`,
    );
  }
  await deps.searchTemplates.put(id, readScript(await requiredBody(request)));
  return ACKNOWLEDGED;
}

function readScript({ script, ...rest }: JsonObject): StoredScript {
  const [extra] = Object.keys(rest);
  if (extra !== undefined || typeof script !== 'object' || script === null || isList(script)) {
    throw new QuarryError(
      'parsing_exception',
      extra === undefined
        ? 'must specify field [script], an object'
        : `unexpected field [${extra}], expected [script]`,
    );
  }
  const { lang, source, options, ...others } = script as JsonObject;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw illegal(`[stored script source] unknown field [${unknown}]`);
  if (typeof lang !== 'string') throw illegal('must specify lang for stored script');
  if (lang !== 'mustache') {
    throw illegal(
      `stored scripts of [${lang}] are not supported by this server, only search templates of [mustache]; send the script with the request`,
    );
  }
  if (typeof source === 'string' && source !== '') {
    return { lang, source, ...readOptions(options) };
  }
  if (typeof source === 'object' && source !== null) {
    return { lang, source: toJson(source), options: { content_type: JSON_TYPE } };
  }
  throw illegal('must specify source for stored script');
}

function readOptions(options: Json | undefined): Pick<StoredScript, 'options'> {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null || isList(options)) {
    throw illegal(`[options] of a stored script must be an object, got [${printValue(options)}]`);
  }
  const { content_type: type, ...others } = options as JsonObject;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw illegal(`illegal compiler options [${unknown}] specified`);
  if (typeof type === 'string' && CONTENT_TYPES.includes(type)) {
    return { options: { content_type: type } };
  }
  throw illegal(
    `[content_type] of a search template must be [${JSON_TYPE}], others are not supported`,
  );
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
