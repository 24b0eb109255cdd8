// A store that replaces others, with a process that dies at any of its writes: after the next start
// the store is complete or has not happened.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend, JsonObject } from '../../src/backend/index.ts';
import { Graph } from '../../src/graph/graph.ts';
import { Memory } from '../../src/memory/memory.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';
import { DEAD, dyingIn, MOMENTS } from './dying-backend.ts';

let real: RealBackend;
let now = 1000;

beforeAll(async () => {
  real = await openBackend();
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

function memoryOver(backend: Backend): Memory {
  const addon = loadAddon();
  const hash128 = (bytes: Uint8Array): Uint8Array => new Uint8Array(addon.hash128(bytes));
  const nowMs = (): number => now;
  return new Memory({
    backend,
    graph: new Graph({ backend, hash128, nowMs }),
    hash128,
    embed: (text, dims) => addon.embed([text], dims),
    newId: () => 'made',
    nowMs,
    defaults: { analyzer: 'english', link_sessions: true, detect: false },
  });
}

interface State {
  readonly ids: readonly string[];
  readonly ended: readonly string[];
  readonly links: readonly string[];
}

async function state(ns: string): Promise<State> {
  const all = async (index: string): Promise<readonly [string, JsonObject][]> => {
    if (!real.backend.exists(index, {})) return [];
    await real.backend.publish(index);
    const { hits } = await real.backend.search({ index, body: { size: 100, sort: ['_id'] } });
    return hits.map(({ id, source }) => [
      id,
      JSON.parse(Buffer.from(source ?? []).toString('utf8')) as JsonObject,
    ]);
  };
  const memories = await all(`.svc-memory-${ns}`);
  const links = await all(`.svc-memory-${ns}-edges`);
  return {
    ids: memories.map(([id]) => id),
    ended: memories.flatMap(([id, { invalid_at }]) => (invalid_at === undefined ? [] : [id])),
    links: links.map(([, { src, type, dst }]) => `${src} ${type} ${dst}`).sort(),
  };
}

const BEFORE: State = { ids: ['a', 'b'], ended: [], links: ['b follows a'] };
const AFTER: State = {
  ids: ['a', 'b', 'new'],
  ended: ['a', 'b'],
  links: ['b follows a', 'new follows b', 'new supersedes a', 'new supersedes b'],
};
const NEW = {
  id: 'new',
  text: 'she lives in Rome',
  supersedes: ['a', 'b'],
  metadata: { session: 's' },
};

test.each([
  ['stored', NEW, AFTER],
  // A vector of another length is rejected after the ends of the others were written.
  ['refused', { ...NEW, vector: [1, 2, 3] }, BEFORE],
])('all or nothing of what is %s, wherever the process dies', async (kind, body, after) => {
  let made = 0;
  for (const how of MOMENTS) {
    for (let last = 1; ; last++) {
      const ns = `${kind}-${made++}`;
      now++;
      const healthy = memoryOver(real.backend);
      for (const id of ['a', 'b'])
        await healthy.store(ns, {
          id,
          text: `she lives in ${id}`,
          vector: [1, 0],
          metadata: { session: 's' },
        });
      now++;
      const answer = await memoryOver(dyingIn(real.backend, last, how))
        .store(ns, body)
        .then(
          () => 'stored',
          (error: Error) => error.message,
        );
      const restarted = memoryOver(real.backend);
      await restarted.start();
      const found = await state(ns);
      if (answer !== DEAD) {
        expect(found).toEqual(after);
        break;
      }
      expect([BEFORE, after]).toContainEqual(found);
      // No intent remains that a later start would execute again.
      await restarted.forget(ns, 'a');
      await memoryOver(real.backend).start();
      expect((await state(ns)).ids).not.toContain('a');
    }
  }
  expect(made).toBeGreaterThan(10);
});
