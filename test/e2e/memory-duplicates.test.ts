// Detection of duplicates by the vectors of the built-in embedder.
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

test('a text of more than 200,000 letters is a duplicate by its words alone', async () => {
  const text = Array.from({ length: 30_000 }, (_, i) => `Remember${i}`).join(' ');
  const there = await server.call('POST', '/_memory/long', { text });
  const louder = { text: `${text.toUpperCase()}!`, dedup: true };
  expect((await server.call('POST', '/_memory/long', louder)).json).toMatchObject({
    id: there.json.id,
    deduplicated: true,
    score: 1,
  });
  const slip = { text: text.replace('Remember7 ', 'Remembre7 '), dedup: true };
  const { json } = await server.call('POST', '/_memory/long', slip);
  expect(json).toMatchObject({ created: true });
  expect(json).not.toHaveProperty('near_duplicate_of');
});

test('given vectors are compared alone, whatever the texts say', async () => {
  const vector = [0.6, 0.8, 0];
  const there = await server.call('POST', '/_memory/given', { text: 'Ann pays Bob 500', vector });
  const near = { text: 'Cy never pays Dan 600', vector: [0.6, 0.79, 0.01], dedup: true };
  const { json } = await server.call('POST', '/_memory/given', near);
  expect(json).toMatchObject({ id: there.json.id, created: false, deduplicated: true });
  expect(json.score).toBeGreaterThan(0.99);
  const far = { text: 'Ann pays Bob 500', vector: [0, 0, 1], dedup: true };
  const stored = await server.call('POST', '/_memory/given', far);
  expect(stored.json).toMatchObject({ created: true });
  expect(stored.json).not.toHaveProperty('near_duplicate_of');
  const strict = { vector: [0.6, 0.79, 0.01], dedup: true, dedup_threshold: 1 };
  expect((await server.call('POST', '/_memory/given', strict)).json.created).toBe(true);
});
