// A step of `npm run build`, after that of the service: bundles `src/console/app/` into static files.
// Workers are bundled first, because the application is given the names of their files.
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { PACKAGE_FOLDER } from '../base/package.js';
import { FILES_FOLDER, PAGE_FILE } from './files.js';

const APP = join(PACKAGE_FOLDER, 'src', 'console', 'app');
const PREFIX = '/v1/console/';

const COMMON: BuildOptions & { readonly metafile: true } = {
  absWorkingDir: APP,
  outdir: FILES_FOLDER,
  bundle: true,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  format: 'esm',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
  metafile: true,
};

async function bundle(): Promise<void> {
  rmSync(FILES_FOLDER, { recursive: true, force: true });
  const workers = await build({ ...COMMON, entryPoints: ['brain-layout-worker.ts'] });
  const application = await build({
    ...COMMON,
    splitting: true,
    entryPoints: ['main.tsx'],
    publicPath: PREFIX,
    define: {
      BRAIN_LAYOUT_WORKER: `"${PREFIX}${outputOf(workers.metafile, 'brain-layout-worker.ts').file}"`,
    },
  });
  const { file, style } = outputOf(application.metafile, 'main.tsx');
  writeFileSync(join(FILES_FOLDER, PAGE_FILE), pageOf(file, style));
}

/** The output of an entry point, and its style sheet. */
function outputOf(
  { outputs }: Metafile,
  entryPoint: string,
): { readonly file: string; readonly style: string } {
  for (const [path, output] of Object.entries(outputs)) {
    if (output.entryPoint !== entryPoint) continue;
    return { file: basename(path), style: basename(output.cssBundle ?? '') };
  }
  throw new Error(`esbuild wrote no file for ${entryPoint}`);
}

function pageOf(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Quarry console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PREFIX}${style}">
<script type="module" src="${PREFIX}${script}"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript. The same data is in the REST API: see /v1/docs.</noscript>
</body>
</html>
`;
}

await bundle();
