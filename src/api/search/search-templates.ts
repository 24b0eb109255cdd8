// Searches by template, which are rendered with their parameters and executed as any search;
// `_render` shows the rendered search.
import type { JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { parseObject, toJson } from '../kit/json.js';
import { INDEX_OPTIONS, type UrlParams } from '../kit/params.js';
import { type ApiDeps, ok, optionalBody, type Route, requiredBody } from '../kit/routes.js';
import { TEMPLATES } from '../schemas/search-templates.js';
import { MSEARCH_PARAMS, multiSearch } from './multi-search.js';
import { search } from './search.js';

const SEARCH_PARAMS = [
  ...INDEX_OPTIONS,
  'ignore_throttled',
  'preference',
  'routing',
  'scroll',
  'search_type',
  'explain',
  'profile',
  'typed_keys',
  'rest_total_hits_as_int',
  'track_total_hits',
  'ccs_minimize_roundtrips',
];

export function searchTemplateRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: TEMPLATES.search,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_search/template', '/:index/_search/template'],
      params: SEARCH_PARAMS,
      handler: async (request) => {
        const { params } = request;
        const body = searchOf(deps, await requiredBody(request));
        const flags = ['explain', 'profile'].flatMap((name) => {
          const value = params.flag(name);
          return value === undefined ? [] : [[name, value] as const];
        });
        return search(deps, request, {
          ...withTotals(params),
          ...body,
          ...Object.fromEntries(flags),
        });
      },
    },
    {
      schema: TEMPLATES.msearch,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_msearch/template', '/:index/_msearch/template'],
      params: MSEARCH_PARAMS,
      ndjson: true,
      handler: (request) => multiSearch(deps, request, (body) => searchOf(deps, body)),
    },
    {
      schema: TEMPLATES.render,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_render/template', '/_render/template/:id'],
      params: [],
      handler: async (request) => {
        const { id } = request.parts;
        const body = await optionalBody(request);
        // The id in the path overrides a source in the body.
        const { source: _source, ...rest } = body;
        const requested = id === undefined ? body : { ...rest, id };
        // Throws if the template does not exist. Rendering shows its text, which a search by id
        // does not, so reading it must be permitted.
        if (typeof requested['id'] === 'string') deps.searchTemplates.get(requested['id']);
        return ok({ template_output: rendered(deps, requested) });
      },
    },
  ];
}

/** `track_total_hits` of the URL, used if the template does not set it. */
function withTotals(params: UrlParams): JsonObject {
  const track = params.text('track_total_hits');
  if (track === undefined) return {};
  const most = /^-?\d+$/.test(track) ? Number(track) : params.flag('track_total_hits');
  return { track_total_hits: most ?? true };
}

/** The rendered search with the flags that stand next to the template in the body. */
function searchOf(deps: ApiDeps, body: JsonObject): JsonObject {
  const flags = FLAGS.filter((name) => body[name] !== undefined);
  return {
    ...rendered(deps, body),
    ...Object.fromEntries(flags.map((name) => [name, body[name] ?? false])),
  };
}

const FLAGS = ['explain', 'profile'];
const KEYS = ['id', 'source', 'params', ...FLAGS];

function rendered(deps: ApiDeps, body: JsonObject): JsonObject {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw new QuarryError(
      'x_content_parse_exception',
      `[search_template] unknown field [${unknown}], expected some of [${KEYS.join(', ')}]`,
    );
  }
  const wrong = FLAGS.find((name) => body[name] !== undefined && typeof body[name] !== 'boolean');
  if (wrong !== undefined) throw illegal(`[${wrong}] of a search template must be true or false`);
  const text = deps.searchTemplates.render(templateOf(body), paramsOf(body));
  try {
    return parseObject(Buffer.from(text));
  } catch (error) {
    const why = error instanceof QuarryError ? error.message : String(error);
    throw new QuarryError(
      'x_content_parse_exception',
      `the template makes no JSON object of these parameters (${why}): ask [_render/template], and check its quotes and commas`,
    );
  }
}

function templateOf({ id, source }: JsonObject): { id: string } | { source: string } {
  if (id !== undefined && source !== undefined) {
    throw illegal('a search template is given by [id] or by [source], not by both');
  }
  if (typeof id === 'string' && id !== '') return { id };
  if (typeof source === 'string' && source !== '') return { source };
  if (typeof source === 'object' && source !== null) return { source: toJson(source) };
  if (id === undefined && source === undefined) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: template is missing;',
    );
  }
  throw illegal('[id] of a search template must be a text, [source] a text or an object');
}

function paramsOf({ params }: JsonObject): JsonObject {
  if (params === undefined) return {};
  if (typeof params === 'object' && params !== null && !Array.isArray(params))
    return params as JsonObject;
  throw illegal('[params] of a search template must be an object');
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
