// Stores that replace the one before, killed in the middle: after the restart every chain is whole. Each memory but the last is
// over, and each took the place of the one before it by a link.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const CHAINS = 8;
const KILLS = 3;
/** Acknowledged stores of all chains before the kill; the others are on their way then. */
const STORES = 40;

interface Chain {
  readonly ns: string;
  /** Memories that were acknowledged. */
  stored: number;
}

/** Until the service is gone. */
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
  // What was on its way may have arrived.
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
  for (let kill = 0; kill < KILLS; kill++) {
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
