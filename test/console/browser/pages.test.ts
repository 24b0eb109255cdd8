// Every page of the console in a real browser, at both widths: it loads, nothing fails, nothing of
// the data runs, it fits its window, and axe has no objection.
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PAGES } from '../../../src/console/app/pages/pages.ts';
import { startServer, type TestServer } from '../../tools/server.ts';
import {
  accessibilityFaults,
  describeInBrowser,
  isTooWide,
  launch,
  openPage,
  settled,
  show,
  WIDTHS,
} from './browser.ts';
import { HOSTILE, HOSTILE_INDEX, HOSTILE_NAMESPACE, storeHostileData } from './hostile-data.ts';

const VIEWS: readonly string[] = [
  ...PAGES.map(({ name }) => `#/${name}`),
  '#/search?index=sample-harbour&q=boats&by=words&with=hybrid',
  ...['mapping', 'settings', 'aliases', 'segments', 'analyze'].map(
    (tab) => `#/indexes/sample-harbour?tab=${tab}`,
  ),
  '#/memory/sample-mara',
  '#/brain/sample-harbour?node=plan-2024',
];

const HOSTILE_VIEWS: readonly string[] = [
  '#/home',
  `#/search?index=${HOSTILE_INDEX}&q=boats&with=semantic`,
  ...['mapping', 'settings', 'aliases', 'segments'].map(
    (tab) => `#/indexes/${HOSTILE_INDEX}?tab=${tab}`,
  ),
  `#/memory/${HOSTILE_NAMESPACE}`,
  `#/brain/${HOSTILE_INDEX}?node=${encodeURIComponent(HOSTILE[0] ?? '')}`,
  '#/operations',
];

describeInBrowser('the console', () => {
  let server: TestServer;
  let empty: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    [server, empty, browser] = await Promise.all([startServer(), startServer(), launch()]);
    const setup = await browser.newContext();
    const { page, faults } = await openPage(setup, server.base, 1200);
    await show(page, server.base, '#/home');
    await page.getByRole('button', { name: 'Load the sample data' }).click();
    await page.getByText('The sample data is loaded.').waitFor();
    expect(faults).toEqual([]);
    await setup.close();
    await storeHostileData(server);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await empty?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    return () => context.close();
  });

  const check = async (base: string, hash: string, width: number): Promise<void> => {
    const { page, faults } = await openPage(context, base, width);
    await show(page, base, hash);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    expect(faults).toEqual([]);
  };

  test.each(
    WIDTHS.flatMap((width) => VIEWS.map((hash) => [hash, width] as const)),
  )('%s is whole and accessible at %i pixels', (hash, width) => check(server.base, hash, width));

  test.each(PAGES.map(({ name }) => [name]))('%s has an empty state that is whole', (name) =>
    check(empty.base, `#/${name}`, 400));

  test.each(
    WIDTHS.flatMap((width) => HOSTILE_VIEWS.map((hash) => [hash, width] as const)),
  )('%s runs nothing of the data at %i pixels', (hash, width) => check(server.base, hash, width));

  test.each(
    HOSTILE.slice(0, 8).map((text) => [text]),
  )('an address with %s runs nothing of it', async (text) => {
    const { page, faults } = await openPage(context, server.base, 400);
    const part = encodeURIComponent(text);
    for (const hash of [
      `#/${part}`,
      `#/search?index=${part}&q=${part}&by=${part}`,
      `#/indexes/${part}?tab=${part}`,
      `#/memory/${part}`,
      `#/brain/${part}?node=${part}`,
    ]) {
      await show(page, server.base, hash);
      expect([hash, await isTooWide(page)]).toEqual([hash, false]);
    }
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test('opens everything that a hostile hit has, and runs nothing of it', async () => {
    const { page, faults } = await openPage(context, server.base, 1200);
    await show(page, server.base, `#/search?index=${HOSTILE_INDEX}&q=boats`);
    for (const name of ['Why', 'Source', 'Links', 'Like this']) {
      for (const button of await page.getByRole('button', { name, exact: true }).all()) {
        await button.click();
      }
      await settled(page);
    }
    await page.getByText('The request', { exact: true }).click();
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test('is as accessible in the dark', async () => {
    await context.close();
    context = await browser.newContext({ colorScheme: 'dark' });
    for (const hash of ['#/home', '#/search?index=sample-harbour&q=boats&with=semantic']) {
      await check(server.base, hash, 1200);
    }
  });

  test('is found by the keyboard: the skip link first, then pages, then the content', async () => {
    const { page } = await openPage(context, server.base, 1200);
    await show(page, server.base, '#/indexes/sample-harbour');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Skip to the content',
    );
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.getByRole('tab', { name: 'Mapping' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Settings');
    expect(await page.getByRole('tabpanel').textContent()).toContain('number_of_shards');
  });

  test('moves the focus to the heading of another page, and names it in the title', async () => {
    const { page } = await openPage(context, server.base, 1200);
    await show(page, server.base, '#/home');
    await page.getByRole('link', { name: 'Search', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(await page.title()).toBe('Search – Quarry console');
  });

  test('lists ten thousand indexes by pages and finds one of them', async () => {
    const { page, faults } = await openPage(context, server.base, 1200);
    const rows = Array.from({ length: 10_000 }, (_, at) => ({
      index: `logs-${String(at).padStart(5, '0')}${at === 4321 ? HOSTILE[1] : ''}`,
      health: 'green',
      status: 'open',
      'docs.count': String(at),
      'docs.deleted': '0',
      'store.size': String(at * 1000),
      pri: '1',
    }));
    await page.route('**/_cat/indices**', (handled) => handled.fulfill({ json: rows }));
    await show(page, server.base, '#/indexes');
    await page.getByText('Page 1 of 200').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(50);
    await page.getByLabel('Filter: Indexes').fill('logs-04321');
    await page.getByText('1 row of 10000').waitFor();
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    await show(page, server.base, '#/search');
    await page.getByLabel('Indexes', { exact: true }).first().fill('9999');
    await page.getByRole('option', { name: /logs-09999/ }).click();
    expect(await page.getByRole('combobox', { name: 'Indexes' }).inputValue()).toBe('logs-09999');
    expect(faults).toEqual([]);
  });

  test('is ready within seconds of being opened', async () => {
    const { page } = await openPage(context, empty.base, 1200);
    const start = performance.now();
    await page.goto(`${empty.base}/v1/console`);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const ms = performance.now() - start;
    console.log(`the start page was ready after ${ms.toFixed(0)} ms`);
    expect(ms).toBeLessThan(15_000);
  });
});
