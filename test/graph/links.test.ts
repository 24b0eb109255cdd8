// Asserting and retiring links: idempotence, histories that are preserved, and one winner of
// concurrent writes.
import { describe, expect, test } from 'vitest';
import { world } from './world.ts';

describe('link', () => {
  test('is created once, whatever the notation of its time', async () => {
    const { graph } = world();
    const body = { src: 'a', dst: 'b', type: 't' };
    const first = await graph.link('b', { ...body, valid_at: 1000 });
    expect(first.created).toBe(true);
    const again = await graph.link('b', { ...body, valid_at: '1970-01-01T01:00:01+01:00' });
    expect(again).toEqual({ ...first, created: false });
  });

  test('asserted again with other words is as it was', async () => {
    const { graph } = world();
    const body = { src: 'a', dst: 'b', type: 't', valid_at: 1000 };
    await graph.link('b', { ...body, confidence: 0.5 });
    const again = await graph.link('b', { ...body, confidence: 0.9 });
    expect(again.link.confidence).toBe(0.5);
  });

  test('without a time begins now', async () => {
    const made = world();
    const { link } = await made.graph.link('b', { src: 'a', dst: 'b', type: 't' });
    expect(link).toMatchObject({ valid_at: made.now, created_at: made.now, state: 'live' });
  });

  test('that begins later is of the future', async () => {
    const made = world();
    await made.link('a', 'b', { valid_at: made.now + 1 });
    expect((await made.ego('a')).links).toEqual([]);
    made.now += 1;
    expect((await made.ego('a')).links).toHaveLength(1);
  });

  test('that is retired stays so when it is asserted again, and says so', async () => {
    const made = world();
    const edgeId = await made.link('a', 'b', { valid_at: 1000 });
    await made.graph.unlink('b', edgeId, 2000);
    const again = await made.graph.link('b', {
      src: 'a',
      dst: 'b',
      type: 'mentions',
      valid_at: 1000,
    });
    expect(again).toMatchObject({ created: false, invalid_at: 2000, link: { state: 'retired' } });
  });

  test('by many at once is created by one', async () => {
    const { graph } = world();
    const body = { src: 'a', dst: 'b', type: 't', valid_at: 1000 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => graph.link('b', body)));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ edge_id }) => edge_id)).size).toBe(1);
  });

  test('with a quote is no mere assertion', async () => {
    const made = world();
    const evidence = { quote: 'see b', source: 'a', offset: 12 };
    await made.link('a', 'b', { evidence });
    await made.link('a', 'c');
    const { links } = await made.ego('a');
    expect(
      links.map(({ dst, asserted, evidence: shown }) => [dst, asserted, shown]).sort(),
    ).toEqual([
      ['b', false, evidence],
      ['c', true, null],
    ]);
  });
});

describe('unlink', () => {
  test('is told once, then again that it was', async () => {
    const made = world();
    const edge_id = await made.link('a', 'b');
    made.now += 10;
    const at = made.now;
    expect(await made.graph.unlink('b', edge_id, undefined)).toEqual({
      brain: 'b',
      edge_id,
      invalidated: true,
      invalid_at: at,
      expired_at: at,
    });
    made.now += 10;
    expect(await made.graph.unlink('b', edge_id, undefined)).toEqual({
      brain: 'b',
      edge_id,
      invalidated: false,
      already_invalid_at: at,
      expired_at: at,
    });
  });

  test('of a link that has not begun ends it at its beginning', async () => {
    const made = world();
    const edgeId = await made.link('a', 'b', { valid_at: made.now + 100 });
    expect(await made.graph.unlink('b', edgeId, undefined)).toMatchObject({
      invalid_at: made.now + 100,
    });
    made.now += 200;
    expect((await made.ego('a')).links).toEqual([]);
  });

  test('before the beginning is refused', async () => {
    const made = world();
    const edgeId = await made.link('a', 'b', { valid_at: 1000 });
    await expect(made.graph.unlink('b', edgeId, 999)).rejects.toMatchObject({ status: 400 });
    expect(await made.graph.unlink('b', edgeId, 1000)).toMatchObject({ invalid_at: 1000 });
  });

  test('by many at once has one winner', async () => {
    const made = world();
    const edgeId = await made.link('a', 'b', { valid_at: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => made.graph.unlink('b', edgeId, 2000 + i)),
    );
    const won = answers.filter(({ invalidated }) => invalidated);
    expect(won).toHaveLength(1);
    const end = (won[0] as { invalid_at: number }).invalid_at;
    for (const answer of answers) {
      if (!answer.invalidated) expect(answer.already_invalid_at).toBe(end);
    }
  });

  test('leaves what others have written into the document', async () => {
    const made = world();
    const edgeId = await made.link('a', 'b', { valid_at: 1000 });
    made.backend.put('.svc-memory-b-edges', edgeId, {
      src: 'a',
      dst: 'b',
      type: 't',
      valid_at: 1000,
      note: 'kept',
    });
    await made.graph.unlink('b', edgeId, 2000);
    const stored = made.backend.indexes.get('.svc-memory-b-edges')?.documents.get(edgeId);
    expect(JSON.parse(Buffer.from(stored?.source ?? '').toString('utf8'))).toMatchObject({
      note: 'kept',
      invalid_at: 2000,
    });
  });

  test.each(['x', 'f'.repeat(32)])('of [%s], which is not there, is 404', async (edgeId) => {
    const made = world();
    await expect(made.graph.unlink('b', edgeId, undefined)).rejects.toMatchObject({ status: 404 });
    await made.link('a', 'b');
    await expect(made.graph.unlink('b', edgeId, undefined)).rejects.toMatchObject({ status: 404 });
  });
});
