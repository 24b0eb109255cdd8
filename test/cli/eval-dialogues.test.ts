// `quarry eval` on published sets of dialogues: reading LoCoMo, LongMemEval and BEAM in small
// dialogues of our own, the figures with their intervals, and a run over a service.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../../src/cli/client.ts';
import { dayIn } from '../../src/cli/eval/dialogue.ts';
import { readPythonLiteral } from '../../src/cli/eval/python-literal.ts';
import { readDialogueSet } from '../../src/cli/eval/read-set.ts';
import { evaluateDialogues, tableOf } from '../../src/cli/eval/run-dialogues.ts';
import { type Figures, figuresOf, intervalsOf } from '../../src/cli/eval/scores.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { runHere } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-eval-sets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, value: unknown): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

const LOCOMO = [
  {
    sample_id: 'conv-1',
    conversation: {
      speaker_a: 'Ann',
      speaker_b: 'Bob',
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [
        { speaker: 'Ann', dia_id: 'D1:1', text: 'I keep bees now.' },
        { speaker: 'Bob', dia_id: 'D1:2', text: 'Look!', blip_caption: 'a photo of a red boat' },
      ],
      session_10_date_time: '10:00 am on 1 July, 2023',
      session_10: [{ speaker: 'Bob', dia_id: 'D10:1', text: 'The boat sank.' }],
      session_2: [{ speaker: 'Ann', dia_id: 'D2:1', text: 'Honey at last.' }],
    },
    qa: [
      { question: 'What insects does Ann keep?', answer: 'bees', evidence: ['D1:1'], category: 4 },
      { question: 'When did the boat sink?', evidence: ['D10:01'], category: 2 },
      { question: 'What is red and sank?', evidence: ['D1:2; D10:1'], category: 1 },
      { question: 'Who flew?', adversarial_answer: 'Bob', evidence: [], category: 5 },
      { question: 'And who else?', evidence: ['D9:9'], category: 3 },
    ],
  },
];

const LONGMEMEVAL = [
  {
    question_id: 'q_1',
    question_type: 'single-session-user',
    question: 'Which tea do I drink?',
    answer: 'mint',
    haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 09:00'],
    haystack_session_ids: ['s-a', 's-b'],
    haystack_sessions: [
      [
        { role: 'user', content: 'I drink mint tea.', has_answer: true },
        { role: 'assistant', content: 'Nice.' },
      ],
      [{ role: 'user', content: 'It rains.', has_answer: false }],
    ],
    answer_session_ids: ['s-a'],
  },
  {
    question_id: 'q_2_abs',
    question_type: 'multi-session',
    question: 'Which car?',
    haystack_dates: [],
    haystack_sessions: [[{ role: 'user', content: 'I walk.' }]],
  },
];

const CHAT = [
  {
    batch_number: 1,
    turns: [
      [
        { role: 'user', id: 0, time_anchor: 'March-15-2024', content: 'Plan it ->-> 1,1' },
        { role: 'assistant', id: 1, content: 'Done.' },
      ],
      [{ role: 'user', id: 2, content: 'The sprint ends on Friday ->-> 1,2' }],
    ],
  },
  { batch_number: 2, turns: [[{ role: 'user', id: 3, content: 'Two columns please' }]] },
];
const PROBES = {
  abstention: [{ question: 'Unknown?' }],
  information_extraction: [{ question: 'When does the sprint end?', source_chat_ids: [2] }],
  contradiction_resolution: [
    { question: 'Which plan?', source_chat_ids: { first: [0], second: [3, 3] } },
  ],
};
const PYTHON = `{'abstention': [{'question': "Unknown?"}], 'information_extraction': [{'question': 'When does the sprint end?', 'source_chat_ids': [2]}], 'contradiction_resolution': [{'question': 'Which plan?', 'source_chat_ids': {'first': [0], 'second': [3, 3]}}]}`;

describe('a file of LoCoMo', () => {
  const set = () => readDialogueSet(write('locomo.json', LOCOMO));

  test('is read with its sessions in order, captions and days', () => {
    expect(set()?.format).toBe('LoCoMo');
    expect(set()?.dialogues[0]?.turns).toEqual([
      {
        id: 'D1:1',
        session: 'session-1',
        speaker: 'Ann',
        day: '2023-05-08',
        words: 'I keep bees now.',
      },
      {
        id: 'D1:2',
        session: 'session-1',
        speaker: 'Bob',
        day: '2023-05-08',
        words: 'Look! [image: a photo of a red boat]',
      },
      { id: 'D2:1', session: 'session-2', speaker: 'Ann', day: undefined, words: 'Honey at last.' },
      {
        id: 'D10:1',
        session: 'session-10',
        speaker: 'Bob',
        day: '2023-07-01',
        words: 'The boat sank.',
      },
    ]);
  });

  test('has questions by category, without those that name no turn', () => {
    expect(set()?.leftOut).toBe(2);
    expect(set()?.dialogues[0]?.questions).toEqual([
      { query: 'What insects does Ann keep?', category: 'single-hop', evidence: ['D1:1'] },
      { query: 'When did the boat sink?', category: 'temporal', evidence: ['D10:1'] },
      { query: 'What is red and sank?', category: 'multi-hop', evidence: ['D1:2', 'D10:1'] },
    ]);
  });
});

test('a file of LongMemEval has a dialogue for each question that has evidence', () => {
  const set = readDialogueSet(write('longmemeval.json', LONGMEMEVAL));
  expect(set).toMatchObject({ format: 'LongMemEval', leftOut: 1 });
  expect(set?.dialogues).toEqual([
    {
      name: 'q_1',
      turns: [
        {
          id: '1:1',
          session: 's-a',
          speaker: 'user',
          day: '2023-05-20',
          words: 'I drink mint tea.',
        },
        { id: '1:2', session: 's-a', speaker: 'assistant', day: '2023-05-20', words: 'Nice.' },
        { id: '2:1', session: 's-b', speaker: 'user', day: '2023-05-21', words: 'It rains.' },
      ],
      questions: [
        { query: 'Which tea do I drink?', category: 'single-session-user', evidence: ['1:1'] },
      ],
    },
  ]);
});

describe('BEAM', () => {
  const row = (questions: unknown) => ({
    conversation_id: '7',
    chat: CHAT,
    probing_questions: questions,
  });
  const rows = [row(PROBES), row(PYTHON)];

  test.each([
    ['a list of rows', () => write('beam.json', rows.slice(0, 1))],
    ['rows whose questions are a literal of Python', () => write('beam-2.json', rows.slice(1))],
    ['one row', () => write('beam-3.json', rows[0])],
    ['lines', () => write('beam.ndjson', rows.map((one) => JSON.stringify(one)).join('\n'))],
    [
      'a folder of a dialogue',
      () => {
        write('beam-7/chat.json', CHAT);
        return join(write('beam-7/probing_questions/probing_questions.json', PROBES), '..', '..');
      },
    ],
    [
      'a folder of such folders',
      () => {
        write('beams/7/chat.json', CHAT);
        write('beams/7/probing_questions/probing_questions.json', PROBES);
        return join(folder, 'beams');
      },
    ],
  ])('is read as %s', (_form, path) => {
    const set = readDialogueSet(path());
    expect(set?.format).toBe('BEAM');
    expect(set?.dialogues[0]?.turns).toMatchObject([
      { id: '0', session: 'session-1', speaker: 'user', day: '2024-03-15', words: 'Plan it' },
      { id: '1', session: 'session-1', speaker: 'assistant', day: '2024-03-15', words: 'Done.' },
      { id: '2', session: 'session-1', words: 'The sprint ends on Friday' },
      { id: '3', session: 'session-2', words: 'Two columns please' },
    ]);
    expect(set?.dialogues[0]?.questions).toEqual([
      { query: 'When does the sprint end?', category: 'information extraction', evidence: ['2'] },
      { query: 'Which plan?', category: 'contradiction resolution', evidence: ['0', '3'] },
    ]);
  });
});

describe('what is no set', () => {
  test.each([
    ['questions', '{"namespace":"a","ids":["x"]}'],
    ['several questions', '{"namespace":"a","ids":["x"]}\n{"namespace":"a","ids":["y"]}'],
    ['nonsense', 'nonsense'],
    ['an empty list', '[]'],
    ['another list', '[{"a":1}]'],
  ])('is left to the reader of questions: %s', (_what, text) => {
    expect(readDialogueSet(write('none.json', text))).toBeUndefined();
  });

  test.each([
    [() => join(folder, 'nowhere'), 'no such file'],
    [() => mkdirSync(join(folder, 'a', 'b'), { recursive: true }) ?? folder, 'BEAM'],
    [() => write('no-answers.json', [{ ...LOCOMO[0], qa: [] }]), 'no question of it names a turn'],
    [
      () => write('bad.json', [{ chat: CHAT, probing_questions: "{'a': [}" }]),
      'the literal of Python is no value at character 7',
    ],
  ])('or refused with the reason', (path, why) => {
    expect(() => readDialogueSet(path())).toThrow(why);
  });

  test.each([
    [['eval', 'q.ndjson', '--modes', 'query'], '--modes does not belong to a file of questions'],
    [['eval', 'locomo.json', '--k', '5'], '--k does not belong to a set of dialogues'],
    [
      ['eval', 'locomo.json', '--modes', 'best'],
      '--modes knows query, semantic, hybrid, context, blend, found [best]',
    ],
    [['eval', 'locomo.json', '--settings', 'x'], '--settings must be a JSON object'],
  ])('or misused: %j', async ([verb = '', file = '', ...rest], why) => {
    write('q.ndjson', '{"namespace":"a","ids":["x"]}');
    write('locomo.json', LOCOMO);
    const { code, err } = await runHere([verb, join(folder, file), ...rest], {});
    expect(code).toBe(2);
    expect(err).toContain(why);
  });
});

describe('a literal of Python', () => {
  test.each([
    [
      `{'a': [1, -2.5, 1e3], "b": (True, False, None,), 'c': {}, 'd': []}`,
      { a: [1, -2.5, 1000], b: [true, false, null], c: {}, d: [] },
    ],
    [`'it\\'s' " and" '\\n\\u00e9\\x41\\U0001F600\\q'`, "it's and\né\u0041😀\\q"],
    [' { 1 : "x" } ', { 1: 'x' }],
  ])('%s is read', (text, value) => {
    expect(readPythonLiteral(text)).toEqual(value);
  });

  test.each([
    '',
    '[1',
    "'a",
    '{1 2}',
    '[1 2]',
    'x',
    '1 2',
    "'\\xZZ'",
    '['.repeat(200),
  ])('%s is refused with a position', (text) => {
    expect(() => readPythonLiteral(text)).toThrow(/at character \d+/);
  });

  test('of any JSON value is that value', () => {
    const printed = (value: unknown): string => {
      if (value === null) return 'None';
      if (typeof value === 'boolean') return value ? 'True' : 'False';
      if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
      if (typeof value !== 'object') return JSON.stringify(value);
      const members = Object.entries(value).map(([k, v]) => `${JSON.stringify(k)}: ${printed(v)}`);
      return `{${members.join(', ')}}`;
    };
    const plain = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
    fc.assert(
      fc.property(plain, (value) => {
        fc.pre(!/\\\\[bf/]|\\"__proto__|-0[,\]}]|^-0$/.test(JSON.stringify(JSON.stringify(value))));
        expect(readPythonLiteral(printed(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

test.each([
  ['1:56 pm on 8 May, 2023', '2023-05-08'],
  ['2023/05/20 (Sat) 02:21', '2023-05-20'],
  ['March-15-2024', '2024-03-15'],
  ['March 5, 2024', '2024-03-05'],
  ['2024-03-05T10:00:00Z', '2024-03-05'],
  ['soon', undefined],
  ['8 Foo 2023', undefined],
  [17, undefined],
])('the day in %j is %j', (written, day) => {
  expect(dayIn(written)).toBe(day);
});

describe('the figures', () => {
  test('of a question are its recall at three depths, and those of the first ten', () => {
    const recalled = ['x', 'a', 'y', 'z', 'w', 'b', ...'cdefgh'];
    expect(figuresOf(new Set(['a', 'b']), recalled)).toEqual({
      'R@1': 0,
      'R@5': 0.5,
      'R@10': 1,
      'all@5': 0,
      MRR: 0.5,
      'nDCG@10': (1 / Math.log2(3) + 1 / Math.log2(7)) / (1 + 1 / Math.log2(3)),
    });
    expect(figuresOf(new Set(['x', 'a']), recalled)['all@5']).toBe(1);
  });

  const figures = (value: number): Figures => ({
    'R@1': value,
    'R@5': value,
    'R@10': value,
    'all@5': value,
    MRR: value,
    'nDCG@10': value,
  });

  test('of many have intervals that hold the mean, and the same ones each time', () => {
    const all = Array.from({ length: 100 }, (_, i) => figures(i % 4 === 0 ? 1 : 0));
    const { low, high, mean } = intervalsOf(all)['R@5'] ?? { low: 0, high: 0, mean: 0 };
    expect(mean).toBe(0.25);
    // The standard error is 0.043.
    expect(low).toBeGreaterThan(0.12);
    expect(low).toBeLessThan(0.2);
    expect(high).toBeGreaterThan(0.3);
    expect(high).toBeLessThan(0.38);
    expect(intervalsOf(all)).toEqual(intervalsOf(all));
  });

  test('of questions that are all alike have intervals without width', () => {
    expect(intervalsOf([figures(0.5), figures(0.5)])['MRR']).toEqual({
      mean: 0.5,
      low: 0.5,
      high: 0.5,
    });
  });
});

describe('a run', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
  });

  const run = (modes: readonly string[], settings?: object) => {
    const set = readDialogueSet(write('locomo.json', LOCOMO));
    if (set === undefined) throw new Error('it was not read');
    const client = clientOf(new Map([['url', server.base]]), {});
    return evaluateDialogues(set, { client, modes, settings, progress: undefined });
  };

  test('stores the turns, asks in each mode, tells each category, and leaves nothing', async () => {
    const results = await run(['query', 'hybrid']);
    expect(results).toMatchObject({
      format: 'LoCoMo',
      dialogues: 1,
      turns: 4,
      questions: 3,
      left_out: 2,
    });
    for (const mode of ['query', 'hybrid']) {
      expect(Object.keys(results.modes[mode] ?? {})).toEqual([
        'all',
        'multi-hop',
        'single-hop',
        'temporal',
      ]);
      expect(results.modes[mode]?.['all']?.figures['R@10']?.mean).toBe(1);
    }
    const lines = tableOf(results);
    expect(lines[0]).toBe(
      'LoCoMo: 1 dialogues, 4 turns, 3 questions; 2 name no turn and are left out',
    );
    expect(lines[1]).toMatch(/^MODE +CATEGORY +QUESTIONS +R@1 +R@5 +R@10 +all@5 +MRR +nDCG@10$/);
    expect(lines[2]).toMatch(/^query +all +3 +\S+ \[\S+, \S+\]/);
    const { json } = await server.call('GET', '/_memory');
    expect(json.namespaces).toEqual([]);
  });

  test('gives the namespaces their settings, and shows what the service refuses', async () => {
    await expect(run(['query'], { analyzer: 'none such' })).rejects.toThrow('none such');
    await run(['semantic'], { dims: 64 });
    const { json } = await server.call('GET', '/_memory');
    expect(json.namespaces).toEqual([]);
  });

  test('does not touch a namespace that is there', async () => {
    await server.call('POST', '/_memory/eval-conv-1', { text: 'mine' });
    await expect(run(['query'])).rejects.toThrow('has memories in the namespace [eval-conv-1]');
    const { json } = await server.call('GET', '/_memory/eval-conv-1');
    expect(json.count).toBe(1);
  });
});
