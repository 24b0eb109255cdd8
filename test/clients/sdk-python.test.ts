// The client for Python: the cases that both clients share, and its examples and tests against the
// built service. A Python without httpx, and one without LangGraph, skip what needs them, which is
// printed; `test/clients/setup` fetches both.
import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const PATHS = [resolve('clients/python/src'), resolve('build/clients/py-sdk')];
const ENV = { ...process.env, PYTHONPATH: PATHS.join(':'), PYTHONDONTWRITEBYTECODE: '1' };

function imports(module: string): boolean {
  return spawnSync('python3', ['-c', `import ${module}`], { env: ENV }).status === 0;
}

const hasHttpx = imports('httpx');
const hasLangGraph = hasHttpx && imports('langgraph.store.base');
if (!hasHttpx) console.log('skipped: the client for Python, there is no python3 with httpx');
else if (!hasLangGraph) console.log('skipped: LangGraph for Python, test/clients/setup fetches it');

function python(...args: readonly string[]): string {
  return execFileSync('python3', args, { encoding: 'utf8', env: ENV, stdio: 'pipe' });
}

describe.skipIf(!hasHttpx)('the client for Python', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  test('passes the shared cases', { timeout: 120_000 }, () => {
    python('-m', 'unittest', 'discover', '-q', '-s', 'clients/python/tests');
  });

  test('does what its test of a service says, in threads and in asyncio', {
    timeout: 120_000,
  }, () => {
    python('clients/python/tests/served.py', server.base);
  });

  test('runs the example', () => {
    expect(JSON.parse(python('clients/python/examples/remember.py', server.base))).toEqual({
      best: 'Ann lives in Rome',
      superseded: 1,
      links: ['paris'],
      forgotten: true,
      found: false,
    });
  });

  test.skipIf(!hasLangGraph)('is a store of LangGraph', { timeout: 120_000 }, () => {
    python('clients/python/tests/served_store.py', server.base);
    expect(JSON.parse(python('clients/python/examples/store.py', server.base))).toEqual({
      found: [['users', 'Bob']],
      filtered: ['Rome'],
      namespaces: [
        ['users', 'Ann'],
        ['users', 'Bob'],
      ],
      left: 1,
    });
  });
});
