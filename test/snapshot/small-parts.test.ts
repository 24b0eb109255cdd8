// Small parts of snapshots: names, sizes, throttling, renaming, selection, locations, bodies.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { KeyedQueue } from '../../src/base/keyed-queue.ts';
import { loadAddon, NativeErrors } from '../../src/native/addon.ts';
import { readRestoreBody, readSnapshotBody } from '../../src/snapshot/bodies.ts';
import { choose } from '../../src/snapshot/choose.ts';
import { checkLocation } from '../../src/snapshot/location.ts';
import { checkRepositoryName, checkSnapshotName } from '../../src/snapshot/names.ts';
import { Pace } from '../../src/snapshot/pace.ts';
import { renamer } from '../../src/snapshot/rename.ts';
import { readRepositoryBody } from '../../src/snapshot/repository-body.ts';
import { AT_ONCE, sideBySide } from '../../src/snapshot/side-by-side.ts';

const addon = loadAddon();
const errors = new NativeErrors(addon);
const rename = (...requested: Parameters<typeof addon.rename>) => {
  try {
    return addon.rename(...requested);
  } catch (thrown) {
    throw errors.fromThrown(thrown);
  }
};

describe('names', () => {
  test.each(['a', 'my-repo_1', '.x', 'Ü'])('[%s] names a repository', (name) => {
    expect(() => checkRepositoryName(name)).not.toThrow();
  });
  test.each([
    '',
    'a b',
    'a,b',
    'a*',
    'a/b',
    'a\\b',
    'a#b',
    '..',
    'x'.repeat(256),
    'a\u0000',
  ])('[%s] names none', (name) => {
    expect(() => checkRepositoryName(name)).toThrow(`[${name}]`);
  });
  test.each([
    ['', 'cannot be empty'],
    ['A', 'must be lowercase'],
    ['_a', "must not start with '_'"],
    ['a b', 'must not contain whitespace'],
    ['a,b', "must not contain ','"],
    ['a#b', "must not contain '#'"],
    ['a?b', 'must not contain the following characters'],
    ['x'.repeat(256), 'is longer than 255 bytes'],
  ])('[%s] names no snapshot: %s', (name, why) => {
    expect(() => checkSnapshotName('r', name)).toThrow(
      `[r:${name}] Invalid snapshot name [${name}], ${why}`,
    );
  });
});

describe('pace', () => {
  const never = new AbortController().signal;
  function paced(limit: number) {
    let now = 0;
    const pace = new Pace({
      bytesPerSecond: () => limit,
      now: () => now,
      pause: async (ms) => {
        now += ms;
      },
    });
    return { pace, now: () => now, rest: (ms: number) => (now += ms) };
  }

  test('holds a copy to its limit, whatever the size of the pieces', async () => {
    const { pace, now } = paced(1000);
    for (const bytes of [100, 900, 1, 999, 3000]) await pace.take(bytes, never);
    expect(now()).toBeCloseTo(4900, 5);
  });
  test('a rest saves up a tenth of a second and no more', async () => {
    const { pace, now, rest } = paced(1000);
    await pace.take(1000, never);
    rest(60_000);
    const before = now();
    await pace.take(1000, never);
    expect(now() - before).toBeCloseTo(900, 5);
  });
  test('without a limit nothing waits', async () => {
    const { pace, now } = paced(0);
    await pace.take(1e12, never);
    expect(now()).toBe(0);
  });
});

describe('renaming', () => {
  test.each([
    ['(.+)', 'x_$1', 'a', 'x_a'],
    ['a', 'bb', 'banana', 'bbbnbbnbb'],
    ['^logs-(?<day>.*)$', 'old-$' + '{day}', 'logs-7', 'old-7'],
    ['.*', '$0!', 'a', 'a!!'],
    ['a', '\\$1', 'a', '$1'],
    ['(a)(b)?', '[$2$1]', 'a', '[a]'],
    ['nothing', 'x', 'a', 'a'],
  ])('%s to %s makes %s %s', (pattern, replacement, name, expected) => {
    expect(renamer(pattern, replacement, rename)(name)).toBe(expected);
  });
  test('a pattern that is none is refused', () => {
    expect(() => renamer('(', 'x', rename)).toThrow('[rename_pattern] Invalid regular expression');
    expect(() => renamer('(a)\\1', 'x', rename)).toThrow('[rename_pattern]');
  });
  test('a replacement that names no group is refused', () => {
    expect(() => renamer('(a)', '$2', rename)).toThrow('the pattern has no such group');
    expect(() => renamer('a', '$&', rename)).toThrow('[$] must be followed by a group');
  });
  test('a pattern that backtracks elsewhere takes steps in proportion to the name', () => {
    const name = `${'a'.repeat(200)}b`;
    expect(renamer('^(a+)+$', 'x', rename)(name)).toBe(name);
  });
  test('all names of a restore share their steps', () => {
    const renamed = renamer(`(${'a?'.repeat(400)})+b`, 'x', rename);
    const names = (): void => {
      for (let i = 0; i < 1000; i++) renamed('a'.repeat(200));
    };
    expect(names).toThrow(/takes more than the \[\d+\] steps/);
  });
});

describe('choosing', () => {
  const names = ['a', 'ab', 'b', '.hid'];
  const missing: string[] = [];
  const chosen = (...tokens: string[]): readonly string[] =>
    choose(names, tokens, (name) => missing.push(name));
  test.each([
    [[], names],
    [['_all'], names],
    [['*'], names],
    [['a*'], ['a', 'ab']],
    [
      ['b', 'a'],
      ['a', 'b'],
    ],
    [['a*', '-ab'], ['a']],
    [['-a*'], ['b', '.hid']],
    [['z*'], []],
  ])('%o means %o', (tokens, expected) => {
    expect(chosen(...tokens)).toEqual(expected);
  });
  test('names that are missing are told', () => {
    expect(chosen('a', 'nope')).toEqual(['a']);
    expect(missing).toEqual(['nope']);
  });
});

describe('locations', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-location-')));
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-elsewhere-')));
  mkdirSync(join(root, 'inside'));
  symlinkSync(join(root, 'inside'), join(root, 'link-in'));
  symlinkSync(other, join(root, 'link-out'));
  symlinkSync(join(other, 'not-yet'), join(root, 'link-nowhere'));
  symlinkSync(join(root, 'loop'), join(root, 'loop'));
  writeFileSync(join(root, 'file'), '');
  afterAll(() => {
    rmSync(root, { recursive: true });
    rmSync(other, { recursive: true });
  });
  test.each([
    ['x', join(root, 'x')],
    ['./x/../y', join(root, 'y')],
    [root, root],
    [join(root, 'not/yet'), join(root, 'not/yet')],
    ['link-in/x', join(root, 'inside/x')],
  ])('%s lies inside', async (location, expected) => {
    expect(await checkLocation('r', location, [root])).toBe(expected);
  });
  test.each([
    '..',
    '../x',
    '/etc',
    'x/../../y',
    `${root}-beside`,
    'link-out',
    'link-out/x',
    'link-nowhere',
    'link-nowhere/x',
    join(root, 'link-out', 'a', 'b'),
    'a\0b',
  ])('%s does not', async (location) => {
    await expect(checkLocation('r', location, [root])).rejects.toThrow(
      "doesn't match any of the folders of [snapshot.path]",
    );
  });
  test.each([
    'file/x',
    'loop',
    'loop/x',
    `${'x'.repeat(300)}/y`,
  ])('%s can be no folder', async (location) => {
    await expect(checkLocation('r', location, [root])).rejects.toThrow('cannot be a folder');
  });
  test('a second folder is as good', async () => {
    expect(await checkLocation('r', other, [root, other])).toBe(other);
  });
  test('the folders of the data are not for repositories', async () => {
    for (const location of ['.', 'indices', 'indices/7', 'wal/x']) {
      await expect(checkLocation('r', location, [root], root)).rejects.toThrow('the data itself');
    }
    expect(await checkLocation('r', 'backup', [root], root)).toBe(join(root, 'backup'));
  });
  test('without a folder the setting is named', async () => {
    await expect(checkLocation('r', '/x', [])).rejects.toThrow('--snapshot.path=FOLDER');
  });
});

describe('bodies', () => {
  test('settings of a repository are kept as they were given', () => {
    const settings = { location: 'x', readonly: 'true', max_snapshot_bytes_per_sec: '1mb' };
    expect(readRepositoryBody('r', { type: 'fs', settings })).toEqual({
      place: { type: 'fs', location: 'x' },
      readonly: true,
      snapshotRate: 1048576,
      restoreRate: undefined,
      maxSnapshots: 500,
      printed: settings,
    });
  });
  test('a snapshot is of everything unless it says what', () => {
    expect(readSnapshotBody({})).toEqual({
      indices: undefined,
      ignoreUnavailable: false,
      expandWildcards: ['all'],
      includesGlobalState: true,
      partial: false,
      metadata: null,
    });
    expect(readSnapshotBody({ indices: 'a, b,', partial: 'true' })).toMatchObject({
      indices: ['a', 'b'],
      partial: true,
    });
  });
  test('a restore renames only by a pattern and a replacement', () => {
    expect(readRestoreBody({ rename_pattern: 'a' }, rename).rename('a')).toBe('a');
    const body = { rename_pattern: 'a', rename_replacement: 'b' };
    expect(readRestoreBody(body, rename).rename('a')).toBe('b');
    expect(readRestoreBody({}, rename).includesAliases).toBe(true);
  });
});

test('turns of one key follow each other, whatever becomes of them', async () => {
  const turns = new KeyedQueue();
  const order: string[] = [];
  const job =
    (name: string, fails = false) =>
    async () => {
      order.push(`${name} in`);
      await Promise.resolve();
      order.push(`${name} out`);
      if (fails) throw new Error(name);
    };
  const failing = turns.take('k', job('a', true));
  const second = turns.take('k', job('b'));
  await expect(failing).rejects.toThrow('a');
  await second;
  expect(order).toEqual(['a in', 'a out', 'b in', 'b out']);
});

test('a few at a time, in order, and none after a failure', async () => {
  let running = 0;
  let most = 0;
  const work = async (item: number): Promise<number> => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running -= 1;
    if (item === 20) throw new Error('twenty');
    return item * 2;
  };
  expect(await sideBySide([1, 2, 3, 4, 5, 6], work)).toEqual([2, 4, 6, 8, 10, 12]);
  expect(await sideBySide([], work)).toEqual([]);
  expect(most).toBe(AT_ONCE);
  const begun: number[] = [];
  const items = Array.from({ length: 100 }, (_, i) => i);
  const noted = (item: number): Promise<number> => {
    begun.push(item);
    return work(item);
  };
  await expect(sideBySide(items, noted)).rejects.toThrow('twenty');
  expect(running).toBe(0);
  expect(begun.length).toBeLessThan(20 + 2 * AT_ONCE);
});
