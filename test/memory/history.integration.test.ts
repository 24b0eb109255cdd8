// Histories of one namespace compared with a model: memories are stored, replaced, expire and are
// forgotten, and are queried at any time of both clocks. Uses the real engine and a clock of the
// test.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Graph } from '../../src/graph/graph.ts';
import { Memory } from '../../src/memory/memory.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';

let real: RealBackend;
let memory: Memory;
let now = 0;
let made = 0;

beforeAll(async () => {
  real = await openBackend();
  const addon = loadAddon();
  const { backend } = real;
  const hash128 = (bytes: Uint8Array): Uint8Array => new Uint8Array(addon.hash128(bytes));
  const nowMs = (): number => now;
  memory = new Memory({
    backend,
    graph: new Graph({ backend, hash128, nowMs }),
    hash128,
    embed: (text, dims) => addon.embed([text], dims),
    newId: () => `made-${made++}`,
    nowMs,
    defaults: { analyzer: 'english', link_sessions: true, detect: false },
  });
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

const IDS = ['a', 'b', 'c', 'd', 'e'];
const instant = fc.integer({ min: 0, max: 60 });
const id = fc.constantFrom(...IDS);

type Step =
  | {
      readonly kind: 'store';
      readonly id: string;
      readonly own: number | null;
      readonly expires: number | null;
      readonly supersedes: readonly string[];
    }
  | { readonly kind: 'forget'; readonly id: string }
  | { readonly kind: 'ask'; readonly asOf: number | null; readonly knownAt: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('store' as const),
      id,
      own: fc.option(instant),
      expires: fc.option(instant, { freq: 2 }),
      supersedes: fc.uniqueArray(id, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      asOf: fc.option(instant),
      knownAt: fc.option(instant),
    }),
  },
);

interface KeptMemory {
  readonly stored: number;
  readonly own: number;
  readonly expires: number;
  readonly ended: number;
  readonly learned: number;
}

function isSeen(kept: KeptMemory, asOf: number | null, knownAt: number | null): boolean {
  const world = asOf ?? knownAt ?? now;
  const known = knownAt ?? Number.POSITIVE_INFINITY;
  if (kept.expires <= now) return false;
  if (kept.ended <= world && kept.learned <= known) return false;
  return (asOf === null && knownAt === null) || (kept.own <= world && kept.stored <= known);
}

async function run(namespace: string, steps: readonly Step[]): Promise<void> {
  const model = new Map<string, KeptMemory>();
  now = 10;
  for (const one of steps) {
    now += 1;
    if (one.kind === 'forget') {
      const { forgotten } = await memory.forget(namespace, one.id);
      expect(forgotten).toBe(model.delete(one.id));
    } else if (one.kind === 'store') {
      await storeOne(namespace, model, one);
    } else {
      const { asOf, knownAt } = one;
      const { hits } = await memory.recall(namespace, { as_of: asOf, known_at: knownAt, k: 100 });
      const seen = [...model].filter(([, kept]) => isSeen(kept, asOf, knownAt));
      const order = seen.sort(([, x], [, y]) => y.stored - x.stored).map(([name]) => name);
      expect(hits.map((hit) => hit.id)).toEqual(order);
    }
  }
}

async function storeOne(
  namespace: string,
  model: Map<string, KeptMemory>,
  { id: name, own, expires, supersedes }: Extract<Step, { kind: 'store' }>,
): Promise<void> {
  const replaced = supersedes.filter((other) => other !== name && model.has(other));
  const answer = await memory.store(namespace, {
    id: name,
    text: `memory ${name}`,
    ...(own === null ? {} : { metadata: { said_at: own, session: 's' } }),
    ...(expires === null ? {} : { expires_at: expires }),
    ...(replaced.length === 0 ? {} : { supersedes: replaced }),
  });
  expect(answer.created).toBe(!model.has(name));
  for (const other of replaced) {
    const kept = model.get(other);
    if (kept === undefined || kept.ended !== Number.POSITIVE_INFINITY) continue;
    model.set(other, { ...kept, ended: Math.max(own ?? now, kept.own), learned: now });
  }
  model.set(name, {
    stored: now,
    own: own ?? now,
    expires: expires ?? Number.POSITIVE_INFINITY,
    ended: Number.POSITIVE_INFINITY,
    learned: Number.POSITIVE_INFINITY,
  });
}

test('answers are those of the model at every moment', { timeout: 120_000 }, async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) =>
      run(`history-${number++}`, steps),
    ),
    { numRuns: Number(process.env['QUARRY_HISTORIES'] ?? 12) },
  );
});
