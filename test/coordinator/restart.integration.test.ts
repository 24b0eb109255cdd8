// Acknowledged state after a restart: documents, mappings, settings, aliases, versions.
import { afterAll, expect, test } from 'vitest';
import { loadAddon } from '../../src/native/addon.ts';
import {
  json,
  ndjson,
  openBackend,
  parsed,
  type RealBackend,
  removeFolder,
} from './real-backend.ts';

let real: RealBackend | undefined;
let folder = '';
afterAll(async () => {
  await real?.close();
  if (folder !== '') removeFolder(folder);
});

async function restart(): Promise<RealBackend> {
  await real?.close();
  real = await openBackend(folder === '' ? {} : { dataDir: folder });
  folder = real.dataDir;
  return real;
}

test('a restart keeps everything', async () => {
  const first = (await restart()).backend;
  await first.createIndex('keep', {
    settings: { number_of_shards: 2, refresh_interval: '7s' },
    mappings: { properties: { t: { type: 'text' } } },
    aliases: { kept: { is_write_index: true } },
  });
  await first.createIndex('gone', {});
  await first.deleteIndices('gone', {});
  await first.setState('keep', 'close', {});
  await first.setState('keep', 'open', {});
  const lines = Array.from({ length: 50 }, (_, i) => [
    { index: { _id: String(i) } },
    { t: `word ${i}`, extra: i },
  ]).flat();
  await first.bulk({ defaultIndex: 'kept', refresh: 'false', body: ndjson(...lines) });
  await first.write({ op: 'delete', index: 'keep', id: '7' }, { refresh: 'false' });

  const { backend, readiness } = await restart();
  expect(readiness.progress.shardsDone).toBe(readiness.progress.shardsTotal);
  const [keep] = backend.resolve('*', {});
  expect(keep).toMatchObject({
    name: 'keep',
    state: 'open',
    shards: 2,
    settings: { index: { refresh_interval: '7s' } },
    aliases: { kept: { is_write_index: true } },
    mappings: { properties: { extra: { type: 'long' } } },
  });
  expect(await backend.count({ index: 'kept', body: {} })).toMatchObject({ count: 49 });
  const found = await backend.get({ index: 'keep', id: '8', source: true });
  expect(parsed(found.source)).toEqual({ t: 'word 8', extra: 8 });

  const next = await backend.write(
    { op: 'index', index: 'keep', id: '8', source: json({ t: 'new' }) },
    { refresh: 'true' },
  );
  expect(next).toMatchObject({ version: 2n, seqNo: 51n });

  const again = (await restart()).backend;
  const result = await again.search({ index: 'keep', body: { query: { match: { t: 'new' } } } });
  expect(result.hits.map((hit) => hit.id)).toEqual(['8']);
});

test('settings from before they were refused are shown, and null takes them away', async () => {
  await restart();
  await real?.close();
  real = undefined;
  const addon = loadAddon();
  addon.open(folder, '{}');
  addon.createIndex(
    JSON.stringify({
      name: 'older',
      number_of_shards: 1,
      creation_date: 17,
      state: 'open',
      settings: {
        index: { lifecycle: { parse_origination_date: 'true' }, refresh_interval: '7s' },
      },
      aliases: {},
      mappings: {},
    }),
  );
  addon.close(1000);

  const { backend } = await restart();
  const settingsOf = () => backend.resolve('older', {})[0]?.settings['index'];
  expect(settingsOf()).toMatchObject({ lifecycle: { parse_origination_date: 'true' } });
  await backend.write(
    { op: 'index', index: 'older', id: '1', source: json({ t: 'x' }) },
    { refresh: 'true' },
  );
  await expect(
    backend.putSettings('older', { 'lifecycle.parse_origination_date': 'true' }, {}),
  ).rejects.toThrow('unknown value [true]');
  await backend.putSettings('older', { 'lifecycle.*': null }, {});
  expect(settingsOf()).not.toHaveProperty('lifecycle');
  expect(settingsOf()).toMatchObject({ refresh_interval: '7s' });
  expect(await backend.count({ index: 'older', body: {} })).toMatchObject({ count: 1 });
});
