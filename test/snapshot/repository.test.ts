// The folder of a repository: files left by a crash at any step of a change are removed by the next
// change, and no file that a snapshot needs is ever removed.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readChecked, writeChecked } from '../../src/base/durable-file.ts';
import {
  type IndexRecord,
  readIndexRecord,
  type SnapshotRecord,
} from '../../src/snapshot/records.ts';
import { Repository } from '../../src/snapshot/repository.ts';
import { filesBelow } from '../tools/repository.ts';

const INDEX = 'I'.repeat(22);
const uuidOf = (letter: string): string => letter.repeat(22);

let location: string;
let files: Repository;
beforeEach(async () => {
  location = mkdtempSync(join(tmpdir(), 'quarry-repository-'));
  files = new Repository('r', location);
  await files.create();
});
afterEach(() => rmSync(location, { recursive: true }));

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

function indexRecord(keys: readonly string[]): IndexRecord {
  const file = (key: string, i: number) => ({ shard: 0, name: `seg-${i + 1}.data`, key, bytes: 4 });
  return {
    format: 1,
    name: 'a',
    description: { number_of_shards: 1 },
    shards: 1,
    files: [...keys.map(file), { shard: 0, name: 'MANIFEST', key: '', bytes: 4 }],
    manifests: ['hash'],
  };
}

function snapshotRecord(letter: string): SnapshotRecord {
  const counts = [{ files: 1, bytes: 4, newFiles: 1, newBytes: 4 }];
  const none = { shards: 1, documents: 1, counts };
  return {
    format: 1,
    name: letter,
    uuid: uuidOf(letter),
    version: '0.1.0',
    state: 'SUCCESS',
    startMs: 1,
    endMs: 2,
    indices: [{ name: 'a', uuid: INDEX, ...none, startMs: 1, endMs: 2 }],
    shardsTotal: 1,
    failures: [],
    metadata: null,
    includesGlobalState: false,
    globalState: {},
  };
}

const KEYS = [
  '0123456789abcdef-01234567-4',
  'fedcba9876543210-01234567-4',
  '00000000aaaaaaaa-01234567-4',
];

/** The steps of a snapshot, in order; a crash may follow each. */
function steps(letter: string, keys: readonly string[]): readonly (() => Promise<void>)[] {
  const uuid = uuidOf(letter);
  return [
    () => files.begin(uuid, [INDEX]),
    async () => void (await files.storedFiles(INDEX)),
    ...keys.map((key) => () => files.store(INDEX, `${key}.data`, bytes('data'))),
    () => files.store(INDEX, `${uuid}-0.manifest`, bytes('mani')),
    () => files.storeIndexRecord(uuid, INDEX, indexRecord(keys)),
    () => files.commit(snapshotRecord(letter)),
  ];
}

async function make(letter: string, keys: readonly string[]): Promise<void> {
  for (const step of steps(letter, keys)) await step();
}

describe('a snapshot that a crash cut short', () => {
  test('leaves nothing, at whatever step', async () => {
    await make('A', KEYS.slice(0, 2));
    const before = filesBelow(location);
    const count = steps('B', KEYS.slice(1)).length;
    for (let last = 1; last < count; last++) {
      for (const step of steps('B', KEYS.slice(1)).slice(0, last)) await step();
      for (const folder of [join('indices', INDEX), 'pending', 'snapshots']) {
        writeFileSync(join(location, folder, 'half.tmp'), 'ha');
      }
      expect([...(await files.snapshots()).keys()]).toEqual(['A']);
      await files.recover();
      expect(filesBelow(location)).toEqual(before);
    }
  });

  test('is whole after its last step', async () => {
    await make('A', KEYS);
    const before = filesBelow(location);
    await files.recover();
    expect(filesBelow(location)).toEqual(before);
    expect((await files.indexRecord(uuidOf('A'), INDEX)).files.length).toBe(4);
  });
});

describe('a deletion', () => {
  test('keeps what the others share', async () => {
    await make('A', KEYS.slice(0, 2));
    const before = filesBelow(location);
    await make('B', KEYS.slice(1));
    expect(await files.remove(snapshotRecord('B'))).toMatchObject({ files: 3 });
    expect(filesBelow(location)).toEqual(before);
    await files.remove(snapshotRecord('A'));
    expect(filesBelow(location)).toEqual([]);
    expect(existsSync(join(location, 'indices', INDEX))).toBe(false);
  });

  test('that a crash cut short is finished by the next change', async () => {
    await make('A', KEYS.slice(0, 2));
    const before = filesBelow(location);
    await make('B', KEYS.slice(1));
    await files.begin(uuidOf('B'), [INDEX]);
    rmSync(join(location, 'snapshots', `${uuidOf('B')}.json`));
    await files.recover();
    expect(filesBelow(location)).toEqual(before);
  });

  test('removes nothing while a record of another cannot be read', async () => {
    await make('A', KEYS);
    await make('B', KEYS);
    writeFileSync(join(location, 'indices', INDEX, `${uuidOf('A')}.json`), 'x');
    await expect(files.remove(snapshotRecord('B'))).rejects.toThrow('does not match its checksum');
    expect(existsSync(join(location, 'indices', INDEX, `${KEYS[0]}.data`))).toBe(true);
  });
});

test('a note of a change that cannot be read has everything looked through', async () => {
  await make('A', KEYS);
  const before = filesBelow(location);
  writeFileSync(join(location, 'indices', INDEX, 'left.data'), 'x');
  writeFileSync(join(location, 'pending', `${uuidOf('C')}.json`), 'x');
  await files.recover();
  expect(filesBelow(location)).toEqual(before);
});

test('cleaning up counts what it removes', async () => {
  await make('A', KEYS);
  expect(await files.cleanUp()).toEqual({ files: 0, bytes: 0 });
  writeFileSync(join(location, 'indices', INDEX, 'left.data'), 'four');
  expect(await files.cleanUp()).toEqual({ files: 1, bytes: 4 });
});

test('what is read is what was written, digits included, and no other', async () => {
  const path = join(location, 'x');
  const value = { a: 9007199254740993n, b: [1.5, null, 'é'] };
  await writeChecked(path, value);
  expect(await readChecked(path)).toEqual(value);
  for (const text of ['', '\n', '{}', '{}\n', '{}\nabc\n']) {
    writeFileSync(path, text);
    await expect(readChecked(path)).rejects.toThrow('checksum');
  }
});

test.each([
  [{ name: '../../etc/passwd', key: KEYS[0] }],
  [{ name: 'seg-1.data', key: '../x' }],
  [{ name: 'seg-1.exe', key: KEYS[0] }],
  [{ name: 'seg-1.data', key: KEYS[0], shard: 7 }],
  [{ name: 'seg-1.data', key: KEYS[0], shard: -1 }],
  [{ name: 'seg-1.data', key: KEYS[0], bytes: '4' }],
])('a record that lists %o is refused', (file) => {
  const record = indexRecord([]);
  const files = [...record.files, { shard: 0, bytes: 4, ...file }];
  expect(() => readIndexRecord({ ...record, files })).toThrow('no file of a shard');
});

test('a record whose description has other shards is refused', () => {
  const record = { ...indexRecord([]), description: { number_of_shards: 2 } };
  expect(() => readIndexRecord(record)).toThrow('it counts shards in two ways');
});
