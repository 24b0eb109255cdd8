// The console: a page and its files, which are served without a key. They hold no data; the page
// asks the other routes for it, with the key that its user types.
import { FILES_FOLDER, PAGE_FILE, readConsoleFiles } from '../console/files.js';
import { QuarryError } from '../errors.js';
import { type Answer, type ApiDeps, part, type Route } from './kit/routes.js';
import { UNSUPPORTED } from './schemas/kinds.js';

/** Nothing of another origin, and neither scripts nor styles within the page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const SAFE = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const readFiles = once(() => readConsoleFiles(FILES_FOLDER));

export function consoleRoutes(deps: ApiDeps): readonly Route[] {
  const open = {
    methods: ['GET'],
    privilege: 'page',
    params: [],
    gated: false,
    schema: UNSUPPORTED,
  } as const;
  return [
    { ...open, paths: ['/v1/console'], handler: () => answerFile(deps, PAGE_FILE) },
    { ...open, paths: ['/v1/console/:file'], handler: (r) => answerFile(deps, part(r, 'file')) },
  ];
}

function answerFile(deps: ApiDeps, name: string): Answer {
  if (!deps.live.get('console.enabled')) {
    throw notFound('the console is switched off: set [console.enabled] to true and restart');
  }
  const files = readFiles();
  if (files.size === 0) throw notFound('the console is not built: run npm run build');
  const file = files.get(name);
  if (file === undefined) {
    throw notFound(`the console has no file [${name}], it starts at [/v1/console]`);
  }
  const { text, contentType, isImmutable } = file;
  const caching = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  return { status: 200, text, contentType, headers: { ...SAFE, 'Cache-Control': caching } };
}

function notFound(reason: string): QuarryError {
  return new QuarryError('resource_not_found_exception', reason);
}

function once<T>(read: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= read();
    return value;
  };
}
