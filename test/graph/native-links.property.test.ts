// Links of random histories in the real core, in any number of segments, with replaced and deleted
// documents: walks and counts equal those of the plain list.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LinkCountRequest, LinkWalkRequest } from '../../src/backend/index.ts';
import { EDGES_BODY } from '../../src/graph/edges-index.ts';
import {
  ndjson,
  openBackend,
  type RealBackend,
  removeFolder,
} from '../coordinator/real-backend.ts';
import { type LinkDocument, linksOf, naiveCount, naiveWalk } from './naive-links.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 40);
const NODES = Array.from({ length: 20 }, (_, i) => `node-${i}`);
const TYPES = ['mentions', 'follows', 'cites'];

let real: RealBackend;
beforeAll(async () => {
  real = await openBackend();
});
afterAll(async () => {
  await real?.close();
  removeFolder(real.dataDir);
});

const instant = fc.integer({ min: -3, max: 30 });
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(one, { nil: undefined });
const share = maybe(fc.constantFrom(0, 0.25, 0.5, 1));

/** Documents in any form that clients may write: every field may be missing. */
const link = fc.record(
  {
    src: fc.constantFrom(...NODES),
    dst: fc.constantFrom(...NODES),
    type: fc.constantFrom(...TYPES),
    confidence: share,
    weight: share,
    detector: maybe(fc.constantFrom('ids@1', 'titles@1')),
    asserted: maybe(fc.boolean()),
    evidence: maybe(fc.constantFrom({ source: 'node-1' }, { offset: 0 }, { quote: 'q' })),
    valid_at: instant,
    invalid_at: maybe(instant),
    created_at: maybe(instant),
    expired_at: maybe(instant),
  },
  { requiredKeys: [] },
);

/**
 * A bulk of writes by number, so that some replace others; deletions; the following operation of
 * the engine.
 */
const batch = fc.record({
  writes: fc.array(fc.tuple(fc.nat(250), link), { minLength: 1, maxLength: 80 }),
  deletes: fc.array(fc.nat(250), { maxLength: 5 }),
  next: fc.constantFrom('refresh', 'refresh', 'flush', 'merge'),
});

const moment = fc.record({ world: instant, system: fc.option(instant) });
const walks = fc.record({
  seeds: fc.uniqueArray(fc.constantFrom(...NODES, 'nobody'), { minLength: 1, maxLength: 3 }),
  direction: fc.constantFrom('out' as const, 'in' as const, 'both' as const),
  hops: fc.constantFrom(1 as const, 2 as const),
  types: maybe(fc.subarray([...TYPES, 'unheard of'])),
  includeExpired: fc.boolean(),
  moment,
  limit: fc.constantFrom(0, 1, 3, 40, 1000),
  frontier: fc.constantFrom(0, 1, 5, 1000),
  degrees: fc.boolean(),
});
const counts = fc.record({ moment, top: fc.constantFrom(0, 1, 5, 50) });

type Batch = typeof batch extends fc.Arbitrary<infer B> ? B : never;

/** Runs the batches; returns the remaining documents. */
async function write(index: string, batches: readonly Batch[]): Promise<readonly LinkDocument[]> {
  const documents = new Map<string, Uint8Array>();
  const { backend } = real;
  for (const { writes, deletes, next } of batches) {
    const lines = writes.flatMap(([number, source]) => {
      documents.set(`e${number}`, Buffer.from(JSON.stringify(source)));
      return [{ index: { _id: `e${number}` } }, source];
    });
    for (const number of deletes) documents.delete(`e${number}`);
    const gone = deletes.map((number) => ({ delete: { _id: `e${number}` } }));
    const body = ndjson(...lines, ...gone);
    await backend.bulk({ defaultIndex: index, refresh: 'false', body });
    await backend.publish(index);
    if (next === 'flush') await backend.flush(index, {});
    if (next === 'merge') await backend.forceMerge(index, 1, {});
  }
  return [...documents].map(([id, source]) => ({ id, source }));
}

test('walks and counts are those of a plain list of links', { timeout: 600_000 }, async () => {
  const { backend } = real;
  await backend.createIndex('nodes', {});
  const present = new Set(NODES.filter((_, i) => i % 3 > 0));
  const lines = [...present].flatMap((id) => [{ index: { _id: id } }, { title: id }]);
  await backend.bulk({ defaultIndex: 'nodes', refresh: 'true', body: ndjson(...lines) });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 5 }),
      fc.array(walks, { minLength: 4, maxLength: 12 }),
      fc.array(counts, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, 3),
      async (batches, requested, wholes, shards) => {
        const index = `links-${run++}`;
        await backend.createIndex(index, {
          ...EDGES_BODY,
          settings: { number_of_shards: shards },
        });
        const all = linksOf(await write(index, batches));
        for (const question of requested) {
          const request: LinkWalkRequest = { index, ...question };
          const walked = await backend.walkLinks(request);
          expect(walked).toEqual(naiveWalk(all, request));
        }
        for (const question of wholes) {
          const request: LinkCountRequest = { index, nodes: 'nodes', ...question };
          expect(await backend.countLinks(request)).toEqual(naiveCount(all, present, request));
        }
        await backend.deleteIndices(index, {});
      },
    ),
    { numRuns: RUNS },
  );
});
