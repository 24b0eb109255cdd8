// How texts reach a local model: in small batches, one at a time, searches first, from the cache
// where they were seen before.
import { afterEach, describe, expect, test } from 'vitest';
import { ServiceFailure } from '../../../src/embed/ask-service.ts';
import type { LocalModel } from '../../../src/embed/local/local-model.ts';
import { type Numbers, type TestEmbedder, testEmbedder } from '../surroundings.ts';

const MODEL: LocalModel = { name: 'm', dims: 2, maxTokens: 16, fingerprint: 'ab12' };
const made: TestEmbedder[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.close();
});

const vectorOf = (text: string): Float32Array<ArrayBuffer> => new Float32Array([text.length, 1]);

function world(numbers: Numbers = {}, tellsWhy = true) {
  const batches: string[][] = [];
  /** Present while a batch is at work. */
  const release: (() => void)[] = [];
  let manual = false;
  const models = {
    async embed(_model: LocalModel, texts: readonly string[]) {
      batches.push([...texts]);
      if (manual) await new Promise<void>((go) => release.push(go));
      if (texts.includes('crash')) {
        throw new ServiceFailure('service', 'the local model [m] ended by SIGSEGV');
      }
      return texts.map((text) => (text === 'bad' ? 'gave a vector of zeros' : vectorOf(text)));
    },
  };
  const one = testEmbedder(numbers, { models, tellsWhy });
  made.push(one);
  return {
    ...one,
    batches,
    release,
    waitForBatches: () => {
      manual = true;
    },
  };
}

const texts = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => 'x'.repeat(i + 1));

describe('texts', () => {
  test('are given to the model four at a time, and keep their order', async () => {
    const { remote, batches, outcomes } = world();
    expect(await remote.embed(MODEL, texts(10))).toEqual(texts(10).map(vectorOf));
    expect(batches.map((batch) => batch.length)).toEqual([4, 4, 2]);
    expect(outcomes).toEqual(['ok', 'ok', 'ok']);
  });

  test('of a search go before those of a write that wait', async () => {
    const { remote, batches, release, waitForBatches } = world();
    waitForBatches();
    const write = remote.embed(MODEL, texts(8));
    await expect.poll(() => release.length).toBe(1);
    const search = remote.embed(MODEL, ['query'], { urgent: true });
    for (let done = 1; done <= 3; done++) {
      release[done - 1]?.();
      if (done < 3) await expect.poll(() => release.length).toBe(done + 1);
    }
    await Promise.all([write, search]);
    expect(batches.map((batch) => batch.length)).toEqual([4, 1, 4]);
  });

  test('that were seen before are not given again', async () => {
    const { remote, batches } = world();
    await remote.embed(MODEL, ['a', 'bb']);
    await remote.embed(MODEL, ['bb', 'a']);
    await remote.embed({ ...MODEL, fingerprint: 'cd34' }, ['a']);
    expect(batches).toEqual([['a', 'bb'], ['a']]);
  });

  test('that are too many are refused', async () => {
    const { remote } = world({ maxPendingTexts: 3 });
    await expect(remote.embed(MODEL, texts(4))).rejects.toThrow('[inference.max_pending_texts]');
  });

  test('without a vector have the reason, and the others their vectors', async () => {
    const { remote } = world();
    expect(await remote.embed(MODEL, ['a', 'bad'])).toEqual([
      vectorOf('a'),
      'the local model [m] gave a vector of zeros',
    ]);
  });
});

describe('a model that fails', () => {
  test('is not asked for the texts that are left', async () => {
    const { remote, batches, outcomes } = world();
    const results = await remote.embed(MODEL, ['crash', ...texts(9)]);
    expect(new Set(results)).toEqual(new Set(['the local model [m] ended by SIGSEGV']));
    expect(batches.length).toBe(1);
    expect(outcomes).toEqual(['failed']);
  });

  test('says no more than that to callers who may not register endpoints', async () => {
    const { remote } = world({}, false);
    const [hidden] = await remote.embed(MODEL, ['crash']);
    expect(hidden).toBe(
      'the local model [m] gave no vectors: POST /_inference/{id} with a key for all indices [*] reports the reason',
    );
    const [shown] = await remote.embed(MODEL, ['crash'], { trusted: true });
    expect(shown).toContain('SIGSEGV');
  });
});

test('a caller that leaves does not wait for the model, whose next batch waits for it', async () => {
  const { remote, batches, release, waitForBatches } = world();
  waitForBatches();
  const controller = new AbortController();
  const left = remote.embed(MODEL, ['slow'], { signal: controller.signal });
  await expect.poll(() => release.length).toBe(1);
  controller.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  const next = remote.embed(MODEL, ['next']);
  expect(batches).toEqual([['slow']]);
  release[0]?.();
  await expect.poll(() => release.length).toBe(2);
  release[1]?.();
  expect(await next).toEqual([vectorOf('next')]);
});
