// Limits of a RemoteEmbedder on waiting work, and the end of cancelled calls, over a real service.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RemoteEndpoint } from '../../src/embed/endpoint.ts';
import { QuarryError } from '../../src/errors.ts';
import {
  type EmbeddingsService,
  gate,
  startEmbeddingsService,
} from '../tools/embeddings-service.ts';
import { type Numbers, type TestEmbedder, testEmbedder } from './surroundings.ts';

let service: EmbeddingsService;
let made: TestEmbedder[] = [];
beforeEach(async () => {
  service = await startEmbeddingsService();
});
afterEach(async () => {
  await Promise.all(made.map((one) => one.close()));
  made = [];
  await service.stop();
});

function embedder(numbers: Numbers = {}): TestEmbedder {
  const one = testEmbedder(numbers);
  made.push(one);
  return one;
}

function endpoint(): RemoteEndpoint {
  return { url: `${service.url}/embeddings`, model: 'm' };
}

const texts = (count: number): string[] => Array.from({ length: count }, (_, i) => `text ${i}`);

describe('too much', () => {
  test.each<[Numbers, string]>([
    [{ maxPendingTexts: 5 }, 'inference.max_pending_texts'],
    [{ maxPendingBytes: 5 * (4096 + 12) }, 'inference.max_pending_bytes'],
  ])('at once is refused until there is room: %o', async (numbers, setting) => {
    const { remote } = embedder(numbers);
    const { opened, open } = gate();
    service.behave(async () => {
      await opened;
      return undefined;
    });
    const first = remote.embed(endpoint(), texts(5));
    await expect(remote.embed(endpoint(), ['one more'])).rejects.toMatchObject({
      type: 'es_rejected_execution_exception',
      status: 429,
      headers: { 'Retry-After': '1' },
      message: expect.stringContaining(setting),
    });
    open();
    expect((await first).length).toBe(5);
    expect((await remote.embed(endpoint(), ['one more'])).length).toBe(1);
  });

  test('for ever is refused as such', async () => {
    const { remote } = embedder({ maxPendingTexts: 5 });
    await expect(remote.embed(endpoint(), texts(6))).rejects.toMatchObject({ status: 413 });
    expect((await remote.embed(endpoint(), texts(5))).length).toBe(5);
  });

  test('is known by the length of the vectors that came before', async () => {
    const { remote } = embedder({ maxPendingBytes: 5000 });
    await expect(remote.embed(endpoint(), texts(5))).rejects.toMatchObject({ status: 413 });
    await remote.embed(endpoint(), ['a']);
    expect((await remote.embed(endpoint(), texts(5))).length).toBe(5);
  });

  test('is what a write has reserved, until it is done', async () => {
    const { remote } = embedder({ maxPendingTexts: 3 });
    const leave = remote.reserve(endpoint(), texts(3));
    expect((await remote.embed(endpoint(), texts(3), { reserved: true })).length).toBe(3);
    await expect(remote.embed(endpoint(), ['one more'])).rejects.toMatchObject({ status: 429 });
    leave();
    expect((await remote.embed(endpoint(), ['one more'])).length).toBe(1);
  });
});

describe('giving up', () => {
  const waiting = async (remote: TestEmbedder['remote'], signal?: AbortSignal) => {
    const never = gate();
    service.behave(async () => {
      await never.opened;
      return undefined;
    });
    const call = remote.embed(endpoint(), texts(9), { signal });
    call.catch(() => {});
    while (service.requests.length === 0) await new Promise(setImmediate);
    return call;
  };

  test('of a caller ends its requests', async () => {
    const { remote } = embedder({ batchSize: 1, maxConcurrent: 2 });
    const controller = new AbortController();
    const call = waiting(remote, controller.signal);
    while (service.requests.length < 2) await new Promise(setImmediate);
    controller.abort(new QuarryError('illegal_argument_exception', 'gone', { status: 499 }));
    await expect(call).rejects.toMatchObject({ status: 499 });
    expect(service.requests.length).toBe(2);
  });

  test('at shutdown ends every request and refuses new ones', async () => {
    const { remote } = embedder();
    const call = waiting(remote);
    while (service.requests.length === 0) await new Promise(setImmediate);
    remote.close();
    await expect(call).rejects.toMatchObject({ type: 'node_not_ready_exception' });
    await expect(remote.embed(endpoint(), ['x'])).rejects.toMatchObject({ status: 503 });
  });
});
