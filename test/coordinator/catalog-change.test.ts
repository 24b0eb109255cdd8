// Changes of the catalog over an engine with manual responses: nothing is written before the whole
// change is valid, and a written change is always visible.
import { expect, test } from 'vitest';
import { Catalog, readEntry, readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { CatalogChanges } from '../../src/coordinator/catalog/catalog-change.ts';
import { MappingParts } from '../../src/coordinator/catalog/mapping-parts.ts';
import { QuarryError } from '../../src/errors.ts';
import { description, FakePool } from './fake-pool.ts';

const INVALID = { settings: { index: { refresh_interval: 'soon' } } };

function world(answers: { readonly checked?: object; readonly written?: object } = {}) {
  const catalog = new Catalog();
  for (const [i, name] of ['a', 'b'].entries())
    catalog.change([readIndex(description(name, i + 1))], []);
  const nameOf = (index: number): string => catalog.byNumber(index)?.name ?? 'gone';
  const pool = new FakePool({
    checkChange: ({ index, mappings }) => {
      if (index === 2 && mappings.includes('conflict')) {
        throw new QuarryError('illegal_argument_exception', 'mapper [conflict] cannot be changed');
      }
      return description(nameOf(index), index, { ...answers.checked });
    },
    putSpec: ({ index }) => description(nameOf(index), index, { ...answers.written }),
    putMapping: ({ index }) => description(nameOf(index), index, { ...answers.written }),
    createIndex: () => description('new', 3, { ...answers.written }),
    changeIndexes: () => '',
  });
  const lost = new Map<number, string>();
  const changes = new CatalogChanges({
    catalog,
    tasks: pool,
    putOutOfService: (index, reason) => {
      lost.set(index, reason);
    },
  });
  const of = (name: string) => catalog.index(name) ?? readEntry(description(name, 9));
  const written = () => pool.calls.filter(({ name }) => name !== 'checkChange');
  return { catalog, changes, lost, of, written };
}

test('what one of several indexes refuses is written to none', async () => {
  const { changes, of, written } = world();
  const mappings = { properties: { conflict: { type: 'text' } } };
  await expect(
    changes.apply([
      { of: of('a'), mappings },
      { of: of('b'), mappings },
    ]),
  ).rejects.toThrow('mapper [conflict] cannot be changed');
  expect(written()).toEqual([]);
});

test('what a start could not read is not written', async () => {
  const { changes, of, written } = world({ checked: INVALID });
  await expect(changes.apply([{ of: of('a'), members: INVALID }])).rejects.toThrow('soon');
  await expect(changes.apply([{ of: of('a'), mappings: {} }])).rejects.toThrow('soon');
  const spec = { name: 'new', number_of_shards: 1, creation_date: 1, ...INVALID };
  await expect(changes.apply([{ drop: of('b') }, { create: spec }])).rejects.toThrow('soon');
  expect(written()).toEqual([]);
});

test('what cannot be read though it was found good is out of service, and keeps its name', async () => {
  const { catalog, changes, lost } = world({ written: { ...INVALID, aliases: { x: {} } } });
  await changes.apply([{ create: { name: 'new', number_of_shards: 1 } }]);
  expect(catalog.index('new')).toMatchObject({ number: 3 });
  expect(catalog.isAlias('x')).toBe(true);
  expect(lost.get(3)).toContain('the description of index [new] cannot be read');
});

test.each([
  ['{"number":7,"uuid":"u","name":"n","number_of_shards":4,', 'n', 4],
  ['{"number":7,"uuid":"u","name":5}', 'damaged-7', 1],
  ['{"number":7', 'damaged-7', 1],
])('%s has a place in the catalog', (json, name, shards) => {
  const { entry, damage } = readIndex(json);
  expect(damage).toContain(`index [${name}] cannot be read`);
  expect(entry).toMatchObject({ number: 7, name, shards, state: 'open' });
});

const TEXT = '{"properties":{"t":{"type":"semantic_text","embedder":"far","dims":3}}}';

test('descriptions with the same mappings are read as each of them alone', () => {
  const mappings = new MappingParts();
  const texts = ['a', 'b'].map(
    (name, i) =>
      `{"number":${i},"uuid":"u","name":"${name}","number_of_shards":1,"creation_date":0,"mappings":${TEXT}}`,
  );
  const shared = texts.map((text) => readIndex(text, mappings));
  expect(shared).toEqual(texts.map((text) => readIndex(text)));
  expect(shared.map(({ entry }) => entry)).toEqual(texts.map(readEntry));
  expect(shared[1]?.entry.embedders).toBe(shared[0]?.entry.embedders);
});

test.each([
  '{"number":7,"uuid":"u","name":"n","settings":{"a":1,"mappings":{}},"mappings":{}}',
  '{"number":7,"mappings":{"properties":{}},"uuid":"u","name":"n"}',
  '{"number":7,"uuid":"u","name":"n","mappings":{"properties":}}',
])('%s is read whole', (text) => {
  const whole = (): object => ({ description: text, entry: readEntry(text) });
  const { damage, ...read } = readIndex(text, new MappingParts());
  if (damage === undefined) expect(read).toEqual(whole());
  else expect(whole).toThrow();
});
