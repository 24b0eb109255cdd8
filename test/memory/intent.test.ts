// The documents that a start accepts as the intent of a store: only those that the service itself
// writes.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { linkOperations } from '../../src/graph/assert-links.ts';
import { readIntent } from '../../src/memory/intent.ts';
import { fakeHash } from '../graph/world.ts';

const { ndjson } = linkOperations(
  fakeHash,
  'mine',
  [
    { src: 'a', dst: 'b', type: 'supersedes', detector: 'store@1', validAt: 4 },
    { src: 'a', dst: 'c', type: 'follows', evidence: { quote: 'q' } },
  ],
  5,
);
const LAWFUL = {
  namespace: 'mine',
  id: 'a',
  stored_at: 5,
  retired: [{ id: 'b', invalid_at: 4, superseded_at: 5 }],
  links: ndjson,
};
const [action = '', source = ''] = ndjson.split('\n');
const link = (changed: JsonObject): string =>
  `${action}\n${JSON.stringify({ ...JSON.parse(source), ...changed })}\n`;
const instead = (written: unknown): string => `${JSON.stringify(written)}\n${source}\n`;

describe('an intent', () => {
  test('of a store is read as it was written', () => {
    expect(readIntent('mine', LAWFUL)).toEqual(LAWFUL);
    const none = { ...LAWFUL, retired: [], links: '' };
    expect(readIntent('mine', none)).toEqual(none);
  });

  const end = { id: 'b', invalid_at: 4, superseded_at: 5 };
  test.each<[string, { [key: string]: Json | undefined }, string]>([
    ['of another namespace', { namespace: 'yours' }, '[namespace]'],
    ['without a memory', { id: undefined }, '[id]'],
    ['with an empty id', { id: '' }, '[id]'],
    ['with a text for an instant', { stored_at: '5' }, '[stored_at]'],
    ['with more members', { index: 'pub' }, '[index]'],
    ['with no list', { retired: {} }, '[retired]'],
    ['with a retired text', { retired: ['b'] }, '[retired]'],
    [
      'that writes into a document',
      { retired: [{ ...end, invalid_at: '1,"x":1' }] },
      '[invalid_at]',
    ],
    [
      'that is endless',
      { retired: [{ ...end, superseded_at: Number.POSITIVE_INFINITY }] },
      '[superseded_at]',
    ],
    ['with a place for what retires', { retired: [{ ...end, _index: 'pub' }] }, '[_index]'],
    ['with a list of links', { links: [] }, '[links]'],
    ['with half a link', { links: `${action}\n` }, 'JSON'],
    ['with no JSON', { links: 'x\ny\n' }, 'JSON'],
    [
      'that writes elsewhere',
      { links: instead({ create: { _index: 'pub', _id: '1' } }) },
      '[links]',
    ],
    [
      'that changes links',
      { links: instead({ index: { _index: '.svc-memory-mine-edges', _id: '1' } }) },
      '[links]',
    ],
    ['that deletes', { links: instead({ delete: { _index: 'pub', _id: '1' } }) }, '[links]'],
    [
      'with two actions in one',
      { links: instead({ ...JSON.parse(action), index: { _index: 'pub' } }) },
      '[links]',
    ],
    ['with a link of one node', { links: link({ dst: 'a' }) }, '[dst]'],
    ['with a link of numbers', { links: link({ src: 7 }) }, '[src]'],
    ['with a strong link', { links: link({ confidence: 7 }) }, '[confidence]'],
  ])('%s is refused', (_name, changed, named) => {
    const body = JSON.parse(JSON.stringify(LAWFUL)) as JsonObject;
    const given = Object.entries({ ...body, ...changed }).filter(
      ([, value]) => value !== undefined,
    );
    expect(() => readIntent('mine', Object.fromEntries(given) as JsonObject)).toThrow(named);
  });

  test('whose action names an index twice writes to its own', () => {
    const twice = action.replace('{"_index"', '{"_index":"pub","_index"');
    expect(twice).not.toBe(action);
    const read = readIntent('mine', { ...LAWFUL, links: `${twice}\n${source}\n` });
    expect(read).toMatchObject({ links: `${action}\n${source}\n` });
  });

  const seen = { if_seq_no: 7, if_primary_term: 1 };
  const FORGOTTEN = { namespace: 'mine', forgotten: [{ id: 'a', document: seen }] };

  test.each<[string, JsonObject]>([
    ['a forgetting', FORGOTTEN],
    ['a forgetting of links', { namespace: 'mine', forgotten: [{ id: 'a', document: null }] }],
    ['a drop', { namespace: 'mine', dropped: true }],
  ])('of %s is read as it was written', (_what, body) => {
    expect(readIntent('mine', body)).toEqual(body);
  });

  test.each<[string, JsonObject, string]>([
    ['of another namespace', { ...FORGOTTEN, namespace: 'yours' }, '[namespace]'],
    ['with more members', { ...FORGOTTEN, index: 'pub' }, '[index]'],
    ['that is no list', { namespace: 'mine', forgotten: {} }, '[forgotten]'],
    ['with a text', { namespace: 'mine', forgotten: ['a'] }, '[forgotten]'],
    ['with an empty id', { namespace: 'mine', forgotten: [{ id: '', document: null }] }, '[id]'],
    ['without a document', { namespace: 'mine', forgotten: [{ id: 'a' }] }, '[document]'],
    [
      'with a place',
      { namespace: 'mine', forgotten: [{ id: 'a', document: null, _index: 'pub' }] },
      '[_index]',
    ],
    [
      'with a version below zero',
      { namespace: 'mine', forgotten: [{ id: 'a', document: { ...seen, if_seq_no: -1 } }] },
      '[if_seq_no]',
    ],
    [
      'with a document of more',
      { namespace: 'mine', forgotten: [{ id: 'a', document: { ...seen, _index: 'pub' } }] },
      '[_index]',
    ],
  ])('of a forgetting %s is refused', (_what, body, named) => {
    expect(() => readIntent('mine', body)).toThrow(named);
  });

  test.each<[string, JsonObject, string]>([
    ['that is none', { namespace: 'mine', dropped: 'yes' }, '[dropped]'],
    ['of more', { namespace: 'mine', dropped: true, id: 'a' }, '[id]'],
    ['and a forgetting', { ...FORGOTTEN, dropped: true }, '[forgotten]'],
  ])('of a drop %s is refused', (_what, body, named) => {
    expect(() => readIntent('mine', body)).toThrow(named);
  });

  test('of no namespace is refused', () => {
    expect(() => readIntent('x,pub', { ...LAWFUL, namespace: 'x,pub' })).toThrow('[x,pub]');
  });
});
