// A folder for autoindex to read, with a folder for the state of runs, and a function that runs it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type AutoindexOptions,
  autoindex,
  type Outcome,
} from '../../../src/autoindex/autoindex.ts';
import type { TestServer } from '../../tools/server.ts';

export interface TestFolder {
  readonly root: string;
  readonly state: string;
  put(path: string, content: string | Uint8Array): void;
  run(url: string, more?: Partial<AutoindexOptions>): Promise<Outcome>;
  remove(): void;
}

export function makeFolder(): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-autoindex-'));
  const root = join(folder, 'root');
  const state = join(folder, 'state');
  mkdirSync(root);
  return {
    root,
    state,
    put: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    run: (url, more) =>
      autoindex({
        path: root,
        url,
        prefix: 'it-',
        apiKey: undefined,
        stateFolder: state,
        dryRun: false,
        onProgress: () => undefined,
        ...more,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Rows `from` to `to` as CSV, with a header. */
export function rows(from: number, to: number): string {
  const lines = Array.from(
    { length: to - from },
    (_, i) => `${from + i},item ${i},${i}.5,2026-01-0${1 + (i % 9)}`,
  );
  return `id,name,price,day\n${lines.join('\n')}\n`;
}

/** Document counts by index name without the prefix. */
export async function counts(server: TestServer, prefix: string): Promise<Record<string, number>> {
  const { json } = await server.call('GET', `/_cat/indices/${prefix}*?format=json&h=index`);
  const found: Record<string, number> = {};
  for (const { index } of json as { index: string }[]) {
    await server.call('POST', `/${index}/_refresh`);
    found[index.slice(prefix.length)] = (await server.call('GET', `/${index}/_count`)).json.count;
  }
  return found;
}
