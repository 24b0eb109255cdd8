// Index settings: all accepted spellings, invalid ones with their messages, updates, and the
// printed form.
import { describe, expect, test } from 'vitest';
import { SETTING_DEFAULTS } from '../../src/api/indices/setting-defaults.ts';
import type { JsonObject } from '../../src/backend/index.ts';
import {
  behaviourOf,
  createSettings,
  nest,
  printSettings,
  readSettings,
  type SettingsOwner,
  updateSettings,
} from '../../src/coordinator/catalog/settings.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';

const flat = (body: JsonObject): Record<string, unknown> =>
  Object.fromEntries(createSettings(body));

describe('settings of a new index', () => {
  test.each<[JsonObject]>([
    [{ number_of_shards: 2, refresh_interval: '5s' }],
    [{ index: { number_of_shards: 2, refresh_interval: '5s' } }],
    [{ 'index.number_of_shards': '2', index: { refresh_interval: '5s' } }],
    [{ number_of_shards: 2n, refresh_interval: '5s', routing: { allocation: { enable: 'all' } } }],
  ])('are the same however they are written: %o', (body) => {
    expect(flat(body)).toEqual({
      'index.number_of_shards': '2',
      'index.refresh_interval': '5s',
    });
  });

  test('are kept where they say what is so anyway', () => {
    const body = { codec: 'default', replication: { type: 'DOCUMENT' }, priority: 3, format: 6 };
    expect(flat({ ...body, 'queries.cache.enabled': true, mode: 'standard' })).toEqual({
      'index.codec': 'default',
      'index.format': '6',
      'index.mode': 'standard',
      'index.priority': '3',
      'index.queries.cache.enabled': 'true',
      'index.replication.type': 'DOCUMENT',
    });
  });

  test.each<[JsonObject]>([
    [{ codec: 'best_of_all' }],
    [{ 'mapping.source.mode': 'synthetic' }],
    [{ mode: 'time_series' }],
    [{ 'queries.cache.enabled': false }],
    [{ 'replication.type': 'segment' }],
    [{ 'shard.check_on_startup': 'true' }],
    [{ 'soft_deletes.enabled': false }],
  ])('are refused where they say what is not so: %o', (body) => {
    expect(() => createSettings(body)).toThrowError(/unknown value .* must be one of \[/);
  });

  test.each([
    ['codec', 'best_compression'],
    ['flush_after_merge', '512mb'],
    ['gc_deletes', '60s'],
    ['indexing.slowlog.threshold.index.warn', '10s'],
    ['load_fixed_bitset_filters_eagerly', 'true'],
    ['mapping.dimension_fields.limit', '16'],
    ['mapping.source.mode', 'stored'],
    ['max_adjacency_matrix_filters', '100'],
    ['max_refresh_listeners', '10'],
    ['merge.policy.max_merged_segment', '1gb'],
    ['merge.policy.segments_per_tier', '10.5'],
    ['merge.scheduler.max_thread_count', '1'],
    ['optimize_auto_generated_id', 'true'],
    ['search.idle.after', '30s'],
    ['search.slowlog.level', 'info'],
    ['soft_deletes.retention_lease.period', '12h'],
    ['store.preload', '*'],
    ['store.type', 'fs'],
    ['translog.flush_threshold_size', '512mb'],
    ['translog.generation_threshold_size', '64mb'],
    ['translog.sync_interval', '5s'],
    ['warmer.enabled', 'true'],
  ])('are kept and shown where they only tune: %s', (name, value) => {
    expect(flat({ [name]: value })).toEqual({ [`index.${name}`]: value });
  });

  test.each<[JsonObject, string]>([
    [{ 'translog.flush_threshold_size': 'much' }, 'as a size in bytes'],
    [{ gc_deletes: 'soon' }, 'as a time value'],
    [{ 'merge.policy.segments_per_tier': 1 }, 'must be a number >= 2'],
    [{ 'merge.scheduler.max_thread_count': 0 }, 'must be >= 1'],
  ])('are refused where they only tune and make no sense: %o', (body, reason) => {
    expect(() => createSettings(body)).toThrowError(reason);
  });

  test('keep the order of documents, which never changes', () => {
    const sort = { field: ['k', 'n'], order: 'desc,asc' };
    expect(flat({ sort })).toEqual({
      'index.sort.field': ['k', 'n'],
      'index.sort.order': 'desc,asc',
    });
    const owner = { name: 'a', uuid: 'u', state: 'close' as const, settings: new Map() };
    for (const name of ['sort.field', 'sort.order', 'sort.mode', 'sort.missing']) {
      expect(() => updateSettings(owner, { [name]: 'x' }, false)).toThrowError(
        `final a setting [index.${name}], not updateable`,
      );
      expect(SETTING_DEFAULTS).not.toHaveProperty([`index.${name}`]);
    }
    expect(() => createSettings({ 'sort.fields': 'k' })).toThrowError('unknown setting');
  });

  test('keep analysis as texts and lists of texts', () => {
    const body = {
      analysis: {
        analyzer: { mine: { tokenizer: 'standard', filter: ['lowercase', 'short'] } },
        filter: { short: { type: 'length', max: 5 } },
      },
    };
    expect(nest(createSettings(body))).toEqual({
      index: {
        analysis: {
          analyzer: { mine: { tokenizer: 'standard', filter: ['lowercase', 'short'] } },
          filter: { short: { type: 'length', max: '5' } },
        },
      },
    });
  });

  test('drop what the server makes itself, so that the output of GET creates', () => {
    const shown = printSettings(createSettings({ number_of_shards: 3 }), {
      name: 'a',
      uuid: 'u',
      creationDate: 17,
      shards: 3,
    });
    expect(flat(shown)).toEqual({
      'index.number_of_shards': '3',
      'index.number_of_replicas': '1',
    });
  });

  test.each<[JsonObject, string]>([
    [{ foo: 1 }, 'unknown setting [index.foo] please check that any required plugins'],
    [
      { number_of_shard: 1 },
      'unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?',
    ],
    [{ index: { __proto__x: 1 } }, 'unknown setting [index.__proto__x]'],
    [JSON.parse('{"analysis":{"__proto__":{"a":1}}}'), 'unknown setting [index.__proto__]'],
    [
      { number_of_shards: 0 },
      'Failed to parse value [0] for setting [index.number_of_shards] must be >= 1',
    ],
    [
      { number_of_shards: 1025 },
      'Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024',
    ],
    [{ number_of_shards: 1.5 }, 'Failed to parse value [1.5] for setting [index.number_of_shards]'],
    [{ number_of_shards: 'x' }, 'Failed to parse value [x] for setting [index.number_of_shards]'],
    [{ number_of_shards: [1] }, 'expected one value'],
    [{ number_of_replicas: -1 }, 'must be >= 0'],
    [
      { refresh_interval: '5' },
      'failed to parse setting [index.refresh_interval] with value [5] as a time value: unit is missing',
    ],
    [{ refresh_interval: '-2s' }, 'unit is missing or unrecognized'],
    [{ hidden: 'yes' }, 'Failed to parse value [yes]'],
    [{ max_result_window: 0 }, 'must be >= 1'],
    [{ default_pipeline: 'mine' }, 'must be one of [_none]'],
    [{ routing_partition_size: 2 }, 'must be <= 1'],
    [{ 'translog.durability': 'sometimes' }, 'must be one of [request, async]'],
    [{ auto_expand_replicas: 'many' }, 'failed to parse [index.auto_expand_replicas]'],
    [{ analysis: { filter: [{ a: 1 }] } }, 'must be a list of plain values'],
  ])('are refused: %o', (body, reason) => {
    expect(() => createSettings(body)).toThrowError(
      expect.objectContaining({
        type: 'illegal_argument_exception',
        message: expect.stringContaining(reason),
      }),
    );
  });
});

describe('a settings update', () => {
  const owner = (state: 'open' | 'close' = 'open'): SettingsOwner => ({
    name: 'a',
    uuid: 'u',
    state,
    settings: createSettings({ number_of_shards: 2, refresh_interval: '5s' }),
  });
  const updated = (body: JsonObject, preserve = false, state?: 'close'): Record<string, unknown> =>
    Object.fromEntries(updateSettings(owner(state), body, preserve));

  test.each<[JsonObject]>([
    [{ refresh_interval: '1s' }],
    [{ index: { refresh_interval: '1s' } }],
    [{ settings: { 'index.refresh_interval': '1s' } }],
  ])('takes %o', (body) => {
    expect(updated(body)['index.refresh_interval']).toBe('1s');
  });

  test('null means the default', () => {
    expect(updated({ refresh_interval: null })).toEqual({ 'index.number_of_shards': '2' });
  });

  test('widths of grams change at any time', () => {
    expect(updated({ max_ngram_diff: 3, max_shingle_diff: 5 })).toMatchObject({
      'index.max_ngram_diff': '3',
      'index.max_shingle_diff': '5',
    });
  });

  test('preserve_existing keeps what is set', () => {
    expect(updated({ refresh_interval: '1s', number_of_replicas: 0 }, true)).toMatchObject({
      'index.refresh_interval': '5s',
      'index.number_of_replicas': '0',
    });
  });

  test('static settings change while the index is closed', () => {
    expect(updated({ codec: 'default' }, false, 'close')['index.codec']).toBe('default');
  });

  test('null takes away what could not be set any more, in any state', () => {
    const settings = new Map([
      ['index.queries.cache.enabled', 'false'],
      ['index.priority', '3'],
      ['index.replication.type', 'segment'],
    ]);
    const resets = { 'queries.cache.enabled': null };
    for (const state of ['open', 'close'] as const) {
      const before = { name: 'a', uuid: 'u', state, settings };
      const after = updateSettings(before, { ...resets, 'replication.type': null }, false);
      expect([...after]).toEqual([['index.priority', '3']]);
    }
  });

  test.each<[JsonObject, 'open' | 'close', string]>([
    [{ codec: null }, 'open', "Can't update non dynamic settings [[index.codec]]"],
    [
      { number_of_shards: 3 },
      'open',
      "Can't update non dynamic settings [[index.number_of_shards]] for open indices [[a/u]]",
    ],
    [
      { codec: 'default' },
      'open',
      "Can't update non dynamic settings [[index.codec]] for open indices [[a/u]]",
    ],
    [{ number_of_shards: 3 }, 'close', 'final a setting [index.number_of_shards], not updateable'],
    [{ uuid: 'x' }, 'open', 'can not update private setting [index.uuid]'],
    [{ nope: 1 }, 'open', 'unknown setting [index.nope]'],
    [{ number_of_replicas: 'x' }, 'open', 'Failed to parse value [x]'],
    [{}, 'open', 'no settings to update'],
  ])('%o on an %s index is refused', (body, state, reason) => {
    expect(() => updateSettings(owner(state), body, false)).toThrowError(reason);
  });
});

describe('printed settings', () => {
  const facts = { name: 'a', uuid: 'u', creationDate: 17, shards: 1 };

  test('are texts and complete', () => {
    expect(printSettings(createSettings({}), facts)).toEqual({
      index: {
        number_of_shards: '1',
        number_of_replicas: '1',
        provided_name: 'a',
        creation_date: '17',
        uuid: 'u',
        version: { created: '8512000' },
      },
    });
  });

  test('a name that is leaf and parent keeps both', () => {
    const settings = readSettings({ analysis: { 'filter.a': 'x', 'filter.a.b': 'y' } });
    expect(nest(settings)).toEqual({
      index: { analysis: { filter: { a: 'x', 'a.b': 'y' } } },
    });
    expect(readSettings(nest(settings))).toEqual(settings);
  });
});

describe('behaviour', () => {
  test('has the documented defaults', () => {
    expect(behaviourOf(createSettings({}), false)).toEqual({
      hidden: false,
      slowQueries: { query: {}, fetch: {} },
      refreshIntervalMs: 1000,
      queryDefaults: { fields: ['*'], lenient: false },
      limits: DEFAULT_LIMITS,
      asyncDurability: false,
      requestCache: true,
      maxSlices: 1024,
      blocks: new Set(),
    });
  });

  test('follows the settings', () => {
    const settings = createSettings({
      hidden: true,
      refresh_interval: '-1',
      max_result_window: 5,
      max_docvalue_fields_search: 7,
      translog: { durability: 'ASYNC' },
      blocks: { write: true, read: false },
      query: { default_field: ['title^2', 'body'] },
      query_string: { lenient: true },
      requests: { cache: { enable: false } },
      max_slices_per_scroll: 9,
      'search.slowlog.threshold': {
        query: { warn: '10s', trace: '-1' },
        fetch: { info: '0ms' },
      },
    });
    expect(behaviourOf(settings, false)).toEqual({
      hidden: true,
      slowQueries: { query: { warn: 10_000, trace: -1 }, fetch: { info: 0 } },
      refreshIntervalMs: -1,
      queryDefaults: { fields: ['title^2', 'body'], lenient: true },
      limits: {
        resultWindow: 5,
        rescoreWindow: 5,
        innerResultWindow: 100,
        docvalueFields: 7,
        scriptFields: 32,
        topMetrics: 10,
        termsCount: 65_536,
        highlightOffset: 1_000_000,
        regexLength: 1000,
      },
      asyncDurability: true,
      requestCache: false,
      maxSlices: 9,
      blocks: new Set(['write']),
    });
  });
});
