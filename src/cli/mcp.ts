// `quarry mcp`: a server of the Model Context Protocol on stdin and stdout, for a service that runs elsewhere. What is pinned
// here no model can change. stdout is the protocol's, people read stderr.
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

/** ConfigError for anything that cannot be meant. */
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

/** Resolves when the client hangs up or a signal comes. */
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
