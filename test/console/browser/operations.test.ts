// Operations and Your files: tasks with progress and their end, slow searches, snapshots, keys,
// configuration, and what autoindex made of a folder of hostile names.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../../tools/server.ts';
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
import { HOSTILE, RUN } from './hostile-data.ts';

describeInBrowser('operations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-console-'));
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    const args = ['--snapshot.path', folder, '--logging.slow_query_warn_ms', '0'];
    [server, browser] = await Promise.all([startServer({ args }), launch()]);
    const lines = Array.from({ length: 500 }, (_, i) => ['{"index":{}}', `{"n":${i}}`]);
    await bulk(server, '/books/_bulk?refresh=true', lines.flat());
    for (const text of HOSTILE.slice(0, 7)) {
      const query = { match: { [text.replaceAll('.', ' ')]: text } };
      await server.call('POST', '/books/_search', { query }, { 'x-opaque-id': text.slice(0, 200) });
    }
    await server.call('PUT', '/_snapshot/mine', { type: 'fs', settings: { location: 'mine' } });
    await server.call('PUT', '/_snapshot/mine/first?wait_for_completion=true', {});
    const files = join(folder, 'files');
    mkdirSync(files);
    writeFileSync(join(files, 'orders.csv'), `id,city\n1,"<script>${RUN}</script>"\n2,Oslo\n`);
    writeFileSync(join(files, `<img src=x onerror=${RUN}>.json`), '{"port": 9200, "cut": ');
    const program = join('dist', 'cli', 'main.js');
    const state = join(folder, 'state');
    const options = ['--yes', '--json', '--url', server.base, '--state', state];
    const run = spawnSync(process.execPath, [program, 'autoindex', files, ...options]);
    if (run.status !== 0) throw new Error(String(run.stderr));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
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

  test.each(
    WIDTHS.flatMap((width) =>
      ['tasks', 'slow', 'snapshots', 'keys', 'configuration'].map((tab) => [tab, width] as const),
    ),
  )('%s is whole and accessible at %i pixels', async (tab, width) => {
    const { page, faults } = await open(`#/operations?tab=${tab}`, width);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test('a task shows its progress and is ended', async () => {
    const target = '/books/_update_by_query?wait_for_completion=false&requests_per_second=1';
    await server.call('POST', `${target}&scroll_size=10`, {});
    const { page, faults } = await openPage(context, server.base, 1200);
    // The page is never without progress while the task runs, so that show() would wait for it.
    await page.goto(`${server.base}/v1/console#/operations`);
    await page.getByText('of 500 documents').waitFor();
    await button(page, 'End the task').click();
    await button(page, 'End it').click();
    await page.getByText('No task is running.').waitFor();
    expect(faults).toEqual([]);
  });

  test('a slow search opens with its phases and its shape, without values', async () => {
    const { page, faults } = await open('#/operations?tab=slow');
    for (const row of (await page.locator('tbody button.link').all()).slice(0, 8)) {
      await row.click();
      await page.getByRole('list', { name: 'Phases' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await button(page, 'Close').click();
    }
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test('a snapshot is taken, and another is deleted once its name is typed', async () => {
    const { page, faults } = await open('#/operations?tab=snapshots');
    await button(page, 'Take a snapshot').click();
    await page.getByLabel('Name').fill('second');
    await button(page, 'Take it').click();
    await page.getByRole('rowheader', { name: 'second' }).waitFor();
    await button(page, 'Delete first').click();
    const last = button(page, 'Delete it for good');
    expect(await last.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill('first');
    await last.click();
    await page.getByRole('rowheader', { name: 'first' }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  test('the configuration says where a value comes from', async () => {
    const { page } = await open('#/operations?tab=configuration');
    await page.getByLabel('Only those that are not at their default').check();
    const row = page.getByRole('row', { name: /snapshot\.path/ });
    expect(await row.textContent()).toContain('flag');
  });

  test('without keys, the list of keys teaches how to have some', async () => {
    const { page } = await open('#/operations?tab=keys');
    await page.getByText('No key is needed here.').waitFor();
  });

  test.each(WIDTHS)('the data map shows hostile names and runs nothing, at %i', async (width) => {
    const { page, faults } = await open('#/files', width);
    await page.getByText('1 file could not be read whole').waitFor();
    await page.getByText('the JSON ends before it is closed').waitFor();
    await page.getByText('files-orders').first().click();
    await page.getByRole('table', { name: 'Fields of files-orders' }).waitFor();
    await page
      .getByText(/^how many of each/)
      .first()
      .click();
    await button(page, 'Try it').first().click();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.evaluate('window.hostileRan')).toBeUndefined();
    expect(faults).toEqual([]);
  });
});
