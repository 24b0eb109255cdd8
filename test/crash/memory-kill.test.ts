// Stores that each replace the previous one, with a kill during them: after the restart every chain
// is complete. Each memory except the last is superseded, and has a link to its successor.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { some } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const CHAINS = 8;
const KILLS = some([0, 1, 2], 2);
/** Acknowledged stores of all chains at the time of the kill; others are in progress then. */
const STORES = 40;

interface Chain {
  readonly ns: string;
  /** Number of acknowledged memories. */
  stored: number;
}

/** Stores until the service has ended. */
async function grow(server: TestServer, chain: Chain, acknowledged: () => void): Promise<void> {
  for (;;) {
    const number = chain.stored;
    const supersedes = number === 0 ? {} : { supersedes: [`m${number - 1}`] };
    const body = { id: `m${number}`, text: `address number ${number}`, ...supersedes };
    try {
      const reply = await server.call('POST', `/_memory/${chain.ns}`, body);
      if (reply.status >= 300) throw new Error(reply.text);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
    chain.stored++;
    acknowledged();
  }
}

async function check(server: TestServer, chain: Chain): Promise<void> {
  const { text } = await server.call('GET', `/_memory/${chain.ns}/_export`);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const numberOf = (id: string): number => Number(id.slice(1));
  const memories = new Map<number, boolean>();
  const links: string[] = [];
  for (const { memory, link } of lines) {
    if (memory) memories.set(numberOf(memory.id), memory.document.invalid_at !== undefined);
    if (link) links.push(`${link.document.src} ${link.document.type} ${link.document.dst}`);
  }
  const there = memories.size;
  // The store in progress may have been executed.
  expect([chain.stored, chain.stored + 1]).toContain(there);
  for (let i = 0; i < there; i++) expect(memories.get(i), `m${i}`).toBe(i < there - 1);
  const expected = Array.from(
    { length: Math.max(0, there - 1) },
    (_, i) => `m${i + 1} supersedes m${i}`,
  );
  expect(links.sort()).toEqual(expected.sort());
  chain.stored = there;
}

test('a store that replaces another is whole or was not', { timeout: 180_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-chains-'));
  const chains = Array.from({ length: CHAINS }, (_, i): Chain => ({ ns: `chain-${i}`, stored: 0 }));
  for (const kill of KILLS) {
    const server = await startServer({ dataDir });
    let left = STORES + kill;
    let killed: Promise<void> | undefined;
    const acknowledged = (): void => {
      left--;
      if (left === 0) killed = server.kill('SIGKILL');
    };
    await Promise.all(chains.map((chain) => grow(server, chain, acknowledged)));
    await killed;
    const after = await startServer({ dataDir });
    for (const chain of chains) await check(after, chain);
    await after.stop();
  }
  rmSync(dataDir, { recursive: true, force: true });
});
