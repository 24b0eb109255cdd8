// Registered endpoints on disk: there after a restart, whole after a crash between any two steps, named when damaged.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Definition } from '../../src/embed/endpoint-body.ts';
import { EndpointRegistry } from '../../src/embed/registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-registry-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const first: Definition = {
  service: 'openai',
  endpoint: { url: 'http://localhost/embeddings', model: 'm', apiKeyEnv: 'K', dims: 3 },
};
const second: Definition = { service: 'quarry', dims: 7 };

async function opened(path: string): Promise<EndpointRegistry> {
  const registry = new EndpointRegistry(path);
  await registry.load();
  return registry;
}

test('what was put is there after a restart, what was removed is not', async () => {
  const path = join(folder, 'a.json');
  const registry = await opened(path);
  expect(registry.entries()).toEqual([]);
  await registry.put('z', first);
  await registry.put('b', second);
  await registry.put('gone', second);
  await registry.remove('gone');
  expect((await opened(path)).entries()).toEqual([
    ['b', second],
    ['z', first],
  ]);
  expect((await opened(path)).get('gone')).toBeUndefined();
});

test('a file that was half written when the process died is not looked at', async () => {
  const path = join(folder, 'b.json');
  await (await opened(path)).put('a', second);
  writeFileSync(`${path}.new`, '{"format":1,"endp');
  const registry = await opened(path);
  expect(registry.entries()).toEqual([['a', second]]);
  await registry.put('b', second);
  expect((await opened(path)).entries().length).toBe(2);
});

test('what cannot be written is not seen', async () => {
  const registry = await opened(join(folder, 'no', 'such', 'folder.json'));
  await expect(registry.put('a', second)).rejects.toMatchObject({ type: 'store_exception' });
  expect(registry.get('a')).toBeUndefined();
});

test.each([
  ['', 'JSON'],
  ['{"format":1,"endpoints":{"a":', 'JSON'],
  ['[]', 'it holds no object'],
  ['{"format":3,"endpoints":{}}', 'format [3], expected [2]'],
  ['{"format":2,"endpoints":{}}', 'does not match its checksum'],
  ['{"format":2,"sha256":"00","endpoints":{}}', 'does not match its checksum'],
  ['{"format":1}', 'no object [endpoints]'],
  ['{"format":1,"endpoints":{"a":3}}', 'endpoint [a] is no object'],
  ['{"format":1,"endpoints":{"a":{"service":"x"}}}', 'endpoint [a]: Unknown service [x]'],
])('a damaged file is named: %s', async (text, words) => {
  const path = join(folder, 'damaged.json');
  writeFileSync(path, text);
  const load = opened(path);
  await expect(load).rejects.toMatchObject({ type: 'corrupt_index_exception' });
  await expect(load).rejects.toThrowError(path);
  await expect(load).rejects.toThrowError(words);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
