// `quarry eval`: its metrics, its table, and its errors for an invalid file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../../src/cli/client.ts';
import { evaluate } from '../../src/cli/eval/questions.ts';
import { scoresOf } from '../../src/cli/eval/scores.ts';
import { startServer, type TestServer } from '../tools/server.ts';

describe('the figures', () => {
  const of = (expected: readonly string[], recalled: readonly string[], k = 10) =>
    scoresOf(new Set(expected), recalled, k);

  test('of a perfect answer are 1, of a useless one 0', () => {
    expect(of(['a', 'b'], ['b', 'a', 'x'])).toEqual({ recall: 1, mrr: 1, ndcg: 1 });
    expect(of(['a'], ['x', 'y'])).toEqual({ recall: 0, mrr: 0, ndcg: 0 });
    expect(of(['a'], [])).toEqual({ recall: 0, mrr: 0, ndcg: 0 });
  });

  test('of an answer in between are what the formulas say', () => {
    const { recall, mrr, ndcg } = of(['a', 'b'], ['x', 'a', 'y', 'z']);
    expect(recall).toBe(0.5);
    expect(mrr).toBe(0.5);
    expect(ndcg).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 12);
  });

  test('look at the first k only, and expect no more than k', () => {
    expect(of(['a'], ['x', 'a'], 1)).toEqual({ recall: 0, mrr: 0, ndcg: 0 });
    expect(of(['a', 'b'], ['a', 'b'], 1)).toEqual({ recall: 0.5, mrr: 1, ndcg: 1 });
  });
});

describe('a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-eval-'));
  const file = join(folder, 'questions.ndjson');
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    for (const [id, text] of [
      ['boat', 'the boat is red'],
      ['tea', 'tea at noon'],
    ])
      await server.call('POST', '/_memory/ann', { id, text });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (): Promise<string[]> => {
    const lines: string[] = [];
    const client = clientOf(new Map([['url', server.base]]), {});
    await evaluate({ file, client, k: 3 }, (line) => lines.push(line));
    return lines;
  };

  test('tells each namespace, and what has changed since the last', async () => {
    const questions = [
      { namespace: 'ann', query: 'which boat', ids: ['boat'] },
      { namespace: 'ann', query: 'coffee', ids: ['tea'] },
      { namespace: 'bob', ids: ['x'] },
    ];
    writeFileSync(file, questions.map((one) => `${JSON.stringify(one)}\n`).join('\n'));
    expect(await run()).toEqual([
      'namespace  questions  R@3   MRR   nDCG@3',
      'ann        2          50.0  50.0  50.0',
      'bob        1          0.0   0.0   0.0',
    ]);
    const kept = JSON.parse(readFileSync(`${file}.last.json`, 'utf8'));
    expect(kept.ann).toEqual({ questions: 2, recall: 0.5, mrr: 0.5, ndcg: 0.5 });
    await server.call('POST', '/_memory/ann', { id: 'tea', text: 'tea, never coffee, at noon' });
    expect((await run()).slice(1)).toEqual([
      'ann        2          100.0 (+50.0)  100.0 (+50.0)  100.0 (+50.0)',
      'bob        1          0.0 (=)        0.0 (=)        0.0 (=)',
    ]);
  });

  test.each([
    ['{"namespace":"ann"}', 'line 1'],
    ['\n{"namespace":"ann","ids":[]}', 'line 2'],
    ['{"ids":["a"]}', 'line 1'],
    ['nonsense', 'line 1'],
    ['{"namespace":"ann","ids":["a"],"k":0}', '[k]'],
  ])('of %j is refused', async (text, words) => {
    writeFileSync(file, text);
    await expect(run()).rejects.toThrow(words);
  });
});
