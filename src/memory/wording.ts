// Compares two texts word by word: they are the same if they differ only in case, punctuation,
// white space, articles and typing errors. Negations, numbers, names and the order of words count:
// "Ann owes Bob 5" is neither "Bob owes Ann 5" nor "Ann owes Bob 6". A text may have millions of
// words, so that everything is a cooperative task.
import { type CooperativeTask, ITEMS_PER_YIELD } from '../base/cooperative-task.js';

export interface Difference {
  /** Words of the first text that the second lacks, in order; below the reverse. */
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Minimum Jaccard similarity of the words at which differences may count as typing errors. */
const MIN_JACCARD = 0.85;
/** Shorter words become other words by a change of one character. */
const MIN_SLIP_CHARACTERS = 5;
const ARTICLES = new Set(['a', 'an', 'the']);
const LONGEST_ARTICLE = 3;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const NOTHING: readonly string[] = [];
const NINE = 0x39;
const LETTER_T = 0x74;
/**
 * Letters, digits with their separators, and significant signs: currencies, per cent, emoji, minus
 * before a number.
 */
const WORDS =
  /[-\u2212](?=[\d.])|\d+(?:[.,:/]\d+)*|[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|[%\u2030]|(?![`^~|])\p{S}/gu;
/** Without apostrophes, so that hurried spelling gives the same words. */
const NEGATIONS = new Map<string, readonly string[]>(
  [
    ...['ai', 'are', 'could', 'did', 'does', 'do', 'had', 'has', 'have', 'is', 'might', 'must'],
    ...['need', 'should', 'was', 'were', 'would'],
  ].map((verb) => [`${verb}nt`, [verb, 'not']] as const),
)
  .set('cant', ['can', 'not'])
  .set('cannot', ['can', 'not'])
  .set('wont', ['will', 'not'])
  .set('shant', ['shall', 'not']);

interface Word {
  readonly folded: string;
  /** The word contains a capital: it may be a name. */
  readonly capital: boolean;
}

/** Characters that are processed in one time slice; a piece ends before white space. */
const PIECE = 4096;
const BLANK = /\s/g;

/** The folded words in order, without articles, separated by single blanks. */
export function* foldedText(text: string): CooperativeTask<string> {
  const parts: string[] = [];
  for (const piece of piecesOf(text)) {
    const words = foldedWords(piece);
    if (words.length > 0) parts.push(words.join(' '));
    yield;
  }
  return parts.join(' ');
}

/** Undefined: the texts are the same. */
export function* differenceOf(
  ours: string,
  theirs: string,
): CooperativeTask<Difference | undefined> {
  if (ours === theirs) return undefined;
  const left = yield* split(ours);
  const right = yield* split(theirs);
  if (left.length === 0 && right.length === 0) return signs(ours, theirs);
  const unlike = yield* compare(left, right);
  if (unlike === undefined) return undefined;
  if (unlike.pairs.length === 0 || !unlike.paired) return unlike.difference;
  const alike = left.length - unlike.pairs.length;
  const jaccard = alike / (left.length + right.length - alike);
  const slips = unlike.pairs.every(([a, b]) => isSlip(a, b));
  return jaccard >= MIN_JACCARD && slips ? undefined : unlike.difference;
}

/** Texts without any word: every character counts. */
function signs(ours: string, theirs: string): Difference | undefined {
  const [a, b] = [ours.trim(), theirs.trim()];
  return a === b ? undefined : { ours: [a], theirs: [b] };
}

function* split(text: string): CooperativeTask<readonly Word[]> {
  const words: Word[] = [];
  for (const piece of piecesOf(text)) {
    for (const word of wordsIn(piece)) words.push(word);
    yield;
  }
  return words;
}

/** Equivalent to WORDS for ASCII text, and several times faster. */
const ASCII_WORDS = /[a-zA-Z]+(?:'[a-zA-Z]+)*|\d+(?:[.,:/]\d+)*|-(?=[\d.])|[%$+<=>]/g;
const NOT_ASCII = /[\u0080-\uffff]/;

/** The words of a text in their spelling. */
function spelledWords(text: string): readonly string[] {
  if (!NOT_ASCII.test(text)) return text.match(ASCII_WORDS) ?? [];
  const plain = text.normalize('NFKC').replace(/[\u2018\u2019\u02bc\uff07]/g, "'");
  return plain.match(WORDS) ?? [];
}

function wordsIn(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const found of spelledWords(text)) {
    const lower = found.toLowerCase();
    const capital = lower !== found;
    const folded = fold(lower);
    if (typeof folded === 'string') words.push({ folded, capital });
    else for (const part of folded) words.push({ folded: part, capital });
  }
  return words;
}

/** The folded words without the information on capitals. */
function foldedWords(text: string): readonly string[] {
  const words: string[] = [];
  // ASCII text is lower-cased as a whole, because no character changes its position.
  const isAscii = !NOT_ASCII.test(text);
  for (const found of spelledWords(isAscii ? text.toLowerCase() : text)) {
    const folded = fold(isAscii ? found : found.toLowerCase());
    if (typeof folded === 'string') words.push(folded);
    else words.push(...folded);
  }
  return words;
}

/**
 * Pieces of the text that end before white space, so that no word and no combining character is
 * split.
 */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    BLANK.lastIndex = at + PIECE;
    const end = BLANK.exec(text)?.index ?? text.length;
    yield text.slice(at, end);
    at = end;
  }
}

/**
 * "don't" becomes "do not", "1,000" becomes "1000", an article becomes nothing. Called for every
 * word, so that cheap checks come first.
 */
function fold(word: string): string | readonly string[] {
  const { length } = word;
  if (length <= LONGEST_ARTICLE && ARTICLES.has(word)) return NOTHING;
  if (word.charCodeAt(0) <= NINE) {
    return word.includes(',') && THOUSANDS.test(word) ? word.replaceAll(',', '') : word;
  }
  const plain = word.includes("'") ? word.replaceAll("'", '') : word;
  // All keys of NEGATIONS end with t.
  if (plain.charCodeAt(plain.length - 1) !== LETTER_T) return plain;
  return NEGATIONS.get(plain) ?? plain;
}

interface WordingDifference {
  readonly difference: Difference;
  /** The words that differ at the same position, where both texts have the same number of words. */
  readonly pairs: readonly (readonly [Word, Word])[];
  readonly paired: boolean;
}

function* compare(
  left: readonly Word[],
  right: readonly Word[],
): CooperativeTask<WordingDifference | undefined> {
  if (left.length !== right.length) {
    return { difference: yield* lacking(left, right), pairs: [], paired: false };
  }
  const pairs: (readonly [Word, Word])[] = [];
  for (const [i, a] of left.entries()) {
    const b = right[i];
    if (b !== undefined && a.folded !== b.folded) pairs.push([a, b]);
    if (i % ITEMS_PER_YIELD === 0) yield;
  }
  if (pairs.length === 0) return undefined;
  const words = yield* lacking(left, right);
  // The same words in another order: show those that moved.
  const moved = words.ours.length === 0;
  const ours = moved ? pairs.map(([a]) => a.folded) : words.ours;
  const theirs = moved ? pairs.map(([, b]) => b.folded) : words.theirs;
  return { difference: { ours, theirs }, pairs, paired: true };
}

/** The words left on either side after equal words are removed. */
function* lacking(left: readonly Word[], right: readonly Word[]): CooperativeTask<Difference> {
  return { ours: yield* over(left, right), theirs: yield* over(right, left) };
}

function* over(
  words: readonly Word[],
  others: readonly Word[],
): CooperativeTask<readonly string[]> {
  const counts = new Map<string, number>();
  for (const [i, { folded }] of others.entries()) {
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
    if (i % ITEMS_PER_YIELD === 0) yield;
  }
  const left: string[] = [];
  for (const [i, { folded }] of words.entries()) {
    const count = counts.get(folded) ?? 0;
    counts.set(folded, count - 1);
    if (count <= 0) left.push(folded);
    if (i % ITEMS_PER_YIELD === 0) yield;
  }
  return left;
}

/**
 * One character inserted, deleted, replaced or transposed, inside a long word that is neither a
 * name nor a number.
 */
function isSlip(a: Word, b: Word): boolean {
  if (a.capital || b.capital) return false;
  const [x, y] = [a.folded, b.folded];
  if (Math.min(x.length, y.length) < MIN_SLIP_CHARACTERS) return false;
  if (/[^\p{L}]/u.test(x) || /[^\p{L}]/u.test(y)) return false;
  if (x.at(0) !== y.at(0) || x.at(-1) !== y.at(-1)) return false;
  return withinOneEdit(x, y);
}

function withinOneEdit(x: string, y: string): boolean {
  let start = 0;
  while (start < x.length && start < y.length && x[start] === y[start]) start++;
  let end = 0;
  const room = Math.min(x.length, y.length) - start;
  while (end < room && x.at(-1 - end) === y.at(-1 - end)) end++;
  const [left, right] = [x.slice(start, x.length - end), y.slice(start, y.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
