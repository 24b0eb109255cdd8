// The handling of uncaught errors.
import { expect, test } from 'vitest';
import { Metrics } from '../../src/ops/metrics.ts';
import type { NodeState } from '../../src/ops/readiness.ts';
import { uncaughtHandler } from '../../src/ops/uncaught.ts';

function world(state: NodeState) {
  const lines: (readonly [string, unknown])[] = [];
  const codes: number[] = [];
  const metrics = new Metrics({ process: false });
  const line =
    (level: string) =>
    (members: object): void =>
      void lines.push([level, members]);
  const handle = uncaughtHandler({
    logger: { error: line('error'), fatal: line('fatal') } as never,
    metrics,
    readiness: { state },
    exit: (code) => codes.push(code),
  });
  return { lines, codes, metrics, handle };
}

test.each([
  'ready',
  'draining',
] as const)('while the node is %s it is logged and counted', async (state) => {
  const { lines, codes, metrics, handle } = world(state);
  const error = new Error('nobody hears');
  handle(error, 'uncaughtException');
  handle('no error at all', 'unhandledRejection');
  expect(lines).toEqual([
    ['error', { err: error, origin: 'uncaughtException' }],
    ['error', { err: 'no error at all', origin: 'unhandledRejection' }],
  ]);
  expect(codes).toEqual([]);
  expect(await metrics.text()).toContain('quarry_uncaught_errors_total 2');
});

test('while the data is opened it ends the process, and the log says why', () => {
  const { lines, codes, handle } = world('starting');
  handle(new Error('half open'), 'uncaughtException');
  expect(lines.map(([level]) => level)).toEqual(['fatal']);
  expect(codes).toEqual([1]);
});
