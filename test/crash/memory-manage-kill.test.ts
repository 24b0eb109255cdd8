// A kill -9 in the middle of changes, bulk stores and deletions by a filter, of a real process: what
// was acknowledged is there after the restart, and what was not is whole or was not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

/** Acknowledged requests before each kill. */
const KILLS = LONG ? Array.from({ length: 24 }, (_, i) => 5 + 7 * i) : [12, 31];
const EDITORS = 3;
const GROUP = 40;
const NAMESPACE = '/_memory/kill';

interface Acknowledged {
  /** Text number of each changed memory. */
  readonly edits: number[];
  /** Groups that were stored, by number. */
  readonly stored: Set<number>;
  readonly forgotten: Set<number>;
  /** The group that each deletion was about when the process died. */
  next: number;
}

/** Undefined: the process is gone. */
async function send(
  server: TestServer,
  method: string,
  path: string,
  body: unknown,
): Promise<Record<string, never> | undefined> {
  try {
    const reply = await server.call(method, `${NAMESPACE}${path}`, body);
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.json;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function edit(
  server: TestServer,
  at: number,
  acknowledged: Acknowledged,
  done: () => void,
): Promise<void> {
  for (;;) {
    const text = `text number ${(acknowledged.edits[at] ?? 0) + 1}`;
    if ((await send(server, 'PATCH', `/e${at}`, { text })) === undefined) return;
    acknowledged.edits[at] = (acknowledged.edits[at] ?? 0) + 1;
    done();
  }
}

function memoriesOf(group: number): readonly object[] {
  return Array.from({ length: GROUP }, (_, i) => ({
    id: `g${group}-${i}`,
    text: `memory ${i} of group ${group}`,
    metadata: { group: `g${group}`, session: `s${group}` },
  }));
}

function filterOf(group: number): object {
  return { term: { 'metadata.group': `g${group}` } };
}

/** Stores groups in bulks, and forgets every second one by a filter. */
async function store(
  server: TestServer,
  acknowledged: Acknowledged,
  done: () => void,
): Promise<void> {
  for (;;) {
    const group = acknowledged.next;
    acknowledged.next += 1;
    const stored = await send(server, 'POST', '/_bulk', memoriesOf(group));
    if (stored === undefined) return;
    expect(stored).toMatchObject({ errors: false });
    acknowledged.stored.add(group);
    done();
    if (group % 2 === 0) continue;
    const forgotten = await send(server, 'POST', '/_forget', { filter: filterOf(group) });
    if (forgotten === undefined) return;
    expect(forgotten).toMatchObject({ forgotten: GROUP, left: 0 });
    acknowledged.forgotten.add(group);
    done();
  }
}

async function check(server: TestServer, acknowledged: Acknowledged): Promise<void> {
  for (let at = 0; at < EDITORS; at++) {
    const { json } = await server.call('GET', `${NAMESPACE}/e${at}`);
    const number = Number(String(json.text).split(' ').at(-1));
    const sure = acknowledged.edits[at] ?? 0;
    expect([sure, sure + 1]).toContain(number);
    expect(json.text).toBe(`text number ${number}`);
    expect(json.history).toHaveLength(Math.min(number, 100));
    if (number > 0) expect(json.history[0].text).toBe(`text number ${number - 1}`);
    acknowledged.edits[at] = number;
  }
  const { text } = await server.call('GET', `${NAMESPACE}/_export`);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ids = new Set(lines.flatMap(({ memory }) => (memory ? [memory.id as string] : [])));
  for (let group = 0; group < acknowledged.next; group++) {
    const there = memoriesOf(group).filter((one) => ids.has((one as { id: string }).id)).length;
    if (acknowledged.forgotten.has(group)) expect(there, `group ${group}`).toBe(0);
    // A deletion that began is completed by the start; one that did not has left the group whole.
    else if (acknowledged.stored.has(group) && group % 2 === 1) {
      expect([0, GROUP], `group ${group}`).toContain(there);
    } else if (acknowledged.stored.has(group)) expect(there, `group ${group}`).toBe(GROUP);
    else expect(there).toBeLessThanOrEqual(GROUP);
  }
  for (const { link } of lines) {
    if (!link) continue;
    const { src, dst } = link.document;
    expect([ids.has(src), ids.has(dst)], `${src} ${dst}`).toEqual([true, true]);
  }
}

test('changes, bulks and deletions are whole after a kill', {
  timeout: LONG ? 900_000 : 180_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-manage-'));
  const acknowledged: Acknowledged = {
    edits: Array.from({ length: EDITORS }, () => 0),
    stored: new Set(),
    forgotten: new Set(),
    next: 0,
  };
  for (const [round, kill] of KILLS.entries()) {
    const server = await startServer({ dataDir });
    if (round === 0) {
      for (let at = 0; at < EDITORS; at++) {
        await server.call('POST', NAMESPACE, { id: `e${at}`, text: 'text number 0' });
      }
    }
    let left = kill;
    let killed: Promise<void> | undefined;
    const done = (): void => {
      left -= 1;
      if (left === 0) killed = server.kill('SIGKILL');
    };
    await Promise.all([
      ...Array.from({ length: EDITORS }, (_, at) => edit(server, at, acknowledged, done)),
      store(server, acknowledged, done),
    ]);
    await killed;
    const after = await startServer({ dataDir });
    await check(after, acknowledged);
    await after.stop();
  }
  rmSync(dataDir, { recursive: true, force: true });
});
