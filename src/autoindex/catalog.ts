// The catalog of the data in an index of its own, written after each run: a document for each dataset,
// and one for each folder with the files that were not read whole. GET /v1/autoindex shows both.
import { createHash } from 'node:crypto';
import { type Client, RequestError } from './client.js';
import type { Field, Fields } from './infer.js';
import type { Dataset, Identity, Journal } from './journal.js';
import { hasMeaning, uuidOf } from './load.js';
import { MEANING } from './mapping.js';

export const CATALOG_INDEX = '.svc-catalog';

export interface CatalogField {
  readonly name: string;
  readonly type: string;
  readonly role: string;
  readonly examples: readonly string[];
}

export interface CatalogQuery {
  readonly about: string;
  /** Method POST, path and body of a request that can be sent unchanged. */
  readonly path: string;
  readonly body: object;
}

export interface CatalogEntry {
  readonly name: string;
  readonly index: string;
  readonly root: string;
  readonly family: string;
  readonly formats: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly documents: number;
  readonly fields: readonly CatalogField[];
  readonly queries: readonly CatalogQuery[];
}

/** What is reported of a folder besides its datasets. */
export interface FileReport {
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Maximum numbers of files in each list of a report, and of characters of a path or reason. */
const MAX_REPORTED = 1000;
const MAX_REPORTED_TEXT = 1000;

const MAPPING = {
  mappings: {
    dynamic: false,
    properties: {
      name: { type: 'keyword' },
      index: { type: 'keyword' },
      root: { type: 'keyword' },
      family: { type: 'keyword' },
      documents: { type: 'long' },
    },
  },
};

/**
 * The catalog entries, and the reason if the API key may not write them; the documents are stored
 * nevertheless.
 */
export interface CatalogWritten {
  readonly entries: readonly CatalogEntry[];
  readonly problem?: string;
}

export async function writeCatalog(
  client: Client,
  journal: Journal,
  identity: Identity,
  report: FileReport,
): Promise<CatalogWritten> {
  const entries: CatalogEntry[] = [];
  for (const dataset of journal.datasets.values()) {
    const entry = await entryOf(client, journal, dataset, identity.root);
    if (entry.files > 0) entries.push(entry);
  }
  try {
    await writeEntries(entries, client, journal, identity, report);
    return { entries };
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 403) throw error;
    return { entries, problem: `the map is not written: ${error.message}` };
  }
}

/** Writes only the entries that changed, and the report. */
async function writeEntries(
  entries: readonly CatalogEntry[],
  client: Client,
  journal: Journal,
  identity: Identity,
  report: FileReport,
): Promise<void> {
  await client.call('PUT', `/${CATALOG_INDEX}`, MAPPING).catch((error: unknown) => {
    if (!(error instanceof RequestError) || error.status !== 400) throw error;
  });
  const before = await entriesOf(client, journal, identity);
  const pathOf = (name: string): string => `/${CATALOG_INDEX}/_doc/${entryId(name, identity)}`;
  for (const entry of entries) {
    if (JSON.stringify(before.get(entry.name)) === JSON.stringify(entry)) continue;
    await client.call('PUT', pathOf(entry.name), entry);
  }
  const kept = new Set(entries.map(({ name }) => name));
  for (const name of before.keys()) if (!kept.has(name)) await client.call('DELETE', pathOf(name));
  await client.call('PUT', pathOf(REPORT), reportOf(journal, identity, report));
  await client.call('POST', `/${CATALOG_INDEX}/_refresh`);
  journal.write([{ mapped: await uuidOf(client, CATALOG_INDEX) }]);
}

/** In the id of a report; no dataset has that name. */
const REPORT = '';

/** Without `name`, which tells the documents of datasets from reports. */
function reportOf(
  { done }: Journal,
  { root, prefix }: Identity,
  { problems, skipped }: FileReport,
): object {
  const files = [...done.values()];
  const short = (text: string): string => text.slice(0, MAX_REPORTED_TEXT);
  return {
    root,
    prefix,
    report: {
      finished_at: Date.now(),
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      documents: files.reduce((sum, { records }) => sum + records, 0),
      problem_count: problems.length,
      problems: problems
        .slice(0, MAX_REPORTED)
        .map(({ path, problem }) => ({ path: short(path), problem: short(problem) })),
      skipped_count: skipped.length,
      skipped: skipped
        .slice(0, MAX_REPORTED)
        .map(({ path, reason }) => ({ path: short(path), reason: short(reason) })),
    },
  };
}

/** The catalog as stored, if nothing has changed since; undefined if it has to be written. */
export async function writtenCatalog(
  client: Client,
  journal: Journal,
  identity: Identity,
): Promise<readonly CatalogEntry[] | undefined> {
  if (journal.mapped === undefined) return undefined;
  try {
    if ((await uuidOf(client, CATALOG_INDEX)) !== journal.mapped) return undefined;
    return [...(await entriesOf(client, journal, identity)).values()];
  } catch (error) {
    // A key without the right to read the catalog has no right to write it either, and the write
    // reports that.
    if (error instanceof RequestError && error.status === 403) return undefined;
    throw error;
  }
}

/** By the names of their datasets. */
async function entriesOf(
  client: Client,
  { datasets }: Journal,
  identity: Identity,
): Promise<ReadonlyMap<string, CatalogEntry>> {
  if (datasets.size === 0) return new Map();
  const ids = [...datasets.keys()].map((name) => entryId(name, identity));
  const reply = await client.call('POST', `/${CATALOG_INDEX}/_mget`, { ids });
  const docs = reply['docs'] as readonly { readonly _source?: CatalogEntry }[];
  return new Map(docs.flatMap(({ _source }) => (_source ? [[_source.name, _source]] : [])));
}

function entryId(name: string, { root, prefix }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([root, prefix, name]))
    .digest('hex');
}

/** The catalog entries of all runs; empty before the first run. */
export async function readCatalog(client: Client): Promise<readonly CatalogEntry[]> {
  try {
    const query = { exists: { field: 'name' } };
    const body = { query, size: 1000, sort: [{ root: 'asc' }, { name: 'asc' }] };
    const reply = await client.call('POST', `/${CATALOG_INDEX}/_search`, body);
    const { hits } = reply['hits'] as { hits: readonly { _source: CatalogEntry }[] };
    return hits.map(({ _source }) => _source);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return [];
    throw error;
  }
}

async function entryOf(
  client: Client,
  journal: Journal,
  dataset: Dataset,
  root: string,
): Promise<CatalogEntry> {
  const files = [...journal.done.values()].filter((f) => f.datasets.includes(dataset.name));
  const { count } = await client.call('GET', `/${dataset.index}/_count`);
  return {
    name: dataset.name,
    index: dataset.index,
    root,
    family: dataset.family,
    formats: [...new Set(files.map(({ format }) => format))].sort(),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    documents: Number(count),
    fields: Object.entries(dataset.fields).map(([name, { type, role, examples }]) => ({
      name,
      type,
      role,
      examples,
    })),
    queries: queriesOf(dataset),
  };
}

/** One example query for each kind of search that the fields support. */
function queriesOf(dataset: Dataset): readonly CatalogQuery[] {
  const path = `/${dataset.index}/_search`;
  const { fields } = dataset;
  const queries: CatalogQuery[] = [];
  const words = Object.keys(fields)
    .filter((name) => fields[name]?.type === 'text')
    .slice(0, 8);
  const longest = words.find((name) => fields[name]?.role === 'text') ?? words[0];
  const example = exampleOf(fields, longest);
  if (words.length > 0) {
    const query = { multi_match: { query: example, fields: words } };
    queries.push({ about: 'by words', path, body: { query } });
  }
  if (hasMeaning(dataset)) {
    const query = { semantic: { field: MEANING, query: example } };
    queries.push({ about: 'by meaning', path, body: { query } });
  }
  const category = Object.keys(fields).find((name) => isChoice(fields[name]));
  if (category !== undefined) {
    const field = fields[category]?.type === 'text' ? `${category}.keyword` : category;
    const body = { size: 0, aggs: { groups: { terms: { field } } } };
    queries.push({ about: `how many of each ${category}`, path, body });
  }
  const date = Object.keys(fields).find((name) => fields[name]?.type === 'date');
  if (date !== undefined) {
    const body = { sort: [{ [date]: 'desc' }] };
    queries.push({ about: `the latest by ${date}`, path, body });
  }
  return queries;
}

/** True for a field with a few values that repeat. */
function isChoice(field: Field | undefined): boolean {
  const { role, values = 0 } = field ?? {};
  return role === 'category' && values > 1 && values <= 50;
}

/** The first words of an example, as a search text. */
function exampleOf(fields: Fields, name: string | undefined): string {
  const example = name === undefined ? '' : (fields[name]?.examples[0] ?? '');
  const words = example.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.slice(0, 4).join(' ') || 'something';
}
