// The libraries of bench/peers/package.json, with declarations of the small part that is used here.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const FOLDER = join('bench', 'peers');

export interface MiniSearchIndex {
  addAll(documents: readonly object[]): void;
  search(query: string, options: object): readonly { readonly id: string }[];
}
export interface Sqlite {
  exec(statements: string): unknown;
  prepare(statement: string): {
    run(...values: unknown[]): unknown;
    all(...values: unknown[]): readonly { readonly id: string }[];
  };
  transaction<T>(work: (rows: T) => void): (rows: T) => void;
  close(): void;
}
export interface UsearchIndex {
  add(keys: BigUint64Array, vectors: Float32Array, threads?: number): void;
  search(vector: Float32Array, k: number, threads: number): { readonly keys: BigUint64Array };
}
export interface HnswlibIndex {
  initIndex(options: { maxElements: number; m: number; efConstruction: number }): void;
  addPoint(point: readonly number[], label: number): void;
  setEf(ef: number): void;
  searchKnn(point: readonly number[], k: number): { readonly neighbors: readonly number[] };
}

export interface Libraries {
  readonly MiniSearch: (new (options: object) => MiniSearchIndex) | undefined;
  readonly Sqlite: (new (path: string) => Sqlite) | undefined;
  readonly Usearch: (new (options: object) => UsearchIndex) | undefined;
  readonly Hnswlib: (new (space: string, dims: number) => HnswlibIndex) | undefined;
  /** The missing libraries and the reasons, one sentence each. */
  readonly missing: readonly string[];
}

/** Installs the libraries if necessary: some are compiled, which takes minutes. */
export function loadLibraries(): Libraries {
  const missing: string[] = [];
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    console.log(`installing the libraries of ${FOLDER}`);
    const { status, stderr } = spawnSync('npm', ['ci', '--prefix', FOLDER, '--no-audit'], {
      encoding: 'utf8',
    });
    if (status !== 0) missing.push(`npm ci --prefix ${FOLDER}: ${stderr.slice(-300)}`);
  }
  const load = (name: string): Record<string, unknown> | undefined => {
    try {
      return createRequire(resolve(FOLDER, 'package.json'))(name);
    } catch (error) {
      missing.push(`${name} is not there: ${(error as Error).message.split('\n')[0]}`);
      return undefined;
    }
  };
  const miniSearch = load('minisearch');
  const sqlite = load('better-sqlite3');
  return {
    MiniSearch: miniSearch as unknown as Libraries['MiniSearch'],
    Sqlite: sqlite as unknown as Libraries['Sqlite'],
    Usearch: load('usearch')?.['Index'] as Libraries['Usearch'],
    Hnswlib: load('hnswlib-node')?.['HierarchicalNSW'] as Libraries['Hnswlib'],
    missing,
  };
}
