// Cooperative tasks in time slices, with a clock that the work itself advances.
import { describe, expect, it } from 'vitest';
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  MAX_TIME_SLICE_MS,
  mapCooperatively,
  runCooperatively,
  runToCompletion,
  TIME_SLICE_MS,
  YieldPoints,
  YieldQueue,
  type YieldScheduler,
} from '../../src/base/cooperative-task.js';

/** The clock advances by `tick` only; yields are counted. */
function counted(): YieldScheduler & { turns: number; tick: (ms: number) => void } {
  let now = 0;
  return {
    turns: 0,
    tick(ms) {
      now += ms;
    },
    nowMs: () => now,
    async next() {
      this.turns += 1;
    },
  };
}

function* work(steps: number, each: () => void): CooperativeTask<number> {
  for (let i = 0; i < steps; i++) {
    each();
    yield;
  }
  return steps;
}

describe('inTurns', () => {
  it('gives the result of short work at once', () => {
    const clock = counted();
    expect(
      runCooperatively(
        work(1000, () => undefined),
        clock,
      ),
    ).toBe(1000);
    expect(clock.turns).toBe(0);
  });

  it('lets others have a turn after every stretch', async () => {
    const clock = counted();
    const result = runCooperatively(
      work(41, () => clock.tick(TIME_SLICE_MS / 4)),
      clock,
    );
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(41);
    expect(clock.turns).toBe(8);
  });

  it('ends no stretch for one step that took long, but for a very long one', async () => {
    for (const [longest, turns] of [
      [MAX_TIME_SLICE_MS - TIME_SLICE_MS, 0],
      [MAX_TIME_SLICE_MS, 1],
    ] as const) {
      for (const slow of [1, 2, 3]) {
        const clock = counted();
        let step = 0;
        const steps = work(3, () => {
          step += 1;
          clock.tick(step === slow ? longest : TIME_SLICE_MS / 8);
        });
        expect(await runCooperatively(steps, clock)).toBe(3);
        expect(clock.turns).toBe(turns);
      }
    }
  });

  it('counts all steps but one in a stretch', async () => {
    const clock = counted();
    let step = 0;
    const steps = work(6, () => {
      step += 1;
      clock.tick(step % 3 === 0 ? TIME_SLICE_MS : TIME_SLICE_MS / 2);
    });
    expect(await runCooperatively(steps, clock)).toBe(6);
    expect(clock.turns).toBe(2);
  });

  it('hands on what long work throws', async () => {
    const clock = counted();
    let left = 2;
    const failing = work(5, () => {
      clock.tick(TIME_SLICE_MS);
      if (left-- === 0) throw new Error('broken');
    });
    await expect(runCooperatively(failing, clock)).rejects.toThrow('broken');
    expect(clock.turns).toBe(1);
  });
});

describe('atOnce', () => {
  it('does all steps', () => {
    let done = 0;
    expect(runToCompletion(work(7, () => done++))).toBe(7);
    expect(done).toBe(7);
  });
});

describe('mapInTurns', () => {
  it('maps in order, and looks at the clock once for many items', async () => {
    const clock = counted();
    const items = Array.from({ length: 4 * ITEMS_PER_YIELD }, (_, i) => i);
    const mapped = mapCooperatively(
      items,
      (item, at) => {
        clock.tick(TIME_SLICE_MS);
        return item + at;
      },
      clock,
    );
    expect(await mapped).toEqual(items.map((item) => 2 * item));
    expect(clock.turns).toBe(4);
  });

  it('is no promise for a few items', () => {
    expect(mapCooperatively(['a', 'b'], (item) => item.toUpperCase(), counted())).toEqual([
      'A',
      'B',
    ]);
  });
});

describe('Pauses', () => {
  it('gives everybody one turn after a stretch', async () => {
    const clock = counted();
    const pauses = new YieldPoints(clock);
    expect(pauses.due()).toBeUndefined();
    clock.tick(TIME_SLICE_MS);
    const first = pauses.due();
    expect(first).toBeInstanceOf(Promise);
    expect(pauses.due()).toBe(first);
    await first;
    expect(clock.turns).toBe(1);
    expect(pauses.due()).toBeUndefined();
    clock.tick(TIME_SLICE_MS);
    await pauses.due();
    expect(clock.turns).toBe(2);
  });
});

describe('TurnQueue', () => {
  it('goes around once for each of those that wait, in their order', async () => {
    const rounds: (() => void)[] = [];
    const queue = new YieldQueue((then) => rounds.push(then));
    const had: string[] = [];
    const wait = async (name: string): Promise<void> => {
      await queue.next();
      had.push(name);
    };
    const all = [wait('first'), wait('second'), wait('third')];
    for (const expected of ['first', 'second', 'third']) {
      expect(rounds).toHaveLength(1);
      rounds.pop()?.();
      await Promise.resolve();
      expect(had.at(-1)).toBe(expected);
    }
    await Promise.all(all);
    expect(rounds).toHaveLength(0);
    expect(had).toHaveLength(3);
  });

  it('has room again for whoever comes while another leaves', async () => {
    const rounds: (() => void)[] = [];
    const queue = new YieldQueue((then) => rounds.push(then));
    let turns = 0;
    const work = async (): Promise<void> => {
      for (; turns < 5; turns++) await queue.next();
    };
    const working = work();
    for (let left = 5; left > 0; left--) {
      expect(rounds).toHaveLength(1);
      rounds.pop()?.();
      await Promise.resolve();
      await Promise.resolve();
    }
    await working;
    expect(turns).toBe(5);
  });
});
