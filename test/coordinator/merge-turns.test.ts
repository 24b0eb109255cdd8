// The queue of merges: never more than allowed, in the order of their requests, regardless of
// failures.
import { describe, expect, test } from 'vitest';
import { MergeTurns } from '../../src/coordinator/node/merge-turns.ts';

class Jobs {
  most = 2;
  readonly running = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  readonly turns = new MergeTurns(() => this.most);

  start(name: string): Promise<string> {
    return this.turns.run(async () => {
      await new Promise<void>((resolve, reject) => this.running.set(name, { resolve, reject }));
      this.running.delete(name);
      return name;
    });
  }
  get names(): readonly string[] {
    return [...this.running.keys()];
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

describe('merge turns', () => {
  test('no more run than the setting says, in the order in which they came', async () => {
    const jobs = new Jobs();
    const all = ['a', 'b', 'c', 'd'].map((name) => jobs.start(name));
    await settled();
    expect(jobs.names).toEqual(['a', 'b']);
    jobs.running.get('b')?.resolve();
    await settled();
    expect(jobs.names).toEqual(['a', 'c']);
    jobs.running.get('a')?.resolve();
    await settled();
    expect(jobs.names).toEqual(['c', 'd']);
    for (const { resolve } of jobs.running.values()) resolve();
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a merge that fails gives its turn back', async () => {
    const jobs = new Jobs();
    jobs.most = 1;
    const first = jobs.start('a');
    const second = jobs.start('b');
    await settled();
    jobs.running.get('a')?.reject(new Error('full'));
    await expect(first).rejects.toThrow('full');
    await settled();
    expect(jobs.running.has('b')).toBe(true);
    jobs.running.get('b')?.resolve();
    expect(await second).toBe('b');
  });

  test('a setting that was raised lets more of them in with the next that ends', async () => {
    const jobs = new Jobs();
    jobs.most = 1;
    for (const name of ['a', 'b', 'c']) void jobs.start(name);
    await settled();
    jobs.most = 3;
    jobs.running.get('a')?.resolve();
    await settled();
    expect(jobs.names).toEqual(['b', 'c']);
  });
});
