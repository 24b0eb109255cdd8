// Snapshot policies: schedules in the form of Elasticsearch, what retention deletes, and runs over a
// clock that the test turns.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { Policies } from '../../src/snapshot/policies/policies.ts';
import { expired } from '../../src/snapshot/policies/retention.ts';
import { readSchedule } from '../../src/snapshot/policies/schedule.ts';
import type { SnapshotView } from '../../src/snapshot/views.ts';

const DAY = 86_400_000;
/** A Friday. */
const START = Date.parse('2026-11-27T15:00:00Z');

describe('a schedule', () => {
  const times = (text: string): readonly (string | undefined)[] => {
    const { next } = readSchedule(text);
    const first = next(START);
    const second = first === undefined ? undefined : next(first);
    return [first, second].map((ms) => (ms === undefined ? undefined : new Date(ms).toISOString()));
  };

  test.each([
    ['0 30 1 * * ?', '2026-11-28T01:30:00', '2026-11-29T01:30:00'],
    ['0 30 1 ? * *', '2026-11-28T01:30:00', '2026-11-29T01:30:00'],
    ['0 0 2 ? * MON-FRI', '2026-11-30T02:00:00', '2026-12-01T02:00:00'],
    ['0 0 2 ? * 2-6', '2026-11-30T02:00:00', '2026-12-01T02:00:00'],
    ['0 0 1 ? * 1', '2026-11-29T01:00:00', '2026-12-06T01:00:00'],
    ['0 0 1 ? * SUN,wed', '2026-11-29T01:00:00', '2026-12-02T01:00:00'],
    ['0 0 1 ? * L', '2026-11-28T01:00:00', '2026-12-05T01:00:00'],
    ['0 0 1 ? * 6L', '2026-12-25T01:00:00', '2027-01-29T01:00:00'],
    ['0 0 1 ? * FRIL', '2026-12-25T01:00:00', '2027-01-29T01:00:00'],
    ['0 0 12 ? * 2#1', '2026-12-07T12:00:00', '2027-01-04T12:00:00'],
    ['0 0 1 L * ?', '2026-11-30T01:00:00', '2026-12-31T01:00:00'],
    ['0 0 1 LW JAN ?', '2027-01-29T01:00:00', '2028-01-31T01:00:00'],
    ['0 0 1 15W * ?', '2026-12-15T01:00:00', '2027-01-15T01:00:00'],
    ['0 0/5 14 * * ?', '2026-11-28T14:00:00', '2026-11-28T14:05:00'],
    ['30 2/20 2/6 * * ?', '2026-11-27T20:02:30', '2026-11-27T20:22:30'],
    ['*/10 * * * * ?', '2026-11-27T15:00:10', '2026-11-27T15:00:20'],
    ['0 0 0 1 JAN,JUL ?', '2027-01-01T00:00:00', '2027-07-01T00:00:00'],
    ['0 0 0 29 2 ?', '2028-02-29T00:00:00', '2032-02-29T00:00:00'],
    ['0 0 0 1 1 ? 2030', '2030-01-01T00:00:00', undefined],
    ['0 0 0 1 1 ? 2020-2022', undefined, undefined],
  ])('[%s] is %s and %s', (text, first, second) => {
    const shown = [first, second].map((time) => (time === undefined ? time : `${time}.000Z`));
    expect(times(text)).toEqual(shown);
  });

  test.each([
    ['', 'it has [1] fields'],
    ['30 1 * * ?', 'it has [5] fields'],
    ['0 30 1 * * * * *', 'it has [8] fields'],
    ['0 0 0 * * *', 'exactly one of day_of_month and day_of_week must be [?]'],
    ['0 0 0 ? * ?', 'exactly one of'],
    ['0 ? 0 * * ?', '[?] stands alone'],
    ['0 0 25 * * ?', 'Invalid value for hour: 25'],
    ['0 0 0 ? * 8', 'days of the week are 1 (Sunday) to 7'],
    ['0 0 0 ? * 0', 'days of the week are 1 (Sunday) to 7'],
    ['0 0 0 L-3 * ?', 'invalid cron expression [0 0 0 L-3 * ?]'],
    ['0 0 0 x * ?', 'invalid cron expression'],
    ['@daily', 'it has [1] fields'],
    ['30m', 'it has [1] fields'],
  ])('[%s] is refused: %s', (text, why) => {
    expect(() => readSchedule(text)).toThrow(why);
  });
});

function view(name: string, startMs: number, state: SnapshotView['state'] = 'SUCCESS') {
  return { name, startMs, state, metadata: { policy: 'p' } } as unknown as SnapshotView;
}

describe('retention', () => {
  const all = [1, 2, 3, 4, 5].map((day) => view(`s${day}`, START - (6 - day) * DAY));
  test.each([
    [
      { expireAfterMs: 3 * DAY, minCount: 0, maxCount: Number.POSITIVE_INFINITY },
      ['s1', 's2', 's3'],
    ],
    [{ expireAfterMs: 3 * DAY, minCount: 4, maxCount: Number.POSITIVE_INFINITY }, ['s1']],
    [{ expireAfterMs: undefined, minCount: 0, maxCount: 2 }, ['s1', 's2', 's3']],
    [{ expireAfterMs: 9 * DAY, minCount: 1, maxCount: 4 }, ['s1']],
    [{ expireAfterMs: 1, minCount: 5, maxCount: 5 }, []],
  ])('%o deletes %o', (retention, names) => {
    expect(expired(all, retention, START)).toEqual(names);
  });

  test('keeps between the counts, the newest, whatever the times', () => {
    const states = fc.constantFrom<SnapshotView['state']>('SUCCESS', 'PARTIAL');
    void fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(100), states), { maxLength: 20 }),
        fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
        fc.nat(5),
        fc.integer({ min: 1, max: 10 }),
        (ages, expireAfterMs, minCount, more) => {
          const some = ages.map(([age, state], i) => view(`s${i}`, 1000 - age, state));
          const maxCount = minCount + more;
          const gone = new Set(expired(some, { expireAfterMs, minCount, maxCount }, 1000));
          const complete = some.filter(({ state }) => state === 'SUCCESS');
          const kept = complete.filter(({ name }) => !gone.has(name));
          expect(kept.length).toBeLessThanOrEqual(maxCount);
          expect(kept.length).toBeGreaterThanOrEqual(Math.min(minCount, complete.length));
          const oldestKept = Math.min(...kept.map(({ startMs }) => startMs));
          for (const one of complete) {
            if (gone.has(one.name)) expect(one.startMs).toBeLessThanOrEqual(oldestKept);
          }
        },
      ),
    );
  });
});

describe('policies', () => {
  let dataDir: string;
  let now: number;
  let policies: Policies;
  let snapshots: Map<string, SnapshotView>;
  let bodies: JsonObject[];
  let failing: Error | undefined;
  /** Ends the running snapshot; undefined ends each at once. */
  let pending: (() => void)[] | undefined;
  let waiting: { readonly at: number; readonly run: () => void } | undefined;
  let uuids: number;
  let reported: string[];

  const BODY = {
    schedule: '0 0 * * * ?',
    name: '<Hourly-{now/d}>'.toLowerCase(),
    repository: 'r',
    config: { indices: 'a*', metadata: { by: 'me' } },
  };

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'quarry-policies-'));
    now = START + 1;
    snapshots = new Map();
    bodies = [];
    failing = undefined;
    pending = undefined;
    uuids = 0;
    reported = [];
    await start();
  });
  afterEach(async () => {
    for (const end of pending ?? []) end();
    await policies.close();
    rmSync(dataDir, { recursive: true });
  });

  async function start(): Promise<void> {
    waiting = undefined;
    policies = new Policies({
      dataDir,
      newUuid: () => `U${String(++uuids).padStart(21, '0')}`,
      nowMs: () => now,
      after(ms, run) {
        waiting = { at: now + ms, run };
        return () => {
          waiting = undefined;
        };
      },
      onFailure: (what) => reported.push(what),
      snapshots: {
        repositories: {
          check(name: string) {
            if (name !== 'r') throw new Error(`[${name}] missing`);
          },
        } as never,
        async create(_repository, name, body) {
          if (failing !== undefined) throw failing;
          bodies.push(body);
          const made = view(name, now);
          const done = (async () => {
            const list = pending;
            if (list !== undefined) await new Promise<void>((resolve) => list.push(resolve));
            snapshots.set(name, made);
            return made;
          })();
          return { done };
        },
        list: async () => [...snapshots.values()],
        async delete(_repository, names) {
          for (const name of names) snapshots.delete(name);
        },
      },
    });
    await policies.load();
    policies.follow();
  }

  /** Waits until no run goes on, unless the test keeps it from ending. */
  async function settle(): Promise<void> {
    do await new Promise((resolve) => setTimeout(resolve, 5));
    while (pending === undefined && policies.list([]).some(({ running }) => running !== undefined));
  }
  async function turnTo(time: string): Promise<void> {
    const end = Date.parse(time);
    while (now < end) {
      const due = waiting;
      now = Math.min(end, due?.at ?? end);
      if (due === undefined || due.at > now) continue;
      waiting = undefined;
      due.run();
      if (policies.list([]).some(({ running }) => running !== undefined)) await settle();
    }
    await settle();
  }

  test('take a snapshot at each time of their schedule, named by date and marked', async () => {
    await policies.put('p', BODY);
    expect(policies.list(['p'])).toMatchObject([
      { id: 'p', version: 1, nextMs: Date.parse('2026-11-27T16:00:00Z'), lastSuccess: undefined },
    ]);
    await turnTo('2026-11-27T16:30:00Z');
    expect([...snapshots.keys()]).toEqual(['hourly-2026.11.27-u000000000000000000001']);
    expect(bodies).toEqual([{ indices: 'a*', metadata: { by: 'me', policy: 'p' } }]);
    expect(policies.list([])).toMatchObject([
      {
        counts: { taken: 1, failed: 0 },
        lastSuccess: { snapshot: 'hourly-2026.11.27-u000000000000000000001' },
        nextMs: Date.parse('2026-11-27T17:00:00Z'),
      },
    ]);
    await policies.close();
    await start();
    expect(policies.list([])).toMatchObject([{ version: 1, counts: { taken: 1 } }]);
  });

  test('make up the times of a stop by one run, and none of a suspension', async () => {
    await policies.put('p', BODY);
    await policies.close();
    now = Date.parse('2026-11-27T20:30:00Z');
    await start();
    await settle();
    expect(snapshots.size).toBe(1);
    await policies.stop();
    expect(policies.isStopped).toBe(true);
    now = Date.parse('2026-11-28T20:30:00Z');
    await policies.close();
    await start();
    await settle();
    expect(policies.isStopped).toBe(true);
    expect(snapshots.size).toBe(1);
    await policies.start();
    await settle();
    expect(snapshots.size).toBe(1);
    expect(policies.list([])).toMatchObject([{ nextMs: Date.parse('2026-11-28T21:00:00Z') }]);
  });

  test('make up a run that the end of the server cut short', async () => {
    await policies.put('p', BODY);
    pending = [];
    await turnTo('2026-11-27T16:00:01Z');
    expect(policies.list([])).toMatchObject([
      { running: { startMs: Date.parse('2026-11-27T16:00:00Z') } },
    ]);
    // A new process over the same folder, while the old one has not ended its run.
    const [cut, lost] = [policies, pending];
    pending = undefined;
    await start();
    await settle();
    expect([...snapshots.keys()]).toEqual(['hourly-2026.11.27-u000000000000000000002']);
    for (const end of lost) end();
    await cut.close();
  });

  test('run once at a time, and what passes meanwhile is one run', async () => {
    await policies.put('p', BODY);
    pending = [];
    await turnTo('2026-11-27T18:30:00Z');
    expect(bodies.length).toBe(1);
    await expect(policies.execute('p')).rejects.toThrow('policy [p] is running, its snapshot is');
    const [end] = pending;
    pending = undefined;
    end?.();
    await settle();
    expect(snapshots.size).toBe(2);
  });

  test('note a failure, report it, and go on; nothing is deleted then', async () => {
    await policies.put('p', { ...BODY, retention: { expire_after: '1m' } });
    snapshots.set('old', view('old', START - DAY));
    failing = new Error('no room');
    await turnTo('2026-11-27T16:00:01Z');
    expect(policies.list([])).toMatchObject([
      { counts: { taken: 0, failed: 1 }, lastFailure: { details: 'no room' } },
    ]);
    expect(reported.length).toBe(1);
    expect(snapshots.has('old')).toBe(true);
    failing = undefined;
    await turnTo('2026-11-27T17:00:01Z');
    expect([...snapshots.keys()]).toEqual(['hourly-2026.11.27-u000000000000000000002']);
    expect(policies.list([])).toMatchObject([{ counts: { taken: 1, failed: 1, deleted: 1 } }]);
    expect(policies.node).toMatchObject({ retentionRuns: 1, retentionFailed: 0 });
  });

  test('follow a clock that is set back', async () => {
    await policies.put('p', BODY);
    now -= 10 * DAY;
    waiting?.run();
    await turnTo('2026-11-17T16:00:01Z');
    expect([...snapshots.keys()]).toEqual(['hourly-2026.11.17-u000000000000000000001']);
  });

  test('are executed by hand, replaced with a new version, and deleted', async () => {
    await policies.put('p', BODY);
    expect(await policies.execute('p')).toBe('hourly-2026.11.27-u000000000000000000001');
    await settle();
    await policies.put('p', { ...BODY, schedule: '0 0 5 ? * MON' });
    expect(policies.list(['p*'])).toMatchObject([{ version: 2, counts: { taken: 1 } }]);
    await policies.delete('p');
    expect(policies.list([])).toEqual([]);
    await expect(policies.delete('p')).rejects.toThrow('[p] not found');
    await expect(policies.execute('p')).rejects.toThrow('[p] not found');
    expect(() => policies.list(['p'])).toThrow('[p] not found');
  });

  test.each([
    [{ schedule: 'x' }, '[schedule] invalid cron expression [x]'],
    [{ schedule: '0 0 0 1 1 ? 2020' }, 'is in the future'],
    [{ name: 'Upper' }, 'must be lowercase'],
    [{ name: '<a-{now/q}>' }, 'failed to parse date math'],
    [{ name: 'x'.repeat(240) }, 'is longer than 255 bytes'],
    [{ repository: 'other' }, '[other] missing'],
    [{ repository: '' }, 'policy [p] needs [repository]'],
    [{ other: 1 }, 'unknown member [other]'],
    [{ config: { indexes: 'a' } }, 'Unknown parameter [indexes]'],
    [{ config: { metadata: { policy: 'x' } } }, 'leave it out'],
    [{ config: { metadata: { a: 'x'.repeat(2000) } } }, 'metadata must be smaller than'],
    [{ retention: { expire_after: '3' } }, 'failed to parse setting [expire_after]'],
    [{ retention: { expire_after: '0' } }, 'must be longer than 0'],
    [{ retention: { min_count: 3, max_count: 2 } }, 'min_count [3] cannot be larger'],
    [{ retention: { max_count: 0 } }, 'max_count must be a whole number above 0'],
    [{ retention: { max_count: 1.5 } }, 'max_count must be a whole number above 0'],
    [{ retention: { forever: true } }, 'unknown member [forever]'],
  ])('%o is refused', async (change, why) => {
    await expect(policies.put('p', { ...BODY, ...change })).rejects.toThrow(why);
    expect(policies.list([])).toEqual([]);
  });

  test.each(['', 'a b', '_a', 'a/b', 'x'.repeat(256), 'a\u0000'])('[%s] is no id', async (id) => {
    if (id === '') return;
    await expect(policies.put(id, BODY)).rejects.toThrow('invalid policy id');
  });

  test('that cannot be read are damaged entries, and the others go on', async () => {
    await policies.put('p', BODY);
    await policies.close();
    writeFileSync(join(dataDir, 'snapshot-policies.json'), 'x');
    await start();
    expect(policies.damaged()).toMatchObject([{ kind: 'file', name: 'snapshot-policies.json' }]);
    await expect(policies.put('q', BODY)).rejects.toThrow('cannot be read');
  });
});
