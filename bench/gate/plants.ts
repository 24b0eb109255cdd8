// Slowdowns that the gate must detect, planted into the compiled service: one place in one file each,
// found by its text. A text that does not occur exactly once is an error, so that a plant cannot
// become ineffective unnoticed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Plant {
  readonly name: string;
  readonly file: string;
  readonly place: string;
  readonly slow: string;
  /**
   * How the gate must detect it: the case, and its time, one of its counts, or 'work' for any of
   * them.
   */
  readonly caught: { readonly name: string; readonly what: string };
}

export const PLANTS: readonly Plant[] = [
  {
    name: '20 % more distances',
    file: 'build/js/coordinator/shards/shard-client.js',
    place: 'this.countWork(hits);',
    // One search in five does all work twice.
    slow: `this.countWork(hits);
        globalThis.requested = (globalThis.requested ?? 0) + 1;
        if (globalThis.requested % 5 === 0)
            this.countWork((yield* awaitMaybe(send(only, total, fanOut))).shards);`,
    caught: { name: 'neighbours', what: 'distances' },
  },
  {
    name: 'a lost early exit',
    file: 'build/js/query/search-body.js',
    place: 'trackTotalHits: totalLimit(total),',
    slow: 'trackTotalHits: totalLimit(true),',
    caught: { name: 'two words, no total', what: 'work' },
  },
  {
    name: 'an extra copy per hit',
    file: 'build/js/coordinator/page/rendered-page.js',
    place: 'hitsJson: text,',
    // Parses and prints the hits again, although they should be passed on as bytes.
    slow: "hitsJson: Buffer.from(JSON.stringify(JSON.parse('[' + Buffer.from(text) + ']')).slice(1, -1)),",
    caught: { name: 'a page of long documents', what: 'time' },
  },
];

export function planted(text: string, { name, file, place, slow }: Plant): string {
  const parts = text.split(place);
  if (parts.length !== 2)
    throw new Error(`[${name}] its place is ${parts.length - 1} times in ${file}: name it anew`);
  return parts.join(slow);
}

/** A tree next to this one that differs by the plant alone. */
export function plantTree(plant: Plant): string {
  const tree = join('build', 'gate', plant.name.replaceAll(/[^a-z0-9]+/g, '-'));
  copyTree(tree);
  const file = join(tree, plant.file);
  writeFileSync(file, planted(readFileSync(file, 'utf8'), plant));
  execFileSync(process.execPath, [join('build', 'js', 'bundle.js')], { cwd: tree });
  return tree;
}

/** A copy of the built service of this tree without changes. */
export function copyTree(tree: string): void {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(tree, 'build', 'Release'), { recursive: true });
  const compiled = join('build', 'js');
  for (const part of ['dist', 'package.json', compiled, join('build', 'Release', 'addon.node')])
    cpSync(part, join(tree, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
}
