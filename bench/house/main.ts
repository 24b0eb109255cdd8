// npm run house: statistics of the repository. Files per folder, import cycles, lines, the counts
// of the core's contracts, and the times of the last build and the last test run if they are
// available.
import { existsSync, readFileSync } from 'node:fs';
import { allRuntimeCircles, filesOfFolders } from '../../test/tools/architecture.ts';
import type { TestTimes } from '../../test/tools/closing-line.ts';
import { readSources, type SourceFile } from '../../test/tools/source-files.ts';
import { contractRows } from './contracts.ts';

const LARGEST = 5;

const typescript = readSources('src', ['.ts']);
const nativeFiles = readSources('native/core', ['.h', '.cc', '.def', '.inc']);
const isTest = ({ path }: SourceFile): boolean => path.endsWith('_test.cc');
const core = nativeFiles.filter((file) => !isTest(file));
const tests = [
  ...readSources('test', ['.ts']),
  ...nativeFiles.filter(isTest),
  ...readSources('native/testing', ['.h', '.cc']),
];

const rows: (readonly [what: string, value: string])[] = [];
const row = (what: string, value: string | number): void => {
  rows.push([what, String(value)]);
};
const linesOf = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

const folders = [...filesOfFolders([...typescript, ...core])].sort((a, b) => b[1] - a[1]);
row('folders, tests aside', folders.length);
for (const [folder, count] of folders.slice(0, LARGEST)) row(`  files in ${folder}`, count);
row('import circles at run time', allRuntimeCircles(typescript).length);
row('lines of src/', linesOf(typescript));
row('lines of native/core/, tests aside', linesOf(core));
row('lines of tests', linesOf(tests));
rows.push(...contractRows(core));
rows.push(...buildRows(), ...testRows());

const width = Math.max(...rows.map(([what]) => what.length));
for (const [what, value] of rows) console.log(`${what.padEnd(width + 2)}${value}`);

/**
 * Reads ninja's log: start and end in milliseconds and the output of each step. The last line of an
 * output counts.
 */
function buildRows(): [string, string][] {
  if (!existsSync('build/.ninja_log')) return [['last build', 'none in build/']];
  const seconds = new Map<string, number>();
  for (const line of readFileSync('build/.ninja_log', 'utf8').split('\n').slice(1)) {
    const [start, end, , output] = line.split('\t');
    // The log also contains outputs of earlier builds.
    if (output === undefined || !existsSync(`build/${output}`)) continue;
    seconds.set(output, (Number(end) - Number(start)) / 1000);
  }
  const addon = [...seconds].filter(([output]) => !output.includes('core_tests'));
  const sum = addon.reduce((all, [, one]) => all + one, 0);
  const slowest = [...addon].sort((a, b) => b[1] - a[1]).slice(0, LARGEST);
  return [
    ['seconds of all build steps of the addon', sum.toFixed(0)],
    ...slowest.map(([output, one]): [string, string] => [`  ${nameOf(output)}`, one.toFixed(0)]),
  ];
}

function nameOf(output: string): string {
  return output.split('/').at(-1) ?? output;
}

function testRows(): [string, string][] {
  if (!existsSync('build/test-times.json')) return [['last whole test run', 'none in build/']];
  const times = JSON.parse(readFileSync('build/test-times.json', 'utf8')) as TestTimes;
  const files = Object.entries(times.files).sort((a, b) => b[1] - a[1]);
  return [
    [`seconds of the last whole test run, ${files.length} files`, times.seconds.toFixed(0)],
    ...files
      .slice(0, LARGEST)
      .map(([file, one]): [string, string] => [`  ${file}`, one.toFixed(0)]),
  ];
}
