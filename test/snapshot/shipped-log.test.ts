// The shipper over a data folder that the test writes, with a clock of its own: what it keeps, what
// it gives up, and what it does when files of the log are gone.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderStore } from '../../src/snapshot/folder-store.ts';
import { LogShipper } from '../../src/snapshot/log/shipper.ts';

const HOUR = 3_600_000;
const HEADER_BYTES = 64;
let root: string;
let now: number;
let position: bigint;
let dataDir: string;
let files: { readonly number: number; readonly start: bigint; bytes: Buffer }[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quarry-shipper-'));
  dataDir = join(root, 'data');
  for (const folder of ['wal', 'indices/1/0'])
    mkdirSync(join(dataDir, folder), { recursive: true });
  writeFileSync(join(dataDir, 'NODE'), 'node');
  writeFileSync(join(dataDir, 'indices/1/META'), '{"uuid":"u","spec":{}}\n01234567');
  manifest('first');
  now = Date.UTC(2026, 10, 1);
  position = 0n;
  files = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The manifest of the one shard, with the one segment that it names. */
function manifest(name: string): void {
  const folder = join(dataDir, 'indices/1/0');
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  writeFileSync(join(folder, 'MANIFEST'), name);
  writeFileSync(join(folder, `seg-${name.length}.data`), name);
}

/** Appends a frame to the last file of the log, or to a new one. */
function write(text: string, isNew = files.length === 0): void {
  const last = files.at(-1);
  if (isNew || last === undefined) {
    const number = (last?.number ?? 0) + 1;
    const header = Buffer.alloc(HEADER_BYTES);
    header.write('QUARRYWL', 'latin1');
    header.writeBigUInt64LE(position, 16);
    files.push({ number, start: position, bytes: header });
  }
  const file = files.at(-1);
  if (file === undefined) return;
  file.bytes = Buffer.concat([file.bytes, Buffer.from(text)]);
  writeFileSync(walPath(file.number), file.bytes);
  position += BigInt(text.length);
  const bounds = Buffer.alloc(24);
  bounds.writeUInt32LE(files[0]?.number ?? 1, 12);
  bounds.writeUInt32LE(file.number, 16);
  writeFileSync(join(dataDir, 'wal.files'), bounds);
}

function walPath(number: number): string {
  return join(dataDir, 'wal', `${String(number).padStart(10, '0')}.log`);
}

/** What a flush of the engine does: no file of the log is needed any more. */
function removeLog(): void {
  for (const { number } of files) rmSync(walPath(number), { force: true });
}

interface More {
  readonly heldBytes?: number;
  readonly keepHours?: number;
  readonly pace?: () => Promise<void>;
}

function shipper(more: More = {}): LogShipper {
  return new LogShipper({
    dataDir,
    store: new FolderStore(join(root, 'place')),
    durable: async () => position,
    nowMs: () => now,
    pace: more.pace ?? (async () => {}),
    baseMs: 24 * HOUR,
    baseLogBytes: 1024 * 1024,
    keepMs: () => (more.keepHours ?? 48) * HOUR,
    heldBytes: () => more.heldBytes ?? 1024 * 1024,
  });
}

/** Files below a folder of the one history. */
function placeHas(folder: string): readonly string[] {
  const [id = ''] = readdirSync(join(root, 'place', 'log'));
  return readdirSync(join(root, 'place', 'log', id, folder)).toSorted();
}

test('moments older than what is kept are removed, with the files that only they need', async () => {
  const one = shipper();
  for (let day = 0; day < 6; day++) {
    manifest(`of day ${'x'.repeat(day)}`);
    write(`log of day ${day};`, true);
    removeLog();
    await one.tick();
    now += HOUR;
    write('more;');
    await one.tick();
    now += 25 * HOUR;
  }
  await one.close();
  const marks = placeHas('marks');
  // The newest base that is older than what is kept, and everything since.
  const days = marks.map((name) => name.slice(0, 10));
  expect([...new Set(days)]).toEqual(['2026-11-04', '2026-11-05', '2026-11-06']);
  expect(placeHas('segments').length).toBeLessThan(6);
  expect(placeHas('wal').some((name) => name.startsWith('1-'))).toBe(false);
});

test('an interval without a write writes no mark', async () => {
  const one = shipper();
  write('a;');
  await one.tick();
  const before = placeHas('marks');
  now += HOUR;
  expect(await one.tick()).toMatchObject({ moment: now, bytes: 0, hasGap: false });
  expect(placeHas('marks')).toEqual(before);
  await one.close();
});

test('files of the log that the engine removes are shipped nevertheless', async () => {
  const one = shipper();
  write('a;');
  await one.tick();
  write('b;', true);
  await one.hold();
  removeLog();
  now += 1;
  expect((await one.tick()).hasGap).toBe(false);
  expect(placeHas('wal')).toContain('2-2-4');
  expect(readdirSync(join(dataDir, 'wal.held'))).toHaveLength(1);
  await one.close();
});

test('a file that was gone before it was held begins a new copy', async () => {
  const one = shipper();
  write('a;');
  await one.tick();
  write('b;', true);
  removeLog();
  now += 1;
  expect((await one.tick()).hasGap).toBe(true);
  now += 1;
  expect(await one.tick()).toMatchObject({ moment: now, hasGap: false });
  expect(placeHas('marks').filter((name) => name.includes('-base'))).toHaveLength(2);
  await one.close();
});

test('a base during which a file of the log is lost is no moment', async () => {
  write('a;');
  let isFirst = true;
  const one = shipper({
    pace: async () => {
      if (!isFirst) return;
      isFirst = false;
      write('b;', true);
      removeLog();
    },
  });
  expect(await one.tick()).toMatchObject({ moment: undefined, hasGap: true });
  now += 1;
  expect(await one.tick()).toMatchObject({ moment: now, hasGap: false });
  expect(placeHas('marks')).toHaveLength(1);
  await one.close();
});

test('log that waits too long is given up for a new copy', async () => {
  const one = shipper({ heldBytes: 1000 });
  write('a;');
  await one.tick();
  write('b'.repeat(2000), true);
  await one.hold();
  removeLog();
  now += 1;
  expect((await one.tick()).hasGap).toBe(true);
  now += 1;
  expect((await one.tick()).moment).toBe(now);
  await one.close();
});

test('a later process goes on where the earlier one was, and another writer is found', async () => {
  const one = shipper();
  write('a;');
  await one.tick();
  const two = shipper();
  write('b;');
  now += 1;
  await two.tick();
  expect(readdirSync(join(root, 'place', 'log'))).toHaveLength(1);
  expect(placeHas('wal')).toContain('1-2-4');
  now += 1;
  await expect(one.tick()).rejects.toThrow(/another process ships/);
  await Promise.all([one.close(), two.close()]);
});
