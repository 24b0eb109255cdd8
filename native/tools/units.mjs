// Writes each unit of native/sources.txt as a source that includes its files, and prints what a build compiles, one
// path a line: `node native/tools/units.mjs <folder>`. Both CMakeLists.txt and binding.gyp call it. With `plain` behind the
// folder each file is compiled alone, but those of the unit write_steps.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The units in their order: {name, files}; of the files that are compiled alone the name is `single`. */
export function readUnits(text) {
  const units = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const name = /^unit (\w+)$/.exec(line)?.[1] ?? (line === 'single' ? line : undefined);
    if (name !== undefined) units.push({ name, files: [] });
    else if (/^[\w/]+\.cc$/.test(line) && units.length > 0) units.at(-1).files.push(line);
    else
      throw new Error(
        `native/sources.txt: [${line}] is no [unit NAME], [single] or source of a unit`,
      );
  }
  return units;
}

/** Leaves a file that is right as it is, so that nothing is compiled again. */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
}

function writeUnits(folder, plain) {
  mkdirSync(folder, { recursive: true });
  const list = readFileSync(new URL('../sources.txt', import.meta.url), 'utf8');
  return readUnits(list).flatMap(({ name, files }) => {
    if (name === 'single' || (plain && name !== 'write_steps'))
      return files.map((file) => `native/core/${file}`);
    const path = join(folder, `${name}.cc`);
    write(path, files.map((file) => `#include "${file}"\n`).join(''));
    return [path];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, plain] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: node native/tools/units.mjs <folder> [plain]');
  process.stdout.write(`${writeUnits(folder, plain === 'plain').join('\n')}\n`);
}
