// Memories in a browser: the timeline, a recall that explains itself, and corrections in three clicks.
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

describeInBrowser('memories', () => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
    for (let i = 0; i < 60; i++) {
      const memory = {
        id: `m${i}`,
        text: `Ann said thing ${i} in Paris`,
        metadata: { session: 's' },
      };
      await server.call('POST', '/_memory/ann', memory);
    }
    for (let i = 0; i < 130; i++) {
      await server.call('POST', `/_memory/many-${String(i).padStart(3, '0')}`, { text: 'x' });
    }
    await storeHostileData(server);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    return () => context.close();
  });

  const open = async (hash: string, width = 1200): Promise<{ page: Page; faults: string[] }> => {
    const watched = await openPage(context, server.base, width);
    await show(watched.page, server.base, hash);
    return watched;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('namespaces come in pages and are found by their beginning', async () => {
    const { page } = await open('#/memory');
    await page.getByText('132 namespaces').first().waitFor();
    await button(page, 'Show more').click();
    await page.getByLabel('Names that begin with').fill('many-12');
    await page.getByText('10 namespaces').waitFor();
  });

  test('the timeline goes on, and a memory opens from it', async () => {
    const { page, faults } = await open('#/memory/ann');
    await page.getByText('50 of 60 memories').waitFor();
    await button(page, 'Show more').click();
    await expect.poll(() => page.locator('button.memory').count()).toBe(60);
    await page.getByText('Ann said thing 59').click();
    await page.getByRole('dialog').getByText('live').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('a recall shows the parts of each score, what was left out, and where a memory went', async () => {
    const { page } = await open('#/memory/ann?tab=recall');
    await page.getByLabel('Question').fill('thing in Paris');
    await page.getByText('More: another time').click();
    await page.getByLabel('Where did these go?').fill('nobody');
    await button(page, 'Recall').click();
    await page.getByText('ranked after the last hit').waitFor();
    await page.getByText('there is no such memory').waitFor();
    const bars = page.getByRole('list', { name: /^Parts of the score/ }).first();
    expect(await bars.textContent()).toMatch(/Score.*Relevance.*words.*meaning.*Its session/);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('a memory is superseded, edited and set to expire in three clicks each', async () => {
    const { page, faults } = await open('#/memory/ann');
    const dialog = page.getByRole('dialog');
    await page.getByText('Ann said thing 58').click();
    await button(page, 'Supersede').click();
    await dialog.getByLabel('Text').fill('Ann said another thing');
    await button(page, 'Supersede it with this').click();
    await dialog.getByText('superseded', { exact: true }).waitFor();
    await button(page, 'Close').click();

    await page.getByText('Ann said thing 57').click();
    await button(page, 'Edit').click();
    await dialog.getByLabel('Metadata (JSON)').fill('{"topic": "home"}');
    await button(page, 'Save').click();
    await dialog.getByText('1 earlier version').waitFor();
    const { json } = await server.call('GET', '/_memory/ann/m57');
    expect(json.metadata).toEqual({ topic: 'home' });

    await button(page, 'Expire').click();
    await dialog.getByLabel('Expires at').fill('2030-01-02T03:04:05');
    await button(page, 'Set the end').click();
    await dialog.getByText('2030-01-02 03:04:05').first().waitFor();
    expect(faults).toEqual([]);
  });

  test('metadata that is no JSON is refused before anything is sent', async () => {
    const { page } = await open('#/memory/ann');
    await page.getByText('Ann said thing 55').click();
    await button(page, 'Edit').click();
    await page.getByRole('dialog').getByLabel('Metadata (JSON)').fill('{"topic": ');
    await button(page, 'Save').click();
    await page.getByText('The metadata is not JSON').waitFor();
  });

  test('a forgotten memory leaves its receipt', async () => {
    const { page } = await open('#/memory/ann');
    await page.getByText('Ann said thing 56').click();
    await button(page, 'Forget').click();
    await button(page, 'Forget it for good').click();
    await page.getByText('Nothing of it is left.').waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain('Removed memories1');
    expect((await server.call('GET', '/_memory/ann/m56')).status).toBe(404);
  });

  test('an audit, an export, and its import into another namespace', async () => {
    const { page, faults } = await open('#/memory/ann?tab=audit');
    await button(page, 'Audit the namespace').click();
    await page.getByText('Exact duplicates').waitFor();
    await page.getByRole('tab', { name: 'Export and import' }).click();
    const download = page.waitForEvent('download');
    await button(page, 'Export to a file').click();
    const file = await (await download).path();
    expect(await readFile(file, 'utf8')).toContain('"Ann said thing 0 in Paris"');
    await show(page, server.base, '#/memory/copy?tab=transfer');
    await page.getByLabel('File').setInputFiles(file);
    await button(page, 'Import').click();
    await page.getByText(/memories created/).waitFor();
    await button(page, 'Drop the namespace').click();
    await page.getByRole('dialog').getByRole('textbox').fill('copy');
    await button(page, 'Drop it for good').click();
    await expect
      .poll(async () => (await server.call('GET', '/_memory/copy')).json.exists)
      .toBe(false);
    expect(faults).toEqual([]);
  });

  test.each(
    WIDTHS,
  )('hostile memories run nothing wherever they are shown, at %i', async (width) => {
    const { page, faults } = await open(`#/memory/${HOSTILE_NAMESPACE}`, width);
    const memories = await page.locator('button.memory').count();
    expect(memories).toBeGreaterThanOrEqual(HOSTILE.length - 1);
    for (let at = 0; at < memories; at++) {
      await page.locator('button.memory').nth(at).click();
      await page.getByRole('dialog').getByText('live').first().waitFor();
      await button(page, 'Edit').click();
      await button(page, 'Close').click();
    }
    await page.getByRole('tab', { name: 'Recall' }).click();
    await page.getByLabel('Question').fill(`boats ${HOSTILE[0]}`);
    await button(page, 'Recall').click();
    await page.locator('.recalled').waitFor();
    await page.getByRole('tab', { name: 'Audit' }).click();
    await button(page, 'Audit the namespace').click();
    await page.getByText('Exact duplicates').waitFor();
    await settled(page);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test.each(WIDTHS)('hostile links run nothing wherever they are shown, at %i', async (width) => {
    const node = encodeURIComponent(HOSTILE[0] ?? '');
    const { page, faults } = await open(`#/brain/${HOSTILE_INDEX}?node=${node}`, width);
    await page.getByText('links as a table').click();
    await page
      .getByRole('button', { name: /^Show the link/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
    await page.getByText('nodes as a table').click();
    await page
      .getByRole('button', { name: /^Expand / })
      .first()
      .click();
    await settled(page);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Hubs' }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    expect(faults).toEqual([]);
  });
});
