// Snapshots and restores over indexes without an engine: any error at any time leaves the previous
// state.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { QuarryError } from '../../src/errors.ts';
import { Pace } from '../../src/snapshot/pace.ts';
import type { SnapshotRecord } from '../../src/snapshot/records.ts';
import { Repository } from '../../src/snapshot/repository.ts';
import { runRestore } from '../../src/snapshot/restore-run.ts';
import { type SnapshotPlan, SnapshotRun, snapshotFailed } from '../../src/snapshot/snapshot-run.ts';
import { FakeCopies } from './fake-copies.ts';
import { openFolder, type TestPlace } from './places.ts';

const uuidOf = (letter: string): string => letter.repeat(22);

let place: TestPlace;
let repository: Repository;
let copies: FakeCopies;
let reserveBytes = 0;
beforeEach(async () => {
  place = await openFolder();
  repository = new Repository('r', place.store);
  await repository.create();
  copies = new FakeCopies();
  copies.indices.set('a', {
    uuid: uuidOf('a'),
    shards: 2,
    files: {
      '0/seg-1.data': 'alpha',
      '0/MANIFEST': 'ma0',
      '1/seg-9.ids': 'beta',
      '1/MANIFEST': 'ma1',
    },
  });
  copies.indices.set('b', {
    uuid: uuidOf('b'),
    shards: 1,
    files: { '0/seg-1.data': 'gamma', '0/seg-2.vec': 'delta', '0/MANIFEST': 'mb0' },
  });
});
afterEach(() => place.close());

const pace = new Pace({ bytesPerSecond: () => 0, now: () => 0, pause: async () => {} });

function planned(name: string, more: Partial<SnapshotPlan> = {}): SnapshotRun {
  const indices = [...copies.indices].map(([index, { uuid, shards }]) => ({
    name: index,
    uuid,
    shards,
  }));
  const plan = {
    name,
    uuid: uuidOf(name),
    version: '0.1.0',
    indices,
    partial: false,
    metadata: null,
    includesGlobalState: false,
    globalState: {},
    ...more,
  };
  return new SnapshotRun(plan, {
    repository,
    copies,
    pace,
    nowMs: () => 7,
    nodeId: 'node',
    reserveBytes,
  });
}

function failingAt(point: string, error: Error): void {
  copies.trouble = (at) => {
    if (at === point) throw error;
  };
}

const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
});
const damaged = new QuarryError('corrupt_index_exception', 'segment [x] is damaged');

describe('a snapshot', () => {
  test('has what it copied, and nothing is held afterwards', async () => {
    const record = await planned('S').run();
    expect(record).toMatchObject({ state: 'SUCCESS', shardsTotal: 3, failures: [] });
    expect(record.indices[0]).toMatchObject({
      name: 'a',
      counts: [
        { files: 1, bytes: 5, newFiles: 1, newBytes: 5 },
        { files: 1, bytes: 4, newFiles: 1, newBytes: 4 },
      ],
    });
    expect([...(await repository.snapshots()).values()]).toEqual([record]);
    expect(copies.pinned.size).toBe(0);
    copies.read1.length = 0;
    const second = await planned('T').run();
    const fresh = second.indices.flatMap(({ counts }) => counts.map(({ newFiles }) => newFiles));
    expect(fresh).toEqual([0, 0, 0]);
    expect(copies.read1.sort()).toEqual(['0/MANIFEST', '0/MANIFEST', '1/MANIFEST']);
  });

  test.each([
    'pin a',
    'pin b',
    'read 0/seg-1.data',
    'read 1/seg-9.ids',
    'read 0/MANIFEST',
    'read 0/seg-2.vec',
  ])('that fails at "%s" is not there, and takes back what it wrote', async (point) => {
    await planned('S').run();
    const before = place.files();
    copies.indices.set('c', {
      uuid: uuidOf('c'),
      shards: 1,
      files: { '0/seg-1.data': 'new', '0/MANIFEST': 'm' },
    });
    for (const error of [noSpace, damaged]) {
      failingAt(point, error);
      for (const [name, index] of copies.indices) {
        const files = Object.fromEntries(
          Object.entries(index.files).map(([path, text]) => [path, `${text}!`]),
        );
        copies.indices.set(name, { ...index, files });
      }
      await expect(planned('T').run()).rejects.toBe(error);
      expect(place.files()).toEqual(before);
      expect(copies.pinned.size).toBe(0);
    }
  });

  test('does not begin a copy that leaves no room for the data', async () => {
    place.store.space = async () => ({ free: 1000, bytes: 16_000 });
    reserveBytes = 990;
    await planned('S').run();
    reserveBytes = 999;
    copies.indices.set('c', {
      uuid: uuidOf('c'),
      shards: 1,
      files: { '0/seg-1.data': 'new', '0/MANIFEST': 'm' },
    });
    copies.read1.length = 0;
    const before = place.files();
    await expect(planned('T').run()).rejects.toMatchObject({
      type: 'cluster_block_exception',
      message: expect.stringMatching(
        /has \[1000\] bytes free, the next index needs \[3\], and \[999\]/,
      ),
    });
    expect(copies.read1).not.toContain('0/seg-1.data');
    expect(place.files()).toEqual(before);
    // The reserve is smaller on a small disk.
    place.store.space = async () => ({ free: 1000, bytes: 1600 });
    await planned('U').run();
    reserveBytes = 0;
  });

  test('says that the disk is full', () => {
    expect(snapshotFailed('r', 's', noSpace).toCause()).toMatchObject({
      type: 'snapshot_exception',
      reason:
        '[r:s] failed, nothing of it was kept: there is no room on the disk: ENOSPC: no space left on device, write',
      caused_by: { type: 'cluster_block_exception' },
    });
  });

  test('leaves out what is damaged, and only that, when it may be partial', async () => {
    failingAt('pin a', damaged);
    const record = await planned('S', { partial: true }).run();
    expect(record.state).toBe('PARTIAL');
    expect(record.indices.map(({ name }) => name)).toEqual(['b']);
    expect(record.shardsTotal).toBe(3);
    expect(record.failures).toMatchObject([
      { index: 'a', shard_id: 0, reason: 'segment [x] is damaged' },
      { index: 'a', shard_id: 1 },
    ]);
    failingAt('read 0/seg-2.vec', noSpace);
    copies.indices.set('b', {
      uuid: uuidOf('b'),
      shards: 1,
      files: { '0/seg-2.vec': 'other', '0/MANIFEST': 'm' },
    });
    await expect(planned('T', { partial: true }).run()).rejects.toBe(noSpace);
  });

  test('does not mix two indexes of one name', async () => {
    const run = planned('S');
    copies.indices.set('a', { uuid: uuidOf('z'), shards: 1, files: { '0/MANIFEST': 'm' } });
    await expect(run.run()).rejects.toThrow('index [a] was deleted and made again');
    expect(place.files()).toEqual([]);
  });

  test('that is given up ends at the next piece', async () => {
    const run = planned('S');
    copies.trouble = (at) => {
      if (at === 'read 0/seg-1.data') run.abort('enough');
    };
    await expect(run.run()).rejects.toThrow('enough');
    expect(new Set(copies.read1)).toEqual(new Set(['0/seg-1.data']));
    expect(place.files()).toEqual([]);
  });
});

describe('a restore', () => {
  let record: SnapshotRecord;
  let calls: string[];
  const run = async (signal = new AbortController().signal): Promise<void> => {
    const items = await Promise.all(
      record.indices.map(async ({ uuid, name }) => ({
        uuid,
        record: await repository.indexRecord(record.uuid, uuid),
        restore: {
          name: `new-${name}`,
          description: {},
          settings: {},
          ignoredSettings: [],
          renameAlias: null,
        },
      })),
    );
    await runRestore(record.uuid, '[r:S]', items, {
      repository,
      copies,
      pace,
      signal,
      verified: async () => void calls.push(`verified, ${copies.restored.size} made`),
    });
  };
  beforeEach(async () => {
    record = await planned('S').run();
    calls = [];
  });

  test('makes the indexes once all are verified', async () => {
    await run();
    expect([...copies.restored.keys()]).toEqual(['new-a', 'new-b']);
    expect(calls).toEqual(['verified, 0 made']);
    expect(copies.folders.size).toBe(0);
  });

  test.each([
    'prepare',
    'verify',
    'finish new-a',
    'finish new-b',
  ])('that fails at "%s" leaves nothing', async (point) => {
    failingAt(point, noSpace);
    await expect(run()).rejects.toThrow(
      '[r:S] could not be restored, nothing was: there is no room',
    );
    expect(copies.restored.size).toBe(0);
    expect(copies.folders.size).toBe(0);
  });

  test('names the file in the repository that is damaged', async () => {
    const [path = ''] = place.files().filter((one) => one.endsWith('.ids'));
    const file = join(repository.location, path);
    writeFileSync(file, readFileSync(file, 'utf8').replace('b', 'B'));
    const error = await run().catch((thrown: unknown) => thrown as QuarryError);
    expect(error).toMatchObject({ type: 'snapshot_restore_exception', status: 500 });
    expect((error as QuarryError).message).toContain(
      `[${path}], [seg-9.ids] of shard [1] of index [a], is damaged`,
    );
    expect((error as QuarryError).causedBy?.type).toBe('corrupt_index_exception');
  });

  test('a refusal of the caller keeps its status', async () => {
    failingAt('finish new-a', new QuarryError('invalid_alias_name_exception', 'no'));
    await expect(run()).rejects.toMatchObject({
      type: 'invalid_alias_name_exception',
      status: 400,
    });
  });

  test('ends when the server stops', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(run(stop.signal)).rejects.toThrow('the server is stopping');
    expect(copies.folders.size).toBe(0);
  });
});
