// Bulk bodies that are split for their scripts, and the positions.
import { describe, expect, test } from 'vitest';
import type { WriteOperation, WriteResult } from '../../../src/backend/index.ts';
import { runCooperatively } from '../../../src/base/cooperative-task.ts';
import { runScriptedBulk } from '../../../src/coordinator/write/by-query/run-scripted-bulk.ts';
import { scriptedSteps } from '../../../src/coordinator/write/by-query/scripted-bulk.ts';
import { QuarryError } from '../../../src/errors.ts';

const SCRIPT = '{"script":"ctx._source.n += 1"}\n';
const UPDATE = '{"update":{"_id":"1"}}\n';
const PLAIN = '{"index":{"_id":"2"}}\n{"n":1}\n';

async function stepsOf(body: string, options: object = { defaultIndex: 'books' }) {
  const steps = await runCooperatively(
    scriptedSteps({ refresh: 'false', body: Buffer.from(body), ...options }),
  );
  return steps?.map((step) =>
    step.kind === 'bytes' ? body.slice(step.from, step.to) : step.operation.id,
  );
}

test('what stands between updates by script stays as it is', async () => {
  const body = `${PLAIN}${UPDATE}${SCRIPT}{"update":{"_id":7}}\n${SCRIPT}{"delete":{"_id":"3"}}\n${PLAIN}`;
  expect(await stepsOf(body)).toEqual([PLAIN, '1', '7', `{"delete":{"_id":"3"}}\n${PLAIN}`]);
  expect(await stepsOf(`\n${UPDATE}${SCRIPT}`)).toEqual(['\n', '1']);
});

test('a script is found wherever it stands', async () => {
  for (let before = -50; before < 0; before++) {
    const filler = `{"index":{"_id":"2"}}\n{"n":"${'x'.repeat(1024 * 1024 - 28 + before)}"}\n`;
    expect(await stepsOf(`${filler}${UPDATE}${SCRIPT}`)).toEqual([filler, '1']);
  }
});

test('an update has what its action line and the request say', async () => {
  const meta = { _id: 'x', _index: 'i', routing: 'r', retry_on_conflict: 3, _source: ['n'] };
  const body = Buffer.from(`${JSON.stringify({ update: meta })}\n${SCRIPT}`);
  const steps = await runCooperatively(
    scriptedSteps({ refresh: 'true', body, requireAlias: true }),
  );
  expect(steps).toMatchObject([
    {
      operation: {
        index: 'i',
        routing: 'r',
        retryOnConflict: 3,
        getSource: ['n'],
        requireAlias: true,
      },
    },
  ]);
});

describe('the engine looks at the whole body', () => {
  test.each<[string, string]>([
    ['without scripts', PLAIN],
    ['where a document has a script', '{"index":{}}\n{"script":"x"}\n'],
    ['where an update writes a field of that name', `${UPDATE}{"doc":{"script":1}}\n`],
    ['with a line that is no action', `${UPDATE}${SCRIPT}{"bad":{}}\n{}\n`],
    ['with an unknown parameter', `${UPDATE}${SCRIPT}{"index":{"colour":1}}\n{}\n`],
    ['with an update without an id', `{"update":{}}\n${SCRIPT}`],
    ['with half of a condition', `{"update":{"_id":"1","if_seq_no":1}}\n${SCRIPT}`],
    ['with a version', `{"update":{"_id":"1","version":1}}\n${SCRIPT}`],
    ['with a pipeline', `{"update":{"_id":"1","pipeline":"p"}}\n${SCRIPT}`],
    ['without the last newline', `${UPDATE}${SCRIPT.trim()}`],
    ['without the last source', `${UPDATE}${SCRIPT}${UPDATE}`],
  ])('%s', async (_name, body) => {
    expect(await stepsOf(body)).toBeUndefined();
  });

  test('without an index', async () => {
    expect(await stepsOf(`${UPDATE}${SCRIPT}`, {})).toBeUndefined();
  });
});

test('a key that may not use an index is refused its update, and nothing else', async () => {
  const refused = new QuarryError('security_exception', 'not yours');
  const written: string[] = [];
  const update = async ({ index, id = '' }: WriteOperation): Promise<WriteResult> => {
    written.push(id);
    const numbers = { version: 1n, seqNo: 1n, primaryTerm: 1, shardsTotal: 1 };
    return {
      op: 'update',
      index,
      id,
      result: 'updated',
      status: 200,
      forcedRefresh: false,
      ...numbers,
    };
  };
  const result = await runScriptedBulk(
    ['theirs', 'ours'].map((index) => ({
      kind: 'update',
      operation: { op: 'update', index, id: index },
    })),
    {
      refresh: 'true',
      body: new Uint8Array(),
      access: {
        owner: 'k',
        allows: (name) => name === 'ours',
        refusal: () => refused,
        refusalOf: () => refused,
      },
    },
    {
      bulk: () => Promise.reject(new Error('no bytes')),
      update,
      refresh: async (names) => expect(names).toEqual(['ours']),
    },
  );
  expect(written).toEqual(['ours']);
  expect(result.errors).toBe(true);
  expect(result.items).toMatchObject([
    { index: 'theirs', status: 403, error: { type: 'security_exception' } },
    { index: 'ours', forcedRefresh: true },
  ]);
});
