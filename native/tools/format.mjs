// Formats the C++ files of native/ by .clang-format. With --check, it changes nothing, and fails if
// a file has another format.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { clangFormatPath } from 'clang-format-node';

const FOLDERS = ['core', 'napi', 'testing', 'faults', 'fuzz', 'bench'];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(`native/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:h|cc)$/.test(name))
    .map((name) => `native/${folder}/${name}`),
);
const isCheck = process.argv.includes('--check');

/** Resolves to the files that have another format. */
function run(part) {
  return new Promise((resolve, reject) => {
    const options = isCheck ? ['--dry-run', '--Werror', '--ferror-limit=1'] : ['-i'];
    const child = spawn(clangFormatPath, [...options, ...part]);
    let errors = '';
    child.stderr.on('data', (data) => {
      errors += data;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const refused = [...errors.matchAll(/^(.+?):\d+:\d+: error: code should be clang-form/gm)];
      if (code === 0 || refused.length > 0) resolve(refused.map(([, path]) => path));
      else reject(new Error(`clang-format failed: ${errors.trim()}`));
    });
  });
}

const count = availableParallelism();
const parts = Array.from({ length: count }, (_, part) =>
  files.filter((_, at) => at % count === part),
);
const refused = (await Promise.all(parts.map(run))).flat().sort();
for (const path of refused) console.error(`${path} is not formatted, run npm run format:native`);
if (refused.length > 0) process.exitCode = 1;
