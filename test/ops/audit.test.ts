// The audit log as a file: complete lines in order, reopened on request, bounded if the disk is too
// slow.
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type AuditEntry, FileAudit } from '../../src/ops/audit.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENTRY: AuditEntry = {
  event: 'request',
  outcome: 'denied',
  key: { id: 'k', name: 'a\n"name' },
  method: 'GET',
  route: '/:index/_search',
  index: 'b',
  status: 403,
};

function lines(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function open(name: string, errors: string[] = []): Promise<[FileAudit, string]> {
  const path = join(folder, name);
  const onError = (error: Error): number => errors.push(error.message);
  return [await FileAudit.open({ path, nowMs: () => 0, onError }), path];
}

test('is a line for each entry, in order, readable by its owner alone', async () => {
  const [audit, path] = await open('a.log');
  for (let i = 0; i < 100; i++) audit.write({ ...ENTRY, status: i });
  await audit.close();
  const all = lines(path);
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(all[0]).toEqual({ time: '1970-01-01T00:00:00.000Z', ...ENTRY, status: 0 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('goes on in a new file when the old one was moved away', async () => {
  const [audit, path] = await open('b.log');
  audit.write({ ...ENTRY, index: 'before' });
  await audit.reopen();
  renameSync(path, `${path}.1`);
  await audit.reopen();
  audit.write({ ...ENTRY, index: 'after' });
  await audit.close();
  expect(lines(`${path}.1`).map(({ index }) => index)).toEqual(['before']);
  expect(lines(path).map(({ index }) => index)).toEqual(['after']);
});

test('loses lines rather than memory, and tells how many', async () => {
  const [audit, path] = await open('c.log');
  for (let i = 0; i < 10_005; i++) audit.write(ENTRY);
  await audit.reopen();
  audit.write(ENTRY);
  await audit.close();
  const all = lines(path);
  expect(all).toHaveLength(10_001);
  expect(all.at(-1)?.['lost_before']).toBe(5);
});

test('a file that cannot be opened again leaves the old one', async () => {
  const errors: string[] = [];
  const [audit, path] = await open('d.log', errors);
  renameSync(path, `${path}.old`);
  rmSync(folder, { recursive: true });
  await audit.reopen();
  audit.write(ENTRY);
  await audit.close();
  expect(errors).toEqual([expect.stringContaining('ENOENT')]);
});

test('a file that cannot be opened at all is refused', async () => {
  await expect(open('missing/folder/x.log')).rejects.toMatchObject({ code: 'ENOENT' });
});
