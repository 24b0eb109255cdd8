// The text of metrics: numbers as Prometheus spells them.
import { expect, test } from 'vitest';
import { Metrics } from '../../src/ops/metrics.ts';

test('what is no number is NaN', async () => {
  const metrics = new Metrics({ process: false });
  metrics.observe('quarry_odd', 'Ends in Nan', () => Number.NaN);
  const text = await metrics.text();
  expect(text).toContain('\nquarry_odd NaN\n');
  expect(text).toContain('# HELP quarry_odd Ends in Nan\n');
});
