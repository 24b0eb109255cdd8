// Which folder may import which: the tables, and a checker that lists every arrow outside them.
// A dependency that is not in a table is a design decision: change the table in the same commit and
// say why.
import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

/** src/: a folder, or a file at the top without its extension -> what it may import. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cli: ['main', 'mcp', 'autoindex', 'config', 'auth'],
  autoindex: [],
  // The composition root of a reader thread.
  reader: ['ops', 'auth', 'native', 'coordinator', 'graph', 'api', 'readers'],
  // Connections between threads; what is answered there is handed in.
  readers: ['ops'],
  main: [
    'readers',
    'config',
    'ops',
    'auth',
    'native',
    'coordinator',
    'graph',
    'memory',
    'snapshot',
    'embed',
    'api',
    'mcp',
  ],
  mcp: ['api'],
  api: ['memory', 'graph', 'snapshot', 'ops', 'auth'],
  // Keys and what they grant: used by the command line without a server.
  auth: ['ops'],
  // A service on the Backend; configuration and log are handed in.
  snapshot: ['ops'],
  memory: ['graph', 'fusion', 'ops'],
  // Long work takes turns.
  graph: ['ops'],
  coordinator: ['query', 'fusion', 'embed', 'wire', 'ops'],
  query: ['wire'],
  embed: ['native'],
  worker: ['native'],
  wire: [],
  fusion: [],
  native: [],
  config: [],
  ops: [],
  errors: [],
  wildcard: [],
  'field-value': [],
  'trim-end': [],
  'durable-file': [],
  descriptors: [],
  'shortest-floats': [],
  'spelled-doubles': [],
  'json-text': [],
  'exact-json': [],
  'entry-file': [],
  names: [],
  'state-indexes': [],
  backend: [],
};

/** Imported by everyone: the error class, the one matcher of names with stars, the one writer of small durable files,
 * what the system lets a process open, what a request spells as a fraction, JSON that loses nothing, lists of entries in
 * small files, what a name may hold, and the names of the service's own state. */
const shared: readonly string[] = [
  'errors',
  'wildcard',
  'field-value',
  'trim-end',
  'durable-file',
  'descriptors',
  'shortest-floats',
  'spelled-doubles',
  'json-text',
  'exact-json',
  'entry-file',
  'names',
  'state-indexes',
];

/** Imports of types alone that are allowed on top. `*` stands for every importer. */
const mayImportTypes: Readonly<Record<string, readonly string[]>> = {
  '*': ['config', 'backend'],
  // Requests as connections of plain searches read them; what answers is handed to those.
  api: ['readers'],
  // The addon is handed in by main; only the shape of its calls is named.
  coordinator: ['worker', 'native'],
};

/** native/core/: from the top of the engine down. A folder includes only folders of later rows. */
const coreOrder: readonly (readonly string[])[] = [
  ['engine'],
  ['shard'],
  ['query'],
  ['segment'],
  ['postings', 'columns', 'vector', 'store'],
  ['mapping'],
  ['text', 'json', 'simd', 'wal'],
  ['base'],
];

const importPattern =
  /^\s*(?:import|export)\s+(type\s+)?(?:[\w*{][^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
const includePattern = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/gm;

/** `src/api/search.ts` -> `api`, `src/main.ts` -> `main`. */
function partOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.[jt]s$/, '');
}

function isAllowed(from: string, to: string, typesOnly: boolean): boolean {
  if (from === to || shared.includes(to)) return true;
  if (mayImport[from]?.includes(to)) return true;
  if (!typesOnly) return false;
  return Boolean(mayImportTypes['*']?.includes(to) || mayImportTypes[from]?.includes(to));
}

/** "src/a/x.ts: a may not import b (../b/y.ts)" for every arrow that the table does not list. */
export function importViolations(files: readonly SourceFile[]): string[] {
  const found: string[] = [];
  for (const { path, text } of files) {
    const from = partOf(path);
    if (!(from in mayImport)) found.push(`${path}: ${from} is not in the table of imports`);
    for (const match of text.matchAll(importPattern)) {
      const specifier = match[2] ?? match[3] ?? '';
      if (!specifier.startsWith('.')) continue;
      const to = partOf(posix.join(posix.dirname(path), specifier));
      if (isAllowed(from, to, match[1] !== undefined)) continue;
      found.push(`${path}: ${from} may not import ${to} (${specifier})`);
    }
  }
  return found;
}

/** Files of src/ that may call `JSON.stringify`: the one printer, and clients of the service, whose values are plain. */
const mayStringify: readonly RegExp[] = [
  /^src\/json-text\.ts$/,
  /^src\/(?:cli|autoindex)\//,
  // Names of members alone.
  /^src\/api\/yaml-text\.ts$/,
];

/** "src/a/x.ts:12: ..." for every call of `JSON.stringify`, which throws on what requests may hold. */
export function printingViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !mayStringify.some((allowed) => allowed.test(path)))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          /\bJSON\s*(?:\.\s*stringify|\[)/.test(line)
            ? [`${path}:${at + 1}: print by src/json-text.ts, not by JSON.stringify`]
            : [],
        ),
    );
}

function levelOf(folder: string): number {
  return coreOrder.findIndex((row) => row.includes(folder));
}

/** Why `path`, which lies in `from` of native/core, may not include `header`; undefined if it may. */
function coreObjection(path: string, from: string, header: string): string | undefined {
  const to = header.split('/')[0] ?? '';
  if (to === 'testing' && path.endsWith('_test.cc')) return undefined;
  if (levelOf(to) < 0) return `${header} is no header of the core`;
  if (from === to || levelOf(from) < levelOf(to)) return undefined;
  return `${from} may not include ${to} (${header})`;
}

/** The same for C++: files of native/core/ and native/napi/. */
export function includeViolations(files: readonly SourceFile[]): string[] {
  const found: string[] = [];
  for (const { path, text } of files) {
    const [, area, folder = ''] = path.split('/');
    if (area === 'core' && levelOf(folder) < 0)
      found.push(`${path}: ${folder} is not in the order`);
    for (const match of text.matchAll(includePattern)) {
      const header = match[2] ?? '';
      const quoted = match[1] === '"';
      if (area === 'core' && quoted) {
        const objection = coreObjection(path, folder, header);
        if (objection !== undefined) found.push(`${path}: ${objection}`);
      } else if (area === 'core' && /^(napi|node|node_api|js_native_api|uv|v8)\.h$/.test(header)) {
        found.push(`${path}: the core knows no JavaScript (${header})`);
      } else if (area === 'napi' && quoted && !/^(engine|base|napi)\//.test(header)) {
        found.push(`${path}: napi may include only engine and base (${header})`);
      }
    }
  }
  return found;
}

/** Lines a file may have before `npm run check` warns. */
export function lineLimit(path: string): number {
  if (path.startsWith('test/') || path.endsWith('_test.cc')) return 400;
  if (path.endsWith('.h')) return 200;
  if (path.endsWith('.cc')) return 450;
  return 300;
}

/** "src/a/x.ts: 312 lines, the limit is 300" for every file over its limit. */
export function tooLong(files: readonly SourceFile[]): string[] {
  const found: string[] = [];
  for (const { path, text } of files) {
    const lines = text.split('\n').length - 1;
    if (lines > lineLimit(path))
      found.push(`${path}: ${lines} lines, the limit is ${lineLimit(path)}`);
  }
  return found;
}
