// Our own histogram reports the same as one of prom-client for the same observations.
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Durations } from '../../src/ops/durations.ts';

const BUCKETS = [0.001, 0.01, 0.5, 2];
const DESCRIBED = { name: 'a_seconds', help: 'Time of a.', buckets: BUCKETS };

async function linesOf(registry: Registry): Promise<readonly string[]> {
  return (await registry.metrics()).trim().split('\n');
}

test('prints what a Histogram of prom-client prints', async () => {
  const label = fc.constantFrom('x', 'y"\\\n', 'z', '');
  const seconds = fc.oneof(
    fc.constantFrom(0, ...BUCKETS, 1e9),
    fc.double({ min: 0, max: 3, noNaN: true }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(seconds, label, label)), async (observed) => {
      const [own, theirs] = [new Registry(), new Registry()];
      const durations = new Durations({ ...DESCRIBED, labels: ['p', 'q'], register: own });
      const histogram = new Histogram({
        ...DESCRIBED,
        labelNames: ['p', 'q'],
        registers: [theirs],
      });
      for (const [value, p, q] of observed) {
        durations.observe(value, p, q);
        histogram.observe({ p, q }, value);
      }
      const labelled = (lines: readonly string[]): readonly string[] =>
        lines
          .map((line) => line.replace(/\{(.*)\}/s, (_, all) => all.split(',').sort().join()))
          .sort();
      expect(labelled(await linesOf(own))).toEqual(labelled(await linesOf(theirs)));
    }),
  );
});

test('starts anew when it is told to', async () => {
  const registry = new Registry();
  const durations = new Durations({ ...DESCRIBED, labels: ['p'], register: registry });
  durations.observe(1, 'x');
  registry.resetMetrics();
  expect(await registry.metrics()).not.toContain('p="x"');
  durations.observe(1, 'x');
  expect(await registry.metrics()).toContain('a_seconds_count{p="x"} 1');
});
