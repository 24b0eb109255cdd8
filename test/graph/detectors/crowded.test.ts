// One document may name tens of thousands of others, in one text or in many: the cost grows
// linearly with their number. With a quadratic cost each of these tests would take minutes.
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/graph/detectors/document.ts';
import { NodeNames } from '../../../src/graph/detectors/node-names.ts';
import { type Documents, findings } from './found.ts';

const MANY = 60_000;
const LEAVES = Object.fromEntries(
  Array.from({ length: MANY }, (_, i): [string, Documents[string]] => [`n${i}`, { v: 'x' }]),
);
const LINKS = Object.keys(LEAVES).map((id) => `[[${id}]]`);

describe('a document that names many', () => {
  test('in one text', () => {
    const found = findings({ ...LEAVES, hub: { body: LINKS.join(' ') } }, ['wiki-links']);
    expect(found.length).toBe(MANY);
    expect(found[1]).toMatchObject({
      src: 'hub',
      dst: 'n1',
      evidence: { quote: '[[n1]]', field: 'body', offset: 7 },
    });
  });

  test('in a list of as many texts', () => {
    const found = findings({ ...LEAVES, hub: { notes: LINKS } }, ['wiki-links']);
    expect(found.length).toBe(MANY);
    expect(found.at(-1)).toMatchObject({ evidence: { quote: '[[n59999]]', offset: 0 } });
  });

  test('in a field of references, of which it reads the first 10,000', () => {
    const references = Array.from({ length: 1_000_000 }, (_, i) => `<é${i}>`).join('');
    const document = readDocument('mail', { references });
    expect(document.references.length).toBe(10_000);
    expect(document.references[1]).toMatchObject({ target: 'é1', start: 6 });
  });

  test('by aliases, of which it reads the first 10,000', () => {
    const alias = Array.from({ length: 500_000 }, (_, i) => `alias ${i}`);
    expect(readDocument('a', { alias }).aliases.length).toBe(10_000);
  });

  test('by hashes that begin alike', () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `aaaaaaa1${i.toString(16)}`);
    const known = new NodeNames();
    known.add(readDocument('one', { hash: keys }));
    let found = 0;
    for (let i = 0; i < 200_000; i++) if (known.byHash('aaaaaaa1') === 'one') found++;
    expect(found).toBe(200_000);
    known.add(readDocument('two', { hash: 'aaaaaaa1fffff' }));
    expect(known.byHash('aaaaaaa1')).toBeUndefined();
    expect(known.byHash('aaaaaaa1fffff')).toBe('two');
    expect(known.byHash('aaaaaaa10')).toBe('one');
  });
});
