// A service that is killed during alias swaps and rollovers: after every start an alias points to
// its old or its new index, and the next change succeeds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { some } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

/** Each kill is later than the one before. */
const KILLS = some([0, 1, 2, 3], 2);

async function ok(server: TestServer, method: string, path: string, body?: unknown): Promise<void> {
  const { status, text } = await server.call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}

/** Repeats `work` until the service has ended; returns the number of repetitions. */
async function untilGone(work: (turn: number) => Promise<void>, done: () => void): Promise<number> {
  for (let turn = 0; ; turn++) {
    try {
      await work(turn);
    } catch (error) {
      if (error instanceof TypeError) return turn;
      throw error;
    }
    done();
  }
}

type Aliases = Record<string, { readonly aliases: Record<string, { is_write_index?: boolean }> }>;

async function behind(server: TestServer, alias: string): Promise<Aliases> {
  const { status, json } = await server.call('GET', `/_alias/${alias}`);
  expect(status).toBe(200);
  return json as Aliases;
}

test('aliases are whole after every kill', { timeout: 240_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-alias-kill-'));
  let server = await startServer({ dataDir });
  for (const index of ['a', 'b']) await ok(server, 'PUT', `/${index}`);
  await ok(server, 'POST', '/_aliases', { actions: [{ add: { index: 'a', alias: 'now' } }] });
  await ok(server, 'PUT', '/w-000001', { aliases: { w: { is_write_index: true } } });
  await ok(server, 'PUT', '/i-000001', { aliases: { i: {} } });
  await ok(server, 'PUT', '/step-0', { aliases: { step: {} } });
  let step = 0;
  for (const kill of KILLS) {
    const running = server;
    let left = 20 + 7 * kill;
    let killed: Promise<void> | undefined;
    const done = (): void => {
      left--;
      if (left === 0) killed = running.kill('SIGKILL');
    };
    const swap = async (from: string, to: string): Promise<void> => {
      const remove = { remove: { index: from, alias: 'now' } };
      const actions = [remove, { add: { index: to, alias: 'now' } }];
      await ok(running, 'POST', '/_aliases', { actions });
    };
    const [first = ''] = Object.keys(await behind(running, 'now'));
    const [at, other] = first === 'a' ? ['a', 'b'] : ['b', 'a'];
    await Promise.all([
      untilGone((turn) => (turn % 2 === 0 ? swap(at, other) : swap(other, at)), done),
      untilGone(() => ok(running, 'POST', '/w/_rollover'), done),
      untilGone(() => ok(running, 'POST', '/i/_rollover'), done),
      untilGone(async () => {
        await ok(running, 'PUT', `/step-${step + 1}`);
        const remove = { remove_index: { index: `step-${step}` } };
        const add = { add: { index: `step-${step + 1}`, alias: 'step' } };
        await ok(running, 'POST', '/_aliases', { actions: [remove, add] });
        step++;
      }, done),
    ]);
    await killed;
    server = await startServer({ dataDir });
    expect(Object.keys(await behind(server, 'now'))).toHaveLength(1);
    const w = await behind(server, 'w');
    const written = Object.keys(w).filter((name) => w[name]?.aliases['w']?.is_write_index === true);
    expect(written).toEqual([Object.keys(w).sort().at(-1)]);
    const { json: all } = await server.call('GET', '/_cat/indices?format=json&h=index');
    const names = (all as { readonly index: string }[]).map(({ index }) => index);
    expect(names.filter((name) => name.startsWith('w-')).sort()).toEqual(Object.keys(w).sort());
    const last = names
      .filter((name) => name.startsWith('i-'))
      .sort()
      .at(-1);
    expect(Object.keys(await behind(server, 'i'))).toEqual([last]);
    // The step was executed completely, or not at all; indexes created before it may remain.
    const [now = ''] = Object.keys(await behind(server, 'step'));
    expect([`step-${step}`, `step-${step + 1}`]).toContain(now);
    const before = `step-${Number(now.slice('step-'.length)) - 1}`;
    expect(names).not.toContain(before);
    if (names.includes(`step-${Number(now.slice('step-'.length)) + 1}`))
      await ok(server, 'DELETE', `/step-${Number(now.slice('step-'.length)) + 1}`);
    step = Number(now.slice('step-'.length));
    await ok(server, 'POST', '/w/_rollover');
    await ok(server, 'POST', '/w/_doc', { n: 1 });
    await ok(server, 'POST', '/i/_rollover');
  }
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
