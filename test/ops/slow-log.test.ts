// Which searches are slow, at which level, and the content of a line.
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { Metrics } from '../../src/ops/metrics.ts';
import { type SlowLevel, SlowLog, type Thresholds } from '../../src/ops/slow-log.ts';

function slowLog(defaults: Thresholds, options: { readonly values?: true; level?: string } = {}) {
  const lines: Record<string, unknown>[] = [];
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
    defaultMs: (level: SlowLevel) => defaults[level] ?? -1,
    showsValues: () => options.values === true,
  });
  const observe = (tookMs: number, ...thresholds: Thresholds[]): void =>
    log.observe({
      phase: 'query',
      tookMs,
      thresholds,
      describe: (withValues) => (withValues ? { body: 1 } : { shape: 1 }),
    });
  return { lines, metrics, log, observe };
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
    log.observe({ ...fetch, thresholds: [{}] });
    log.observe({ ...fetch, thresholds: [{ warn: 5 }] });
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
