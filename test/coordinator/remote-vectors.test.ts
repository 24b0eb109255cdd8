// Writes to indexes with remote embedders, over an engine and services with manual responses.
import { describe, expect, test } from 'vitest';
import { Catalog, readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { NameTable } from '../../src/coordinator/write/bulk-name-table.ts';
import { EmbeddedWrites, mayEmbed } from '../../src/coordinator/write/remote-vectors.ts';
import { QuarryError } from '../../src/errors.ts';
import { ByteReader } from '../../src/wire/byte-reader.ts';
import { ByteWriter } from '../../src/wire/byte-writer.ts';
import { description, FakePool } from './fake-pool.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));
const reply = bytes('reply').buffer;

/** The engine's list of texts to embed, by embedder. */
function listed(wanted: Readonly<Record<string, readonly string[]>>): ArrayBuffer {
  const writer = new ByteWriter();
  writer.list(Object.entries(wanted), ([embedder, texts]) => {
    writer.str(embedder).list(texts, (text) => writer.str(text));
  });
  return writer.take().buffer;
}

function world(wanted: Readonly<Record<string, readonly string[]>>) {
  const events: string[] = [];
  const pool = new FakePool({
    pendingTexts: ({ body }) => {
      events.push('listed');
      return { texts: listed(wanted), ...(body === undefined ? {} : { body }) };
    },
    bulk: ({ body }) => {
      events.push('written');
      return { reply, body };
    },
    write: () => {
      events.push('written');
      return reply;
    },
  });
  const writes = new EmbeddedWrites(
    pool,
    {
      whileEmbedded: async (groups, work) => {
        const all = groups.flatMap(({ texts }) => texts);
        if (all.includes('stop')) throw new QuarryError('node_not_ready_exception', 'stopping');
        events.push(`embedded ${all.join(' ')}`);
        const answer = await work(
          groups.map(({ texts }) =>
            texts.map((text) => (text === 'bad' ? 'no vector' : new Float32Array([text.length]))),
          ),
        );
        events.push('room given back');
        return answer;
      },
    },
    (text) => new Uint8Array(16).fill(text.length).buffer,
  );
  return { pool, writes, events };
}

const bodyOf = (...lines: readonly unknown[]): Uint8Array<ArrayBuffer> =>
  bytes(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

describe('a write', () => {
  test('lists texts, has them embedded, and carries vectors and failures', async () => {
    const { pool, writes, events } = world({ 'm@u': ['abc', 'bad'], n: ['d'] });
    expect(await writes.write(bytes('operations'), true)).toBe(reply);
    expect(events).toEqual(['listed', 'embedded abc bad d', 'written', 'room given back']);
    const sent = pool.named('write')[0]?.vectors as Uint8Array<ArrayBuffer>;
    const reader = new ByteReader(sent, 'vectors').skip(4);
    expect([reader.u32(), reader.str(), reader.u32(), reader.u32()]).toEqual([2, 'm@u', 1, 2]);
    expect([reader.u64(), reader.skip(8).u8(), reader.f32()]).toEqual([0x0303030303030303n, 0, 3]);
    expect([reader.skip(16).u8(), reader.str()]).toEqual([1, 'no vector']);
    expect([reader.str(), reader.u32(), reader.u32()]).toEqual(['n', 1, 1]);
  });

  test('that wants no texts carries none', async () => {
    const { pool, writes, events } = world({});
    await writes.write(bytes('operations'), true);
    expect(events).toEqual(['listed', 'written']);
    expect(pool.named('write')).toEqual([{ operations: bytes('operations') }]);
  });

  test('to an index without such fields is not looked at', async () => {
    const { writes, events } = world({ m: ['abc'] });
    await writes.write(bytes('operations'), false);
    await writes.bulk(bytes('request'), bytes('body'), false);
    expect(events).toEqual(['written', 'written']);
  });

  test('that cannot wait for its vectors is not written', async () => {
    const { writes, events } = world({ m: ['stop'] });
    await expect(writes.write(bytes('operations'), true)).rejects.toMatchObject({ status: 503 });
    await expect(writes.bulk(bytes('r'), bytes('b'), true)).rejects.toMatchObject({ status: 503 });
    expect(events).toEqual(['listed', 'listed']);
  });

  test('in bulk takes its body along and gives it back', async () => {
    const { pool, writes, events } = world({ m: ['abc'] });
    const answer = await writes.bulk(bytes('request'), bytes('body'), true);
    expect(answer.body).toEqual(bytes('body'));
    expect(events).toEqual(['listed', 'embedded abc', 'written', 'room given back']);
    expect(pool.named('bulk')[0]).toMatchObject({ request: bytes('request'), body: bytes('body') });
    expect(pool.named('bulk')[0]?.vectors?.length).toBeGreaterThan(0);
  });
});

describe('a bulk body', () => {
  const catalog = new Catalog();
  const mappings = { properties: { t: { type: 'semantic_text', embedder: 'm@u' } } };
  const aliases = { near: {} };
  for (const [i, name] of ['remote', 'fern', 'größe'].entries()) {
    catalog.change(
      [readIndex(description(name, i, { mappings, ...(i === 0 ? { aliases } : {}) }))],
      [],
    );
  }
  catalog.change([readIndex(description('plain', 9))], []);
  const names = (...known: readonly string[]): NameTable => {
    const table = new NameTable(catalog, false);
    table.offer(known);
    return table;
  };
  const lines = (name: string) => bodyOf({ index: { _index: name } }, { t: 'x' });

  test.each([
    ['names one', names('remote', 'plain'), lines('remote'), undefined, true],
    ['names one by an alias', names('near'), lines('near'), undefined, true],
    ['goes to one', names('remote'), bodyOf({ index: {} }, {}), 'remote', true],
    ['names another', names('remote', 'plain'), lines('plain'), undefined, false],
    ['goes to another', names('remote', 'plain'), bodyOf({ index: {} }, {}), 'plain', false],
    [
      'may name one in escapes',
      names('remote'),
      bytes('{"index":{"_index":"rem\\u006fte"}}\n'),
      undefined,
      true,
    ],
    ['may name one beyond ASCII', names('größe'), lines('x'), undefined, true],
    ['knows no names yet', names(), lines('remote'), undefined, false],
  ])('that %s', (_what, table, body, defaultIndex, expected) => {
    expect(mayEmbed(table, body, defaultIndex)).toBe(expected);
  });
});
