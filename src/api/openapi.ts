// Generates the OpenAPI 3.1 document from the routes: methods, paths, URL parameters and schemas.
import type { Method, Route } from './kit/routes.js';
import {
  type JsonSchema,
  LINES,
  NOTHING,
  type RouteSchema,
  TABLE,
  TAGS,
  TEXT,
} from './schemas/kinds.js';
import { PATH_PARAMS, QUERY_PARAMS } from './schemas/params.js';
import { SHARED } from './schemas/shared.js';

const ABOUT = `A search service for text, vectors and agent memory, with the REST API of Elasticsearch 8.

Every answer can be cut down with \`filter_path\` and printed with \`pretty\`; what \`filter_path\` leaves is not described here.
Bodies and answers may be compressed. Whatever goes wrong is an \`Error\`, with the same status in the body. \`X-Opaque-Id\` and
\`traceparent\` come back and stand in the log. Every answer has an \`X-Request-Id\`: the one that was sent (visible characters, at most
128), or a new one; the log lines of the request have it as \`request_id\`.`;

/** Version of the API description, which is independent of the program's version. */
const DESCRIPTION_VERSION = '1.0';

const JSON_TYPE = 'application/json';
const ERROR = content(JSON_TYPE, { $ref: '#/components/schemas/Error' });

export function openApiDocument(routes: readonly Route[]): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const { schema } = route;
    if (schema === undefined || typeof schema === 'string') continue;
    for (const [at, path] of route.paths.entries()) {
      const url = path.replace(/:(\w+)/g, '{$1}');
      const item = paths[url] ?? {};
      paths[url] = item;
      for (const method of route.methods) {
        item[method.toLowerCase()] = operation(route, schema, path, at, method);
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Quarry', version: DESCRIPTION_VERSION, description: ABOUT },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{}, { apiKey: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: SHARED,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`ApiKey KEY` or `ApiKey base64(id:KEY)`.',
        },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(
  route: Route,
  schema: RouteSchema,
  path: string,
  at: number,
  method: Method,
): JsonSchema {
  return {
    operationId: operationId(route, schema, path, at, method),
    summary: schema.summary,
    tags: [schema.tag],
    parameters: [...pathParameters(path), ...queryParameters(route, schema)],
    ...requestBody(route, schema, method),
    responses: responses(schema, method),
  };
}

/** The id of the schema; other paths and methods of the same route append what differs. */
function operationId(
  { methods }: Route,
  { id }: RouteSchema,
  path: string,
  at: number,
  method: Method,
): string {
  const parts = [...path.matchAll(/:(\w+)|^\/_(\w+)/g)].map((found) => found[1] ?? found[2]);
  const place = at === 0 ? [] : ['by', ...parts];
  const verb = method === methods[0] ? [] : [method.toLowerCase()];
  return [id, ...place, ...verb].join('_');
}

function pathParameters(path: string): readonly JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...described({ minLength: 1, ...PATH_PARAMS[name] }),
  }));
}

function queryParameters(
  { params }: Route,
  { params: own = {}, needs = [] }: RouteSchema,
): readonly JsonSchema[] {
  return [...new Set(params)].map((name) => ({
    name,
    in: 'query',
    ...(needs.includes(name) ? { required: true } : {}),
    ...described(own[name] ?? QUERY_PARAMS[name] ?? {}),
  }));
}

/** OpenAPI puts the description of a parameter next to its schema, not inside. */
function described({ description, ...schema }: JsonSchema): JsonSchema {
  return { ...(description === undefined ? {} : { description }), schema };
}

function requestBody(
  route: Route,
  { body, bodyRequired, bodyAsList }: RouteSchema,
  method: Method,
): JsonSchema {
  if (body === undefined || method === 'HEAD') return {};
  const type = body === LINES ? 'application/x-ndjson' : JSON_TYPE;
  // A body has no meaning in a GET request, and generated clients cannot send one; the POST of the
  // same operation describes it.
  if (method === 'GET' && route.methods.includes('POST')) return {};
  const required = bodyRequired === true ? { required: true } : {};
  const asList = bodyAsList === undefined ? {} : content(JSON_TYPE, bodyAsList);
  return { requestBody: { ...required, content: { ...content(type, body), ...asList } } };
}

function responses({ answers }: RouteSchema, method: Method): JsonSchema {
  const known = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: Number(status) < 400 ? 'Done.' : 'Not there, or not so.',
      ...answer(schema, method),
    },
  ]);
  return {
    ...Object.fromEntries(known),
    default: { description: 'What went wrong.', ...(method === 'HEAD' ? {} : { content: ERROR }) },
  };
}

function answer(schema: JsonSchema, method: Method): JsonSchema {
  if (schema === NOTHING || method === 'HEAD') return {};
  if (schema === TEXT) return { content: content('text/plain', { type: 'string' }) };
  if (schema === LINES) return { content: content('application/x-ndjson', { type: 'string' }) };
  if (schema === TABLE) {
    const rows = { type: 'array', items: { type: 'object' } };
    return {
      content: { ...content('text/plain', { type: 'string' }), ...content(JSON_TYPE, rows) },
    };
  }
  return { content: content(JSON_TYPE, schema) };
}

function content(type: string, schema: JsonSchema): JsonSchema {
  return { [type]: { schema } };
}
