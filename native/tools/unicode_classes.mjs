// Per code point classes for unicode_tables.mjs. Node's regular expressions lack Word_Break and Line_Break, so they are
// derived by the definitions of UAX #29 (table 3, Unicode 9, the version of Lucene's StandardTokenizer) and UAX #14.
// The numbers are those of WordClass and Category in native/core/text/unicode.h.

const is = (pattern) => {
  const regex = new RegExp(`^[${pattern}]$`, 'u');
  return (text) => regex.test(text);
};

const SA_SCRIPTS = [
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tai_Le',
  'New_Tai_Lue',
  'Tai_Tham',
  'Tai_Viet',
  'Ahom',
];
const isSaScript = is(SA_SCRIPTS.map((s) => `\\p{Script=${s}}`).join(''));
const isLetterOrMark = is('\\p{L}\\p{M}');
// Symbols that UAX #14 gives Line_Break=SA beside the letters and marks of those scripts.
const isSaSymbol = is(
  '\\u109e-\\u109f\\uaa77-\\uaa79\\u19da\\u19de-\\u19df\\u1aa0-\\u1aa6\\u1aa8-\\u1aad',
);
const isMark = is('\\p{M}');
const isFormat = is('\\p{Cf}');
const isKatakana = is('\\p{Script=Katakana}\\u3031-\\u3035\\u309b\\u309c\\u30a0\\u30fc\\uff70');
const isHebrew = is('\\p{Script=Hebrew}');
const isLo = is('\\p{Lo}');
const isDigit = is('\\p{Nd}');
const isHangul = is('\\p{Script=Hangul}');
const isAlphabetic = is('\\p{Alphabetic}');
const isIdeographic = is('\\p{Ideographic}');
const isHan = is('\\p{Script=Han}');
const isHiragana = is('\\p{Script=Hiragana}');
const isConnector = is('\\p{Pc}\\u202f');
const isRegional = is('\\p{Regional_Indicator}');
const isPictographic = is('\\p{Extended_Pictographic}');
const isEmoji = is('\\p{Emoji}');
const isModifier = is('\\p{Emoji_Modifier}');
const isModifierBase = is('\\p{Emoji_Modifier_Base}');

const LISTED = new Map();
const list = (value, codePoints) => {
  for (const cp of codePoints) LISTED.set(cp, value);
};
list(8, [0x200d]);
list(9, [0x3a, 0xb7, 0x387, 0x55f, 0x5f4, 0x2027, 0xfe13, 0xfe55, 0xff1a]);
list(
  10,
  [
    0x2c, 0x3b, 0x37e, 0x589, 0x60c, 0x60d, 0x66c, 0x7f8, 0x2044, 0xfe10, 0xfe14, 0xfe50, 0xfe54,
    0xff0c, 0xff1b,
  ],
);
list(11, [0x2e, 0x2018, 0x2019, 0x2024, 0xfe52, 0xff07, 0xff0e]);
list(12, [0x27]);
list(13, [0x22]);
list(0, [0x200b]); // zero width space is Cf but separates words
list(7, [0xff9e, 0xff9f]); // half-width sound marks are Grapheme_Extend
list(3, [0x66b]); // Arabic decimal separator

function baseClass(cp, text) {
  const listed = LISTED.get(cp);
  if (listed !== undefined) return listed;
  if (isSaScript(text) && (isLetterOrMark(text) || isSaSymbol(text))) return isMark(text) ? 18 : 17;
  if (isMark(text) || isFormat(text)) return 7;
  if (isKatakana(text)) return 4;
  if (isHebrew(text) && isLo(text)) return 2;
  if (isDigit(text)) return 3;
  if (isConnector(text)) return 6;
  if (isRegional(text)) return 14;
  if (isHiragana(text)) return 16;
  if (cp === 0x5f3 || (isAlphabetic(text) && !isIdeographic(text))) return isHangul(text) ? 5 : 1;
  return isHan(text) ? 15 : 0;
}

/** Word-break class in the low five bits, emoji flags above. */
export function wordClass(cp) {
  const text = String.fromCodePoint(cp);
  let value = baseClass(cp, text);
  const keycapBase = cp < 0x80;
  if (
    isPictographic(text) ||
    (isEmoji(text) && !isRegional(text) && !keycapBase && !isModifier(text))
  )
    value |= 0x20;
  if (isModifierBase(text)) value |= 0x40;
  if (isModifier(text)) value = 0x80;
  return value;
}

const CATEGORIES = [
  [1, is('\\p{L}')],
  [2, isDigit],
  [3, isMark],
  [4, is('\\p{N}')],
  [5, is('\\p{P}')],
  [6, is('\\p{S}')],
];
// Java's Character.isWhitespace: separators except the no-break spaces, and the control characters below.
const isSpace = (cp, text) =>
  (cp >= 9 && cp <= 13) ||
  (cp >= 0x1c && cp <= 0x1f) ||
  (/^\p{Z}$/u.test(text) && cp !== 0xa0 && cp !== 0x2007 && cp !== 0x202f);

export function generalCategory(cp) {
  const text = String.fromCodePoint(cp);
  if (isSpace(cp, text)) return 7;
  return CATEGORIES.find(([, test]) => test(text))?.[0] ?? 0;
}
