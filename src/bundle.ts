// A step of `npm run build`, and with `--watch` of `npm run dev`: bundles the compiled service into few files. A start would otherwise
// find, read and link more than a thousand modules on each HTTP thread, which is half of its
// processor time.
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, context, type Plugin } from 'esbuild';
import { PACKAGE_FOLDER } from './base/package.js';

const COMPILED = fileURLToPath(new URL('.', import.meta.url));
const OUT = join(PACKAGE_FOLDER, 'dist');

/** The files that Node is given by name: the command, and the entry points of threads and processes. */
const ENTRY_POINTS = [
  'cli/main',
  'worker/shard-worker',
  'http/threads/http-worker',
  'autoindex/reading-worker',
  'embed/local/model-process',
  'embed/local/model-process',
];

/**
 * Packages that every start loads, with all that they import. The others stay where npm installed
 * them: they are loaded when they are needed, and some read files next to their own.
 */
const BUNDLED = [
  '@fastify/accept-negotiator',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  'croner',
  'fastify',
  'lossless-json',
  'pino',
  'prom-client',
];

/** CommonJS packages call `require` for modules of Node. */
const REQUIRE = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/** Leaves the imports of all packages but BUNDLED to Node. */
const packages: Plugin = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const isOfPackage = relative(COMPILED, importer).startsWith('..');
      const isBundled = BUNDLED.some((name) => path === name || path.startsWith(`${name}/`));
      return isOfPackage || isBundled ? undefined : { path, external: true };
    });
  },
};

const options: BuildOptions = {
  entryPoints: ENTRY_POINTS.map((name) => ({ in: join(COMPILED, `${name}.js`), out: name })),
  outdir: OUT,
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  charset: 'utf8',
  legalComments: 'none',
  chunkNames: 'part-[hash]',
  banner: { js: REQUIRE },
  sourcemap: true,
  sourcesContent: false,
  plugins: [packages],
  logLevel: 'warning',
};

if (process.argv.includes('--watch')) {
  await (await context(options)).watch();
} else {
  rmSync(OUT, { recursive: true, force: true });
  await build(options);
}
