// Parsing of the bodies of store and recall.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { DEFAULT_NAMES } from '../../src/memory/context/said.ts';
import { readRecallBody } from '../../src/memory/recall-body.ts';
import { readStoreBody, type StoreRequest } from '../../src/memory/store-body.ts';

const storeBody = (body: JsonObject): StoreRequest => readStoreBody(body, DEFAULT_NAMES);

describe('a store', () => {
  test('has defaults', () => {
    expect(storeBody({ text: 'a' })).toEqual({
      text: 'a',
      metadata: undefined,
      vector: undefined,
      id: undefined,
      dedup: false,
      dedupThreshold: 0.95,
      supersedes: [],
      expiresAt: undefined,
      ownTime: undefined,
      session: undefined,
      said: {},
    });
  });

  test('null is as good as nothing', () => {
    const body = {
      text: 'a',
      metadata: null,
      vector: null,
      id: null,
      dedup: null,
      supersedes: null,
    };
    expect(storeBody(body)).toEqual(storeBody({ text: 'a' }));
  });

  test('a blank text beside a vector is none', () => {
    expect(storeBody({ text: ' ', vector: [1] }).text).toBeUndefined();
  });

  test.each<[string, JsonObject, string]>([
    ['that no address can name', { id: '.' }, '[id] must not be [.] or [..]'],
    ['that leads up', { id: '..' }, '[id] must not be [.] or [..], which addresses cannot name'],
    ['that names an operation', { id: '_recall' }, '[id] must not start with [_]'],
  ])('refuses an id %s', (_name, body, reason) => {
    expect(() => storeBody({ text: 'a', ...body })).toThrow(reason);
  });

  test('takes 10,000 members of metadata, at whatever depth, and no more', () => {
    const tags = Array.from({ length: 9_998 }, (_, i) => i);
    expect(storeBody({ text: 'a', metadata: { a: { tags } } }).metadata).toBeDefined();
    const more = { a: { tags: [...tags, 1] } };
    expect(() => storeBody({ text: 'a', metadata: more })).toThrow(
      '[metadata] has more than 10000 members; keep documents in an index',
    );
  });

  test.each([
    ['when it was said', { said_at: 5, valid_at: 7 }, 5],
    ['when it became true', { valid_at: '1970-01-01T00:00:01Z' }, 1000],
    ['digits', { said_at: '1753600000000' }, 1_753_600_000_000],
    ['a year is none', { said_at: '2023' }, undefined],
    ['a day', { said_at: '2023-05-08' }, Date.UTC(2023, 4, 8)],
    ['without a zone', { said_at: '2023-05-08T13:56:00' }, Date.UTC(2023, 4, 8, 13, 56)],
    ['without seconds', { said_at: '2023-05-08 13:56' }, Date.UTC(2023, 4, 8, 13, 56)],
    ['no such day, then one', { said_at: '2023-02-30', valid_at: 3 }, 3],
    ['before the epoch', { said_at: '1969-12-31T23:59:59+00:00' }, -1000],
    ['another notation, then one that is a time', { said_at: 'last May', valid_at: 9 }, 9],
    ['no time at all', { said_at: ['x'], valid_at: true }, undefined],
  ])('reads the time of its own: %s', (_name, metadata, ownTime) => {
    expect(storeBody({ text: 'a', metadata: metadata as JsonObject }).ownTime).toBe(ownTime);
  });

  test.each([
    [{ session: 's' }, 's'],
    [{ session: 7 }, '7'],
    [{ session: '' }, undefined],
    [{ session: ['s'] }, undefined],
  ])('session of %j', (metadata, session) => {
    expect(storeBody({ text: 'a', metadata }).session).toBe(session);
  });

  test('names each memory that it supersedes once', () => {
    expect(storeBody({ text: 'a', supersedes: ['x', 'y', 'x'] }).supersedes).toEqual(['x', 'y']);
    expect(storeBody({ text: 'a', supersedes: 'x' }).supersedes).toEqual(['x']);
  });
});

describe('a recall', () => {
  const kindOf = (body: JsonObject) => readRecallBody(body).mode.kind;

  test('takes the first mode that its body names', () => {
    expect(kindOf({ vector: [1], query: 'a', semantic: true })).toBe('vector');
    expect(kindOf({ query: 'a', semantic: true })).toBe('semantic');
    expect(kindOf({ query: 'a' })).toBe('query');
    expect(kindOf({ query: 'a', hybrid: true })).toBe('hybrid');
    expect(kindOf({ query: 'a', vector: [1], hybrid: true })).toBe('hybrid');
    expect(kindOf({ query: ' ' })).toBe('recent');
    expect(kindOf({ vector: [1], query: '', semantic: true })).toBe('vector');
    expect(kindOf({})).toBe('recent');
  });

  test('has defaults', () => {
    expect(readRecallBody({ graph: { mode: 'blend' } })).toEqual({
      mode: { kind: 'recent' },
      k: 10,
      filter: undefined,
      recencyWeight: 0,
      graph: {
        mode: 'blend',
        seeds: undefined,
        hops: 1,
        types: undefined,
        weight: 0.3,
        asOf: undefined,
      },
      explain: false,
      explainIds: [],
      collapse: undefined,
      maxChars: undefined,
      context: undefined,
      rerank: undefined,
      asOf: undefined,
      knownAt: undefined,
    });
  });

  test('the context is the recipe in hybrid mode, and what the body says in both modes of words', () => {
    const contextOf = (body: JsonObject) => readRecallBody({ query: 'a', ...body }).context;
    const recipe = { neighbours: 0.3, session: 0.5, speaker: 0.3, phrase: 0.2 };
    expect(contextOf({ hybrid: true })).toEqual(recipe);
    expect(contextOf({ hybrid: true, context: false })).toBeUndefined();
    expect(contextOf({ hybrid: true, context: { session: 0 } })).toEqual({ ...recipe, session: 0 });
    expect(contextOf({})).toBeUndefined();
    expect(contextOf({ context: true })).toEqual(recipe);
    expect(contextOf({ context: {} })).toEqual(recipe);
    expect(contextOf({ semantic: true, context: false })).toBeUndefined();
  });

  test('with a blend, neighbours count only where the body names them', () => {
    const contextOf = (body: JsonObject) =>
      readRecallBody({ query: 'a', hybrid: true, graph: { mode: 'blend' }, ...body }).context;
    expect(contextOf({})?.neighbours).toBe(0);
    expect(contextOf({ context: true })?.neighbours).toBe(0);
    expect(contextOf({ context: { neighbours: 0.2 } })?.neighbours).toBe(0.2);
    expect(contextOf({ graph: { mode: 'restrict', seeds: ['x'] } })?.neighbours).toBe(0.3);
  });

  test('a reranker gets the question and the first 50', () => {
    const body = { query: 'a', rerank: { inference_id: 'r' } };
    expect(readRecallBody(body).rerank).toEqual({ inferenceId: 'r', query: 'a', top: 50 });
  });

  test('explains what it is asked about, and the hits with it', () => {
    expect(readRecallBody({ explain: { ids: ['a'] } })).toMatchObject({
      explain: true,
      explainIds: ['a'],
    });
    expect(readRecallBody({ explain: true })).toMatchObject({ explain: true, explainIds: [] });
  });
});
