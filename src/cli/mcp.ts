// `quarry mcp`: an MCP server on stdin and stdout for a service that runs elsewhere. A model cannot
// change what is pinned here. stdout carries only the protocol; messages go to stderr.

import { programVersion } from '../base/package.js';
import { ConfigError } from '../config/load.js';
import { callOverHttp } from '../mcp/over-http.js';
import type { Pins } from '../mcp/pins.js';
import { Schemas } from '../mcp/schemas.js';
import { serveOverStdio } from '../mcp/stdio.js';
import { keyOf, urlOf } from './client.js';
import { argumentsOf } from './reading.js';
import { printError } from './terminal.js';
import type { VerbContext } from './verb.js';

/** Throws ConfigError for invalid pins. */
function pinsOf({ values, switches }: VerbContext): Pins {
  const [namespace, index, brain] = ['namespace', 'index', 'brain'].map((name) => values.get(name));
  const searchFetch = switches.has('search-fetch');
  if (searchFetch && namespace === undefined && index === undefined) {
    throw new ConfigError('--search-fetch needs --index or --namespace: what search looks through');
  }
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(index === undefined ? {} : { index }),
    ...(brain === undefined ? {} : { brain }),
    readOnly: switches.has('read-only'),
    searchFetch,
  };
}

/** Resolves when the client disconnects or a signal arrives. */
export async function mcp(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const { values, environment } = context;
  const pins = pinsOf(context);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  const onError = (error: Error): void => {
    printError(`quarry mcp: ${error.message}`);
  };
  const schemas = new Schemas();
  const call = callOverHttp(urlOf(values, environment), keyOf(values, environment));
  const options = { call, pins, schemas, version: programVersion(), onError };
  await serveOverStdio(options, stopped);
  return 0;
}
