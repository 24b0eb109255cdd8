import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, TemplateKind } from '../../src/backend/index.ts';
import { writeChecked } from '../../src/base/durable-file.ts';
import { wildcardMatch } from '../../src/base/wildcard.ts';
import { LocalTemplates } from '../../src/coordinator/admin/index-templates.ts';
import { type TemplateFile, templateFile } from '../../src/coordinator/admin/template-store.ts';
import { patternsOverlap } from '../../src/coordinator/catalog/pattern-overlap.ts';
import { QuarryError } from '../../src/errors.ts';

/** Rejects an index that has a field [bad]. */
async function refuseBad({ mappings = {}, settings = {} }: JsonObject): Promise<void> {
  if (JSON.stringify(mappings).includes('"bad"')) {
    throw new QuarryError('mapper_parsing_exception', 'Failed to parse mapping: bad');
  }
  if (JSON.stringify(settings).includes('"bad"')) {
    throw new QuarryError('illegal_argument_exception', 'bad analyzer');
  }
}

let folder: string;
let store: TemplateFile;
let templates: LocalTemplates;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-templates-'));
  store = templateFile(join(folder, 'templates.json'));
  templates = new LocalTemplates(store, () => {}, refuseBad);
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (kind: TemplateKind, name: string, body: JsonObject): Promise<void> =>
  templates.put(kind, name, body, false);
const shards = (count: number): JsonObject => ({ settings: { number_of_shards: count } });

describe('what a new index starts with', () => {
  test('is nothing where no pattern matches', async () => {
    await put('index', 'logs', { index_patterns: ['logs-*'], template: shards(2) });
    expect(templates.applied('books', { mappings: {} })).toEqual({ mappings: {} });
  });

  test('components in their order, then the template, then the request', async () => {
    const fields = (type: string, ...names: string[]): JsonObject => ({
      mappings: { properties: Object.fromEntries(names.map((name) => [name, { type }])) },
    });
    await put('component', 'one', {
      template: { ...shards(1), ...fields('long', 'a', 'b', 'c', 'd') },
    });
    await put('component', 'two', {
      template: { ...shards(2), ...fields('float', 'b', 'c', 'd') },
    });
    await put('index', 'logs', {
      index_patterns: 'logs-*',
      composed_of: ['one', 'two'],
      template: fields('keyword', 'c', 'd'),
    });
    const { settings, mappings } = templates.applied('logs-1', fields('text', 'd'));
    expect(settings).toEqual({ 'index.number_of_shards': '2' });
    expect(mappings).toEqual({
      properties: {
        a: { type: 'long' },
        b: { type: 'float' },
        c: { type: 'keyword' },
        d: { type: 'text' },
      },
    });
  });

  test('objects are merged field by field', async () => {
    const of = (name: string): JsonObject => ({
      properties: { who: { properties: { [name]: {} } } },
    });
    await put('index', 'logs', { index_patterns: ['logs'], template: { mappings: of('first') } });
    expect(templates.applied('logs', { mappings: of('last') })['mappings']).toEqual({
      properties: { who: { properties: { first: {}, last: {} } } },
    });
  });

  test('the highest priority alone counts, and older templates only without one', async () => {
    await put('legacy', 'weak', {
      index_patterns: ['*'],
      order: 1,
      ...shards(7),
      aliases: { all: {} },
    });
    await put('legacy', 'strong', { index_patterns: ['lo*'], order: 2, ...shards(8) });
    expect(templates.applied('logs', {})).toEqual({
      settings: { 'index.number_of_shards': '8' },
      mappings: {},
      aliases: { all: {} },
    });
    await put('index', 'low', {
      index_patterns: ['lo*'],
      priority: 1,
      template: { aliases: { low: {} } },
    });
    await put('index', 'high', { index_patterns: ['log*'], priority: 2, template: shards(3) });
    expect(templates.applied('logs', {})).toEqual({
      settings: { 'index.number_of_shards': '3' },
      mappings: {},
      aliases: {},
    });
  });

  test('a bare star reaches no hidden index, and nothing reaches those of services', async () => {
    await put('index', 'every', { index_patterns: ['*', '.svc-*'], template: shards(3) });
    expect(templates.applied('.hidden', {})).toEqual({});
    expect(templates.applied('.svc-memory-a', {})).toEqual({});
    expect(templates.applied('seen', {})).not.toEqual({});
  });

  test('an alias may have the name of the index in its own', async () => {
    await put('index', 'logs', {
      index_patterns: ['logs'],
      template: { aliases: { 'x-{index}': {} } },
    });
    expect(templates.applied('logs', {})['aliases']).toEqual({ 'x-logs': {} });
  });

  test('a template may say that writes make no such index', async () => {
    await put('index', 'logs', { index_patterns: ['logs'], allow_auto_create: false });
    expect(() => templates.checkAutoCreate('logs')).toThrow('forbids index auto creation');
    templates.checkAutoCreate('books');
  });
});

describe('refusals', () => {
  test.each<[TemplateKind, JsonObject, string]>([
    ['index', {}, 'index patterns are missing'],
    ['index', { index_patterns: [] }, 'index patterns are missing'],
    ['index', { index_patterns: [1] }, '[index_patterns] must be a list of strings'],
    ['index', { index_patterns: ['a b'] }, '[a b] names no index'],
    ['index', { index_patterns: ['a'], data_stream: {} }, '[data_stream] is not supported'],
    ['index', { index_patterns: ['a'], order: 1 }, 'unknown field [order]'],
    ['index', { index_patterns: ['a'], priority: -1 }, 'priority must be >= 0'],
    ['index', { index_patterns: ['a'], priority: 'x' }, '[priority] must be a whole number'],
    [
      'index',
      { index_patterns: ['a'], composed_of: ['none'] },
      'component templates [none] that do not exist',
    ],
    [
      'index',
      { index_patterns: ['a'], template: { lifecycle: {} } },
      '[lifecycle] is not supported',
    ],
    ['index', { index_patterns: ['a'], template: { setting: {} } }, 'unknown field [setting]'],
    ['index', { index_patterns: ['a'], template: { settings: { nosuch: 1 } } }, 'nosuch'],
    [
      'index',
      { index_patterns: ['a'], template: { mappings: [] } },
      '[mappings] must be an object',
    ],
    ['component', { index_patterns: ['a'] }, 'unknown field [index_patterns]'],
    ['component', {}, 'Required [template]'],
    ['legacy', { index_patterns: ['a'], composed_of: [] }, 'unknown field [composed_of]'],
  ])('%s %j', async (kind, body, reason) => {
    await expect(put(kind, 'one', body)).rejects.toThrow(reason);
    expect(templates.get(kind, ['*'])).toEqual([]);
  });

  test('two templates for one name need two priorities', async () => {
    await put('index', 'one', { index_patterns: ['a*'], priority: 5 });
    const rival = { index_patterns: ['*b'], priority: 5 };
    await expect(put('index', 'two', rival)).rejects.toThrow('same priority [5]');
    await put('index', 'two', { ...rival, priority: 6 });
    await put('index', 'one', { index_patterns: ['a*', 'c'], priority: 5 });
  });

  test('a component in use stays, one that is there is not created again', async () => {
    await put('component', 'part', { template: {} });
    await put('index', 'whole', { index_patterns: ['a'], composed_of: ['part'] });
    await expect(templates.remove('component', ['*'])).rejects.toThrow('still in use');
    await expect(templates.put('component', 'part', { template: {} }, true)).rejects.toThrow(
      'already exists',
    );
    await expect(templates.remove('index', ['other'])).rejects.toThrow('[other] missing');
    await templates.remove('index', ['who*']);
    await templates.remove('component', ['part']);
  });
});

test('templates outlive the process, and a damaged file is named', async () => {
  const body = { index_patterns: ['a'], composed_of: [], _meta: { big: 12345678901234567890n } };
  await put('index', 'one', body);
  const again = templateFile(join(folder, 'templates.json'));
  await again.load();
  expect(
    new LocalTemplates(
      again,
      () => {},
      async () => {},
    ).get('index', ['*']),
  ).toEqual([{ name: 'one', body }]);
  const path = join(folder, 'templates.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"a"', '"b"'));
  const damaged = async (): Promise<LocalTemplates> => {
    const file = templateFile(path);
    await file.load();
    expect(file.damaged()).toMatchObject([{ kind: 'file', name: 'templates.json' }]);
    return new LocalTemplates(
      file,
      () => {},
      async () => {},
    );
  };
  const lost = await damaged();
  expect(() => lost.get('index', ['*'])).toThrow('it does not match its checksum');
  expect(() => lost.applied('x', {})).toThrow('it does not match its checksum');
  const before = readFileSync(path, 'utf8');
  await expect(lost.put('index', 'x', body, false)).rejects.toThrow('repair it, or move it away');
  await expect(lost.remove('index', ['*'])).rejects.toThrow('repair it, or move it away');
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(lost.applied('.svc-own', {})).toEqual({});
  await writeChecked(path, { format: 1 });
  const empty = await damaged();
  expect(() => empty.get('index', ['*'])).toThrow('it has no object [index]');
});

test('an entry that cannot be read is alone in that: it keeps its name and its text until it is put or deleted', async () => {
  const path = join(folder, 'templates.json');
  const broken = { index_patterns: ['b-*'], priority: 'high' };
  const good = { index_patterns: ['a-*'], composed_of: [], template: shards(3) };
  const index = { broken, none: 5, good };
  await writeChecked(path, { format: 1, index, component: {}, legacy: {} });
  await store.load();
  expect(store.damaged().map(({ kind, name }) => [kind, name])).toEqual([
    ['index_template', 'broken'],
    ['index_template', 'none'],
  ]);
  expect(templates.get('index', ['*']).map(({ name }) => name)).toEqual(['good']);
  expect(() => templates.get('index', ['broken'])).toThrow('[priority] is malformed');
  expect(templates.applied('a-1', {})).toMatchObject({
    settings: { 'index.number_of_shards': '3' },
  });
  expect(() => templates.applied('b-1', {})).toThrow('index_template [broken] cannot be read');
  await expect(templates.put('index', 'broken', good, true)).rejects.toThrow('already exists');
  await put('index', 'more', { index_patterns: ['c-*'] });
  const again = templateFile(path);
  await again.load();
  expect([...again.damagedEntries('index')]).toMatchObject([
    ['broken', { stored: broken }],
    ['none', { stored: 5 }],
  ]);
  await put('index', 'broken', { index_patterns: ['b-*'] });
  await templates.remove('index', ['none']);
  expect(store.damaged()).toEqual([]);
  expect(() => templates.applied('b-1', {})).not.toThrow();
});

test('saved templates come back in one step, and what is wrong with one keeps all out', async () => {
  await put('component', 'part', { template: shards(2) });
  await put('index', 'one', { index_patterns: ['a-*'], composed_of: ['part'], priority: 7 });
  await put('legacy', 'old', { index_patterns: ['b-*'], order: 2 });
  const listed = (kind: TemplateKind) => templates.get(kind, ['*']);
  const saved = {
    index: listed('index'),
    component: listed('component'),
    legacy: listed('legacy'),
  };
  await put('index', 'two', { index_patterns: ['c-*'] });
  await put('legacy', 'older', { index_patterns: ['d-*'] });
  const bad = { ...saved, legacy: [{ name: 'bad', body: { nonsense: 1 } }] };
  await expect(templates.restore(bad)).rejects.toThrow('nonsense');
  expect(listed('index')).toHaveLength(2);
  await templates.restore(saved);
  expect(listed('index')).toEqual(saved.index);
  expect(listed('component')).toEqual(saved.component);
  expect(listed('legacy').map(({ name }) => name)).toEqual(['old', 'older']);
  await templates.restore({ index: [], component: [], legacy: [] });
  expect(listed('index')).toEqual(saved.index);
});

test('patterns overlap when a name matches both', () => {
  const characters = fc.constantFrom('a', 'b', '*');
  const pattern = fc.array(characters, { maxLength: 4 }).map((all) => all.join(''));
  const names = [''];
  for (let at = 0; at < names.length && (names[at] ?? '').length < 8; at++) {
    names.push(`${names[at]}a`, `${names[at]}b`);
  }
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const both = names.some((name) => wildcardMatch(one, name) && wildcardMatch(other, name));
      expect(patternsOverlap(one, other)).toBe(both);
    }),
  );
});

describe('a template that makes no index is refused', () => {
  const bad: JsonObject = { mappings: { properties: { a: { type: 'bad' } } } };
  const reasons = async (put: Promise<void>): Promise<readonly string[]> => {
    const error = await put.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const listed: string[] = [];
    let cause = error instanceof QuarryError ? error.toCause() : undefined;
    while (cause !== undefined) {
      listed.push(`${cause.type}: ${cause.reason}`);
      cause = cause['caused_by'] as typeof cause;
    }
    return listed;
  };

  test('whatever its kind', async () => {
    expect(await reasons(put('component', 'c', { template: bad }))).toEqual([
      'mapper_parsing_exception: Failed to parse mapping: bad',
    ]);
    expect(await reasons(put('legacy', 'l', { index_patterns: ['a*'], ...bad }))).toEqual([
      'mapper_parsing_exception: Failed to parse mapping: bad',
    ]);
    expect(await reasons(put('index', 'i', { index_patterns: ['a*'], template: bad }))).toEqual([
      'illegal_argument_exception: composable template [i] template after composition is invalid',
      'illegal_argument_exception: invalid composite mappings for [i]',
      'mapper_parsing_exception: Failed to parse mapping: bad',
    ]);
    expect(templates.get('index', ['*'])).toEqual([]);
  });

  test('for what its settings define', async () => {
    const template = { settings: { analysis: { analyzer: { a: { type: 'bad' } } } } };
    expect(await reasons(put('index', 'i', { index_patterns: ['a*'], template }))).toEqual([
      'illegal_argument_exception: composable template [i] template after composition is invalid',
      'illegal_argument_exception: bad analyzer',
    ]);
    const unknown = { settings: { 'index.nope': 1 } };
    expect(await reasons(put('index', 'i', { index_patterns: ['a*'], template: unknown }))).toEqual(
      [
        expect.stringMatching(
          /^invalid_index_template_exception: .*cause \[Validation Failed: 1: unknown setting \[index.nope\]/,
        ),
      ],
    );
  });

  test('for what a component makes of those that use it', async () => {
    await put('component', 'c', { template: {} });
    await put('index', 'i', { index_patterns: ['a*'], composed_of: ['c'], template: {} });
    const only = new LocalTemplates(
      store,
      () => {},
      async (body) => {
        // The template is valid by itself.
        if (body['aliases'] !== undefined) await refuseBad(body);
      },
    );
    const changed = only.put('component', 'c', { template: bad }, false);
    expect((await reasons(changed)).slice(0, 2)).toEqual([
      'illegal_argument_exception: updating component template [c] results in invalid composable template [i] after templates are merged',
      'illegal_argument_exception: composable template [i] template after composition with component templates [c] is invalid',
    ]);
  });
});
