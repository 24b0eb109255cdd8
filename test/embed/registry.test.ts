// Registered endpoints on disk: preserved over a restart, consistent after a crash between any two
// steps, reported when damaged.
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
const second: Definition = { service: 'quarry', model: 'svc-lex-1', dims: 7 };

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
])('a damaged file is named, and stays as it is: %s', async (text, words) => {
  const path = join(folder, 'damaged.json');
  writeFileSync(path, text);
  const registry = await opened(path);
  const [damage] = registry.damaged();
  expect(damage).toMatchObject({ kind: 'file', name: 'damaged.json' });
  expect(damage?.reason).toContain(path);
  expect(damage?.reason).toContain(words);
  expect(() => registry.get('a')).toThrow(words);
  await expect(registry.put('a', second)).rejects.toThrow(words);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test.each([
  ['3', 'it is no object'],
  ['{"service":"x"}', 'Unknown service [x]'],
])('an endpoint that cannot be read is damaged alone: %s', async (body, words) => {
  const path = join(folder, 'one.json');
  const printed = '{"service":"quarry","service_settings":{}}';
  writeFileSync(path, `{"format":1,"endpoints":{"a":${body},"b":${printed}}}`);
  const registry = await opened(path);
  expect(registry.damaged()).toMatchObject([{ kind: 'inference endpoint', name: 'a' }]);
  expect(() => registry.get('a')).toThrow(words);
  expect(registry.get('b')).toMatchObject({ service: 'quarry' });
  await registry.put('c', second);
  expect((await opened(path)).damaged()).toHaveLength(1);
  await registry.remove('a');
  const again = await opened(path);
  expect([again.damaged(), again.entries().map(([id]) => id)]).toEqual([[], ['b', 'c']]);
});
