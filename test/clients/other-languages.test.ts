// Unmodified clients in other languages perform typical operations with the built service.
// `test/clients/setup` fetches them; a missing client is skipped, which is printed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const fetched = resolve(here, '../../build/clients');

interface Client {
  readonly name: string;
  /** The file in build/clients that must exist. */
  readonly needs: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly report: Readonly<Record<string, unknown>>;
}

function python(name: string, script: string, report: Client['report'], from = name): Client {
  return {
    name,
    needs: join(from, 'done'),
    command: ['python3', join(here, 'python', script)],
    env: { PYTHONPATH: join(fetched, from), PYTHONWARNINGS: 'ignore' },
    report,
  };
}

const DAY = {
  tagline: 'You Know, for Search',
  created: true,
  bulk: 3,
  found: ['1', '2'],
  updated: 'updated',
  conflict: 409,
  deleted: 'deleted',
  dropped: true,
};
const PYTHON_DAY = {
  ...DAY,
  count: 2,
  scanned: 3,
  pit: '3',
  sum: 20,
  missing: 'index_not_found_exception',
};
const DSL = {
  exists: true,
  found: ['Red apples'],
  highlight: ['Red <em>apples</em>'],
  buckets: ['Red apples'],
  count: 2,
  scanned: 3,
  iterated: [12, 5, 3],
  updated: 6,
  left: 2,
};
const LANGCHAIN = {
  ids: ['a', 'b', 'c'],
  nearest: ['blue paint'],
  filtered: [['red apples', 1]],
  deleted: true,
  left: 2,
  words: ['blue paint'],
};
const JAVA_DAY = {
  ...DAY,
  health: 1,
  count: 3,
  sum: 20,
  cat: 1,
  missing: 'index_not_found_exception',
};

const CLIENTS: readonly Client[] = [
  python('py-es8', 'elastic.py', PYTHON_DAY),
  python('py-es9', 'elastic.py', PYTHON_DAY),
  python('py-opensearch', 'opensearch.py', PYTHON_DAY),
  python('py-dsl8', 'dsl.py', DSL, 'py-es8'),
  python('py-dsl9', 'dsl.py', DSL, 'py-es9'),
  python('py-langchain', 'vector_store.py', LANGCHAIN),
  {
    name: 'go-es',
    needs: 'go-client',
    command: [join(fetched, 'go-client')],
    report: { ...DAY, count: 3, nodes: 1, missing: 404 },
  },
  {
    name: 'java-es',
    needs: 'java/Day.class',
    command: ['java', '-cp', `${join(fetched, 'java')}:${join(fetched, 'java', '*')}`, 'Day'],
    report: JAVA_DAY,
  },
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

describe.each(CLIENTS)('$name', ({ name, needs, command, env, report }) => {
  const isThere = existsSync(join(fetched, needs));
  if (!isThere) console.log(`skipped: ${name} is not there, test/clients/setup fetches it`);
  test.skipIf(!isThere)('does a day of work', { timeout: 120_000 }, () => {
    const [program = '', ...args] = command;
    const printed = execFileSync(program, [...args, server.base, `shop-${name}`], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    expect(JSON.parse(printed)).toEqual(report);
  });
});
