import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ImportJournal } from '../../src/migration/journal.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-journal-'));
  path = join(folder, 'state', 'a.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const WHO = { url: 'http://a', to: 'http://b' };
const INDEX = { name: 'x', uuid: 'u', target: 'x', targetUuid: 't' };

function filled(): void {
  const journal = new ImportJournal(path, WHO);
  journal.write([{ index: INDEX }], true);
  journal.write([{ at: ['x', 0, 7] }, { at: ['x', 1, 3] }, { read: ['f', 12] }]);
  journal.write([{ refused: { index: 'x', id: '1', reason: 'r' } }, { aliased: 'x' }]);
  journal.write([{ refused: { index: 'x', id: '2', reason: 'r' } }, { stored: ['x', '1'] }]);
  journal.close();
}

describe('the journal of an import', () => {
  test('is read as it was written', () => {
    filled();
    const journal = new ImportJournal(path, WHO);
    expect(journal.indexes.get('x')).toEqual(INDEX);
    expect([journal.position('x', 0), journal.position('x', 1), journal.position('x', 2)]).toEqual([
      7, 3, -1,
    ]);
    expect(journal.bytesOf('f')).toBe(12);
    expect(journal.refusedOf('x').map(({ id }) => id)).toEqual(['2']);
    expect([...journal.aliased]).toEqual(['x']);
  });

  test('cut off at any byte, it is read up to its last whole line and written on', () => {
    filled();
    const whole = readFileSync(path);
    for (let end = 0; end <= whole.length; end++) {
      writeFileSync(path, whole);
      truncateSync(path, end);
      const journal = new ImportJournal(path, WHO);
      expect([-1, 7]).toContain(journal.position('x', 0));
      journal.write([{ at: ['x', 5, 1] }]);
      journal.close();
      expect(new ImportJournal(path, WHO).position('x', 5), `${end} bytes`).toBe(1);
    }
  });

  test('forgets the documents of an index that is created again, and all by a restart', () => {
    filled();
    const journal = new ImportJournal(path, WHO);
    journal.write([{ index: { ...INDEX, targetUuid: 'other' } }]);
    expect([journal.position('x', 0), journal.refused.size, journal.aliased.size]).toEqual([
      -1, 0, 0,
    ]);
    expect(journal.bytesOf('f')).toBe(12);
    journal.write([{ restart: true }]);
    expect([journal.bytesOf('f'), journal.indexes.size]).toEqual([0, 0]);
    journal.close();
  });

  test('of another import is refused, and lines of no meaning are left out', () => {
    filled();
    expect(() => new ImportJournal(path, { ...WHO, to: 'c' })).toThrow('of another import');
    appendFileSync(path, 'null\n7\n{"at":["x",0,9]}\n{"a\n');
    expect(new ImportJournal(path, WHO).position('x', 0)).toBe(9);
  });
});
