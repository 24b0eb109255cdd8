// A service that is busy, slow or unreachable: its Retry-After is respected, and only a few
// requests are held in memory.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BulkWriter, endOne, type Sending } from '../../src/autoindex/bulk-writer.ts';
import { Client } from '../../src/autoindex/client.ts';
import { makeFolder, rows, type TestFolder } from './tools/folder.ts';
import { type Between, standBetween } from './tools/proxy.ts';
import { answerTo, itemsOf } from './tools/stand-in.ts';

let service: Between;
let folder: TestFolder;
let waits: number[];
const wait = async (ms: number): Promise<void> => {
  waits.push(ms);
};

beforeEach(async () => {
  service = await standBetween(undefined);
  service.rule = answerTo;
  folder = makeFolder();
  waits = [];
});
afterEach(async () => {
  await service.close();
  folder.remove();
});

describe('a busy service', () => {
  test('is asked again when it said, not before', async () => {
    folder.put('orders.csv', rows(0, 10));
    let refusals = 0;
    service.rule = (seen) => {
      if (seen.path !== '/_bulk' || refusals >= 2) return answerTo(seen);
      refusals += 1;
      return { status: 429, headers: { 'retry-after': String(6 + refusals) }, body: {} };
    };
    const { loaded, problems } = await folder.run(service.base, { wait });
    expect(waits).toEqual([7000, 8000]);
    expect(loaded.records).toBe(10);
    expect(problems).toEqual([]);
  });

  test('that names no time is given longer each time', async () => {
    folder.put('orders.csv', rows(0, 10));
    let refusals = 0;
    service.rule = (seen) => {
      if (seen.method !== 'PUT' || refusals >= 4) return answerTo(seen);
      refusals += 1;
      return { status: 503, body: {} };
    };
    await folder.run(service.base, { wait });
    expect(waits).toEqual([100, 200, 400, 800]);
  });

  test('that takes some documents of a request gets the others again, and those alone', async () => {
    folder.put('orders.csv', rows(0, 10));
    const sizes: number[] = [];
    service.rule = (seen) => {
      if (seen.path !== '/_bulk') return answerTo(seen);
      const items = itemsOf(seen.body, 201);
      sizes.push(items.length);
      if (sizes.length > 1) return answerTo(seen);
      const busy = items.map((item, i) => (i < 7 ? item : { index: { status: 429 } }));
      return { status: 200, body: { items: busy } };
    };
    const { loaded } = await folder.run(service.base, { wait });
    expect(sizes).toEqual([10, 3]);
    expect(loaded.records).toBe(10);
  });

  test('that never has time is an error in the end, and the run goes on with the next', async () => {
    folder.put('orders.csv', rows(0, 10));
    service.rule = (seen) =>
      seen.path === '/_bulk'
        ? { status: 429, body: { error: { reason: 'too much at once' } } }
        : answerTo(seen);
    await expect(folder.run(service.base, { wait })).rejects.toThrow('too much at once');
    service.rule = answerTo;
    expect((await folder.run(service.base, { wait })).loaded.files).toBe(1);
  });

  test('that is not there is named', async () => {
    folder.put('orders.csv', rows(0, 10));
    await service.close();
    await expect(folder.run(service.base, { wait })).rejects.toThrow(
      `no service answers at ${service.base}`,
    );
    service = await standBetween(undefined);
  });
});

test('documents whose fields are refused are kept as text', async () => {
  folder.put('orders.csv', rows(0, 3));
  const bodies: string[] = [];
  service.rule = (seen) => {
    if (seen.path !== '/_bulk') return answerTo(seen);
    bodies.push(seen.body);
    const refused = { status: 400, error: { reason: 'no number' } };
    const items = itemsOf(seen.body, 201).map((item, i) =>
      bodies.length === 1 && i === 1 ? { index: refused } : item,
    );
    return { status: 200, body: { items } };
  };
  const { loaded, problems } = await folder.run(service.base, { wait });
  expect(loaded.records).toBe(3);
  expect(problems).toEqual([
    { path: 'orders.csv', problem: '1 documents are kept as text alone: no number' },
  ]);
  const { file, ...rest } = JSON.parse(bodies[1]?.split('\n')[1] ?? '');
  expect(rest).toEqual({});
  expect(file.as_text).toContain('"name":"item 1"');
});

test('a service that does not answer is sent no more than a few requests', async () => {
  service.rule = () => 'hold';
  const writer = new BulkWriter(new Client({ url: service.base, apiKey: undefined }));
  const sending: Sending = {
    records: 0,
    refused: 0,
    plain: 0,
    reason: undefined,
    pending: 1,
    onEnd: endOne,
  };
  const doc = JSON.stringify({ text: 'x'.repeat(10_000) });
  let added = 0;
  let stuck = false;
  while (!stuck) {
    const adding = writer.add('index', String(added), doc, sending);
    added += 1;
    // Adding a document is immediate as long as no request is needed.
    stuck = await Promise.race([
      adding.then(() => false),
      new Promise<boolean>((resolve) => setImmediate(() => setImmediate(() => resolve(true)))),
    ]);
    adding.catch(() => undefined);
  }
  // Two requests in progress and the third batch, which waits: two MiB each.
  expect(added * 10_000).toBeGreaterThan(2 * (2 << 20));
  expect(added * 10_000).toBeLessThan(3 * (2 << 20) + 100_000);
});

test('a key that may not write the map has its documents all the same', async () => {
  folder.put('orders.csv', rows(0, 10));
  service.rule = (seen) =>
    seen.path.startsWith('/.svc-catalog')
      ? { status: 403, body: { error: { reason: 'this key is granted indices [it-*]' } } }
      : answerTo(seen);
  const { loaded, problems, datasets } = await folder.run(service.base, { wait });
  expect(loaded.records).toBe(10);
  expect(datasets.map(({ name }) => name)).toEqual(['orders']);
  expect(problems).toEqual([
    {
      path: '.svc-catalog',
      problem: 'the map is not written: this key is granted indices [it-*]',
    },
  ]);
  // With a key that has the privilege, the next run writes it.
  service.rule = answerTo;
  service.seen.length = 0;
  expect((await folder.run(service.base, { wait })).problems).toEqual([]);
  expect(service.seen.some(({ method, path }) => method === 'PUT' && path.includes('_doc'))).toBe(
    true,
  );
});
