// The metrics: each has a help text and a type, and uses base units.
import { expect, test } from 'vitest';
import { Metrics } from '../../src/ops/metrics.ts';

test('is complete Prometheus text', async () => {
  const metrics = new Metrics();
  metrics.observe('quarry_indexes', 'Indexes.', () => 3);
  metrics.httpSeconds.observe(0.01, 'GET', '/', '2xx');
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

test('adds what other threads have counted, and nothing else of them', async () => {
  const [main, other] = [new Metrics(), new Metrics({ process: false })];
  main.httpSeconds.observe(0.01, 'GET', '/', '2xx');
  other.httpSeconds.observe(0.02, 'GET', '/', '2xx');
  other.searchWork.docsScored += 5;
  other.observe('quarry_indexes', 'Indexes.', () => 3);
  main.observe('quarry_indexes', 'Indexes.', () => 4);
  main.addThreads(async () => [await other.values()]);
  const text = await main.text();
  expect(text).toContain(
    'quarry_http_request_duration_seconds_count{method="GET",route="/",status="2xx"} 2',
  );
  expect(text).toContain('quarry_search_documents_scored_total 5');
  expect(text).toContain('quarry_indexes 4');
  expect(text).toContain('quarry_process_cpu_seconds_total');
  const names = text.split('\n').filter((line) => line.startsWith('# TYPE'));
  expect(new Set(names).size).toBe(names.length);
  main.close();
  other.close();
});
