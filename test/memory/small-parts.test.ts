// Documents of memories, invalid metadata, dialogue turns, cosines, texts within a length.
import { describe, expect, test } from 'vitest';
import { runToCompletion } from '../../src/base/cooperative-task.ts';
import { plainJson } from '../../src/base/json-text.ts';
import { KeyedQueue } from '../../src/base/keyed-queue.ts';
import { type Candidate, collapsed, withinChars } from '../../src/memory/candidates.ts';
import { cosineOf, fingerprintOf } from '../../src/memory/duplicates.ts';
import { readEntry, supersededSource } from '../../src/memory/memory-entry.ts';
import { fitMetadata } from '../../src/memory/metadata-fit.ts';
import { isMemoryIndex } from '../../src/memory/names.ts';
import { fakeHash } from '../graph/world.ts';

describe('the document of a memory', () => {
  test('keeps every digit of large numbers', () => {
    const metadata = { id: 12345678901234567890n };
    const text = plainJson({ text: 'a', metadata });
    expect(text).toContain('12345678901234567890');
    expect(readEntry(Buffer.from(text)).metadata).toEqual(metadata);
  });

  test('shows metadata that is not indexed with the rest', () => {
    const document = { metadata: { a: 1 }, unindexed: { b: { c: 2 } } };
    expect(readEntry(Buffer.from(JSON.stringify(document))).metadata).toEqual({
      a: 1,
      b: { c: 2 },
    });
  });

  test('says nothing about what is missing', () => {
    const entry = readEntry(Buffer.from('{"stored_at":5}'));
    expect(entry).toMatchObject({ text: null, metadata: null, own_time: 5, expires_at: null });
  });

  test('gets its end without another byte changed', () => {
    const before = '{"text":"}","metadata":{"n":1.0,"big":12345678901234567890} }\n';
    const after = supersededSource(Buffer.from(before), 7, 9);
    expect(after).toBe(
      '{"text":"}","metadata":{"n":1.0,"big":12345678901234567890},"invalid_at":7,"superseded_at":9}',
    );
    expect(readEntry(Buffer.from(after))).toMatchObject({ invalid_at: 7, superseded_at: 9 });
    expect(supersededSource(Buffer.from('{}'), 1, 2)).toBe('{"invalid_at":1,"superseded_at":2}');
  });
});

describe('metadata', () => {
  const mappings = {
    properties: {
      metadata: {
        properties: {
          name: { type: 'keyword' },
          where: { properties: { city: { type: 'keyword' } } },
        },
      },
    },
  };

  test.each([
    [{ name: 'a', other: { x: 1 } }, { name: 'a', other: { x: 1 } }, undefined],
    [{ name: { first: 'a' }, n: 1 }, { n: 1 }, { name: { first: 'a' } }],
    [{ where: 'Rome' }, undefined, { where: 'Rome' }],
    [{ where: { city: 'Rome' } }, { where: { city: 'Rome' } }, undefined],
    [{ where: { city: { name: 'Rome' } } }, undefined, { where: { city: { name: 'Rome' } } }],
    [{ 'where.city': 'Rome' }, { 'where.city': 'Rome' }, undefined],
    [{ 'where.city.name': 'Rome' }, undefined, { 'where.city.name': 'Rome' }],
    [{ name: ['a', null, ['b']] }, { name: ['a', null, ['b']] }, undefined],
    [{ name: ['a', { b: 1 }] }, undefined, { name: ['a', { b: 1 }] }],
    [{ name: null }, { name: null }, undefined],
  ])('%j', (metadata, fitting, unindexed) => {
    expect(fitMetadata(metadata, mappings)).toEqual({ metadata: fitting, unindexed });
  });

  test('fits where nothing is mapped', () => {
    expect(fitMetadata({ a: { b: 1 } }, {})).toEqual({
      metadata: { a: { b: 1 } },
      unindexed: undefined,
    });
  });
});

test('indexes of memories are known by name, those of links are others', () => {
  expect(isMemoryIndex('.svc-memory-a')).toBe(true);
  expect(isMemoryIndex('.svc-memory-a-edges')).toBe(false);
  expect(isMemoryIndex('.svc-memory-')).toBe(false);
  expect(isMemoryIndex('a')).toBe(false);
});

test('turns of one key do not overlap, a failure ends its own only, other keys do not wait', async () => {
  const turns = new KeyedQueue();
  const log: string[] = [];
  let release = (): void => {};
  const first = turns.take('a', async () => {
    log.push('first begins');
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    log.push('first ends');
    throw new Error('first');
  });
  const second = turns.take('a', async () => {
    log.push('second');
    return 2;
  });
  expect(await turns.take('b', async () => 'other')).toBe('other');
  release();
  await expect(first).rejects.toThrow('first');
  expect(await second).toBe(2);
  expect(log).toEqual(['first begins', 'first ends', 'second']);
});

test('the cosine of a score is free of the noise of float32', () => {
  expect(cosineOf(Math.fround((1 + 0.96) / 2))).toBe(0.96);
  expect(cosineOf(Math.fround(0.99999994))).toBe(1);
  expect(cosineOf(1.0000001)).toBe(1);
  expect(cosineOf(0)).toBe(-1);
});

test('fingerprints are equal where the words are, and wordless texts have none', () => {
  const print = (text: string) => runToCompletion(fingerprintOf(fakeHash, text));
  expect(print('The cat sat.')).toBe(print('a CAT  sat'));
  expect(print('the cat sat')).not.toBe(print('sat cat'));
  expect(print('!?')).toBeUndefined();
});

const candidate = (id: string, text: string, metadata: object = {}): Candidate => ({
  id,
  entry: readEntry(Buffer.from(JSON.stringify({ text, metadata }))),
  ownTime: null,
  score: 1,
  baseRank: 1,
  baseScore: 1,
  graph: null,
  context: null,
  parts: null,
});

describe('texts within a length', () => {
  const ids = (maxChars: number) => {
    const all = [candidate('a', '12345'), candidate('b', '123'), candidate('c', '1')];
    const { hits, clipped } = withinChars(all, maxChars);
    return [hits.map(({ id }) => id).join(''), clipped];
  };

  test('the first that fit together', () => {
    expect(ids(9)).toEqual(['abc', 0]);
    expect(ids(8)).toEqual(['ab', 1]);
    // The third would fit, but it ranks below the second.
    expect(ids(6)).toEqual(['a', 2]);
  });

  test('a first that is too long is cut, never within a character', () => {
    expect(withinChars([candidate('a', 'ab😀c')], 3).hits[0]?.entry?.text).toBe('ab');
    expect(withinChars([candidate('a', 'ab😀c')], 4).hits[0]?.entry?.text).toBe('ab😀');
  });
});

test('the best of each value is kept, and all without one', () => {
  const all = [
    candidate('a', '', { session: 's' }),
    candidate('b', '', { session: 's' }),
    candidate('c', ''),
    candidate('d', '', { session: 1 }),
    candidate('e', '', { session: '1' }),
    candidate('f', ''),
    candidate('g', '', { in: { session: 's' } }),
    candidate('h', '', { in: { session: 's' } }),
  ];
  const kept = (name: string) => collapsed(all, name).map(({ id }) => id);
  expect(kept('session')).toEqual(['a', 'c', 'd', 'e', 'f', 'g', 'h']);
  expect(kept('in.session')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});
