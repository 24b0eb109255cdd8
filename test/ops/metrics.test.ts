// The scrape: every metric has help and type, and base units.
import { expect, test } from 'vitest';
import { Metrics } from '../../src/ops/metrics.ts';

test('is complete Prometheus text', async () => {
  const metrics = new Metrics();
  metrics.observe('quarry_indexes', 'Indexes.', () => 3);
  metrics.httpSeconds.observe({ method: 'GET', route: '/', status: '2xx' }, 0.01);
  const text = await metrics.text();
  expect(text).toContain('quarry_indexes 3');
  expect(text).toContain(
    'quarry_http_request_duration_seconds_count{method="GET",route="/",status="2xx"} 1',
  );
  const names = new Set(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => (line.split(/[{ ]/)[0] ?? '').replace(/_(bucket|sum|count)$/, '')),
  );
  for (const name of names) {
    expect(text, name).toMatch(
      new RegExp(`# HELP ${name}(_count|_sum|_bucket)? .+\\n# TYPE ${name}`),
    );
  }
  metrics.close();
});
