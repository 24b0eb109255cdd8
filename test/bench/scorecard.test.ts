// The scorecard's statistics and its output formats: the order of contenders, the definition of a
// loss, and the parts in bold.
import { expect, test } from 'vitest';
import { type Contender, contest, figureLine, overlapOf } from '../../bench/peers/contest.ts';
import { type Duel, measuresOf } from '../../bench/peers/duel.ts';
import { isLoss, type Scorecard, toHtml, toMarkdown } from '../../bench/peers/scorecard.ts';
import { namedServer } from '../../bench/peers/servers.ts';
import { makeEmbeddings, nearest } from '../../bench/peers/vector-truth.ts';

test('overlap is the share of the longer list that both have', () => {
  expect(overlapOf(['a', 'b'], ['b', 'a'])).toBe(1);
  expect(overlapOf(['a', 'b'], ['b'])).toBe(0.5);
  expect(overlapOf([], ['b'])).toBe(0);
  expect(overlapOf([], [])).toBe(1);
});

test('only the best ten count', () => {
  const many = Array.from({ length: 20 }, (_, i) => String(i));
  expect(overlapOf(many, [...many].reverse())).toBe(0);
});

test('everyone is asked the same, verified once, and first in turn', async () => {
  const requested: string[] = [];
  const contender = (name: string, ids: readonly string[]): Contender => ({
    name,
    ask(at) {
      requested.push(`${name}${at}`);
      return ids;
    },
  });
  const verified: number[] = [];
  const task = {
    name: 't',
    questions: 2,
    verify: (at: number) => void verified.push(at),
    right: () => ['x', 'y'],
  };
  const lines = await contest(task, contender('us', ['x', 'y']), [contender('peer', ['x', 'z'])]);
  expect(verified).toEqual([0, 1]);
  expect(requested.slice(0, 4)).toEqual(['us0', 'peer0', 'us1', 'peer1']);
  expect(requested.slice(4, 8)).toEqual(['us0', 'peer0', 'peer1', 'us1']);
  expect(lines).toMatchObject([{ task: 't', peer: 'peer', overlap: 0.5, recall: [1, 0.5] }]);
});

test('a wrong answer of ours ends the contest before anything is timed', async () => {
  const us: Contender = { name: 'us', ask: () => [] };
  const verify = (): void => {
    throw new Error('wrong');
  };
  await expect(contest({ name: 't', questions: 1, verify }, us, [])).rejects.toThrow('wrong');
});

test('rates are better when larger, bytes when smaller; losses are bold in both faces', () => {
  const rate = figureLine('load', 'documents/s', true, [100, 'p', 200]);
  const bytes = figureLine('disk', 'bytes', false, [100, 'p', 200]);
  expect([rate.ratio, bytes.ratio]).toEqual([0.5, 2]);
  expect([isLoss(rate), isLoss(bytes)]).toEqual([true, false]);
  const card: Scorecard = { machine: 'm', facts: ['f'], lines: [rate, bytes], duels: [] };
  const lines = toMarkdown(card).split('\n');
  expect(lines).toContain(
    '2 comparisons, 1 lost (in bold), 0 too near to tell, 0 at least 3 times as good.',
  );
  expect(lines).toContain(
    '| **load** | **p** | **documents/s** | **100** | **200** | **0.50** |  |  |  |',
  );
  expect(lines).toContain('| disk | p | bytes | 100 | 200 | 2.00 |  |  |  |');
  expect(toHtml(card)).toContain('<tr class="missed"><td>load</td>');
});

test('a ratio whose interval holds 1 is neither lost nor won', () => {
  const line = figureLine('t', 'us', false, [100, 'p', 90]);
  const open = { ...line, interval: [0.7, 1.1] as const };
  const lost = { ...line, interval: [0.7, 0.99] as const };
  expect([isLoss(open), isLoss(lost)]).toEqual([false, true]);
  const text = toMarkdown({ machine: 'm', facts: [], lines: [open, lost], duels: [] });
  expect(text).toContain(
    '2 comparisons, 1 lost (in bold), 1 too near to tell, 0 at least 3 times as good.',
  );
  expect(text).toContain('| t | p | us | 100 | 90 | 0.90 | 0.70 to 1.10 |  |  |');
});

test('a duel compares all rounds together, and says what the single rounds said', () => {
  const ours = [
    { times: [100, 100, 300], seconds: 1 },
    { times: [200, 200, 200], seconds: 3 },
  ];
  const theirs = [
    { times: [400, 400, 400], seconds: 2 },
    { times: [100, 100, 100], seconds: 1 },
  ];
  const [half, most, rate] = measuresOf(16, ours, theirs);
  expect(half).toEqual({
    name: 'p50 us, 16 clients',
    ours: 200,
    theirs: 400,
    ratio: 2,
    interval: [0.5, 4],
  });
  expect(most).toMatchObject({ ours: 300, theirs: 400, interval: [0.5, 400 / 300] });
  expect(rate).toMatchObject({ ours: 2, theirs: 2.25, interval: [1 / 3, 2] });
});

test('a lost measure of a duel is bold by itself', () => {
  const won = { name: 'p50', ours: 1, theirs: 4, ratio: 4, interval: [3, 5] as const };
  const lost = { name: 'p99', ours: 4, theirs: 1, ratio: 0.25, interval: [0.2, 0.3] as const };
  const one: Duel = {
    task: 'f',
    peer: 'p',
    overlap: 0.95,
    recall: undefined,
    measures: [won, lost],
  };
  const card: Scorecard = { machine: 'm', facts: [], lines: [], duels: [one] };
  const lines = toMarkdown(card).split('\n');
  expect(lines).toContain('| f | p | 0.95 |  | 4.00 (1 / 4) | **0.25 (4 / 1)** |');
  expect(lines).toContain(
    '2 comparisons, 1 lost (in bold), 0 too near to tell, 1 at least 3 times as good.',
  );
  expect(toHtml(card)).toContain('<td>4.00 (1 / 4)</td><td class="missed">0.25 (4 / 1)</td>');
});

test.each(['', 'x', '=http://a', 'name=ftp://a'])('--peer [%s] is refused', (given) => {
  expect(() => namedServer(given)).toThrow('[--peer] is NAME=URL');
});

test('a named server keeps its name and loses a slash at its end', () => {
  expect(namedServer('es=http://a:1/')).toMatchObject({ name: 'es', base: 'http://a:1' });
});

test('the nearest of a row is the row itself, then falling cosines', () => {
  const rows = makeEmbeddings(50, 3);
  for (const row of [0, 7, 49]) expect(nearest(rows, rows, row, 3)[0]).toBe(String(row));
  expect(nearest(rows, rows, 0, 50).length).toBe(50);
});
