// The words of a text in columns: a hash of the lower-cased characters, with position and kind.
// Detectors compare millions of words; strings would cost ten times as much. Two words in four
// billion share a hash: that is harmless to proposals and quotations, which need several words.

export interface Tokens {
  readonly count: number;
  readonly words: Int32Array;
  /** In UTF-16 units of the text; `ends` is exclusive. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The bits defined below. */
  readonly kinds: Uint8Array;
}

export const STOP = 1;
export const NEGATION = 2;
export const DIGIT = 4;
/** The word begins with a capital or a digit. */
export const CAPITAL = 8;

const OTHER = 0;
const LETTER = 1;
const NUMBER = 2;
const UPPER = 3;

interface Characters {
  /** By UTF-16 unit: its class and its lower case. */
  readonly kinds: Uint8Array;
  readonly lower: Uint16Array;
}

/**
 * Halves of surrogate pairs count as letters, because scripts outside the basic plane write words
 * with them.
 */
function readCharacters(): Characters {
  const kinds = new Uint8Array(0x10000);
  const lower = new Uint16Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = String.fromCharCode(unit);
    lower[unit] = text.toLowerCase().charCodeAt(0);
    if (/\p{Lu}/u.test(text)) kinds[unit] = UPPER;
    else if (/[\p{L}\p{M}\p{Cs}]/u.test(text)) kinds[unit] = LETTER;
    else if (/\p{N}/u.test(text)) kinds[unit] = NUMBER;
  }
  return { kinds, lower };
}

const CHARACTERS = readCharacters();
const APOSTROPHE = 0x27;
const CURLY = 0x2019;
const SEED = 0x811c9dc5 | 0;

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The hash of a word as in the column `words`. */
export function hashOf(word: string): number {
  let hash = SEED;
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    hash = mix(hash, unit === CURLY ? APOSTROPHE : (CHARACTERS.lower[unit] ?? unit));
  }
  return hash;
}

const STOP_WORDS =
  'a about above after again all also am an and any are as at be because been before being below between both but by can ' +
  'could did do does doing down during each few for from further had has have having he her here hers him his how i if in ' +
  'into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should ' +
  'so some such than that the their them then there these they this those through to too under until up very was we were ' +
  'what when where which while who whom why will with would you your';
const NEGATIONS = 'not no never none nothing nobody neither nor cannot without';
const LONGEST_KNOWN = 7;
/** Hash -> kind. */
const KNOWN = readKnown();

function readKnown(): ReadonlyMap<number, number> {
  const known = new Map(
    STOP_WORDS.split(' ').map((word): [number, number] => [hashOf(word), STOP]),
  );
  for (const word of NEGATIONS.split(' ')) {
    const hash = hashOf(word);
    known.set(hash, (known.get(hash) ?? 0) | NEGATION);
  }
  return known;
}

/**
 * Estimated characters of a word with its blank. A text with more words than the estimate allows is
 * cut again into larger columns.
 */
const USUAL_LENGTH = 4;

export function tokensOf(text: string): Tokens {
  const most = Math.ceil(text.length / 2);
  const usual = Math.ceil(text.length / USUAL_LENGTH);
  return cut(text, usual) ?? cut(text, most) ?? columns(0);
}

/** All columns of a text share one buffer, because there are many texts. */
function columns(words: number): Tokens & { count: number } {
  const buffer = new ArrayBuffer(words * 13);
  return {
    count: 0,
    words: new Int32Array(buffer, 0, words),
    starts: new Uint32Array(buffer, words * 4, words),
    ends: new Uint32Array(buffer, words * 8, words),
    kinds: new Uint8Array(buffer, words * 12, words),
  };
}

/** Undefined: there are more words than `most`. */
function cut(text: string, most: number): Tokens | undefined {
  const tokens = columns(most);
  const { words, starts, ends, kinds } = tokens;
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const first = CHARACTERS.kinds[text.charCodeAt(at)] ?? OTHER;
    if (first === OTHER) {
      at++;
      continue;
    }
    if (count === most) return undefined;
    const start = at;
    let hash = SEED;
    let digits = 0;
    for (; at < text.length; at++) {
      let unit = text.charCodeAt(at);
      const kind = CHARACTERS.kinds[unit] ?? OTHER;
      if (kind === OTHER) {
        // An apostrophe between letters belongs to the word.
        const joins = (unit === APOSTROPHE || unit === CURLY) && isLetter(text, at + 1);
        if (!joins) break;
        unit = APOSTROPHE;
      } else if (kind === NUMBER) digits = DIGIT;
      hash = mix(hash, CHARACTERS.lower[unit] ?? unit);
    }
    words[count] = hash;
    starts[count] = start;
    ends[count] = at;
    kinds[count] = digits | kindOf(text, hash, start, at) | (first === LETTER ? 0 : CAPITAL);
    count++;
  }
  tokens.count = count;
  return tokens;
}

function isLetter(text: string, at: number): boolean {
  const kind = CHARACTERS.kinds[text.charCodeAt(at)] ?? OTHER;
  return at < text.length && (kind === LETTER || kind === UPPER);
}

/** Stop words and negations are short, so that long words need no lookup. */
function kindOf(text: string, hash: number, start: number, end: number): number {
  const contracted = end - start > 3 && isContracted(text, end) ? NEGATION : 0;
  if (end - start > LONGEST_KNOWN) return contracted;
  return contracted | (KNOWN.get(hash) ?? 0);
}

/** True for don't, won't and the like. */
function isContracted(text: string, end: number): boolean {
  const middle = text.charCodeAt(end - 2);
  if (middle !== APOSTROPHE && middle !== CURLY) return false;
  return (text.charCodeAt(end - 1) | 0x20) === 0x74 && (text.charCodeAt(end - 3) | 0x20) === 0x6e;
}
