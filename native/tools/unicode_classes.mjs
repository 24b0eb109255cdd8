// Per code point classes for unicode_tables.mjs. Node's regular expressions lack Word_Break and Line_Break, so they are
// derived by the definitions of UAX #29 (table 3, with the choices of Lucene's StandardTokenizer) and UAX #14.
// The numbers are those of WordClass and GeneralCategory in native/core/text/analysis/unicode.h.

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
  '\\u109e-\\u109f\\uaa77-\\uaa79\\uaade-\\uaadf\\u19da\\u19de-\\u19df\\u1aa0-\\u1aa6\\u1aa8-\\u1aad' +
    '\\u{1173a}-\\u{1173b}\\u{1173f}',
);
const isMark = is('\\p{M}');
const isFormat = is('\\p{Cf}');
const isKatakana = is('\\p{Script=Katakana}\\u3031-\\u3035\\u309b\\u309c\\u30a0\\u30fc\\uff70');
const isHebrew = is('\\p{Script=Hebrew}');
const isLo = is('\\p{Lo}');
const isDigit = is('\\p{Nd}');
const isHangul = is('\\p{Script=Hangul}');
const isAlphabetic = is('\\p{Alphabetic}');
// Modifier letters and marks of abbreviation that Word_Break takes for letters though they are symbols.
const isLetterSymbol = is(
  '\\u02c2-\\u02c5\\u02d2-\\u02d7\\u02de-\\u02df\\u02ed\\u02ef-\\u02ff\\u055b-\\u055c\\u055e\\u05f3\\ua720-\\ua721\\ua789-\\ua78a\\uab5b',
);
const isIdeographic = is('\\p{Ideographic}');
const isHan = is('\\p{Script=Han}');
const isHiragana = is('\\p{Script=Hiragana}');
const isConnector = is('\\p{Pc}\\u202f');
const isRegional = is('\\p{Regional_Indicator}');
// Emoji and Extended_Pictographic of Unicode 12.1, the version of Lucene's emoji rules: later versions took
// pictographs such as the chess pieces and cards off, and later emoji lie in ranges that were set aside then.
const PICTOGRAPHS = `
  a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 2388 23cf 23e9-23f3 23f8-23fa
  24c2 25aa-25ab 25b6 25c0 25fb-25fe 2600-2605 2607-2612 2614-2685 2690-2705 2708-2712 2714
  2716 271d 2721 2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2767 2795-2797 27a1
  27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f000-1f0ff
  1f10d-1f10f 1f12f 1f16c-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ad-1f1e5 1f201-1f20f 1f21a
  1f22f 1f232-1f23a 1f23c-1f23f 1f249-1f53d 1f546-1f64f 1f680-1f6ff 1f774-1f77f 1f7d5-1f7ff
  1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8ff 1f90c-1f93a 1f93c-1f945
  1f947-1fffd`;
const isPictograph = is(PICTOGRAPHS.replace(/[0-9a-f]+/g, '\\u{$&}').replace(/\s/g, ''));
const isModifier = is('\\p{Emoji_Modifier}');

const LISTED = new Map();
const list = (value, codePoints) => {
  for (const cp of codePoints) LISTED.set(cp, value);
};
list(8, [0x200d]);
list(9, [0x3a, 0xb7, 0x387, 0x5f4, 0x2027, 0xfe13, 0xfe55, 0xff1a]);
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
  if (isLetterSymbol(text)) return 1;
  if (isAlphabetic(text) && !isIdeographic(text)) return isHangul(text) ? 5 : 1;
  return isHan(text) ? 15 : 0;
}

/** Word-break class in the low five bits, emoji flags above. */
export function wordClass(cp) {
  const text = String.fromCodePoint(cp);
  if (isModifier(text)) return 0x40 | 7; // belongs to the character before it
  if (!isPictograph(text)) return baseClass(cp, text);
  // Digits of later versions lie among the pictographs.
  const base = isDigit(text) ? 0 : baseClass(cp, text);
  return base | 0x20;
}

// In the order of GeneralCategory in native/core/text/analysis/unicode.h, which starts with unassigned (0).
const CATEGORIES =
  'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cs'
    .split(' ')
    .map((name) => is(`\\p{${name}}`));

export function generalCategory(cp) {
  const text = String.fromCodePoint(cp);
  return CATEGORIES.findIndex((test) => test(text)) + 1;
}
