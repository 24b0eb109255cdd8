// Splits a text into the words of BERT: control characters go, white space separates, marks and
// case are folded, and each punctuation character and ideograph is a word of its own.
import { isPlainCharacter } from './later-characters.js';

export interface TokenizerOptions {
  readonly lowercase: boolean;
  readonly stripAccents: boolean;
  /** Whether ideographs are words of their own. */
  readonly separatesIdeographs: boolean;
}

/** The characters of ASCII that are neither letters, digits, white space nor control characters. */
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;
/** The two are a symbol and a mark in later versions of Unicode. */
const PUNCTUATION = /[\p{P}\u166D\u{111C9}]/u;
const WHITE_SPACE = /[\t\n\r\p{Z}]/u;
const REMOVED = /[\0\uFFFD]|[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u;
/** The two are spacing marks in later versions of Unicode. */
const MARKS = /(?!\u{111C9})[\p{Mn}\u1734\u{1171E}]/gu;
const ONLY_ASCII = /^[\0-\x7F]*$/;

/** CJK ideographs, without those of later extensions. */
const IDEOGRAPHS: readonly (readonly [number, number])[] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b920, 0x2ceaf],
  [0x2f800, 0x2fa1f],
];

/** The words in order; a caller that has enough of them may stop. */
export function* plainWords(text: string, options: TokenizerOptions): Iterable<string> {
  let word = '';
  for (const character of text) {
    const kind = kindOf(character, options);
    if (kind === 'letter') word += character;
    if (kind === 'letter' || kind === 'removed') continue;
    if (word !== '') yield* splitWord(word, options);
    word = '';
    if (kind === 'ideograph') yield* splitWord(character, options);
  }
  if (word !== '') yield* splitWord(word, options);
}

type Kind = 'letter' | 'space' | 'removed' | 'ideograph';

function kindOf(character: string, { separatesIdeographs }: TokenizerOptions): Kind {
  if (character > ' ' && character <= '~') return 'letter';
  if (WHITE_SPACE.test(character)) return 'space';
  if (isPlainCharacter(character)) return 'letter';
  if (REMOVED.test(character)) return 'removed';
  return separatesIdeographs && isIdeograph(character) ? 'ideograph' : 'letter';
}

function isIdeograph(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return IDEOGRAPHS.some(([first, last]) => code >= first && code <= last);
}

/** `word` has no white space. */
function* splitWord(word: string, options: TokenizerOptions): Iterable<string> {
  let part = '';
  for (const character of folded(word, options)) {
    if (!isPunctuation(character)) {
      part += character;
      continue;
    }
    if (part !== '') yield part;
    part = '';
    yield character;
  }
  if (part !== '') yield part;
}

function isPunctuation(character: string): boolean {
  if (character <= '\x7F') return ASCII_PUNCTUATION.test(character);
  return PUNCTUATION.test(character) && !isPlainCharacter(character);
}

function folded(word: string, { lowercase, stripAccents }: TokenizerOptions): string {
  if (ONLY_ASCII.test(word)) return lowercase ? word.toLowerCase() : word;
  const bare = stripAccents ? withoutMarks(word) : word;
  if (!lowercase) return bare;
  // Each character alone, as the library does: a sigma at the end of a word is no other one.
  let lower = '';
  for (const character of bare) lower += character.toLowerCase();
  return lower;
}

/** Decomposed; characters that are plain letters here keep their place and end a sequence. */
function withoutMarks(word: string): string {
  let [done, sequence] = ['', ''];
  for (const character of word) {
    if (isPlainCharacter(character)) {
      done += sequence.normalize('NFD').replace(MARKS, '') + character;
      sequence = '';
    } else {
      sequence += character;
    }
  }
  return done + sequence.normalize('NFD').replace(MARKS, '');
}
