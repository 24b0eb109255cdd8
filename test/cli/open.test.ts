// `quarry open`: the address of the console, and how platforms open it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openerOf } from '../../src/cli/open.ts';
import { runVerb } from '../../src/cli/verbs.ts';
import { startServer, type TestServer } from '../tools/server.ts';

async function open(url: string, ...more: string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  await runVerb('open', ['--url', url, ...more], {
    print: (line) => lines.push(line),
    progress: undefined,
    write: async () => {},
    nowMs: Date.now,
    environment: {},
  });
  return lines;
}

describe('a running service', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ args: ['--auth.enabled'] });
  });
  afterAll(async () => {
    await server?.stop();
  });

  test('has its address printed where there is no screen', async () => {
    const url = `${server.base}/v1/console`;
    expect(await open(server.base)).toEqual([`open ${url} in a browser`]);
    expect(JSON.parse((await open(server.base, '--json'))[0] ?? '')).toEqual({
      url,
      opened: false,
    });
  });
});

test('a service that is not there, or whose console is switched off, is reported', async () => {
  await expect(open('http://127.0.0.1:9')).rejects.toThrow('no service answers');
  const server = await startServer({ args: ['--console.enabled', 'false'] });
  try {
    await expect(open(server.base)).rejects.toThrow('set [console.enabled] to true');
  } finally {
    await server.stop();
  }
});

test('platforms open addresses by their own programs', () => {
  expect(openerOf('linux', {})).toBeUndefined();
  expect(openerOf('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
  expect(openerOf('darwin', {})).toEqual(['open']);
  expect(openerOf('win32', {})?.[0]).toBe('rundll32');
});
