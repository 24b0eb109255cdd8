// Official clients of both generations and both transports, and a checker that validates every
// result against its tool's schema.
import { resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

export const ERAS = ['legacy', 'modern'] as const;
export type Era = (typeof ERAS)[number];

const MODERN = '2026-07-28';
const MAIN = resolve('dist/cli/main.js');

export interface Caller {
  readonly client: Client;
  /** The result of a successful tool call, validated against the schema that the tool lists. */
  call(name: string, args: Record<string, unknown>): Promise<Result>;
  /** The text of an error, which has no structured content. */
  refused(name: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: results of many shapes
  readonly data: any;
  readonly text: string;
  readonly links: readonly string[];
}

function newClient(era: Era): Client {
  const mode = era === 'legacy' ? 'legacy' : { pin: MODERN };
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
}

export async function overHttp(
  base: string,
  era: Era,
  headers: Record<string, string> = {},
): Promise<Caller> {
  const client = newClient(era);
  const url = new URL(`${base}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return callerOf(client);
}

export async function overStdio(
  args: readonly string[],
  era: Era,
  env: Record<string, string> = {},
): Promise<Caller> {
  const client = newClient(era);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp', ...args], env }),
  );
  return callerOf(client);
}

/** The client of the first generation, which most programs still use. */
export async function firstClient(args: readonly string[]): Promise<FirstClient> {
  const client = new FirstClient({ name: 'first', version: '1' });
  await client.connect(new FirstStdio({ command: process.execPath, args: [MAIN, 'mcp', ...args] }));
  return client;
}

function callerOf(client: Client): Caller {
  const ajv = new Ajv2020({ strict: false });
  /** A list never changes; every listing makes the client compile the schemas of all tools. */
  let listed: ReturnType<typeof client.listTools> | undefined;
  return {
    client,
    async call(name, args) {
      listed ??= client.listTools();
      const { tools } = await listed;
      const tool = tools.find((one) => one.name === name);
      expect(tool, `tool ${name}`).toBeDefined();
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
      const fits = ajv.compile((tool?.outputSchema ?? {}) as object);
      expect(fits(result.structuredContent), JSON.stringify(fits.errors)).toBe(true);
      const content = result.content as readonly { type: string; text?: string; uri?: string }[];
      expect(content[0]?.type).toBe('text');
      return {
        data: result.structuredContent,
        text: content[0]?.text ?? '',
        links: content.filter(({ type }) => type === 'resource_link').map(({ uri }) => uri ?? ''),
      };
    },
    async refused(name, args) {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      return (result.content as readonly { text: string }[])[0]?.text ?? '';
    },
    close: () => client.close(),
  };
}
