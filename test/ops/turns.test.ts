// Long work in stretches, by a clock that the work itself moves.
import { describe, expect, it } from 'vitest';
import {
  atOnce,
  inTurns,
  LONGEST_STRETCH_MS,
  mapInTurns,
  PACE,
  Pauses,
  STRETCH_MS,
  type Steps,
  TurnQueue,
  type Turns,
} from '../../src/base/turns.js';

/** Time stands still but for `tick`; turns are counted. */
function counted(): Turns & { turns: number; tick: (ms: number) => void } {
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

function* work(steps: number, each: () => void): Steps<number> {
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
      inTurns(
        work(1000, () => undefined),
        clock,
      ),
    ).toBe(1000);
    expect(clock.turns).toBe(0);
  });

  it('lets others have a turn after every stretch', async () => {
    const clock = counted();
    const result = inTurns(
      work(41, () => clock.tick(STRETCH_MS / 4)),
      clock,
    );
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(41);
    expect(clock.turns).toBe(8);
  });

  it('ends no stretch for one step that took long, but for a very long one', async () => {
    for (const [longest, turns] of [
      [LONGEST_STRETCH_MS - STRETCH_MS, 0],
      [LONGEST_STRETCH_MS, 1],
    ] as const) {
      for (const slow of [1, 2, 3]) {
        const clock = counted();
        let step = 0;
        const steps = work(3, () => {
          step += 1;
          clock.tick(step === slow ? longest : STRETCH_MS / 8);
        });
        expect(await inTurns(steps, clock)).toBe(3);
        expect(clock.turns).toBe(turns);
      }
    }
  });

  it('counts all steps but one in a stretch', async () => {
    const clock = counted();
    let step = 0;
    const steps = work(6, () => {
      step += 1;
      clock.tick(step % 3 === 0 ? STRETCH_MS : STRETCH_MS / 2);
    });
    expect(await inTurns(steps, clock)).toBe(6);
    expect(clock.turns).toBe(2);
  });

  it('hands on what long work throws', async () => {
    const clock = counted();
    let left = 2;
    const failing = work(5, () => {
      clock.tick(STRETCH_MS);
      if (left-- === 0) throw new Error('broken');
    });
    await expect(inTurns(failing, clock)).rejects.toThrow('broken');
    expect(clock.turns).toBe(1);
  });
});

describe('atOnce', () => {
  it('does all steps', () => {
    let done = 0;
    expect(atOnce(work(7, () => done++))).toBe(7);
    expect(done).toBe(7);
  });
});

describe('mapInTurns', () => {
  it('maps in order, and looks at the clock once for many items', async () => {
    const clock = counted();
    const items = Array.from({ length: 4 * PACE }, (_, i) => i);
    const mapped = mapInTurns(
      items,
      (item, at) => {
        clock.tick(STRETCH_MS);
        return item + at;
      },
      clock,
    );
    expect(await mapped).toEqual(items.map((item) => 2 * item));
    expect(clock.turns).toBe(4);
  });

  it('is no promise for a few items', () => {
    expect(mapInTurns(['a', 'b'], (item) => item.toUpperCase(), counted())).toEqual(['A', 'B']);
  });
});

describe('Pauses', () => {
  it('gives everybody one turn after a stretch', async () => {
    const clock = counted();
    const pauses = new Pauses(clock);
    expect(pauses.due()).toBeUndefined();
    clock.tick(STRETCH_MS);
    const first = pauses.due();
    expect(first).toBeInstanceOf(Promise);
    expect(pauses.due()).toBe(first);
    await first;
    expect(clock.turns).toBe(1);
    expect(pauses.due()).toBeUndefined();
    clock.tick(STRETCH_MS);
    await pauses.due();
    expect(clock.turns).toBe(2);
  });
});

describe('TurnQueue', () => {
  it('goes around once for each of those that wait, in their order', async () => {
    const rounds: (() => void)[] = [];
    const queue = new TurnQueue((then) => rounds.push(then));
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
    const queue = new TurnQueue((then) => rounds.push(then));
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
