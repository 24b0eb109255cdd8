// Files in S3: what is written is what is read, whatever single request fails; answers that make no
// sense end in errors that say so; and snapshots are complete or absent at whatever request the
// server stops to answer.
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BlobStore,
  readWhole,
  StoreError,
  writeWhole,
} from '../../src/snapshot/blob-store.ts';
import { Pace } from '../../src/snapshot/pace.ts';
import { Repository } from '../../src/snapshot/repository.ts';
import { runRestore } from '../../src/snapshot/restore-run.ts';
import type { S3Store } from '../../src/snapshot/s3/s3-store.ts';
import { SnapshotRun } from '../../src/snapshot/snapshot-run.ts';
import { failure, good, type StubAnswer, type StubRequest } from '../tools/s3-stub.ts';
import { FakeCopies } from './fake-copies.ts';
import { openBucket, openFolder } from './places.ts';

const MIB = 1024 * 1024;
const PART = 64 * 1024;
let place: Awaited<ReturnType<typeof openBucket>>;
let store: S3Store;
let pauses: number[];
beforeEach(async () => {
  pauses = [];
  place = await openBucket({ partBytes: PART, maxPages: 20, pause: (ms) => pauses.push(ms) });
  store = place.store;
});
afterEach(() => place.close());

async function* piecesOf(bytes: Buffer, length = 5000): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Bytes that differ in every place. */
function patterned(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) * 7) & 255));
}

const wrong: StubAnswer = failure(500, 'InternalError');

describe('files', () => {
  test('are the same in S3 as in a folder, after any changes', async () => {
    const folder = await openFolder();
    const names = fc.constantFrom('a', 'b.data', 'c~1', 'indices', 'x y+z%2F');
    const folders = fc.constantFrom('', 'snapshots', 'indices/one', 'indices/two');
    const step = fc.oneof(
      fc.record({ folder: folders, name: names, bytes: fc.uint8Array({ maxLength: 40 }) }),
      fc.record({ folder: folders, remove: fc.array(names, { maxLength: 3 }) }),
    );
    const look = async (one: BlobStore) => {
      const found: unknown[] = [];
      for (const at of ['', 'snapshots', 'indices', 'indices/one', 'indices/two', 'none']) {
        const files = [...(await one.list(at))].sort((a, b) => (a.name < b.name ? -1 : 1));
        const contents: unknown[] = [];
        for (const { name, bytes } of files) {
          const path = at === '' ? name : `${at}/${name}`;
          const middle = await one.read(path, 1, 3);
          contents.push(name, bytes, (await readWhole(one, path))?.toString('hex'));
          contents.push(Buffer.from(middle?.bytes ?? []).toString('hex'), middle?.total);
        }
        found.push(at, contents);
      }
      return [found, await one.read('none/x', 0, 1), await one.read('none', 0, 1)];
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        place.stub.objects.clear();
        const other = await openFolder();
        for (const one of [store, other.store]) {
          for (const change of steps) {
            const at = change.folder === '' ? '' : `${change.folder}/`;
            if ('remove' in change) {
              const names = change.remove.filter((name) => at !== '' || name !== 'indices');
              await one.remove(change.folder, names);
            } else if (at !== '' || change.name !== 'indices') {
              await writeWhole(one, at + change.name, change.bytes);
            }
          }
        }
        expect(await look(store)).toEqual(await look(other.store));
        await other.close();
      }),
      { numRuns: 25 },
    );
    await folder.close();
  });

  test.each([
    0,
    1,
    PART - 1,
    PART,
    PART + 1,
    2 * PART,
    2 * PART + 3,
  ])('of %d bytes are read as they were written', async (length) => {
    const bytes = patterned(length);
    await store.write('indices/x/f', length, piecesOf(bytes));
    expect((await readWhole(store, 'indices/x/f'))?.equals(bytes)).toBe(true);
    expect(await store.list('indices/x')).toEqual([{ name: 'f', bytes: length }]);
    const parts = place.stub.log.filter((line) => line.includes('partNumber')).length;
    expect(parts).toBe(length > PART ? Math.ceil(length / PART) : 0);
    expect(place.stub.uploads.size).toBe(0);
  });

  test('are listed over all pages, without what is not directly in the folder', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, '0')}`);
    for (const name of [...names, 'below/g', 'below/h'])
      place.stub.objects.set(`nightly/one/indices/${name}`, Buffer.from(name));
    place.stub.objects.set('nightly/one/indices/', Buffer.alloc(0));
    place.stub.objects.set('nightly/one/indices2/other', Buffer.alloc(0));
    place.stub.pageSize = 3;
    expect((await store.list('indices')).map(({ name }) => name)).toEqual(names);
    expect(await store.folders('indices')).toEqual(['below']);
  });
});

describe('a request that fails', () => {
  /** Everything that a store does, once each. */
  const everything = async (): Promise<unknown> => {
    const bytes = patterned(3 * PART - 1);
    await store.write('indices/x/large', bytes.length, piecesOf(bytes));
    await writeWhole(store, 'indices/x/small', Buffer.from('small'));
    await store.remove('indices/x', ['none']);
    const uploads = await store.removeUnfinished('indices/x');
    const back = await readWhole(store, 'indices/x/large');
    return [
      await store.list('indices/x'),
      await store.folders('indices'),
      uploads,
      back?.equals(bytes),
    ];
  };

  test('once is repeated, whichever it is and however it fails', async () => {
    const expected = await everything();
    const requests = place.stub.log.length;
    expect(requests).toBeGreaterThan(8);
    for (const fault of [
      'cut',
      'lose',
      wrong,
      failure(503, 'SlowDown'),
      failure(429, ''),
    ] as const) {
      for (let failing = 1; failing <= requests; failing++) {
        place.stub.calm();
        place.stub.objects.clear();
        place.stub.uploads.clear();
        place.stub.fault = (number) => (number === failing ? fault : undefined);
        const result = (await everything()) as unknown[];
        // A repeated beginning of an upload leaves one that is found later.
        expect([result[0], result[1], result[3]], `${failing}`).toEqual(
          [0, 1, 3].map((i) => (expected as unknown[])[i]),
        );
        expect(place.stub.uploads.size).toBe(0);
      }
    }
  }, 120_000);

  test('is repeated four times, later each time, and then told with its place', async () => {
    place.stub.fault = () => failure(503, 'SlowDown');
    const error = await writeWhole(store, 'pending/x', Buffer.from('x')).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StoreError);
    expect(error.fault).toBe('unavailable');
    expect(error.message).toBe(
      `S3 failed to do [PUT pending/x] of [${store.location}]: it answered [503 SlowDown]: as the test wants (after 5 attempts)`,
    );
    expect(place.stub.log.length).toBe(5);
    expect(pauses).toEqual([150, 300, 600, 1200]);
  });

  test('waits as long as the server wants, if that is not long', async () => {
    const early = failure(503, 'SlowDown', { 'retry-after': '7' });
    place.stub.fault = (number) => (number === 1 ? early : undefined);
    await writeWhole(store, 'x', Buffer.from('x'));
    expect(pauses).toEqual([7000]);
    place.stub.calm();
    place.stub.fault = () => failure(503, 'SlowDown', { 'retry-after': '3600' });
    await expect(writeWhole(store, 'x', Buffer.from('x'))).rejects.toThrow('503 SlowDown');
    expect(place.stub.log.length).toBe(1);
  });

  test.each([
    [failure(403, 'AccessDenied'), '[403 AccessDenied]'],
    [
      failure(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-9', location: 'http://x/' }),
      'in region [eu-9]',
    ],
    [failure(400, 'InvalidRequest\n{"level":50}'), '[400 InvalidRequest {"level":50}]'],
    [failure(501, 'NotImplemented'), '[501 NotImplemented]'],
  ])('for good is not repeated: %#', async (answer, why) => {
    place.stub.fault = () => answer;
    const error = await writeWhole(store, 'x', Buffer.from('x')).catch((thrown) => thrown);
    expect(error).toMatchObject({ fault: 'settings', message: expect.stringContaining(why) });
    expect(place.stub.log.length).toBe(1);
  });

  test('is not sent to where a redirect leads', async () => {
    const elsewhere = failure(307, 'TemporaryRedirect', {
      location: `${place.stub.endpoint}/other`,
    });
    place.stub.fault = (number) => (number === 1 ? elsewhere : undefined);
    await expect(writeWhole(store, 'x', Buffer.from('x'))).rejects.toThrow('TemporaryRedirect');
    expect(place.stub.log.length).toBe(1);
  });
});

describe('an answer that makes no sense', () => {
  const entry = (key: string, size = '1') =>
    `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`;
  const page = (items: string, more = '<IsTruncated>false</IsTruncated>') =>
    good(`<ListBucketResult>${more}${items}</ListBucketResult>`);

  test.each([
    ['', 'is not one element'],
    ['no xml', 'has text outside of its element'],
    ['<ListBucketResult><IsTruncated>false', 'has no end of'],
    ['<a/><b/>', 'is not one element'],
    [`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, 'is nested more than'],
    ['<html></html>', 'S3 answered [html], expected [ListBucketResult]'],
    ['<ListBucketResult></ListBucketResult>', 'without [IsTruncated]'],
    [
      '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>&e;</Key><Size>1</Size></Contents></ListBucketResult>',
      'not well-formed',
    ],
  ])('as a list is refused: %#', async (text, why) => {
    place.stub.fault = () => good(text);
    const error = await store.list('snapshots').catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'StoreError', fault: 'answer' });
    expect(error.message).toContain(why);
  });

  test.each([
    [entry('other/x'), 'not directly below'],
    [entry('nightly/one/snapshots/../x'), 'not directly below'],
    [entry('nightly/one/snapshots/..'), 'not directly below'],
    [entry('nightly/one/snapshots/a/b'), 'not directly below'],
    [entry('nightly/one/snapshots/a', '-1'), 'no number of bytes'],
    [entry('nightly/one/snapshots/a', '1e9'), 'no number of bytes'],
    ['<Contents><Key>nightly/one/snapshots/a</Key></Contents>', 'without [Size]'],
  ])('as an entry of a list is refused: %#', async (item, why) => {
    place.stub.fault = () => page(item);
    await expect(store.list('snapshots')).rejects.toThrow(why);
  });

  test('as a list without end is given up', async () => {
    const endless = (token: string) =>
      page(
        '',
        `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`,
      );
    place.stub.fault = () => endless('same');
    await expect(store.list('snapshots')).rejects.toThrow('the same page of a list again');
    place.stub.fault = (number) => endless(String(number));
    await expect(store.list('snapshots')).rejects.toThrow('did not end after [20] pages');
  });

  test('as a page of any size is cut off', async () => {
    place.stub.fault = () => good('x'.repeat(17 * MIB));
    await expect(store.list('snapshots')).rejects.toThrow('answered more than [16777216] bytes');
    place.stub.fault = () => ({ ...failure(403, 'x'), body: Buffer.alloc(17 * MIB) });
    await expect(store.list('snapshots')).rejects.toThrow('it answered [403]');
  });

  test.each([
    [206, 'bytes 1-4/9', 'abcd'],
    [206, 'bytes 0-3/9', 'abc'],
    [206, 'bytes 0-2/9', 'abc'],
    [206, '', 'abcd'],
    [206, 'bytes 0-3/2', 'abcd'],
    [416, 'bytes */9', ''],
    [204, '', ''],
  ])('as a range is refused: %d [%s]', async (status, range, text) => {
    place.stub.fault = () => ({
      status,
      headers: range === '' ? {} : { 'content-range': range },
      body: Buffer.from(text),
    });
    await expect(store.read('x', 0, 4)).rejects.toMatchObject({ fault: 'answer' });
  });

  test('as a file that is longer than the range is cut off', async () => {
    place.stub.fault = () => good('abcde');
    await expect(store.read('x', 0, 4)).rejects.toThrow('answered more than [4] bytes');
    expect((await store.read('x', 0, 5))?.total).toBe(5);
  });

  test('as a record of any size is refused before it is read', async () => {
    place.stub.fault = (_number, { headers }) => {
      const length = Number(/-(\d+)$/.exec(String(headers['range']))?.[1]) + 1;
      return {
        status: 206,
        headers: { 'content-range': `bytes 0-${length - 1}/900000000000` },
        body: Buffer.alloc(length),
      };
    };
    await expect(readWhole(store, 'x')).rejects.toThrow('it has [900000000000] bytes, more than');
    expect(place.stub.log.length).toBe(1);
  });

  test('while a large file is written ends the upload', async () => {
    const bytes = patterned(3 * PART - 1);
    const write = () => store.write('indices/x/f', bytes.length, piecesOf(bytes));
    const answers: readonly [(request: StubRequest) => boolean, StubAnswer, string][] = [
      [({ query }) => query.has('uploads'), good('<a/>'), 'S3 answered [a], expected [Initiate'],
      [({ query }) => query.has('partNumber'), good(''), 'answered no [ETag]'],
      [({ method, query }) => method === 'POST' && query.has('uploadId'), good(''), 'XML'],
      [
        ({ method, query }) => method === 'POST' && query.has('uploadId'),
        { ...failure(200, 'InternalError') },
        'could not complete the upload of [indices/x/f]: [InternalError]',
      ],
    ];
    for (const [matches, answer, why] of answers) {
      place.stub.fault = (_number, request) => (matches(request) ? answer : undefined);
      await expect(write()).rejects.toThrow(why);
      expect(place.stub.objects.size).toBe(0);
      place.stub.calm();
      await store.removeUnfinished('indices/x');
      expect(place.stub.uploads.size).toBe(0);
    }
  });
});

describe('a snapshot', () => {
  const uuidOf = (letter: string): string => letter.repeat(22);
  const pace = new Pace({ bytesPerSecond: () => 0, now: () => 0, pause: async () => {} });
  const large = 'L'.repeat(3 * PART - 1);
  let repository: Repository;
  let copies: FakeCopies;
  beforeEach(async () => {
    repository = new Repository('r', store);
    copies = new FakeCopies();
    copies.indices.set('a', {
      uuid: uuidOf('a'),
      shards: 1,
      files: { '0/seg-1.data': 'alpha', '0/seg-2.vec': large, '0/MANIFEST': 'ma' },
    });
    await planned('S').run();
    copies.indices.set('a', {
      uuid: uuidOf('a'),
      shards: 1,
      files: { '0/seg-1.data': 'alpha', '0/seg-3.vec': `M${large}`, '0/MANIFEST': 'mb' },
    });
    place.stub.calm();
  });

  function planned(name: string): SnapshotRun {
    const plan = {
      name,
      uuid: uuidOf(name),
      version: '0.1.0',
      indices: [{ name: 'a', uuid: uuidOf('a'), shards: 1 }],
      partial: false,
      metadata: null,
      includesGlobalState: false,
      globalState: {},
    };
    return new SnapshotRun(plan, {
      repository,
      copies,
      pace,
      nowMs: () => 7,
      nodeId: 'node',
      reserveBytes: 1e15,
    });
  }

  test('copies only what is new', async () => {
    const record = await planned('T').run();
    expect(record.indices[0]?.counts).toMatchObject([{ files: 2, newFiles: 1 }]);
    const written = place.stub.log.filter((line) => line.startsWith('PUT'));
    expect(written.filter((line) => line.includes('.data'))).toEqual([]);
  });

  test('is complete or absent when S3 stops to answer at any request, and leaves nothing', async () => {
    const before = place.files();
    await planned('T').run();
    const requests = place.stub.log.length;
    const after = place.files();
    await repository.remove((await repository.snapshots()).get('T') ?? expect.fail());
    expect(place.files()).toEqual(before);
    for (const fault of ['cut', 'lose', wrong] as const) {
      for (let first = 1; first <= requests; first++) {
        place.stub.calm();
        place.stub.fault = (number) => (number >= first ? fault : undefined);
        const failed = await planned('T')
          .run()
          .then(
            () => false,
            () => true,
          );
        place.stub.calm();
        const present = [...(await repository.snapshots()).keys()];
        await repository.recover();
        // If only the answer to the publishing write was lost, the snapshot is complete.
        const complete = present.includes('T');
        expect(failed || complete).toBe(true);
        expect(place.files(), `${fault} from request ${first}`).toEqual(complete ? after : before);
        if (complete) {
          await repository.remove((await repository.snapshots()).get('T') ?? expect.fail());
        }
      }
    }
  }, 120_000);

  test('is restored, and a file that S3 changes is named', async () => {
    const record = (await repository.snapshots()).get('S') ?? expect.fail();
    const restore = async () =>
      runRestore(
        record.uuid,
        '[r:S]',
        [
          {
            uuid: uuidOf('a'),
            record: await repository.indexRecord(record.uuid, uuidOf('a')),
            restore: {
              name: 'new',
              description: {},
              settings: {},
              ignoredSettings: [],
              renameAlias: null,
            },
          },
        ],
        {
          repository,
          copies,
          pace,
          signal: new AbortController().signal,
          verified: async () => {},
        },
      );
    const change = (end: string) => {
      place.stub.rewrite = ({ key }, answer) => {
        if (!key.endsWith(end)) return;
        answer.body = Buffer.from(answer.body);
        answer.body[0] = (answer.body[0] ?? 0) ^ 1;
      };
    };
    change('.manifest');
    await expect(restore()).rejects.toThrow('-0.manifest] does not match its checksum');
    change('.data');
    await expect(restore()).rejects.toThrow('[seg-1.data] of shard [0] of index [a]');
    change('.json');
    await expect(restore()).rejects.toThrow('it does not match its checksum');
    place.stub.calm();
    const [vectors] = place.stub.keys().filter((key) => key.endsWith('.vec'));
    const whole = place.stub.objects.get(vectors ?? '');
    place.stub.objects.delete(vectors ?? '');
    await expect(restore()).rejects.toThrow('.vec] is missing');
    place.stub.objects.set(vectors ?? '', Buffer.from('short'));
    await expect(restore()).rejects.toThrow('has [5] bytes, expected [196607]');
    expect(copies.restored.size).toBe(0);
    place.stub.objects.set(vectors ?? '', whole ?? Buffer.alloc(0));
    await restore();
    expect([...copies.restored.keys()]).toEqual(['new']);
    expect(copies.folders.size).toBe(0);
  });
});
