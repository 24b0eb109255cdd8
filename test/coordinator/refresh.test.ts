// When shards are refreshed, with a clock that is advanced manually.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RefreshScheduler, shardKey } from '../../src/coordinator/shards/refresh.ts';
import type { ShardRef } from '../../src/worker/tasks.ts';

const a: ShardRef = { index: 1, shard: 0 };
const b: ShardRef = { index: 2, shard: 0 };
const manual: ShardRef = { index: 3, shard: 0 };

class Fixture {
  readonly refreshed: string[] = [];
  readonly errors: unknown[] = [];
  /** Index -> shards with unpublished writes, as reported. */
  readonly unpublished: Record<number, number> = {};
  readonly intervals = new Map([
    [1, 1000],
    [2, 5000],
    [3, -1],
  ]);
  failures = 0;
  readonly scheduler = new RefreshScheduler({
    refresh: async (shard) => {
      if (this.failures > 0) {
        this.failures -= 1;
        throw new Error('no');
      }
      this.refreshed.push(shardKey(shard));
    },
    intervalMs: (index) => this.intervals.get(index),
    onError: (_shard, error) => this.errors.push(error),
    onUnpublished: (index, change) => {
      this.unpublished[index] = (this.unpublished[index] ?? 0) + change;
    },
    concurrency: 2,
    now: () => Date.now(),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the refresh scheduler', () => {
  test('refreshes written shards at their own interval, once', async () => {
    const { scheduler, refreshed } = new Fixture();
    scheduler.touched([a, b, manual]);
    scheduler.touched([a]);
    await vi.advanceTimersByTimeAsync(999);
    expect(refreshed).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(refreshed).toEqual(['1/0']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(refreshed).toEqual(['1/0', '2/0']);
  });

  test('reports a shard as unpublished until a refresh has seen its last write', async () => {
    const fixture = new Fixture();
    const { scheduler, unpublished } = fixture;
    scheduler.touched([a, b, { index: 1, shard: 1 }]);
    scheduler.touched([a]);
    expect(unpublished).toEqual({ 1: 2, 2: 1 });
    const published = scheduler.settled([a, b]);
    scheduler.touched([b]);
    await published;
    expect(unpublished).toEqual({ 1: 1, 2: 1 });
    fixture.failures = 1;
    await expect(scheduler.settled([b])).rejects.toThrow('no');
    expect(unpublished[2]).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(unpublished).toEqual({ 1: 0, 2: 0 });
  });

  test('reports shards of a dropped index no longer', async () => {
    const fixture = new Fixture();
    fixture.scheduler.touched([a]);
    fixture.failures = 1;
    fixture.intervals.delete(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fixture.unpublished).toEqual({ 1: 0 });
  });

  test('leaves no timer behind when nothing is written', async () => {
    const { scheduler } = new Fixture();
    scheduler.touched([a]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('wait_for waits for the next refresh', async () => {
    const { scheduler, refreshed } = new Fixture();
    scheduler.touched([a]);
    let published = false;
    const wait = scheduler.published([a]).then(() => {
      published = true;
    });
    await vi.advanceTimersByTimeAsync(500);
    expect(published).toBe(false);
    await vi.advanceTimersByTimeAsync(500);
    await wait;
    expect(refreshed).toEqual(['1/0']);
  });

  test('wait_for forces the refresh of an index that has none', async () => {
    const { scheduler, refreshed } = new Fixture();
    scheduler.touched([manual]);
    await scheduler.published([manual]);
    expect(refreshed).toEqual(['3/0']);
  });

  test('a forced refresh releases who waits', async () => {
    const { scheduler, refreshed } = new Fixture();
    scheduler.touched([a]);
    const wait = scheduler.published([a]);
    await scheduler.now([a]);
    await wait;
    await vi.advanceTimersByTimeAsync(5000);
    expect(refreshed).toEqual(['1/0']);
  });

  test('a failed refresh is reported and tried again', async () => {
    const fixture = new Fixture();
    fixture.failures = 1;
    fixture.scheduler.touched([a]);
    const wait = fixture.scheduler.published([a]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(fixture.errors).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    await wait;
    expect(fixture.refreshed).toEqual(['1/0']);
  });

  test('a dropped index is forgotten', async () => {
    const fixture = new Fixture();
    fixture.failures = 1;
    fixture.scheduler.touched([a]);
    const wait = fixture.scheduler.published([a]);
    fixture.intervals.delete(1);
    await vi.advanceTimersByTimeAsync(1000);
    await wait;
    expect(fixture.errors).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a changed interval counts at once', async () => {
    const fixture = new Fixture();
    fixture.scheduler.touched([manual]);
    fixture.intervals.set(3, 10);
    fixture.scheduler.rescheduled(3);
    await vi.advanceTimersByTimeAsync(10);
    expect(fixture.refreshed).toEqual(['3/0']);
  });

  test('close stops everything and releases who waits', async () => {
    const { scheduler, refreshed } = new Fixture();
    scheduler.touched([a]);
    const wait = scheduler.published([a]);
    scheduler.close();
    await wait;
    await vi.advanceTimersByTimeAsync(5000);
    expect(refreshed).toEqual([]);
  });

  describe('settled', () => {
    test('refreshes what waits, and nothing where all is published', async () => {
      const { scheduler, refreshed } = new Fixture();
      await scheduler.settled([a, manual]);
      expect(refreshed).toEqual([]);
      scheduler.touched([a, manual]);
      await scheduler.settled([a, b, manual]);
      expect(refreshed.sort()).toEqual(['1/0', '3/0']);
      await scheduler.settled([a, b, manual]);
      expect(refreshed).toHaveLength(2);
    });

    test('joins a refresh that began after the writes', async () => {
      const { scheduler, refreshed } = new Fixture();
      scheduler.touched([a]);
      const first = scheduler.settled([a]);
      await Promise.all([scheduler.settled([a]), scheduler.settled([a]), first]);
      expect(refreshed).toEqual(['1/0']);
    });

    test('does not take a refresh for its own that began before a write', async () => {
      const { scheduler, refreshed } = new Fixture();
      scheduler.touched([a]);
      const first = scheduler.settled([a]);
      scheduler.touched([a]);
      await Promise.all([scheduler.settled([a]), first]);
      expect(refreshed).toEqual(['1/0', '1/0']);
    });

    test('tries again when the refresh that it joined fails', async () => {
      const fixture = new Fixture();
      fixture.failures = 1;
      fixture.scheduler.touched([a]);
      const first = fixture.scheduler.settled([a]);
      const second = fixture.scheduler.settled([a]);
      await expect(first).rejects.toThrow('no');
      await second;
      expect(fixture.refreshed).toEqual(['1/0']);
    });
  });
});
