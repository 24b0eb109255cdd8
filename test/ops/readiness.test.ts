// The states of a node.
import { expect, test } from 'vitest';
import { Readiness } from '../../src/ops/readiness.ts';

test('moves forward only', () => {
  let now = 5000;
  const readiness = new Readiness(() => now);
  expect(readiness.state).toBe('starting');
  readiness.replaying({ shardsTotal: 3, shardsDone: 1 });
  expect(readiness.progress).toEqual({ shardsTotal: 3, shardsDone: 1 });
  readiness.ready();
  expect(readiness.state).toBe('ready');
  readiness.draining();
  readiness.ready();
  expect(readiness.state).toBe('draining');
  now += 1999;
  expect(readiness.uptimeSeconds).toBe(1);
});

test('keeps the first fault', () => {
  const readiness = new Readiness(() => 0);
  readiness.ready();
  readiness.failed('disk');
  readiness.failed('other');
  expect([readiness.state, readiness.fault]).toEqual(['ready', 'disk']);
});
