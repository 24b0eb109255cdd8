// `/v1/autoindex`: what `quarry autoindex` made of folders, read from the catalog index that it
// writes. Its documents are those of a client, so every member is checked here.
import type { Json, JsonObject } from '../../backend/index.js';
import { plainJson } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, type Route } from '../kit/routes.js';
import { DIAGNOSTICS } from '../schemas/diagnostics.js';

/** Written by src/autoindex/catalog.ts. */
const CATALOG_INDEX = '.svc-catalog';
const MAX_DOCUMENTS = 1000;

interface Folder {
  readonly root: string;
  readonly prefix: string | null;
  report: JsonObject;
  readonly datasets: JsonObject[];
}

/** A key needs the catalog index, as for every other read of it. */
export function dataMapRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: DIAGNOSTICS.dataMap,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/v1/autoindex'],
      params: [],
      handler: (request) => dataMap(deps, request),
    },
  ];
}

async function dataMap(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const isDataset = { exists: { field: 'name' } };
  const [datasets, reports] = await Promise.all([
    documents(deps, request, isDataset),
    documents(deps, request, { bool: { must_not: isDataset } }),
  ]);
  const folders = new Map<string, Folder>();
  const folderOf = (root: string, prefix: string | null): Folder => {
    const key = plainJson([root, prefix]);
    const folder = folders.get(key) ?? { root, prefix, report: {}, datasets: [] };
    folders.set(key, folder);
    return folder;
  };
  for (const entry of datasets) {
    const [name, index] = [textOf(entry['name']), textOf(entry['index'])];
    const prefix = index.endsWith(name) ? index.slice(0, index.length - name.length) : null;
    folderOf(textOf(entry['root']), prefix).datasets.push(datasetOf(entry));
  }
  for (const { root, prefix, report } of reports) {
    if (isObject(report)) folderOf(textOf(root), textOf(prefix)).report = report;
  }
  return ok({ folders: [...folders.values()].map(viewOf) });
}

/** None before the first run; a key that may not read the catalog is refused by the backend. */
async function documents(
  { backend }: ApiDeps,
  { waiter }: ApiRequest,
  query: JsonObject,
): Promise<readonly JsonObject[]> {
  const sort = [{ root: 'asc' }, { name: 'asc' }];
  try {
    const { hits } = await backend.search({
      index: CATALOG_INDEX,
      body: { query, size: MAX_DOCUMENTS, sort },
      waiter,
    });
    return hits.flatMap(({ source }) => {
      const document: unknown = JSON.parse(Buffer.from(source ?? []).toString('utf8') || 'null');
      return isObject(document) ? [document] : [];
    });
  } catch (error) {
    if (error instanceof QuarryError && error.type === 'index_not_found_exception') return [];
    throw error;
  }
}

function viewOf({ root, prefix, report, datasets }: Folder): JsonObject {
  const sum = (member: string): number =>
    datasets.reduce((total, dataset) => total + countOf(dataset[member]), 0);
  const hasReport = report['finished_at'] !== undefined;
  const total = (member: string): number => (hasReport ? countOf(report[member]) : sum(member));
  return {
    root,
    prefix,
    finished_at: hasReport ? countOf(report['finished_at']) : null,
    files: total('files'),
    bytes: total('bytes'),
    documents: total('documents'),
    problem_count: countOf(report['problem_count']),
    problems: objectsOf(report['problems']).map(({ path, problem }) => ({
      path: textOf(path),
      problem: textOf(problem),
    })),
    skipped_count: countOf(report['skipped_count']),
    skipped: objectsOf(report['skipped']).map(({ path, reason }) => ({
      path: textOf(path),
      reason: textOf(reason),
    })),
    datasets,
  };
}

function datasetOf(entry: JsonObject): JsonObject {
  return {
    name: textOf(entry['name']),
    index: textOf(entry['index']),
    family: textOf(entry['family']),
    formats: textsOf(entry['formats']),
    files: countOf(entry['files']),
    bytes: countOf(entry['bytes']),
    documents: countOf(entry['documents']),
    fields: objectsOf(entry['fields']).map(({ name, type, role, examples }) => ({
      name: textOf(name),
      type: textOf(type),
      role: textOf(role),
      examples: textsOf(examples),
    })),
    queries: objectsOf(entry['queries']).map(({ about, path, body }) => ({
      about: textOf(about),
      path: textOf(path),
      body: isObject(body) ? body : {},
    })),
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
function countOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
