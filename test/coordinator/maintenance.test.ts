// Flushes and merges: when the engine is called, what runs concurrently, and when writers have to
// wait.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Maintenance, shardPairs } from '../../src/coordinator/node/maintenance.ts';
import { shardKey } from '../../src/coordinator/shards/refresh.ts';

class Fixture {
  flushable: number[] = [];
  mergeable: number[] = [];
  readonly started: string[] = [];
  readonly errors: string[] = [];
  readonly idle: string[] = [];
  readonly warnings: string[] = [];
  readonly warned: string[] = [];
  readonly ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  readonly maintenance = new Maintenance({
    flushCandidates: () => Uint32Array.from(this.flushable),
    mergeCandidates: () => Uint32Array.from(this.mergeable),
    flush: (shard) => this.#job(`flush ${shardKey(shard)}`),
    merge: async (shard) => {
      await this.#job(`merge ${shardKey(shard)}`);
      return true;
    },
    maxMerges: () => 1,
    closeIdle: () => this.idle.splice(0, 2).length,
    onError: (job, shard) => this.errors.push(`${job} ${shardKey(shard)}`),
    warnings: () => this.warnings.splice(0),
    onWarning: (warning) => this.warned.push(warning),
  });

  #job(name: string): Promise<void> {
    this.started.push(name);
    return new Promise((resolve, reject) => this.ends.push({ resolve, reject }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('maintenance', () => {
  test('asks a while after a write, once', async () => {
    const fixture = new Fixture();
    fixture.flushable = [1, 0];
    fixture.maintenance.wrote(10);
    fixture.maintenance.wrote(10);
    expect(fixture.started).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(fixture.started).toEqual(['flush 1/0']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fixture.started).toEqual(['flush 1/0']);
  });

  test('closes idle indexes a few at a time', async () => {
    const fixture = new Fixture();
    fixture.idle.push('a', 'b', 'c');
    fixture.maintenance.check();
    expect(fixture.idle).toEqual(['c']);
    await vi.advanceTimersByTimeAsync(50);
    expect(fixture.idle).toEqual([]);
  });

  test('asks now and then without writes, and passes warnings on', async () => {
    const fixture = new Fixture();
    fixture.maintenance.check();
    fixture.warnings.push('a damaged file');
    fixture.mergeable = [1, 0];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fixture.warned).toEqual(['a damaged file']);
    expect(fixture.started).toEqual(['merge 1/0']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fixture.warned).toEqual(['a damaged file']);
  });

  test('asks at once after many bytes', () => {
    const fixture = new Fixture();
    fixture.flushable = [1, 0, 2, 3];
    fixture.maintenance.wrote(5_000_000);
    expect(fixture.started).toEqual(['flush 1/0', 'flush 2/3']);
  });

  test('holds writers back while a shard is full again during its flush', async () => {
    const fixture = new Fixture();
    fixture.flushable = [1, 0];
    fixture.maintenance.check();
    await fixture.maintenance.relieved();
    fixture.maintenance.check();
    let relieved = false;
    const wait = fixture.maintenance.relieved().then(() => {
      relieved = true;
    });
    await vi.advanceTimersByTimeAsync(10);
    expect(relieved).toBe(false);
    fixture.flushable = [];
    fixture.ends[0]?.resolve();
    await wait;
    expect(fixture.started).toEqual(['flush 1/0']);
  });

  test('a failed flush lets writers go on and is tried again', async () => {
    const fixture = new Fixture();
    fixture.flushable = [1, 0];
    fixture.maintenance.check();
    fixture.maintenance.check();
    fixture.ends[0]?.reject(new Error('disk full'));
    await fixture.maintenance.relieved();
    expect(fixture.errors).toEqual(['flush 1/0']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(fixture.started).toEqual(['flush 1/0', 'flush 1/0']);
  });

  test('merges step by step, as many at once as allowed', async () => {
    const fixture = new Fixture();
    fixture.mergeable = [1, 0, 2, 0];
    fixture.maintenance.check();
    expect(fixture.started).toEqual(['merge 1/0']);
    fixture.mergeable = [2, 0];
    fixture.ends[0]?.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(fixture.started).toEqual(['merge 1/0', 'merge 2/0']);
  });

  test('close waits for what runs and starts nothing more', async () => {
    const fixture = new Fixture();
    fixture.flushable = [1, 0];
    fixture.maintenance.check();
    const closed = fixture.maintenance.close();
    fixture.ends[0]?.resolve();
    await closed;
    fixture.maintenance.wrote(1e9);
    await vi.advanceTimersByTimeAsync(5000);
    expect(fixture.started).toEqual(['flush 1/0']);
  });
});

test('pairs', () => {
  expect(shardPairs(Uint32Array.of(1, 0, 7, 2))).toEqual([
    { index: 1, shard: 0 },
    { index: 7, shard: 2 },
  ]);
});
