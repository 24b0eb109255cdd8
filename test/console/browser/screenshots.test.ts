// Writes the pictures of the documentation: `npm run screenshots`.
import { mkdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { startServer, type TestServer } from '../../tools/server.ts';
import { describeInBrowser, launch, openPage, settled, show } from './browser.ts';

const FOLDER = 'docs/console';
const isWanted = process.env['WRITE_SCREENSHOTS'] === '1';

const VIEWS: Readonly<Record<string, string>> = {
  home: '#/home',
  search: '#/search?index=sample-harbour&q=boats%20in%20bad%20weather&with=hybrid',
  indexes: '#/indexes/sample-harbour',
  memory: '#/memory/sample-mara',
  brain: '#/brain/sample-harbour?node=plan-2024',
  files: '#/files',
  operations: '#/operations',
};

describeInBrowser('the pictures', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test.runIf(isWanted)('are written to docs/console', async () => {
    mkdirSync(FOLDER, { recursive: true });
    const context = await browser.newContext();
    const { page } = await openPage(context, server.base, 1200);
    await show(page, server.base, '#/home');
    await page.getByRole('button', { name: 'Load the sample data' }).click();
    await page.getByText('The sample data is loaded.').waitFor();
    for (const [name, hash] of Object.entries(VIEWS)) {
      await show(page, server.base, hash);
      if (name === 'home') {
        for (let i = 0; i < 100; i++) {
          await server.call('POST', '/sample-harbour/_search', {
            query: { match: { body: 'boats' } },
          });
        }
        await page.waitForTimeout(10_000);
      }
      if (name === 'search') {
        await page.getByRole('button', { name: 'Why' }).first().click();
        await settled(page);
      }
      await page.waitForTimeout(2000);
      await page.screenshot({ path: `${FOLDER}/${name}.png` });
    }
  });
});
