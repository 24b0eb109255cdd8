// Finds objects that emit `error` in a source file: an error event without a listener is an
// uncaught exception, although its cause is external (a client that resets its connection, a full
// disk, a thread that cannot start).
import type { SourceFile } from './source-files.ts';

/** By module: functions and classes that create an emitter of `error` events. */
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': ['spawn', 'fork', 'exec', 'execFile'],
  'node:cluster': ['fork'],
  'node:dgram': ['createSocket'],
  'node:fs': ['createReadStream', 'createWriteStream', 'watch', 'watchFile'],
  'node:http': ['createServer', 'request', 'get', 'Server'],
  'node:http2': ['createServer', 'createSecureServer', 'connect'],
  'node:https': ['createServer', 'request', 'get', 'Server'],
  'node:net': ['createServer', 'connect', 'createConnection', 'Server', 'Socket'],
  'node:stream': ['Readable', 'Writable', 'Duplex', 'Transform', 'PassThrough'],
  'node:tls': ['createServer', 'connect', 'TLSSocket'],
  'node:worker_threads': ['Worker'],
  'node:zlib': [
    'createBrotliCompress',
    'createBrotliDecompress',
    'createDeflate',
    'createDeflateRaw',
    'createGunzip',
    'createGzip',
    'createInflate',
    'createInflateRaw',
    'createUnzip',
  ],
  pino: ['destination'],
  piscina: ['Piscina'],
};

const IMPORT = /(?:import\s*\{([^}]*)\}\s*from\s*|\{([^}]*)\}\s*=\s*await import\(\s*)'([^']+)'/g;

/**
 * Emitters without an error listener in the same file, as `path: maker`; `.pipe()` does not forward
 * errors and is always reported.
 */
export function unheardEmitters({ path, text }: SourceFile): readonly string[] {
  const code = withoutComments(text);
  const unheard: string[] = [];
  for (const maker of makersOf(code)) {
    const call = new RegExp(`(?<![.\\w])(?:new )?${maker}(?:\\.from|\\.destination)?\\(`, 'g');
    for (const { index } of code.matchAll(call)) {
      if (!isHeard(code, index)) unheard.push(`${path}: ${maker}`);
    }
  }
  if (/\.pipe\(/.test(code)) unheard.push(`${path}: .pipe(`);
  return unheard;
}

function makersOf(code: string): ReadonlySet<string> {
  const makers = new Set<string>();
  for (const [, first, second, module = ''] of code.matchAll(IMPORT)) {
    for (const name of (first ?? second ?? '').split(',')) {
      const [imported = '', local = imported] = name
        .trim()
        .replace(/^type .*/, '')
        .split(/ as |: /);
      if (MAKERS[module]?.includes(imported) === true) makers.add(local);
      if (imported === 'pino' && module === 'pino') makers.add('pino');
    }
  }
  return makers;
}

/** By a listener, by pipeline() or finished(), or by a loop that reads it. */
function isHeard(code: string, at: number): boolean {
  const before = code.slice(Math.max(0, code.lastIndexOf(';', at - 1)), at);
  // A logger whose destination has a listener.
  if (code.startsWith('pino(', at)) return true;
  if (/\b(?:pipeline|finished)\((?:[^;])*$/.test(before)) return true;
  if (/for await \([^;]*$/.test(before)) return true;
  const [, name] = /((?:this\.)?#?\w+)(?:: [\w<>[\]|. ]+)? (?:\?\?)?= $/.exec(before) ?? [];
  if (name === undefined) return false;
  const literal = name.replace(/[.$]/g, '\\$&');
  return [
    `(?<![\\w#])${literal}\\b[^;]*?\\.(?:on|once)\\(\\s*'error'`,
    `\\b(?:pipeline|finished)\\([^;]*(?<![\\w#])${literal}\\b`,
    `for await \\([^;]* of ${literal}\\)`,
  ].some((heard) => new RegExp(heard).test(code));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
