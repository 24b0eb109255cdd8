// Authentication: valid and invalid spellings of a key, expiry, revocation, changes of the file.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Privilege } from '../../src/auth/grant.ts';
import { changeKeys, readKeys } from '../../src/auth/key-file.ts';
import { type Credentials, keyText, makeKey } from '../../src/auth/key-record.ts';
import { KeyRing } from '../../src/auth/key-ring.ts';

const READ: readonly Privilege[] = ['read'];
let folder: string;
let path: string;
let now: number;
let errors: string[];
let ring: KeyRing;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-ring-'));
  path = join(folder, 'keys.json');
  now = 1_000_000;
  errors = [];
  ring = new KeyRing({
    path,
    nowMs: () => now,
    onError: (error) => errors.push(error.message),
    onRefusal: () => {},
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function add(name: string, more: { readonly expires?: number } = {}): Promise<Credentials> {
  const { record, credentials } = await makeKey(
    { name, indices: ['a*'], privileges: READ, ...more },
    now,
  );
  await changeKeys(path, (all) => [...all, record]);
  return credentials;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const admit = (header?: string) => ring.authenticate(header, '/x');

describe('a key', () => {
  test.each<[string, (key: string, shown: Credentials) => string]>([
    ['Bearer', (key) => `Bearer ${key}`],
    ['ApiKey', (key) => `ApiKey ${key}`],
    ['in small letters', (key) => `bearer ${key}`],
    ['in capitals', (key) => `APIKEY ${key}`],
    ['id and key', (key, { id }) => `ApiKey ${base64(`${id}:${key}`)}`],
    ['id and secret', (_key, { id, secret }) => `ApiKey ${base64(`${id}:${secret}`)}`],
    ['Basic', (key, { id }) => `Basic ${base64(`${id}:${key}`)}`],
  ])('is good as %s', async (_name, header) => {
    const shown = await add('us');
    expect((await admit(header(keyText(shown), shown))).name).toBe('us');
    expect((await admit(header(keyText(shown), shown))).name).toBe('us');
  });

  test.each<[string, (key: string, shown: Credentials) => string | undefined]>([
    ['none', () => undefined],
    ['nothing', () => ''],
    ['a scheme alone', () => 'Bearer'],
    ['a scheme and a space', () => 'ApiKey '],
    ['no scheme', (key) => key],
    ['an unknown scheme', (key) => `Token ${key}`],
    ['two keys', (key) => `Bearer ${key} ${key}`],
    ['a list', (key) => `Bearer ${key}, Bearer ${key}`],
    ['cut short', (key) => `Bearer ${key.slice(0, -1)}`],
    ['too long', (key) => `Bearer ${key}x`],
    [
      'its last letter changed',
      (key) => `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
    ],
    ['its first letter changed', (key) => `Bearer ${key.replace(/_([^_])/g, '_0')}`],
    ['in capitals', (key) => `Bearer ${key.toUpperCase()}`],
    ['the id alone', (_key, { id }) => `ApiKey ${id}`],
    ['the secret alone', (_key, { secret }) => `ApiKey ${secret}`],
    ['another id', (_key, { secret }) => `ApiKey qk_0123456789abcdef_${secret}`],
    ['the id of another in front', (key) => `ApiKey ${base64(`0123456789abcdef:${key}`)}`],
    ['base64 of nothing', () => `ApiKey ${base64(':')}`],
    ['base64 without a colon', (key) => `ApiKey ${base64(key)}`],
    ['no base64', (key, { id }) => `ApiKey ${id}:${key}`],
    ['a password', () => `Basic ${base64('elastic:changeme')}`],
    ['a name of the prototype', (_key, { secret }) => `ApiKey ${base64(`__proto__:${secret}`)}`],
    ['a NUL', (key) => `Bearer ${key}\0`],
    ['a very long one', () => `Bearer ${'a'.repeat(10_000)}`],
  ])('is refused as %s', async (_name, header) => {
    const shown = await add('us');
    for (let time = 0; time < 2; time++) {
      await expect(admit(header(keyText(shown), shown))).rejects.toMatchObject({
        type: 'security_exception',
        status: 401,
        headers: { 'WWW-Authenticate': expect.stringContaining('ApiKey') },
      });
    }
  });

  test('is refused with a good neighbour’s secret, before and after both were verified', async () => {
    const [one, two] = [await add('one'), await add('two')];
    const mixed = `Bearer ${keyText({ id: one.id, secret: two.secret })}`;
    await expect(admit(mixed)).rejects.toMatchObject({ status: 401 });
    expect((await admit(`Bearer ${keyText(one)}`)).name).toBe('one');
    expect((await admit(`Bearer ${keyText(two)}`)).name).toBe('two');
    await expect(admit(mixed)).rejects.toMatchObject({ status: 401 });
  });

  test('ends when its time is over', async () => {
    const shown = await add('us', { expires: now + 500 });
    const header = `Bearer ${keyText(shown)}`;
    expect((await admit(header)).name).toBe('us');
    now += 500;
    await expect(admit(header)).rejects.toMatchObject({ status: 401 });
  });

  test('that is revoked is refused within a second, others go on', async () => {
    const [one, two] = [await add('one'), await add('two')];
    const header = `Bearer ${keyText(one)}`;
    const before = await admit(`Bearer ${keyText(two)}`);
    await admit(header);
    await changeKeys(path, (all) =>
      all.map((record) => (record.id === one.id ? { ...record, revoked: now } : record)),
    );
    now += 1000;
    await expect(admit(header)).rejects.toMatchObject({ status: 401 });
    expect(await admit(`Bearer ${keyText(two)}`)).toBe(before);
  });

  test('that is new is good at once, also for many who show it together', async () => {
    await ring.reload();
    const late = await add('late');
    expect((await admit(`Bearer ${keyText(late)}`)).name).toBe('late');
    const later = await add('later');
    const all = Array.from({ length: 20 }, () => admit(`Bearer ${keyText(later)}`));
    expect((await Promise.all(all)).map(({ name }) => name)).toEqual(Array(20).fill('later'));
  });

  test('is verified once for all who show it at the same time', async () => {
    const shown = await add('us');
    const all = Array.from({ length: 500 }, () => admit(`Bearer ${keyText(shown)}`));
    expect(new Set(await Promise.all(all)).size).toBe(1);
  });

  test('that is guessed many times at once takes its turn, and then is turned away', async () => {
    const shown = await add('us');
    const wrong = (i: number) => String(i).padStart(43, 'x');
    const tried = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) =>
        admit(`Bearer ${keyText({ id: shown.id, secret: wrong(i) })}`),
      ),
    );
    const statuses = tried.map((one) => one.status === 'rejected' && one.reason.status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await admit(`Bearer ${keyText(shown)}`)).name).toBe('us');
  });
});

describe('a grant', () => {
  test('is of single names that a pattern matches', async () => {
    const { access, all } = await admit(`Bearer ${keyText(await add('us'))}`);
    const allowed = ['a', 'a1', 'b', '', '*', 'a*', 'a1,b1', 'A1', ' a1', '-a1', '.a'].filter(
      (name) => access.allows(name),
    );
    expect(allowed).toEqual(['a', 'a1']);
    expect(all).toBe(false);
    expect(access.refusal('b')).toMatchObject({ type: 'security_exception', status: 403 });
  });
});

describe('the file', () => {
  test('holds a salted hash and is its owner’s alone', async () => {
    const [one, two] = [await add('one'), await add('two')];
    const text = readFileSync(path, 'utf8');
    for (const { secret } of [one, two]) expect(text).not.toContain(secret);
    const [a, b] = await readKeys(path);
    expect(a?.secret.salt).not.toBe(b?.secret.salt);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('that is damaged changes nothing, and says so', async () => {
    const shown = await add('us');
    await admit(`Bearer ${keyText(shown)}`);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"a*"', '"**"'));
    await ring.reload();
    expect(errors).toEqual([expect.stringContaining('does not match its checksum')]);
    const { access } = await admit(`Bearer ${keyText(shown)}`);
    expect(access.allows('b')).toBe(false);
  });

  test('is changed by one at a time', async () => {
    const records = await Promise.all(
      Array.from({ length: 5 }, async (_, i) =>
        makeKey({ name: `k${i}`, indices: ['*'], privileges: READ }, 1),
      ),
    );
    const done = await Promise.allSettled(
      records.map(({ record }) => changeKeys(path, (all) => [...all, record])),
    );
    const kept = await readKeys(path);
    expect(kept.length).toBe(done.filter(({ status }) => status === 'fulfilled').length);
    for (const one of done) {
      if (one.status === 'rejected')
        expect(one.reason.message).toContain('another process is changing');
    }
  });

  test('that is not there holds no key', async () => {
    await ring.reload();
    expect([ring.size, errors]).toEqual([0, []]);
  });
});
