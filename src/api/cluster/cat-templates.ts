// The _cat tables of index templates, legacy templates and component templates.
import type { JsonObject, NamedTemplate } from '../../backend/index.js';
import { splitList } from '../kit/params.js';
import type { Answer, ApiDeps, ApiRequest, Route } from '../kit/routes.js';
import { type Row, TABLE_PARAMS, tableAnswer } from '../kit/table.js';
import { CLUSTER } from '../schemas/cluster.js';
import { columns } from './cat-columns.js';

const TEMPLATE_COLUMNS = columns([
  ['name', 'n', 'template name', 'shown'],
  ['index_patterns', 't', 'template index patterns', 'shown'],
  ['order', 'o,p', 'template application order/priority number', 'shown'],
  ['version', 'v', 'version', 'shown'],
  ['composed_of', 'c', 'component templates comprising index template', 'shown'],
]);

const COMPONENT_COLUMNS = columns([
  ['name', 'n', 'component template name', 'shown'],
  ['version', 'v', 'version', 'shown'],
  ['alias_count', 'a', 'alias count', 'shown'],
  ['mapping_count', 'm', 'mapping count', 'shown'],
  ['settings_count', 's', 'settings count', 'shown'],
  ['metadata_count', 'me', 'metadata count', 'shown'],
  ['included_in', 'i', 'included in', 'shown'],
]);

export function catTemplateRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.catTemplates,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/_cat/templates', '/_cat/templates/:name'],
      params: TABLE_PARAMS,
      handler: (r) => templates(deps, r),
    },
    {
      schema: CLUSTER.catComponents,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/_cat/component_templates', '/_cat/component_templates/:name'],
      params: TABLE_PARAMS,
      handler: (r) => components(deps, r),
    },
  ];
}

function namesOf({ parts }: ApiRequest): readonly string[] {
  return splitList(parts['name'] ?? '*');
}

function templates(deps: ApiDeps, request: ApiRequest): Answer {
  const names = namesOf(request);
  const row = ({ name, body }: NamedTemplate, order: string): Row => ({
    name,
    index_patterns: listText(body['index_patterns']),
    order: text(body[order]),
    version: text(body['version']),
    composed_of: body['composed_of'] === undefined ? '' : listText(body['composed_of']),
  });
  return tableAnswer(request, TEMPLATE_COLUMNS, [
    ...deps.templates.get('legacy', names).map((one) => row(one, 'order')),
    ...deps.templates.get('index', names).map((one) => row(one, 'priority')),
  ]);
}

function components(deps: ApiDeps, request: ApiRequest): Answer {
  const users = deps.templates.get('index', ['*']);
  const rows = deps.templates.get('component', namesOf(request)).map(({ name, body }) => {
    const template = (body['template'] ?? {}) as JsonObject;
    const mappings = (template['mappings'] ?? {}) as JsonObject;
    const includes = (one: NamedTemplate): boolean =>
      ((one.body['composed_of'] ?? []) as readonly string[]).includes(name);
    return {
      name,
      version: text(body['version']),
      alias_count: sizeOf(template['aliases']),
      mapping_count: sizeOf(mappings['properties']),
      settings_count: leavesOf(template['settings'] ?? {}),
      metadata_count: sizeOf(body['_meta']),
      included_in: listText(users.filter(includes).map((one) => one.name)),
    };
  });
  return tableAnswer(request, COMPONENT_COLUMNS, rows);
}

function text(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

/** Prints a list as Java's List.toString() does. */
function listText(value: unknown): string {
  return `[${[value ?? []].flat().join(', ')}]`;
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** Number of leaf values in nested settings. */
function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + leavesOf(member), 0);
}
