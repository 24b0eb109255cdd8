// What the metadata of a memory says about it: speaker, day, time and session, under names that can
// be configured.
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_NAMES,
  ownTimeOf,
  plainWords,
  saidFields,
  sessionOf,
} from '../../src/memory/context/said.ts';

const said = (text: string, metadata: Record<string, string | number>) =>
  saidFields(text, metadata, DEFAULT_NAMES);

describe('fields beside the text', () => {
  test('speaker and day, where the text has neither', () => {
    expect(said('I moved', { speaker: 'Caroline', said_at: '2023-05-08T09:00:00Z' })).toEqual({
      said_by: 'Caroline',
      said_on: '8 may 2023 monday',
    });
  });

  test.each([
    ['(8 May, 2023) Caroline: I moved', {}],
    ['Caroline’s flat: I moved in May 2023', {}],
    ['Caroline: I moved', { said_on: '8 may 2023 monday' }],
    ['2023-05-08 Caroline: I moved', { said_on: '8 may 2023 monday' }],
    ['8 may 2023: I moved', { said_by: 'Caroline' }],
    [
      `${'word '.repeat(16)} Caroline, May 2023`,
      { said_by: 'Caroline', said_on: '8 may 2023 monday' },
    ],
  ])('only what the text does not begin with: %s', (text, fields) => {
    expect(said(text, { speaker: 'Caroline', said_at: '2023-05-08' })).toEqual(fields);
  });

  test('the day is the one that is written, whatever its offset', () => {
    const fields = said('x', { said_at: '2023-05-08T23:30:00-07:00' });
    expect(fields.said_on).toBe('8 may 2023 monday');
    expect(said('x', { said_at: Date.UTC(2024, 1, 29) }).said_on).toBe('29 february 2024 thursday');
  });

  test.each([
    [{}],
    [{ speaker: '' }],
    [{ speaker: 7 }],
    [{ said_at: 'yesterday' }],
    [{ said_at: 2023 }],
    [{ role: 'user' }],
  ])('nothing without a speaker and a time: %j', (metadata) => {
    const { said_by } = said('x', metadata as Record<string, string | number>);
    expect(said_by).toBeUndefined();
  });

  test('the names can be others, and the first that is there counts', () => {
    const names = { speaker: ['who', 'by'], session: ['talk'], time: ['when'] };
    const metadata = { by: 'Bob', who: 'Ann', when: '2020-01-02', talk: 4, speaker: 'Eve' };
    expect(saidFields('x', metadata, names)).toEqual({
      said_by: 'Ann',
      said_on: '2 january 2020 thursday',
    });
    expect(sessionOf(metadata, names)).toBe('4');
    expect(ownTimeOf(metadata, names)).toBe(Date.UTC(2020, 0, 2));
    expect(sessionOf({ session: 's' }, names)).toBeUndefined();
  });

  test('a long name is cut', () => {
    expect(said('x', { speaker: 'ab '.repeat(1000) }).said_by).toHaveLength(256);
  });
});

test('plain words have no case, accents, possessives or apostrophes', () => {
  expect(plainWords("Zoë's dog, O'Brien’s (2nd) isn't")).toEqual([
    'zoe',
    'dog',
    'obrien',
    '2nd',
    'isnt',
  ]);
});
