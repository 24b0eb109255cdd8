// The OpenAPI document and a page that shows it. The files of the page come from an npm package and
// are served from here; its content security policy forbids loading anything from another origin.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { plainJson } from '../base/json-text.js';
import { type Answer, ok, type Route } from './kit/routes.js';
import { openApiDocument } from './openapi.js';
import { UNSUPPORTED } from './schemas/kinds.js';
import { NODE } from './schemas/node.js';

const require = createRequire(import.meta.url);

/** Files of the npm package swagger-ui-dist. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Quarry: the API</title>
<link rel="stylesheet" href="/v1/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/v1/docs/swagger-ui-bundle.js"></script>
<script src="/v1/docs/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

const SAFE = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

/** Path of the page; /docs redirects to it, see addresses.ts. */
const PAGE_PATH = '/v1/docs';

/**
 * `routes` returns all routes, including these; it is called once, when the document is first
 * requested.
 */
export function docsRoutes(routes: () => readonly Route[]): readonly Route[] {
  let bytes: Buffer | undefined;
  const document = (): Buffer => {
    bytes ??= Buffer.from(plainJson(openApiDocument(routes())));
    return bytes;
  };
  const open = { methods: ['GET'], privilege: 'page', params: [], gated: false } as const;
  return [
    {
      ...open,
      schema: NODE.document,
      paths: ['/v1/openapi.json'],
      handler: () => ({ status: 200, raw: document() }),
    },
    {
      ...open,
      schema: UNSUPPORTED,
      paths: [PAGE_PATH],
      handler: () => page(PAGE, 'text/html; charset=utf-8'),
    },
    {
      ...open,
      schema: UNSUPPORTED,
      paths: [`${PAGE_PATH}/start.js`],
      handler: () => page(START, 'text/javascript; charset=utf-8'),
    },
    ...Object.entries(FILES).map(
      ([file, type]): Route => ({
        ...open,
        schema: UNSUPPORTED,
        paths: [`${PAGE_PATH}/${file}`],
        handler: async () =>
          page(await readFile(require.resolve(`swagger-ui-dist/${file}`), 'utf8'), type),
      }),
    ),
  ];
}

function page(text: string, contentType: string): Answer {
  return { ...ok(undefined), text, contentType, headers: SAFE };
}
