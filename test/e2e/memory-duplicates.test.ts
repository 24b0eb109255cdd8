// Duplicates by the vectors that the built-in embedder makes of texts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

test('a negation is stored, and told as a near duplicate', async () => {
  const text = 'Ann likes green tea in the morning';
  const there = await server.call('POST', '/_memory/near', { text });
  const other = { text: text.replace('likes', 'not likes'), dedup: true };
  const reply = await server.call('POST', '/_memory/near', other);
  expect(reply.status).toBe(201);
  expect(reply.json.near_duplicate_of).toEqual({
    id: there.json.id,
    similarity: 1,
    differing_words: { ours: ['not'], theirs: [] },
  });
});

test('texts that disagree count as alike as 0.9, so that a lower threshold takes them', async () => {
  const text = 'Ann agreed to pay Bob 500 euros in Berlin';
  await server.call('POST', '/_memory/lower', { text });
  const other = { text: text.replace('500', '600'), dedup: true, dedup_threshold: 0.5 };
  const { json } = await server.call('POST', '/_memory/lower', other);
  expect(json).toMatchObject({ created: false, deduplicated: true });
  expect(json.score).toBeLessThanOrEqual(0.9);
});
