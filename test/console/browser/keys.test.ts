// The console of a service that requires keys: where the key is, and where it never is.
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PAGES } from '../../../src/console/app/pages/pages.ts';
import { makeKey } from '../../tools/keys.ts';
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

describeInBrowser('with keys', () => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let all: string;
  let reader: string;
  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startServer({ args: ['--auth.enabled', '--logging.level', 'debug'] }),
      launch(),
    ]);
    all = makeKey(server.dataDir, '--name', 'all');
    reader = makeKey(
      server.dataDir,
      '--name',
      'reader',
      '--indices',
      'books*',
      '--privileges',
      'read',
    );
    const headers = { authorization: `ApiKey ${all}` };
    for (const index of ['books', 'secret']) {
      const path = `/${index}/_doc/1?refresh=true`;
      await server.call('PUT', path, { title: `title of ${index}` }, headers);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    return () => context.close();
  });

  test.each(
    WIDTHS.flatMap((width) => PAGES.map(({ name }) => [name, width] as const)),
  )('%s asks for a key at %i pixels, and takes it', async (name, width) => {
    const { page, faults } = await openPage(context, server.base, width);
    await show(page, server.base, `#/${name}`);
    const field = page.getByLabel('Key', { exact: true }).first();
    await field.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await field.fill(all);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await field.waitFor({ state: 'detached' });
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(faults).toEqual([]);
  });

  test('a key that is none, or that no header can hold, is refused with a reason', async () => {
    const { page } = await openPage(context, server.base, 1200);
    await show(page, server.base, '#/home');
    await page.getByLabel('Key', { exact: true }).fill('two words');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('without spaces').waitFor();
    await page.getByLabel('Key', { exact: true }).fill('none');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('The key was refused').waitFor();
  });

  test('the key is in the session of its tab and in no address, log or other storage', async () => {
    const { page, requests } = await openPage(context, server.base, 1200);
    await show(page, server.base, '#/search?index=books&q=title');
    await page.getByLabel('Key', { exact: true }).fill(all);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('1 found').waitFor();
    await page.getByText('Saved searches').click();
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByText('The request', { exact: true }).click();
    const stored = await page.evaluate(() => [
      JSON.stringify({ ...sessionStorage }),
      JSON.stringify({ ...localStorage }) + document.cookie + document.documentElement.outerHTML,
    ]);
    expect(stored[0]).toContain(all);
    expect(stored[1]).not.toContain(all);
    expect([page.url(), ...requests].join(' ')).not.toContain(all);
    expect(server.log()).not.toContain(all);
    const other = await openPage(context, server.base, 1200);
    await show(other.page, server.base, '#/home');
    await other.page.getByText('This service needs a key').waitFor();
    await page.getByRole('button', { name: 'Key ✓' }).click();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.getByText('This service needs a key').waitFor();
  });

  test.each(
    PAGES.map(({ name }) => [name]),
  )('%s shows a key for some indexes what it may see, and why not more', async (name) => {
    const { page, faults } = await openPage(context, server.base, 1200);
    await page.goto(`${server.base}/v1/console`);
    await page.evaluate((key) => sessionStorage.setItem('quarry.key', key), reader);
    await show(page, server.base, `#/${name}`);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).not.toContain('secret');
    if (name === 'indexes') expect(text).toContain('books');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
