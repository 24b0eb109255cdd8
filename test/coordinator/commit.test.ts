// Group commit over a log whose syncs are completed manually.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GroupCommit } from '../../src/coordinator/node/commit.ts';
import { QuarryError } from '../../src/errors.ts';

class FakeLog {
  readonly syncs: { resolve: (position: bigint) => void; reject: (error: Error) => void }[] = [];
  readonly failures: QuarryError[] = [];
  readonly commit = new GroupCommit({
    syncWal: () => new Promise((resolve, reject) => this.syncs.push({ resolve, reject })),
    toError: (thrown) => new QuarryError('store_exception', (thrown as Error).message),
    onFailure: (error) => this.failures.push(error),
    onSync: () => {},
    intervalMs: () => 100,
    now: () => 0,
  });
}

async function settled(promise: Promise<void>): Promise<boolean> {
  let done = false;
  promise.then(
    () => {
      done = true;
    },
    () => {
      done = true;
    },
  );
  for (let i = 0; i < 20; i++) await Promise.resolve();
  return done;
}

describe('group commit', () => {
  test('one sync at a time; the next covers all who came meanwhile', async () => {
    const log = new FakeLog();
    const first = log.commit.durable(10n);
    const second = log.commit.durable(20n);
    const third = log.commit.durable(30n);
    expect(log.syncs).toHaveLength(1);

    log.syncs[0]?.resolve(10n);
    await first;
    expect(await settled(second)).toBe(false);
    expect(log.syncs).toHaveLength(2);

    log.syncs[1]?.resolve(30n);
    await Promise.all([second, third]);
    expect(log.syncs).toHaveLength(2);
  });

  test('what is durable already needs no sync', async () => {
    const log = new FakeLog();
    const first = log.commit.durable(10n);
    log.syncs[0]?.resolve(50n);
    await first;
    await log.commit.durable(50n);
    expect(log.syncs).toHaveLength(1);
  });

  test('a failed sync fails who waits and everybody after, and is never tried again', async () => {
    const log = new FakeLog();
    const first = log.commit.durable(10n);
    const second = log.commit.durable(20n);
    log.syncs[0]?.reject(new Error('EIO'));
    await expect(first).rejects.toThrow('EIO');
    await expect(second).rejects.toThrow('EIO');
    await expect(log.commit.durable(30n)).rejects.toThrow('EIO');
    expect(log.syncs).toHaveLength(1);
    expect(log.failures).toHaveLength(1);
  });
});

describe('durability async', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('syncs once per interval', async () => {
    const log = new FakeLog();
    log.commit.later(10n);
    log.commit.later(20n);
    expect(log.syncs).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(log.syncs).toHaveLength(1);
    log.syncs[0]?.resolve(20n);
    await vi.advanceTimersByTimeAsync(1000);
    expect(log.syncs).toHaveLength(1);
  });

  test('close syncs what is outstanding', async () => {
    const log = new FakeLog();
    log.commit.later(10n);
    const closed = log.commit.close();
    expect(log.syncs).toHaveLength(1);
    log.syncs[0]?.resolve(10n);
    await closed;
  });
});
