// Which folder may import which: the tables, and a checker that lists every import outside them. A
// dependency that is not in a table is a design decision: change the table in the same commit and
// explain it.
import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

/** src/: a folder, or a top-level file without its extension -> what it may import. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // Local models are managed by the command line without a server.
  cli: ['main', 'mcp', 'autoindex', 'migration', 'config', 'auth', 'doctor', 'embed'],
  autoindex: [],
  // A client of two services, and of files of others.
  migration: ['remote'],
  main: [
    'http',
    'config',
    'ops',
    'auth',
    'native',
    'coordinator',
    'cluster',
    'graph',
    'memory',
    'snapshot',
    'embed',
    'api',
    'mcp',
    'doctor',
  ],
  // The HTTP server, and the composition root of the threads that read requests.
  http: ['api', 'auth', 'ops', 'native', 'coordinator', 'graph', 'memory'],
  mcp: ['api'],
  api: ['memory', 'graph', 'snapshot', 'ops', 'auth', 'console'],
  // Serves the built files of the application; the bundler alone reads the application itself.
  console: [],
  // Runs in the browser: a client of the REST API, and nothing of the service.
  'console-app': [],
  // A step of the build: names its entry points as files.
  bundle: [],
  // Keys and their rights, also used by the command line without a server.
  auth: ['ops'],
  // A service on the Backend; configuration and log are injected.
  snapshot: ['ops'],
  memory: ['graph', 'fusion', 'ops'],
  graph: ['ops'],
  coordinator: ['query', 'fusion', 'embed', 'remote', 'wire', 'ops'],
  // The backend over a cluster, with what it shares with the local one.
  cluster: ['coordinator', 'query', 'fusion', 'embed', 'remote', 'wire', 'native', 'ops'],
  query: ['wire'],
  embed: ['native', 'remote'],
  // Requests to other servers, for the service and for commands.
  remote: [],
  worker: ['native'],
  wire: [],
  fusion: [],
  native: [],
  config: [],
  // What the service and the command line find about themselves.
  doctor: ['config'],
  ops: [],
  errors: [],
  base: [],
  backend: [],
};

/** Imported by all folders: the error class, and code that is independent of the service. */
const shared: readonly string[] = ['errors', 'base'];

/**
 * The rooms of a folder, from the lowest level to the highest: at run time a file imports only from
 * its own room and from those before it.
 */
const roomOrder: Readonly<Record<string, readonly string[]>> = {
  api: [
    'kit',
    'schemas',
    'indices',
    'search',
    'documents',
    'cluster',
    'agents',
    'unsupported',
    'granted',
  ],
  http: ['pipeline', 'transports', 'threads'],
  coordinator: [
    'inference',
    'catalog',
    'shards',
    'page',
    'fused',
    'suggest',
    'write',
    'search',
    'admin',
    'node',
  ],
};

/** Intended run-time cycles: the recursive grammar of scripts. */
const knownCircles: readonly string[] = [
  'src/query/update-script/chain.ts src/query/update-script/expression.ts',
];

/** Maximum number of files in a folder, without tests. */
const MAX_FILES = 40;

/** Additional imports of types alone that are allowed. `*` stands for every importer. */
const mayImportTypes: Readonly<Record<string, readonly string[]>> = {
  '*': ['config', 'backend', 'doctor'],
  // The addon is injected by main; only the type of its calls is imported.
  coordinator: ['worker', 'native'],
};

/**
 * native/core/: from the highest layer of the engine down. A folder includes only folders of later
 * rows.
 */
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

/** `src/api/search/search.ts` -> `api`, `src/main.ts` -> `main`. */
function partOf(path: string): string {
  if (path.startsWith('src/console/app/')) return 'console-app';
  return (path.split('/')[1] ?? '').replace(/\.[jt]s$/, '');
}

/** A run-time import of one file by another, both by their paths. */
interface Import {
  readonly from: string;
  readonly to: string;
}

/** Imports of types alone are excluded; `import { type A }` is one of them. */
function runtimeImports(files: readonly SourceFile[]): Import[] {
  const paths = new Set(files.map(({ path }) => path));
  const found: Import[] = [];
  for (const { path, text } of files) {
    for (const match of text.matchAll(importPattern)) {
      const specifier = match[2] ?? match[3] ?? '';
      if (!specifier.startsWith('.') || match[1] !== undefined) continue;
      const braces = /^\s*(?:import|export)\s*\{([^}]*)\}/.exec(match[0])?.[1];
      const names = braces?.split(',').filter((name) => name.trim() !== '');
      if (names?.length && names.every((name) => name.trim().startsWith('type '))) continue;
      const to = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
      if (paths.has(to)) found.push({ from: path, to });
      else if (paths.has(`${to}x`)) found.push({ from: path, to: `${to}x` });
    }
  }
  return found;
}

/** The position of a file's room in the order of its folder; undefined if the folder has none. */
function roomOf(path: string): { readonly folder: string; readonly place: number } | undefined {
  const [, folder = '', room, file] = path.split('/');
  const order = roomOrder[folder];
  if (order === undefined || room === undefined || file === undefined) return undefined;
  return { folder, place: order.indexOf(room) };
}

/**
 * "src/api/kit/x.ts: kit may not import search (src/api/search/y.ts)" for every import of a higher
 * room.
 */
export function roomViolations(files: readonly SourceFile[]): string[] {
  const found: string[] = [];
  for (const { path } of files) {
    const room = roomOf(path);
    if (room?.place === -1) found.push(`${path}: its folder is not in the order of rooms`);
  }
  for (const { from, to } of runtimeImports(files)) {
    const [one, other] = [roomOf(from), roomOf(to)];
    if (one === undefined || other === undefined || one.folder !== other.folder) continue;
    if (one.place >= other.place) continue;
    found.push(`${from}: ${from.split('/')[2]} may not import ${to.split('/')[2]} (${to})`);
  }
  return found;
}

/**
 * Files that import each other at run time, each cycle as its sorted paths; known ones are left
 * out.
 */
export function runtimeCircles(files: readonly SourceFile[]): string[] {
  return allRuntimeCircles(files).filter((circle) => !knownCircles.includes(circle));
}

/** runtimeCircles() including the known ones. */
export function allRuntimeCircles(files: readonly SourceFile[]): string[] {
  const next = new Map<string, string[]>(files.map(({ path }) => [path, []]));
  for (const { from, to } of runtimeImports(files)) next.get(from)?.push(to);
  const reachable = new Map<string, ReadonlySet<string>>();
  for (const { path } of files) {
    const seen = new Set<string>();
    const left = [...(next.get(path) ?? [])];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      left.push(...(next.get(one) ?? []));
    }
    reachable.set(path, seen);
  }
  const circles = new Set<string>();
  for (const [path, seen] of reachable) {
    if (!seen.has(path)) continue;
    const circle = [...seen].filter((one) => reachable.get(one)?.has(path));
    circles.add(circle.sort().join(' '));
  }
  return [...circles];
}

/** Number of files directly inside each folder. */
export function filesOfFolders(files: readonly SourceFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** "src/a: 41 files, at most 40" for every folder with more. */
export function fullFolders(files: readonly SourceFile[]): string[] {
  return [...filesOfFolders(files)]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder}: ${count} files, at most ${MAX_FILES}`);
}

function isAllowed(from: string, to: string, typesOnly: boolean): boolean {
  if (from === to || (from !== 'console-app' && shared.includes(to))) return true;
  if (mayImport[from]?.includes(to)) return true;
  if (!typesOnly) return false;
  return Boolean(mayImportTypes['*']?.includes(to) || mayImportTypes[from]?.includes(to));
}

/** "src/a/x.ts: a may not import b (../b/y.ts)" for every import that the table does not list. */
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

/**
 * Files of src/ that may call `JSON.stringify`: the one printer, and clients of the service, whose
 * values are plain.
 */
const mayStringify: readonly RegExp[] = [
  /^src\/base\/json-text\.ts$/,
  /^src\/(?:cli|autoindex|migration|console\/app)\//,
  // Prints only names of members.
  /^src\/api\/yaml-text\.ts$/,
];

/**
 * "src/a/x.ts:12: ..." for every call of `JSON.stringify`, which throws for some values that
 * requests may contain.
 */
export function printingViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !mayStringify.some((allowed) => allowed.test(path)))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          /\bJSON\s*(?:\.\s*stringify|\[)/.test(line)
            ? [`${path}:${at + 1}: print by src/base/json-text.ts, not by JSON.stringify`]
            : [],
        ),
    );
}

function levelOf(folder: string): number {
  return coreOrder.findIndex((row) => row.includes(folder));
}

/**
 * The reason why `path`, which lies in `from` of native/core, may not include `header`; undefined
 * if it may.
 */
function coreObjection(path: string, from: string, header: string): string | undefined {
  const to = header.split('/')[0] ?? '';
  if (to === 'testing' && path.endsWith('_test.cc')) return undefined;
  if (levelOf(to) < 0) return `${header} is no header of the core`;
  if (from === to || levelOf(from) < levelOf(to)) return undefined;
  return `${from} may not include ${to} (${header})`;
}

/** importViolations() for C++: files of native/core/ and native/napi/. */
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

/** Lines of a file above which `npm run check` warns. */
const MAX_LINES = 500;

/** "src/a/x.ts: 512 lines, the limit is 500" for every file over its limit. */
export function tooLong(files: readonly SourceFile[]): string[] {
  const found: string[] = [];
  for (const { path, text } of files) {
    const lines = text.split('\n').length - 1;
    if (lines > MAX_LINES) found.push(`${path}: ${lines} lines, the limit is ${MAX_LINES}`);
  }
  return found;
}
