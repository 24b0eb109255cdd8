// `quarry mcp`: an MCP server on stdin and stdout for a service that runs elsewhere. A model cannot
// change what is pinned here. stdout carries only the protocol; messages go to stderr.
import { ConfigError } from '../config/load.js';
import { callOverHttp } from '../mcp/over-http.js';
import type { Pins } from '../mcp/pins.js';
import { Schemas } from '../mcp/schemas.js';
import { serveOverStdio } from '../mcp/stdio.js';
import { keyOf, readClientFlags, urlOf } from './client.js';
import { printError } from './terminal.js';
import { programVersion } from './version.js';

const VALUES = ['url', 'api-key', 'namespace', 'index', 'brain'];
const SWITCHES = ['read-only', 'search-fetch'];

export interface McpArguments {
  readonly url: string;
  readonly key: string | undefined;
  readonly pins: Pins;
}

/** Throws ConfigError for invalid arguments. */
export function readMcpArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): McpArguments {
  const { values, switches, rest } = readClientFlags('mcp', args, VALUES, SWITCHES);
  if (rest[0] !== undefined) throw new ConfigError(`mcp takes no argument [${rest[0]}]`);
  const [namespace, index, brain] = ['namespace', 'index', 'brain'].map((name) => values.get(name));
  const searchFetch = switches.has('search-fetch');
  if (searchFetch && namespace === undefined && index === undefined) {
    throw new ConfigError('--search-fetch needs --index or --namespace: what search looks through');
  }
  return {
    url: urlOf(values, environment),
    key: keyOf(values, environment),
    pins: {
      ...(namespace === undefined ? {} : { namespace }),
      ...(index === undefined ? {} : { index }),
      ...(brain === undefined ? {} : { brain }),
      readOnly: switches.has('read-only'),
      searchFetch,
    },
  };
}

/** Resolves when the client disconnects or a signal arrives. */
export async function mcp(args: readonly string[]): Promise<void> {
  const { url, key, pins } = readMcpArguments(args, process.env);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  const onError = (error: Error): void => {
    printError(`quarry mcp: ${error.message}`);
  };
  const schemas = new Schemas();
  const call = callOverHttp(url, key);
  const options = { call, pins, schemas, version: programVersion(), onError };
  await serveOverStdio(options, stopped);
}
