// A browser of this machine, driven by playwright-core, and pages that note everything that goes
// wrong in them.
import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';

export const WIDTHS = [1200, 400] as const;

const PROGRAMS = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
  'microsoft-edge',
];

/** BROWSER_PATH, else the first browser on the path that speaks the protocol. */
function findBrowser(): string | undefined {
  const given = process.env['BROWSER_PATH'];
  if (given !== undefined) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const executablePath = findBrowser();
const isWanted = process.env['BROWSER_TESTS'] === '1' || process.env['WRITE_SCREENSHOTS'] === '1';
if (isWanted && executablePath === undefined) {
  console.log('skipped: no Chromium was found; install one, or name it by BROWSER_PATH');
}

/** Suites that need a browser run in `npm run test:console` alone, and where there is one. */
export const describeInBrowser = describe.skipIf(!isWanted || executablePath === undefined);

export function launch(): Promise<Browser> {
  // Tests may run as root, where Chromium has no sandbox; they open pages of this machine alone.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: executablePath ?? '', args });
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors, refusals by the policy, dialogs and requests of other origins, as they happened. */
  readonly faults: string[];
  /** Addresses of all requests. */
  readonly requests: string[];
}

/** Console lines that browsers write for every answer of an error status. */
const STATUS_LINE = /^Failed to load resource: the server responded with a status of \d+/;

export async function openPage(
  context: BrowserContext,
  base: string,
  width: number,
): Promise<WatchedPage> {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !STATUS_LINE.test(text)) faults.push(`console: ${text}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) {
      faults.push(`request: ${request.url()}`);
    }
  });
  return { page, faults, requests };
}

/** Goes to a page of the console and waits until nothing is loaded any more. */
export async function show(page: Page, base: string, hash: string): Promise<void> {
  const url = `${base}/v1/console${hash}`;
  await page.goto('about:blank');
  await page.goto(url);
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('main progress').first().waitFor({ state: 'detached' });
}

/** True if the page is wider than its window. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
}

interface AxeResult {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[] }[];
}

/** "rule: target" for everything that axe finds. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(source, 'utf8'));
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: readonly AxeResult[] }> };
    };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}
