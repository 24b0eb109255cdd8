// A repository in a folder and in S3: files left by a crash at any step of a change are removed by
// the next change, and no file that a snapshot needs is ever removed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readChecked, writeChecked } from '../../src/base/durable-file.ts';
import { writeWhole } from '../../src/snapshot/blob-store.ts';
import {
  type IndexRecord,
  readIndexRecord,
  type SnapshotRecord,
} from '../../src/snapshot/records.ts';
import { Repository } from '../../src/snapshot/repository.ts';
import { type OpenPlace, PLACES, type TestPlace } from './places.ts';

const INDEX = 'I'.repeat(22);
const uuidOf = (letter: string): string => letter.repeat(22);

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
function steps(
  files: Repository,
  letter: string,
  keys: readonly string[],
): readonly (() => Promise<void>)[] {
  const uuid = uuidOf(letter);
  return [
    () => files.begin(uuid, [INDEX]),
    async () => void (await files.storedFiles(INDEX)),
    ...keys.map((key) => () => files.storeFile(INDEX, `${key}.data`, 4, bytes('data'))),
    () => files.storeFile(INDEX, `${uuid}-0.manifest`, 4, bytes('mani')),
    () => files.storeIndexRecord(uuid, INDEX, indexRecord(keys)),
    () => files.commit(snapshotRecord(letter)),
  ];
}

describe.each(PLACES)('in %s,', (_kind: string, openPlace: OpenPlace) => {
  let place: TestPlace;
  let files: Repository;
  beforeEach(async () => {
    place = await openPlace();
    files = new Repository('r', place.store);
    await files.create();
  });
  afterEach(() => place.close());

  async function make(letter: string, keys: readonly string[]): Promise<void> {
    for (const step of steps(files, letter, keys)) await step();
  }

  test('a snapshot that a crash cut short leaves nothing, at whatever step', async () => {
    await make('A', KEYS.slice(0, 2));
    const before = place.files();
    const count = steps(files, 'B', KEYS.slice(1)).length;
    for (let last = 1; last < count; last++) {
      for (const step of steps(files, 'B', KEYS.slice(1)).slice(0, last)) await step();
      for (const folder of [`indices/${INDEX}`, 'pending', 'snapshots']) {
        await place.leaveUnfinished(folder);
      }
      expect([...(await files.snapshots()).keys()]).toEqual(['A']);
      await files.recover();
      expect(place.files()).toEqual(before);
    }
  });

  test('a snapshot is whole after its last step', async () => {
    await make('A', KEYS);
    const before = place.files();
    await files.recover();
    expect(place.files()).toEqual(before);
    expect((await files.indexRecord(uuidOf('A'), INDEX)).files.length).toBe(4);
  });

  test('a deletion keeps what the others share', async () => {
    await make('A', KEYS.slice(0, 2));
    const before = place.files();
    await make('B', KEYS.slice(1));
    expect(await files.remove(snapshotRecord('B'))).toMatchObject({ files: 3 });
    expect(place.files()).toEqual(before);
    await files.remove(snapshotRecord('A'));
    expect(place.files()).toEqual([]);
    expect(await files.store.folders('indices')).toEqual([]);
  });

  test('a deletion that a crash cut short is finished by the next change', async () => {
    await make('A', KEYS.slice(0, 2));
    const before = place.files();
    await make('B', KEYS.slice(1));
    await files.begin(uuidOf('B'), [INDEX]);
    await files.store.remove('snapshots', [`${uuidOf('B')}.json`]);
    await files.recover();
    expect(place.files()).toEqual(before);
  });

  test('a deletion removes nothing while a record of another cannot be read', async () => {
    await make('A', KEYS);
    await make('B', KEYS);
    await put(`indices/${INDEX}/${uuidOf('A')}.json`, 'x');
    await expect(files.remove(snapshotRecord('B'))).rejects.toThrow('does not match its checksum');
    expect(place.files()).toContain(`indices/${INDEX}/${KEYS[0]}.data`);
  });

  test('a note of a change that cannot be read has everything looked through', async () => {
    await make('A', KEYS);
    const before = place.files();
    await put(`indices/${INDEX}/left.data`, 'x');
    await put(`pending/${uuidOf('C')}.json`, 'x');
    await files.recover();
    expect(place.files()).toEqual(before);
  });

  test('cleaning up counts what it removes', async () => {
    await make('A', KEYS);
    expect(await files.cleanUp()).toEqual({ files: 0, bytes: 0 });
    await put(`indices/${INDEX}/left.data`, 'four');
    expect(await files.cleanUp()).toEqual({ files: 1, bytes: 4 });
  });

  test('a file that ends early or late is refused', async () => {
    for (const length of [3, 5]) {
      await expect(files.storeFile(INDEX, 'x.data', length, bytes('four'))).rejects.toThrow(
        `a file of [${length}] bytes ended after [4]`,
      );
    }
  });

  test('verifying leaves nothing', async () => {
    await files.verify('p');
    expect(place.files()).toEqual([]);
  });

  function put(path: string, text: string): Promise<void> {
    return writeWhole(place.store, path, Buffer.from(text));
  }
});

test('what is read is what was written, digits included, and no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-checked-'));
  const path = join(folder, 'x');
  const value = { a: 9007199254740993n, b: [1.5, null, 'é'] };
  await writeChecked(path, value);
  expect(await readChecked(path)).toEqual(value);
  for (const text of ['', '\n', '{}', '{}\n', '{}\nabc\n']) {
    writeFileSync(path, text);
    await expect(readChecked(path)).rejects.toThrow('checksum');
  }
  rmSync(folder, { recursive: true });
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
