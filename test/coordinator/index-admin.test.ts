// Changes of indexes over an engine with manual responses.
import { describe, expect, test, vi } from 'vitest';
import type { FilledCopy, JsonObject } from '../../src/backend/index.ts';
import { IndexAdmin } from '../../src/coordinator/admin/index-admin.ts';
import { LocalTemplates } from '../../src/coordinator/admin/index-templates.ts';
import { templateFile } from '../../src/coordinator/admin/template-store.ts';
import {
  Catalog,
  type CatalogChange,
  readEntry,
  readIndex,
} from '../../src/coordinator/catalog/catalog.ts';
import { CatalogChanges } from '../../src/coordinator/catalog/catalog-change.ts';
import { QuarryError } from '../../src/errors.ts';
import { description, FakePool } from './fake-pool.ts';

interface EngineChange {
  readonly create?: object;
  readonly spec?: object;
  readonly index?: number;
  readonly members?: object;
  readonly mappings?: object;
  readonly drop?: number;
}

function world(...indexes: string[]) {
  const catalog = new Catalog();
  for (const json of indexes) catalog.change([readIndex(json)], []);
  const stored = new Map<number, Record<string, unknown>>();
  for (const entry of catalog.indexes()) {
    const json = indexes.find((text) => readEntry(text).number === entry.number) ?? '{}';
    stored.set(entry.number, JSON.parse(json) as Record<string, unknown>);
  }
  let next = 100;
  const pool = new FakePool({
    createIndex: async ({ spec }) => {
      const number = next++;
      const made = { ...(JSON.parse(spec) as object), number, uuid: `uuid-${number}` };
      stored.set(number, made);
      return JSON.stringify(made);
    },
    changeIndexes: ({ changes }) => {
      const lines = (JSON.parse(changes) as EngineChange[]).flatMap((change) => {
        if (change.drop !== undefined) return [];
        const number = change.index ?? next++;
        const before = stored.get(number) ?? { number, uuid: `uuid-${number}` };
        const { create, spec, members, mappings } = change;
        const changed = {
          ...before,
          ...create,
          ...spec,
          ...members,
          ...(mappings ? { mappings } : {}),
        };
        stored.set(number, changed);
        return [`${JSON.stringify(changed)}\n`];
      });
      return lines.join('');
    },
    finishChanges: () => null,
    putMapping: ({ index, mappings }) => {
      const changed = { ...stored.get(index), mappings: JSON.parse(mappings) as object };
      stored.set(index, changed);
      return JSON.stringify(changed);
    },
    checkChange: ({ index, members, mappings }) => {
      if (mappings.includes('conflict') && index > 1) {
        throw new QuarryError('illegal_argument_exception', 'mapper cannot be changed');
      }
      const merged = mappings === '' ? {} : { mappings: JSON.parse(mappings) as object };
      const changes = members === '' ? {} : (JSON.parse(members) as object);
      return JSON.stringify({ ...stored.get(index), ...changes, ...merged });
    },
    putSpec: ({ index, members }) => {
      const changed = { ...stored.get(index), ...(JSON.parse(members) as object) };
      stored.set(index, changed);
      return JSON.stringify(changed);
    },
  });
  const rescheduled: string[] = [];
  const lost = new Map<number, string>();
  const admin = new IndexAdmin({
    templates: new LocalTemplates(
      templateFile('unused'),
      () => {},
      async () => {},
    ),
    catalog,
    changes: new CatalogChanges({
      catalog,
      tasks: pool,
      putOutOfService: (index, reason) => {
        lost.set(index, reason);
      },
    }),
    nowMs: () => 17,
    checkFilter: (filter) => {
      if ('bad' in filter) throw new QuarryError('parsing_exception', 'unknown query [bad]');
    },
    onSettings: (entry) => rescheduled.push(entry.name),
    rules: { checkDestructive: () => {}, checkAutoCreate: () => {}, checkShards: () => {} },
    completeMappings: (mappings) => mappings,
    checkRegistered: () => {},
    bodyOfNew: (name) => (name === 'known' ? { mappings: { dynamic: false } } : {}),
  });
  return { admin, catalog, pool, rescheduled, lost };
}

describe('creating an index', () => {
  test('stores what was asked for, and ignores extra keys', async () => {
    const { admin, pool, catalog } = world();
    await admin.create('a', {
      settings: { number_of_shards: 3 },
      mappings: { _meta: { big: 12345678901234567890n } },
      aliases: { one: { routing: 'r' } },
      extra: 1,
    });
    expect(pool.named('createIndex')[0]?.spec).toBe(
      '{"name":"a","number_of_shards":3,"creation_date":17,"analysis_version":4,"state":"open",' +
        '"settings":{"index":{"number_of_shards":"3"}},' +
        '"aliases":{"one":{"index_routing":"r","search_routing":"r"}},' +
        '"mappings":{"_meta":{"big":12345678901234567890}}}',
    );
    expect(catalog.index('a')).toMatchObject({ shards: 3, creationDate: 17, state: 'open' });
    expect(catalog.isAlias('one')).toBe(true);
  });

  test.each<[string, JsonObject, string]>([
    ['a', {}, 'index [a/uuid-a] already exists'],
    ['one', {}, 'Invalid index name [one], already exists as alias'],
    ['Bad', {}, 'must be lowercase'],
    ['b', { settings: 1 }, 'key [settings] must be an object'],
    ['b', { mappings: [] }, 'key [mappings] must be an object'],
    ['b', { aliases: { a: {} } }, 'an index or data stream exists with the same name'],
    ['b', { aliases: { b: {} } }, 'an index or data stream exists with the same name'],
    ['b', { aliases: { x: { filter: { bad: {} } } } }, 'unknown query [bad]'],
    ['b', { aliases: { one: { is_write_index: true } } }, 'more than one write index [a,b]'],
  ])('[%s] with %o is refused', async (name, body, reason) => {
    const { admin, pool } = world(
      description('a', 1, { aliases: { one: { is_write_index: true } } }),
    );
    await expect(admin.create(name, body)).rejects.toThrow(reason);
    expect(pool.calls).toEqual([]);
  });

  test('without aliases copies no table of those of others', async () => {
    const { admin, catalog } = world(description('a', 1, { aliases: { one: {} } }));
    const tables = vi.spyOn(catalog, 'aliasTables');
    await admin.create('b', {});
    expect(tables).not.toHaveBeenCalled();
    expect(catalog.alias('one')?.map(({ name }) => name)).toEqual(['a']);
    await admin.create('c', { aliases: { one: {} } });
    expect(tables).toHaveBeenCalled();
    expect(catalog.alias('one')?.map(({ name }) => name)).toEqual(['a', 'c']);
    await admin.drop('a', {});
    expect(catalog.alias('one')?.map(({ name }) => name)).toEqual(['c']);
    await admin.drop('b', {});
    await admin.drop('c', {});
    expect(catalog.isAlias('one')).toBe(false);
  });

  test('twice at once: one is made, one is refused', async () => {
    const { admin, pool } = world();
    const results = await Promise.allSettled([admin.create('a', {}), admin.create('a', {})]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(pool.named('createIndex')).toHaveLength(1);
  });

  test('by many writes at once makes it once', async () => {
    const { admin, pool } = world();
    await Promise.all([admin.autoCreate('a'), admin.autoCreate('a'), admin.autoCreate('a')]);
    await admin.autoCreate('a');
    expect(pool.named('createIndex')).toHaveLength(1);
  });

  test('gives what a write creates the body that goes with its name', async () => {
    const { admin, pool } = world();
    await admin.autoCreate('known');
    expect(pool.named('createIndex')[0]?.spec).toContain('"mappings":{"dynamic":false}');
  });
});

describe('dropping', () => {
  test('takes closed ones and patterns', async () => {
    const { admin, catalog } = world(
      description('a1', 1),
      description('a2', 2, { state: 'close' }),
      description('b', 3),
    );
    expect(await admin.drop('a*', {})).toEqual(['a1', 'a2']);
    expect(catalog.size).toBe(1);
  });

  test('never goes through an alias', async () => {
    const { admin } = world(description('a', 1, { aliases: { one: {} } }));
    await expect(admin.drop('one', {})).rejects.toThrow('matches an alias');
    expect(await admin.drop('on*', {})).toEqual([]);
  });

  test('all or nothing of a list that has an unknown name', async () => {
    const { admin, catalog } = world(description('a', 1));
    await expect(admin.drop('a,nope', {})).rejects.toThrow('no such index [nope]');
    expect(catalog.size).toBe(1);
  });
});

describe('settings', () => {
  test('reach the engine, the catalog and the schedule', async () => {
    const { admin, catalog, rescheduled } = world(description('a', 1));
    await admin.putSettings('a', { refresh_interval: '5s' }, {});
    expect(catalog.index('a')?.behaviour.refreshIntervalMs).toBe(5000);
    expect(rescheduled).toEqual(['a']);
  });

  test('of several indexes change all or none', async () => {
    const { admin, pool } = world(description('a', 1, { state: 'close' }), description('b', 2));
    await expect(admin.putSettings('a,b', { codec: 'default' }, {})).rejects.toThrow(
      "Can't update non dynamic settings [[index.codec]] for open indices [[b/uuid-b]]",
    );
    expect(pool.calls).toEqual([]);
  });

  test('an open index takes settings of closed ones in one step where that is asked for', async () => {
    const { admin, catalog, pool } = world(description('a', 1));
    await admin.putSettings('a', { codec: 'default' }, { reopen: true });
    expect(catalog.index('a')).toMatchObject({ state: 'open' });
    expect(catalog.index('a')?.settings.get('index.codec')).toBe('default');
    expect(pool.named('putSpec')).toHaveLength(1);
    await admin.putSettings('a', { refresh_interval: '5s' }, { reopen: true });
    expect(pool.named('putSpec')).toHaveLength(2);
  });

  test('a read-only index takes no aliases and is not closed', async () => {
    const { admin, pool } = world(
      description('a', 1, { settings: { index: { blocks: { read_only: 'true' } } } }),
    );
    const add = { add: { index: 'a', alias: 'b', properties: {} } };
    await expect(admin.updateAliases([add])).rejects.toThrow('FORBIDDEN/5');
    await expect(admin.updateAliases([{ removeIndex: { index: 'a' } }])).rejects.toThrow(
      'FORBIDDEN/5',
    );
    await expect(admin.setState('a', 'close', {})).rejects.toThrow('FORBIDDEN/5');
    expect(pool.calls).toEqual([]);
  });

  test('a read-only index takes only what lifts its blocks', async () => {
    const { admin, catalog } = world(
      description('a', 1, { settings: { index: { blocks: { read_only: 'true' } } } }),
    );
    await expect(admin.putSettings('a', { refresh_interval: '5s' }, {})).rejects.toThrow(
      'FORBIDDEN/5/index read-only (api)',
    );
    await admin.putSettings('a', { 'blocks.read_only': false }, {});
    expect(catalog.index('a')?.behaviour.blocks.size).toBe(0);
  });
});

test('closing and opening', async () => {
  const { admin, catalog } = world(description('a', 1), description('b', 2));
  expect(await admin.setState('a', 'close', {})).toEqual(['a']);
  expect(await admin.setState('a', 'close', {})).toEqual([]);
  expect(catalog.index('a')?.state).toBe('close');
  expect(await admin.setState('*', 'open', {})).toEqual(['a']);
  expect(catalog.index('a')?.state).toBe('open');
});

test('aliases swap at once', async () => {
  const { admin, catalog } = world(
    description('a', 1, { aliases: { now: {} } }),
    description('b', 2),
  );
  await admin.updateAliases([
    { remove: { index: 'a', alias: 'now' } },
    { add: { index: 'b', alias: 'now', properties: {} } },
  ]);
  expect(catalog.alias('now')?.map(({ name }) => name)).toEqual(['b']);
});

describe('a change of several indexes', () => {
  test('is one record, and one step that others are told of', async () => {
    const { admin, catalog, pool } = world(
      description('a', 1, { aliases: { now: {} } }),
      description('b', 2),
    );
    const reported: CatalogChange[] = [];
    catalog.watch((change) => reported.push(change));
    await admin.updateAliases([
      { removeIndex: { index: 'a' } },
      { add: { index: 'b', alias: 'a', properties: {} } },
    ]);
    const written = pool.calls.map(({ name }) => name).filter((name) => name !== 'checkChange');
    expect(written).toEqual(['changeIndexes', 'finishChanges']);
    expect(reported).toEqual([{ put: [expect.stringContaining('"name":"b"')], removed: ['a'] }]);
    expect(catalog.alias('a')?.map(({ name }) => name)).toEqual(['b']);
  });

  test('that cannot be dropped to the end is made all the same', async () => {
    const { admin, catalog, pool } = world(description('a', 1), description('b', 2));
    pool.fail('finishChanges', new QuarryError('store_exception', 'the disk is gone'));
    expect(await admin.drop('a,b', {})).toEqual(['a', 'b']);
    expect(catalog.size).toBe(0);
  });
});

describe('a rollover', () => {
  const rollover = { alias: 'w', from: 'a-1', to: 'a-2', body: {} };

  test.each([
    [{ is_write_index: true, index_routing: 'r' }, ['a-1', 'a-2']],
    [{ index_routing: 'r' }, ['a-2']],
  ])('of an alias with %o is one record, and leaves it on %j', async (properties, names) => {
    const { admin, catalog, pool } = world(description('a-1', 1, { aliases: { w: properties } }));
    expect(await admin.rollover(rollover)).toMatchObject({ name: 'a-2' });
    expect(pool.named('changeIndexes')).toHaveLength(1);
    expect(catalog.alias('w')?.map(({ name }) => name)).toEqual(names);
    expect(catalog.writeIndex('w')?.name).toBe('a-2');
    expect(catalog.index('a-2')?.aliases.get('w')).toMatchObject({ index_routing: 'r' });
  });

  test.each([
    ['the alias writes to another index by now', { from: 'other' }, 'was [other] and is [a-1]'],
    ['there is no such alias', { alias: 'x' }, 'was [a-1] and is none by now'],
    ['the new name is taken', { to: 'a-1' }, 'index [a-1/uuid-a-1] already exists'],
    ['the new name is an alias', { to: 'w' }, 'already exists as alias'],
    [
      'another new alias has the name of an index',
      { body: { aliases: { 'a-1': {} } } },
      'same name',
    ],
  ])('is refused when %s, and changes nothing', async (_when, requested, reason) => {
    const { admin, pool } = world(description('a-1', 1, { aliases: { w: {} } }));
    await expect(admin.rollover({ ...rollover, ...requested })).rejects.toThrow(reason);
    expect(pool.named('changeIndexes')).toEqual([]);
  });
});

describe('restored copies', () => {
  const copy = (name: string, aliases: JsonObject = {}): FilledCopy => ({
    target: { number: 9, folder: '' },
    restore: {
      name,
      description: { name, number_of_shards: 1, creation_date: 1, settings: {}, aliases },
      settings: {},
      ignoredSettings: [],
      renameAlias: (alias) => alias,
    },
  });

  test('of one request are one record, with the closed indexes that give way', async () => {
    const { admin, catalog, pool } = world(description('a', 1, { state: 'close' }));
    await admin.adopt([copy('a'), copy('b', { x: {} })]);
    const [recorded] = pool.named('changeIndexes');
    const kinds = (JSON.parse(recorded?.changes ?? '') as object[]).map(Object.keys);
    expect(kinds).toEqual([['drop'], ['restore', 'spec'], ['restore', 'spec']]);
    expect(catalog.isAlias('x')).toBe(true);
  });

  test('that cannot be there together are refused together', async () => {
    const { admin, pool } = world();
    const write = { w: { is_write_index: true } };
    await expect(admin.adopt([copy('a', write), copy('b', write)])).rejects.toThrow(
      'more than one write index [a,b]',
    );
    await expect(admin.adopt([copy('a', { b: {} }), copy('b')])).rejects.toThrow('already exists');
    await expect(admin.adopt([copy('b'), copy('a', { b: {} })])).rejects.toThrow('same name');
    expect(pool.calls).toEqual([]);
  });
});
