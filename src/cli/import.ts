// `quarry import`: merges an export of a namespace, or brings over what another product holds: a
// running Elasticsearch or OpenSearch, or files of Qdrant, of mem0, or of NDJSON.
import { bytesText } from '../base/bytes-text.js';
import { ConfigError } from '../config/load.js';
import {
  type ClusterImportOptions,
  type ImportReport,
  importCluster,
} from '../migration/cluster-import.js';
import {
  type FileImportOptions,
  type FileReport,
  importMem0,
  importNdjson,
  importQdrant,
} from '../migration/file-import.js';
import { keyOf, urlOf } from './client.js';
import {
  changeLines,
  copyProgress,
  indexLines,
  isWhole,
  MOST_SHOWN,
  progressOf,
  stateFolderOf,
  stopped,
  untilSignal,
} from './copying.js';
import { required, short } from './reading.js';
import { importNamespace } from './transfer.js';
import type { Verb, VerbContext } from './verb.js';

export const IMPORT: Verb = {
  name: 'import',
  usage: [
    'FILE --namespace NAME',
    '--from elasticsearch|opensearch --url URL [--index NAMES] [--to URL]',
    '--from ndjson FILE... [--index NAME] [--id FIELD]',
    '--from qdrant FILE... --index NAME [--distance NAME]',
    '--from mem0 FILE... --namespace NAME',
  ],
  about:
    'Merges an export into a namespace (- is standard input), or brings over indexes, documents or memories of another product. Doing it twice changes nothing; a run that was ended goes on.',
  flags: {
    from: 'elasticsearch, opensearch, ndjson, qdrant or mem0; none: an export of quarry',
    namespace: 'whose memories',
    index: 'indexes to bring over (names and patterns between commas), or the index to write to',
    id: 'member of a document that holds its id (ndjson)',
    distance: 'Cosine, Dot or Euclid, where the files do not say it (qdrant)',
    to: 'address of the service, where --url is that of the cluster (QUARRY_URL)',
    state: 'folder of the journals of imports (~/.local/state/quarry/import)',
  },
  switches: {
    'dry-run': 'report what of settings and mappings would be left out, copy nothing (clusters)',
    'into-existing': 'write into indexes that are there already, as they are (clusters)',
  },
  examples: [
    'import ann.ndjson --namespace ann',
    'import --from elasticsearch --url http://old:9200 --index "books,logs-*"',
    'import --from qdrant collection.json points.ndjson --index points',
    'import --from mem0 memories.json --namespace ann',
  ],
  run: importFrom,
};

/** The credentials of a cluster are read from the environment, which other users cannot see. */
const SOURCE = 'QUARRY_SOURCE_';

/** The flags of each form, besides those of every command. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  '': ['namespace'],
  elasticsearch: ['index', 'to', 'state', 'dry-run', 'into-existing'],
  opensearch: ['index', 'to', 'state', 'dry-run', 'into-existing'],
  ndjson: ['index', 'id', 'state'],
  qdrant: ['index', 'distance', 'state'],
  mem0: ['namespace', 'state'],
};
const ALWAYS = ['from', 'url', 'api-key', 'json'];

async function importFrom(context: VerbContext): Promise<number> {
  const from = context.values.get('from') ?? '';
  const allowed = FORMS[from];
  if (allowed === undefined) {
    const known = Object.keys(FORMS).filter((name) => name !== '');
    throw new ConfigError(`--from [${from}] is not known, there are ${known.join(', ')}`);
  }
  const given = [...context.values.keys(), ...context.switches];
  const other = given.find((name) => ![...allowed, ...ALWAYS].includes(name));
  if (other !== undefined) {
    throw new ConfigError(
      `--${other} does not go with ${from === '' ? 'an export' : `--from ${from}`}`,
    );
  }
  if (from === '') return importNamespace(context);
  if (from === 'elasticsearch' || from === 'opensearch') return fromCluster(context, from);
  return fromFiles(context, from);
}

async function fromCluster(
  context: VerbContext,
  from: ClusterImportOptions['from'],
): Promise<number> {
  const { values, switches, environment, rest } = context;
  if (rest.length > 0)
    throw new ConfigError(`[${rest[0]}] is one too many, a cluster is read by --url`);
  const url = required(context, 'url');
  if (url.includes('@')) {
    throw new ConfigError(
      `--url must not hold credentials: set ${SOURCE}USERNAME and ${SOURCE}PASSWORD, or ${SOURCE}API_KEY`,
    );
  }
  const target = new Map(values);
  target.delete('url');
  const to = values.get('to');
  if (to !== undefined) target.set('url', to);
  const options: ClusterImportOptions = {
    from,
    url: urlOf(values, environment),
    credentials: {
      apiKey: environment[`${SOURCE}API_KEY`] || undefined,
      username: environment[`${SOURCE}USERNAME`] || undefined,
      password: environment[`${SOURCE}PASSWORD`] || undefined,
    },
    indexes: values.get('index') ?? '*',
    to: urlOf(target, environment),
    apiKey: keyOf(values, environment),
    stateFolder: stateFolderOf(context, 'import'),
    dryRun: switches.has('dry-run'),
    intoExisting: switches.has('into-existing'),
    signal: untilSignal(),
    onProgress: progressOf(context, copyProgress),
  };
  const report = await stopped(importCluster(options));
  context.progress?.('');
  if (context.json) context.print(JSON.stringify(report));
  else for (const line of clusterLines(report)) context.print(line);
  return report.indexes.every(isWhole) ? 0 : 1;
}

async function fromFiles(context: VerbContext, from: string): Promise<number> {
  const { values, environment, rest } = context;
  if (rest.length === 0) throw new ConfigError('expected FILE: give the files to read');
  const options: FileImportOptions = {
    files: rest,
    to: urlOf(values, environment),
    apiKey: keyOf(values, environment),
    stateFolder: stateFolderOf(context, 'import'),
    signal: untilSignal(),
    onProgress: progressOf(context, ({ documents, bytes, ofBytes }) => ({
      part: ofBytes === 0 ? 1 : bytes / ofBytes,
      text: `${documents} stored, ${bytesText(bytes)} of ${bytesText(ofBytes)}`,
    })),
  };
  const report = await stopped(
    from === 'ndjson'
      ? importNdjson(options, { index: values.get('index'), idField: values.get('id') })
      : from === 'qdrant'
        ? importQdrant(options, required(context, 'index'), values.get('distance'))
        : importMem0(options, required(context, 'namespace')),
  );
  context.progress?.('');
  if (context.json) context.print(JSON.stringify(report));
  else for (const line of fileLines(report)) context.print(line);
  return report.refused.length === 0 ? 0 : 1;
}

function clusterLines({ source, indexes, changes }: ImportReport): readonly string[] {
  return [
    ...changeLines(changes),
    ...indexLines(indexes),
    indexes.length === 0
      ? `nothing copied from ${source}`
      : `${indexes.length} indexes from ${source}`,
  ];
}

function fileLines({ stored, refused, changes }: FileReport): readonly string[] {
  return [
    ...changeLines(changes),
    ...refused
      .slice(0, MOST_SHOWN)
      .map(({ id, reason }) => `refused [${id}]: ${short(reason, 300)}`),
    `${stored} stored, ${refused.length} refused`,
  ];
}
