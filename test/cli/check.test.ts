// `quarry check`: its arguments, its output, and its exit codes, with a report provided by the
// test.
import { expect, test } from 'vitest';
import { type CheckOutput, check } from '../../src/cli/check.ts';
import { ConfigError } from '../../src/config/load.ts';
import { QuarryError } from '../../src/errors.ts';

const REPORT = {
  data_dir: 'data',
  sound: false,
  findings: [
    {
      severity: 'damage',
      file: 'data/indices/1/0/seg-1.data',
      section: 'postings of field 3',
      offset: 128,
      what: 'wrong checksum',
      consequence: 'shard 0 of index [things] is out of use',
    },
    { severity: 'warning', file: 'data/x', what: 'belongs to nothing', consequence: 'ignored' },
  ],
  unlisted: 2,
  checked: { files: 7, log_records: 3 },
  salvage: [
    { index: 'things', documents: 9, doubtful: 4, without_ids: 1, from_log: 2, lost: ['[seg-2]'] },
  ],
};

function run(
  report: object,
  command: object = {},
): { code: number; lines: string[]; seen: string[] } {
  const lines: string[] = [];
  const seen: string[] = [];
  const output: CheckOutput = {
    out: (text) => lines.push(text),
    progress: (text) => seen.push(text),
    check: (_dataDir, _salvage, progress) => {
      for (const done of [0, 1, 50, 100]) progress(done, 200, 'a');
      progress(200, 200, '');
      return JSON.stringify(report);
    },
  };
  const code = check({ dataDir: 'data', json: false, ...command }, output);
  return { code, lines, seen };
}

test('a damaged folder is named finding by finding, and ends with 1', () => {
  const { code, lines, seen } = run(REPORT);
  expect(code).toBe(1);
  expect(lines).toEqual([
    'damage: data/indices/1/0/seg-1.data, section postings of field 3, offset 128: wrong checksum',
    '        shard 0 of index [things] is out of use',
    'warning: data/x: belongs to nothing',
    '        ignored',
    'and 2 more of the same kind',
    'DAMAGED: data (7 files, 3 log records)',
    'salvaged things: 9 documents, 2 of them from the log, 4 from sections with a wrong checksum, 1 more without their ids',
    '        lost: [seg-2]',
  ]);
  expect(seen).toEqual(['0 %  a', '25 %  a', '50 %  a', '']);
});

test('a sound folder ends with 0, and with --json the report is one line', () => {
  const { salvage: _none, ...sound } = { ...REPORT, sound: true, findings: [], unlisted: 0 };
  expect(run(sound)).toMatchObject({ code: 0, lines: ['sound: data (7 files, 3 log records)'] });
  const { code, lines } = run(REPORT, { json: true });
  expect(code).toBe(1);
  expect(JSON.parse(lines.join(''))).toEqual(REPORT);
});

test('a folder that cannot be checked is a misuse, anything else a failure', () => {
  const failing = (error: Error) => () =>
    check(
      { dataDir: 'd', json: false },
      {
        out: () => {},
        check: () => {
          throw error;
        },
      },
    );
  const inUse = new QuarryError('illegal_argument_exception', 'in use');
  expect(failing(inUse)).toThrow(ConfigError);
  expect(failing(new QuarryError('store_exception', 'disk'))).toThrow(QuarryError);
});
