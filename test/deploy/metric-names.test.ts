// Every metric of the dashboard and the alerts exists on a running server, with the labels that
// they use.
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const FILES = 'deploy/helm/quarry/files';
/** Labels that Prometheus itself adds. */
const TARGET_LABELS = ['instance', 'job', 'le'];

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}
interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}

const dashboard = JSON.parse(readFileSync(`${FILES}/dashboard.json`, 'utf8')) as Dashboard;
const alerts = (parseYaml(readFileSync(`${FILES}/alerts.yaml`, 'utf8')) as Alerts).groups.flatMap(
  ({ rules }) => rules,
);
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '5m') })),
);
const expressions = [
  ...panels.map(({ title, expr }) => [title, expr] as const),
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
];

interface Read {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  readonly faults: number;
}

/** Names in an expression, by the grammar of Prometheus. */
function read(expr: string): Read {
  const metrics: string[] = [];
  const labels: string[] = [];
  let faults = 0;
  parser.parse(expr).iterate({
    enter({ name, from, to, type }) {
      const text = expr.slice(from, to);
      if (type.isError) faults += 1;
      if (name === 'Identifier') metrics.push(text);
      if (name === 'LabelName') labels.push(text);
    },
  });
  return { metrics, labels, faults };
}

let server: TestServer;
let scrape: string;
beforeAll(async () => {
  server = await startServer();
  await bulk(server, '/books/_bulk?refresh=true', ['{"index":{}}', '{"title":"red fox"}']);
  await server.call('POST', '/books/_search', { query: { match: { title: 'fox' } } });
  await server.call('GET', '/books/_search?size=0');
  await server.call('POST', '/_memory/agent', { text: 'the red fox' });
  scrape = (await server.call('GET', '/v1/metrics')).text;
}, 60_000);
afterAll(() => server?.stop());

/** Names of families, and of the series of histograms and summaries. */
function known(): ReadonlySet<string> {
  const names = new Set(['up']);
  for (const [, name = '', type] of scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    names.add(name);
    if (type === 'histogram')
      for (const end of ['bucket', 'sum', 'count']) names.add(`${name}_${end}`);
  }
  return names;
}

/**
 * Labels of all families: from their series, or for families without series from those of other
 * families.
 */
function labels(): ReadonlySet<string> {
  return new Set([...scrape.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name));
}

describe('the dashboard and the alerts', () => {
  test('ask for something', () => {
    expect(panels.length).toBeGreaterThan(30);
    expect(alerts.length).toBeGreaterThan(10);
    expect(read('sum(rate(a_total{b="c"}[5m])) by (d)')).toMatchObject({
      metrics: ['a_total'],
      labels: ['b', 'd'],
      faults: 0,
    });
    expect(read('sum(rate(').faults).toBeGreaterThan(0);
  });

  test.each(expressions)('%s: names and labels are there', (_title, expr) => {
    const { metrics, labels: requested, faults } = read(expr);
    expect(faults).toBe(0);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => !known().has(name))).toEqual([]);
    // Counted only with an embeddings service, or after a limit was reached.
    const rare = ['kind', 'outcome', 'level'];
    const missing = requested.filter(
      (name) => !labels().has(name) && !TARGET_LABELS.includes(name) && !rare.includes(name),
    );
    expect(missing).toEqual([]);
  });

  test('say what to do', () => {
    for (const { alert, annotations } of alerts) {
      expect(alert).toMatch(/^Quarry[A-Z]\w+$/);
      expect(Object.keys(annotations)).toEqual(['summary', 'description']);
    }
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });
});

describe('the metrics', () => {
  test('have help, a type and base units', () => {
    const families = [...scrape.matchAll(/^# HELP (\S+) (.+)\n# TYPE (\S+) (\S+)$/gm)];
    expect(families.length).toBeGreaterThan(60);
    expect(families.filter(([, helped, , typed]) => helped !== typed)).toEqual([]);
    const own = families.filter(([, name = '']) => !/^quarry_(process|nodejs)_/.test(name));
    const wrong = own
      .filter(([, name = '', , , type]) => {
        const unit = /_(seconds|bytes|total)$/.test(name);
        if (type === 'counter') return !name.endsWith('_total');
        if (type === 'histogram') return !name.endsWith('_seconds');
        return !unit && /(_ms|_millis|_kb|_mb|_percent)/.test(name);
      })
      .map(([, name]) => name);
    expect(wrong).toEqual([]);
  });

  test('leave the labels of targets to Prometheus, which would rename ours', () => {
    expect(scrape).toContain('quarry_background_duration_seconds_count{kind="refresh"}');
    expect(scrape).not.toMatch(/[{,](?:job|instance)="/);
  });

  test('of rare events begin at zero, so that the first one is an increase', () => {
    for (const kind of ['snapshot', 'restore']) {
      expect(scrape).toContain(
        `quarry_snapshot_duration_seconds_count{kind="${kind}",outcome="failed"} 0`,
      );
    }
  });

  test('tell few series apart', () => {
    const byName = new Map<string, number>();
    for (const [, name = ''] of scrape.matchAll(/^(\w+)\{/gm)) {
      byName.set(name, (byName.get(name) ?? 0) + 1);
    }
    for (const [name, series] of byName) expect([name, series < 500]).toEqual([name, true]);
    expect(scrape).not.toContain('books');
    expect(scrape).not.toContain('agent');
  });
});
