// Which searches are slow, at which level, and the content of a line.
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { Metrics } from '../../src/ops/metrics.ts';
import {
  type SearchedIndex,
  SlowLog,
  type SlowPhase,
  type Thresholds,
} from '../../src/ops/slow-log.ts';
import { MAX_SLOW_SEARCHES, type SlowSearch, SlowSearches } from '../../src/ops/slow-searches.ts';

const indexOf = (own: Partial<Record<SlowPhase, Thresholds>>): SearchedIndex => ({
  behaviour: { slowQueries: { query: {}, fetch: {}, ...own } },
});

function slowLog(defaults: Thresholds, options: { readonly values?: true; level?: string } = {}) {
  const lines: Record<string, unknown>[] = [];
  const slow: SlowSearch[] = [];
  const metrics = new Metrics();
  const log = new SlowLog({
    logger: pino(
      { level: options.level ?? 'trace' },
      new Writable({
        write(chunk, _encoding, done) {
          lines.push(JSON.parse(String(chunk)));
          done();
        },
      }),
    ),
    metrics,
    defaults: () => defaults,
    showsValues: () => options.values === true,
    onSlow: (search) => slow.push(search),
  });
  const observe = (tookMs: number, ...thresholds: Thresholds[]): void =>
    log.observe({
      phase: 'query',
      tookMs,
      indexes: thresholds.map((query) => indexOf({ query })),
      describe: (withValues) => (withValues ? { body: 1 } : { shape: 1 }),
    });
  return { lines, slow, metrics, log, observe };
}

const WARN = 40;
const INFO = 30;
const TRACE = 10;

describe('the slow-query log', () => {
  test('takes the most severe level that a search is beyond', () => {
    const { lines, observe } = slowLog({ warn: 100, info: 50, trace: 0 });
    for (const ms of [1, 50, 99.9, 100]) observe(ms);
    expect(lines.map(({ level, took_ms }) => [level, took_ms])).toEqual([
      [TRACE, 1],
      [INFO, 50],
      [INFO, 99.9],
      [WARN, 100],
    ]);
  });

  test('is silent where nothing is set', () => {
    const { lines, observe } = slowLog({});
    observe(1e9, {}, {});
    expect(lines).toEqual([]);
  });

  test('goes by the index before the node, and by the strictest of several', () => {
    const { lines, observe } = slowLog({ warn: 100 });
    observe(60, { warn: 50 });
    observe(200, { warn: -1 });
    observe(60, { warn: 500 }, { warn: 50 });
    observe(120, { warn: 500 }, {});
    expect(lines.map(({ took_ms }) => took_ms)).toEqual([60, 60, 120]);
  });

  test('has no defaults for fetches', () => {
    const { lines, log } = slowLog({ warn: 0 });
    const fetch = { phase: 'fetch', tookMs: 5, describe: () => ({}) } as const;
    log.observe({ ...fetch, indexes: [indexOf({})] });
    log.observe({ ...fetch, indexes: [indexOf({ fetch: { warn: 5 } })] });
    expect(lines).toMatchObject([{ msg: 'slow fetch', phase: 'fetch' }]);
  });

  test('shows values only where asked, and counts what the log level hides', async () => {
    const hidden = slowLog({ info: 0 }, { level: 'warn' });
    hidden.observe(1);
    expect(hidden.lines).toEqual([]);
    expect(await hidden.metrics.text()).toContain(
      'quarry_slow_searches_total{level="info",phase="query"} 1',
    );
    const shown = slowLog({ info: 0 }, { values: true });
    shown.observe(1);
    expect(shown.lines).toMatchObject([{ body: 1 }]);
    const shape = slowLog({ info: 0 });
    shape.observe(1);
    expect(shape.lines).toMatchObject([{ shape: 1, msg: 'slow query' }]);
  });
});

describe('the slow searches that are retained', () => {
  test('have the shape alone, also where the log shows values or has no line', () => {
    const { lines, slow, observe } = slowLog({ warn: 100 }, { values: true, level: 'silent' });
    observe(150);
    expect(lines).toEqual([]);
    expect(slow).toEqual([
      { at: expect.any(Number), level: 'warn', phase: 'query', took_ms: 150, shape: 1 },
    ]);
  });

  test('are the latest, the newest first, and all are counted', () => {
    const searches = new SlowSearches();
    const entry = { level: 'warn', phase: 'query', took_ms: 1 } as const;
    for (let at = 0; at < 2 * MAX_SLOW_SEARCHES; at++) searches.add({ ...entry, at });
    expect(searches.total).toBe(2 * MAX_SLOW_SEARCHES);
    expect(searches.latest(2).map(({ at }) => at)).toEqual([399, 398]);
    expect(searches.latest(1000)).toHaveLength(MAX_SLOW_SEARCHES);
  });

  test('leave out a shape that is too long', () => {
    const searches = new SlowSearches();
    const shape = { query: 'x'.repeat(5000) };
    searches.add({ at: 1, level: 'warn', phase: 'query', took_ms: 1, shape });
    expect(searches.latest(1)[0]).toMatchObject({ shape: { '…': 'a shape of 5012 characters' } });
  });
});
