// References in documents: every relative link and every named path exists; and the two pages for
// newcomers stay short.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brokenLinks, missingPaths, repositoryPaths } from './tools/documents.ts';
import { readSources, type SourceFile } from './tools/source-files.ts';

const paths = repositoryPaths();
const documents: readonly SourceFile[] = [
  ...[...paths]
    .filter((path) => /^[A-Z]+\.md$/.test(path))
    .map((path) => ({ path, text: textOf(path) })),
  ...['docs', 'deploy', 'bench', 'test/peers'].flatMap((folder) => readSources(folder, ['.md'])),
];

function textOf(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

function linesOf(path: string): number {
  return textOf(path).trimEnd().split('\n').length;
}

describe('the documents', () => {
  test('link to pages and headings that exist', () => {
    expect(documents.flatMap((page) => brokenLinks(page, paths, documents))).toEqual([]);
  });

  test('name files and folders that exist', () => {
    expect(documents.flatMap((page) => missingPaths(page, paths))).toEqual([]);
  });

  test('begin with pages of at most 350 and 250 lines', () => {
    expect(linesOf('README.md')).toBeLessThanOrEqual(350);
    expect(linesOf('ARCHITECTURE.md')).toBeLessThanOrEqual(250);
  });

  test('list every area of decisions', () => {
    const areas = documents.filter(({ path }) => path.startsWith('docs/decisions/'));
    const index = textOf('docs/decisions/README.md');
    for (const { path } of areas) {
      const name = path.slice('docs/decisions/'.length);
      if (name !== 'README.md') expect(index).toContain(`(${name})`);
    }
  });
});

describe('the checker', () => {
  const known = new Set([
    'docs',
    'docs/a.md',
    'src',
    'src/query',
    'src/query/sort.ts',
    'README.md',
  ]);
  const page = (text: string): SourceFile => ({ path: 'docs/a.md', text });

  test.each([
    ['[there](b.md)', ['docs/a.md: b.md']],
    ['[there](../README.md)', []],
    ['[there](#no-such-heading)', ['docs/a.md: #no-such-heading']],
    ['## A `b`, of c\n[there](#a-b-of-c)', []],
    ['[elsewhere](https://example.com/x)', []],
    ['```\n[there](b.md)\n```', []],
  ])('of links, given %j, finds %j', (text, found) => {
    expect(brokenLinks(page(text), known, [page(text)])).toEqual(found);
  });

  test.each([
    ['`src/query/sort.ts` `query/sort.ts` `sort.ts` `*ort.ts` `src/query/`', []],
    ['`src/query/gone.ts`', ['docs/a.md: src/query/gone.ts']],
    ['`gone.ts`', ['docs/a.md: gone.ts']],
    ['`src/gone/`', ['docs/a.md: src/gone/']],
    ['`application/json` `a.b` `/_search` `notes.csv`', []],
  ])('of paths, given %j, finds %j', (text, found) => {
    expect(missingPaths(page(text), known)).toEqual(found);
  });
});
