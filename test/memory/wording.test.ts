// Differences in spelling that two texts with the same statement may have, and those that they may
// not.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runCooperatively, runToCompletion } from '../../src/base/cooperative-task.ts';
import * as wording from '../../src/memory/wording.ts';

const differenceOf = (ours: string, theirs: string) =>
  runToCompletion(wording.differenceOf(ours, theirs));
const foldedText = (text: string) => runToCompletion(wording.foldedText(text));

const LONG =
  'yesterday evening after the long meeting everybody in the office agreed that the project plan should be finished before the summer holidays begin';

describe('the same', () => {
  test.each([
    ['case', 'Ann Lives in Paris', 'ann lives in paris'],
    ['punctuation', 'Ann lives in Paris.', 'Ann lives, in Paris!'],
    ['spaces', 'Ann lives in Paris', '  Ann  lives\nin\tParis '],
    ['an article', 'Ann bought a red car', 'Ann bought red car'],
    ['another article', 'Ann bought the car', 'Ann bought a car'],
    ['a contraction', "Ann doesn't like tea", 'Ann does not like tea'],
    ['a curly apostrophe', "Ann can't swim", 'Ann can\u2019t swim'],
    ['a contraction with a stem of its own', "Ann won't come", 'Ann will not come'],
    ['an apostrophe that got lost', "it's Ann's, don't ask", 'its Anns dont ask'],
    ['marks around words', '**Ann** `lives` in [Paris] #home', 'Ann lives in Paris home'],
    ['one word instead of two', 'Ann cannot swim', 'Ann can not swim'],
    ['a thousands separator', 'it costs 1,000 euros', 'it costs 1000 euros'],
    ['wide letters', 'Ann lives in Ｐａｒｉｓ', 'Ann lives in Paris'],
    ['a slip in a long text', LONG, LONG.replace('everybody', 'evrybody')],
    ['swapped letters in a long text', LONG, LONG.replace('project', 'porject')],
    ['signs alone', '?!', ' ?! '],
  ])('%s', (_name, ours, theirs) => {
    expect(differenceOf(ours, theirs)).toBeUndefined();
    expect(differenceOf(theirs, ours)).toBeUndefined();
  });
});

describe('not the same', () => {
  test.each([
    ['a negation', 'Ann likes tea', 'Ann not likes tea', [], ['not']],
    ['a negation in short', 'Ann does like tea', "Ann doesn't like tea", [], ['not']],
    ['never', 'Ann never eats meat', 'Ann eats meat', ['never'], []],
    ['a number', 'the budget is 5000', 'the budget is 6000', ['5000'], ['6000']],
    ['a number in words', 'Ann has two cats', 'Ann has three cats', ['two'], ['three']],
    ['a fraction', 'it weighs 1.5 kg', 'it weighs 15 kg', ['1.5'], ['15']],
    ['a sign', 'it is -5 outside', 'it is 5 outside', ['-'], []],
    ['a currency', 'it costs 5 $', 'it costs 5 €', ['$'], ['€']],
    ['a unit', 'it grew by 5 %', 'it grew by 5', ['%'], []],
    ['a name', 'Ann met Bob', 'Ann met Tom', ['bob'], ['tom']],
    ['a name of one other letter', `Maria: ${LONG}`, `Mario: ${LONG}`, ['maria'], ['mario']],
    ['a short word of one other letter', `${LONG} cat`, `${LONG} bat`, ['cat'], ['bat']],
    ['an ending', LONG, LONG.replace('agreed', 'agrees'), ['agreed'], ['agrees']],
    ['the order', 'Ann owes Bob money', 'Bob owes Ann money', ['ann', 'bob'], ['bob', 'ann']],
    ['where from', 'from Rome to Paris', 'to Rome from Paris', ['from', 'to'], ['to', 'from']],
    ['a pronoun', 'he likes tea', 'she likes tea', ['he'], ['she']],
    [
      'a slip in a short text',
      'Ann likes chocolate',
      'Ann likes choclate',
      ['chocolate'],
      ['choclate'],
    ],
    ['a word more', 'Ann likes tea', 'Ann likes green tea', [], ['green']],
    ['a sign', 'Bob said 👍', 'Bob said 👎', ['👍'], ['👎']],
    ['signs alone', '!', '?', ['!'], ['?']],
  ])('%s', (_name, ours, theirs, over, lacking) => {
    expect(differenceOf(ours, theirs)).toEqual({ ours: over, theirs: lacking });
    expect(differenceOf(theirs, ours)).toEqual({ ours: lacking, theirs: over });
  });
});

test('a text is itself, and the difference of two looks the same from both sides', () => {
  const text = fc
    .array(fc.constantFrom('ann', 'Bob', 'not', '5', '6', 'a', 'likes', '%', '.'))
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(differenceOf(a, a)).toBeUndefined();
      const there = differenceOf(a, b);
      const back = differenceOf(b, a);
      expect(back).toEqual(there && { ours: there.theirs, theirs: there.ours });
      // There are no long words here, so that no typo is tolerated.
      const same = foldedText(a) === foldedText(b);
      if (foldedText(a) !== '') expect(there === undefined).toBe(same);
    }),
  );
});

describe('a text of megabytes', () => {
  const sentence = 'Ann’s Ｐａｒｉｓ trip cost 1,000.50 € in 2019, didn’t it? e\u0301te\u0301 -5 ';
  const many = sentence.repeat(20_000);

  test('has the words of its sentences', () => {
    const words = foldedText(sentence);
    expect(words).toBe('anns paris trip cost 1000.50 € in 2019 did not it été - 5');
    expect(foldedText(many) === `${words} `.repeat(20_000).trim()).toBe(true);
  });

  test('is read and compared in stretches', async () => {
    let [now, turns] = [0, 0];
    const clock = {
      nowMs: () => now++,
      next: async () => {
        turns++;
      },
    };
    await runCooperatively(wording.foldedText(many), clock);
    expect(turns).toBeGreaterThan(many.length / 10_000);
    turns = 0;
    const other = `${many}more`;
    expect(await runCooperatively(wording.differenceOf(many, other), clock)).toEqual({
      ours: [],
      theirs: ['more'],
    });
    expect(turns).toBeGreaterThan((4 * many.length) / 10_000);
  });
});
