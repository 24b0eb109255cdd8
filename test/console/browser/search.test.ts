// What people do on the pages Search and Indexes, in a real browser.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../../tools/server.ts';
import { describeInBrowser, launch, openPage, settled, show } from './browser.ts';

const DOCUMENTS = [
  { title: 'Red boats', kind: 'log', body: 'Red boats are painted in spring.', v: [1, 0] },
  { title: 'Blue boats', kind: 'log', body: 'Blue boats sail at night.', v: [0.8, 0.6] },
  { title: 'Green cars', kind: 'plan', body: 'Green cars drive on the road.', v: [0, 1] },
];

describeInBrowser('the pages', () => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: readonly string[];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
    const properties = {
      title: { type: 'text' },
      kind: { type: 'keyword' },
      body: { type: 'semantic_text' },
      v: { type: 'dense_vector', dims: 2 },
    };
    await server.call('PUT', '/books', { mappings: { properties } });
    const lines = DOCUMENTS.flatMap((source, at) => [
      JSON.stringify({ index: { _id: String(at + 1) } }),
      JSON.stringify(source),
    ]);
    await bulk(server, '/books/_bulk?refresh=true', lines);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    ({ page, faults } = await openPage(context, server.base, 1200));
    return async () => {
      await context.close();
      expect(faults).toEqual([]);
    };
  });

  const titles = (pane: string): Promise<readonly string[]> =>
    page.getByRole('region', { name: pane }).locator('.hit h3').allTextContents();

  test('Search compares two ways, marks differences and explains a hit', async () => {
    await show(page, server.base, '#/search');
    await page.getByLabel('Indexes', { exact: true }).first().fill('books');
    await page.getByLabel('Question').fill('boats');
    await page.getByLabel('Compare with').selectOption('hybrid');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('region', { name: 'Hybrid' }).locator('.hit').nth(2).waitFor();
    expect(await titles('Words')).toHaveLength(2);
    expect(await page.getByText('only here').count()).toBe(1);
    expect(await page.locator('mark').first().textContent()).toBe('boats');
    await page.getByRole('button', { name: 'Why' }).first().click();
    await page.getByLabel('Why this score').getByText('boost', { exact: true }).first().waitFor();
    expect(new URL(page.url()).hash).toContain('with=hybrid');
  });

  test('Search filters by facets and takes the filter off again', async () => {
    await show(page, server.base, '#/search?index=books');
    const facet = page.getByRole('button', { name: 'plan', exact: false });
    await facet.click();
    await page.getByText('1 found').waitFor();
    expect(await titles('Words')).toEqual(['Green cars']);
    expect(await facet.getAttribute('aria-pressed')).toBe('true');
    await facet.click();
    await page.getByText('3 found').waitFor();
  });

  test('Search takes a hit as an example for its vector', async () => {
    await show(page, server.base, '#/search?index=books&q=cars');
    await page.getByRole('button', { name: 'Like this' }).first().click();
    await page.getByLabel('Field').waitFor();
    await page.getByLabel('Field').selectOption('v');
    await page.getByLabel('Id of the document').fill('3');
    await page.getByRole('button', { name: 'Use as the example' }).click();
    await page.getByText('Like 3 in v').waitFor();
    await expect
      .poll(() => titles('Vector by example'))
      .toEqual(['Green cars', 'Blue boats', 'Red boats']);
  });

  test('a request is edited with completion, run, refused with its reason, and saved', async () => {
    await show(page, server.base, '#/search?index=books&q=boats');
    await page.getByText('The request', { exact: true }).click();
    const editor = page.getByLabel('POST /books/_search');
    await editor.fill('{"query":{"term":{"ki');
    await editor.press('End');
    await page.getByRole('option', { name: 'kind keyword field' }).waitFor();
    await editor.press('Enter');
    expect(await editor.inputValue()).toBe('{"query":{"term":{"kind');
    await editor.pressSequentially('":"plan"}}}');
    await editor.press('Control+Enter');
    await page.getByText('1 found').waitFor();
    expect(await titles('Your request')).toEqual(['Green cars']);
    await page.getByText('Saved searches').click();
    await page.getByLabel('Name', { exact: true }).fill('plans');
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByLabel('POST /books/_search').fill('{"query":{"nothing":{}}}');
    await page.getByRole('button', { name: 'Run this request' }).click();
    await page.getByText('unknown query [nothing]').waitFor();
    await page.getByLabel('POST /books/_search').fill('{"query":');
    await page.getByRole('button', { name: 'Run this request' }).click();
    await page.getByText('This is not JSON').waitFor();
    await page.reload();
    await settled(page);
    await page.getByText('Saved searches (1)').click();
    await page.getByRole('button', { name: 'plans', exact: true }).click();
    await expect.poll(() => titles('Your request')).toEqual(['Green cars']);
  });

  test('an index is created, analyzed, merged and dropped once its name is typed', async () => {
    await show(page, server.base, '#/indexes');
    await page.getByRole('button', { name: 'Create an index' }).click();
    await page.getByLabel('Name', { exact: true }).fill('BAD NAME');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').getByText('invalid_index_name_exception').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'mine' }).waitFor();
    await page.getByRole('tab', { name: 'Analyze' }).click();
    await page.getByLabel('As').selectOption('analyzer english');
    await page.getByRole('button', { name: 'Analyze', exact: true }).click();
    await page.getByText('Token filter').first().waitFor();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('The index was merged').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Drop' }).click();
    const confirm = page.getByRole('button', { name: 'Drop the index' });
    await page.getByLabel('Type mine to confirm').fill('min');
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await server.call('HEAD', '/mine')).status).toBe(200);
    await page.getByRole('button', { name: 'Drop' }).click();
    await page.getByLabel('Type mine to confirm').fill('mine');
    await confirm.click();
    await page.getByRole('button', { name: 'Create an index' }).waitFor();
    expect((await server.call('HEAD', '/mine')).status).toBe(404);
  });
});
