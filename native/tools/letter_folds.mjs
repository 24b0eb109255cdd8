// What each code point is to the words of the built-in embedder, for unicode_tables.mjs: compatibility decomposition,
// accents off, lower case, and the ASCII letters of asciifolding where Unicode has no decomposition.
import { asciiFolding } from './ascii_folding.mjs';

const isWordPart = (text) => /^[\p{L}\p{N}\p{M}]$/u.test(text);
const ACCENT_SCRIPTS =
  'Inherited Common Latin Greek Coptic Cyrillic Armenian Hebrew Arabic Syriac Hiragana Katakana Hangul Han'
    .split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('');
// Marks are accents in these scripts; in the others (Devanagari, Thai ...) they are vowels, without which words collapse.
const isAccent = new RegExp(`^(?=\\p{M})[${ACCENT_SCRIPTS}]$`, 'u');
const isInvisible = (text) => /^\p{Cf}$/u.test(text) && text !== '\u200b'; // that one separates words
const isDropped = (text) => isAccent.test(text) || isInvisible(text);

const APOSTROPHES = new Set(['\u2018', '\u2019', '\u201b', '\u02bc']);
// Vectors of [svc-lex-1] stay comparable for as long as indexes with them exist, so its letters never change: numbers
// and some letters that asciifolding folds stay as they are, and some that asciifolding keeps are folded.
const UNFOLDED = new Set('ȝʣʥʦʨᵫỻⱻꜳꟼꟾ');
const ASCII = new Map([
  ...asciiFolding().filter(([cp]) => {
    const char = String.fromCodePoint(cp);
    return !UNFOLDED.has(char) && !/^\p{N}$/u.test(char);
  }),
  ...Object.entries({ ᴓ: 'o', ᴧ: 'v', ᵿ: 'u', ꭎ: 'u' }).map(([char, text]) => [
    char.codePointAt(0),
    text,
  ]),
]);

function lowered(char) {
  const lower = char.toLowerCase();
  if (lower === '\u03c2') return '\u03c3'; // a final sigma is a sigma
  return [...lower].length === 1 ? lower : char;
}

function foldedChar(char) {
  if (APOSTROPHES.has(char) || char === "'") return "'";
  if (!isWordPart(char)) return ' ';
  const lower = lowered(char);
  const ascii = lower > '\x7f' ? ASCII.get(lower.codePointAt(0)) : undefined;
  return ascii === undefined ? lower : [...ascii.toLowerCase()].filter(isWordPart).join('');
}

/** '' for a dropped code point; spaces end words. */
function folded(cp) {
  return [...String.fromCodePoint(cp).normalize('NFKD')]
    .filter((char) => !isDropped(char))
    .map(foldedChar)
    .join('')
    .replace(/ +/g, ' ');
}

/** What is not in the tables: letters, digits and marks in lower case; all else ends words. */
function byDefault(cp) {
  const char = String.fromCodePoint(cp);
  return isWordPart(char) ? lowered(char) : ' ';
}

/** Code points that are dropped, that become one other, and that become several ([code point, text]). */
export function letterFolds() {
  const dropped = new Set();
  const single = new Map();
  const several = [];
  for (let cp = 0x80; cp <= 0x10ffff; cp++) {
    if (cp >= 0xac00 && cp <= 0xdfff) continue; // Hangul is decomposed by arithmetic; surrogates are no text
    const text = folded(cp);
    if (text === '') dropped.add(cp);
    else if (text === byDefault(cp)) continue;
    else if ([...text].length === 1) single.set(cp, text.codePointAt(0));
    else several.push([cp, text]);
  }
  return { dropped, single, several };
}
