// Routes of index templates, component templates and legacy templates: put, get, delete and
// simulate.
import type { Json, JsonObject, NamedTemplate, TemplateKind } from '../../backend/index.js';
import { isPattern } from '../../base/wildcard.js';
import { QuarryError } from '../../errors.js';
import { checkWaits, splitList, type UrlParams } from '../kit/params.js';
import {
  ACKNOWLEDGED,
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
  requiredBody,
} from '../kit/routes.js';
import { INDEXES, templateSchemas } from '../schemas/indexes.js';

const WAITS = ['timeout', 'master_timeout'];
const READS = ['local', 'master_timeout', 'flat_settings', 'include_defaults'];
const CHANGES = [...WAITS, 'create', 'cause'];

const SCHEMA_KINDS = {
  index: 'index_template',
  component: 'component_template',
  legacy: 'template',
} as const satisfies Record<TemplateKind, string>;

const KINDS: readonly { readonly kind: TemplateKind; readonly path: string }[] = [
  { kind: 'index', path: '/_index_template' },
  { kind: 'component', path: '/_component_template' },
  { kind: 'legacy', path: '/_template' },
];

export function indexTemplateRoutes(deps: ApiDeps): readonly Route[] {
  return [
    ...simulateRoutes(deps),
    ...KINDS.flatMap(({ kind, path }) => kindRoutes(deps, kind, path)),
  ];
}

function simulateRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: INDEXES.simulateTemplate,
      methods: ['POST'],
      privilege: 'node:read',
      paths: ['/_index_template/_simulate', '/_index_template/_simulate/:name'],
      params: [...CHANGES, 'include_defaults'],
      handler: async (request) => {
        checkReads(request.params);
        const { name } = request.parts;
        const body = name === undefined ? await requiredBody(request) : await bodyIfAny(request);
        return ok(await deps.templates.simulate(name, body));
      },
    },
    {
      schema: INDEXES.simulateIndex,
      methods: ['POST'],
      privilege: 'node:read',
      paths: ['/_index_template/_simulate_index/:name'],
      params: [...CHANGES, 'include_defaults'],
      handler: async (request) => {
        checkReads(request.params);
        const name = part(request, 'name');
        return ok(await deps.templates.simulateIndex(name, await bodyIfAny(request)));
      },
    },
  ];
}

function kindRoutes(deps: ApiDeps, kind: TemplateKind, path: string): readonly Route[] {
  const named = `${path}/:name`;
  const schemas = templateSchemas(SCHEMA_KINDS[kind]);
  return [
    {
      schema: schemas.put,
      methods: ['PUT', 'POST'],
      privilege: 'node:manage',
      paths: [named],
      params: kind === 'legacy' ? [...CHANGES, 'order'] : CHANGES,
      handler: (request) => put(deps, kind, request),
    },
    {
      schema: schemas.get,
      methods: ['GET'],
      privilege: 'node:read',
      paths: [path, named],
      params: READS,
      handler: (request) => get(deps, kind, request),
    },
    {
      schema: schemas.exists,
      methods: ['HEAD'],
      privilege: 'node:read',
      paths: [named],
      params: READS,
      handler: (request) => {
        const found = deps.templates.get(kind, splitList(part(request, 'name')));
        return { status: found.length > 0 ? 200 : 404 };
      },
    },
    {
      schema: schemas.delete,
      methods: ['DELETE'],
      privilege: 'node:manage',
      paths: [named],
      params: WAITS,
      handler: async (request) => {
        checkWaits(request.params);
        await deps.templates.remove(kind, splitList(part(request, 'name')));
        return ACKNOWLEDGED;
      },
    },
  ];
}

async function bodyIfAny(request: ApiRequest): Promise<JsonObject | undefined> {
  const body = await optionalBody(request);
  return Object.keys(body).length === 0 ? undefined : body;
}

async function put(deps: ApiDeps, kind: TemplateKind, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  checkWaits(params);
  const body = await requiredBody(request);
  const order = params.integer('order');
  const requested = order === undefined ? body : { ...body, order };
  await deps.templates.put(kind, part(request, 'name'), requested, params.flag('create') ?? false);
  return ACKNOWLEDGED;
}

function get(deps: ApiDeps, kind: TemplateKind, request: ApiRequest): Answer {
  checkReads(request.params);
  const { name } = request.parts;
  const names = name === undefined ? ['*'] : splitList(name);
  const found = deps.templates.get(kind, names);
  const missing = names.some((one) => !isPattern(one)) && found.length === 0;
  if (missing && kind !== 'legacy') {
    throw new QuarryError(
      'resource_not_found_exception',
      `${kind} template matching [${name}] not found`,
    );
  }
  const flat = request.params.flag('flat_settings') === true;
  const bodies = found.map((one): NamedTemplate => ({ ...one, body: printed(one.body, flat) }));
  if (kind === 'legacy') {
    const body = Object.fromEntries(bodies.map((one) => [one.name, one.body]));
    return ok(body, name !== undefined && found.length === 0 ? 404 : 200);
  }
  const member = `${kind}_template`;
  const list = bodies.map((one) => ({ name: one.name, [member]: one.body }));
  return ok({ [`${member}s`]: list }, name !== undefined && list.length === 0 ? 404 : 200);
}

/** Templates have no defaults: those apply when an index is created. */
function checkReads(params: UrlParams): void {
  if (params.flag('include_defaults') !== true) return;
  throw new QuarryError(
    'illegal_argument_exception',
    '[include_defaults] of templates is not supported, ask for the settings of an index',
  );
}

function printed(body: JsonObject, flat: boolean): JsonObject {
  if (!flat) return body;
  const { settings, template } = body as { settings?: JsonObject; template?: JsonObject };
  return {
    ...body,
    ...(settings === undefined ? {} : { settings: flattened(settings, '') }),
    ...(template === undefined ? {} : { template: printed(template, true) }),
  };
}

function flattened(settings: JsonObject, prefix: string): JsonObject {
  const flat: Record<string, Json> = {};
  for (const [name, value] of Object.entries(settings)) {
    const isLeaf = typeof value !== 'object' || value === null || Array.isArray(value);
    if (isLeaf) flat[`${prefix}${name}`] = value;
    else Object.assign(flat, flattened(value as JsonObject, `${prefix}${name}.`));
  }
  return flat;
}
