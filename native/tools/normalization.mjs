// The mappings of the normalization forms, and of the icu_folding filter, for unicode_tables.mjs. Each layer has the
// code points that it maps otherwise than the layer below: canonical decomposition, compatibility decomposition,
// NFKC_Casefold, and Lucene's foldings for search (after the draft of UTR #30).
import { asciiFolding } from './ascii_folding.mjs';

const LAST = 0x10ffff;
const is = (pattern) => {
  const regex = new RegExp(`^[${pattern}]$`, 'u');
  return (text) => regex.test(text);
};
const char = (cp) => String.fromCodePoint(cp);
const isSyllable = (cp) => cp >= 0xac00 && cp <= 0xd7a3; // decomposed by arithmetic
const isUnassigned = is('\\p{Cn}\\p{Co}\\p{Cs}');
const isIgnorable = is('\\p{Default_Ignorable_Code_Point}');
const isCherokee = is('\\p{Script=Cherokee}');

/** Full case folding of one character. */
function foldCase(text) {
  if (text === 'ı') return text; // its upper case is I, but it folds to itself
  if (isCherokee(text)) return text.toUpperCase();
  return [...text.toUpperCase()].map((one) => one.toLowerCase()).join('');
}

/** NFKC_Casefold, decomposed. */
function casefold(text) {
  for (let before = text; ; ) {
    const after = [...before.normalize('NFKD')]
      .filter((one) => !isIgnorable(one))
      .map(foldCase)
      .join('')
      .normalize('NFKD');
    if (after === before) return after;
    before = after;
  }
}

// Letters that asciifolding folds and this folding keeps, or folds otherwise.
const KEPT_LETTERS = new Set('ƛƣƨƪƹƺƾǂɂɣɤɧɮɷɸɹɺɻʃʅʆʊʒʓʔʕʖʡʢʤʧʭ');
// A character and what it becomes: such letters, Cyrillic letters with strokes and hooks, Arabic and Hebrew letters
// that are written alike, Chinese numerals, quotation marks and other punctuation.
const PAIRS = [
  "ƅb ɑa ɒa ɩi ʘo ᶐa ẟd ỽv ⅎf ꝥth ꝩv ꞇt ƍd ƻ2 ƽ5 ǀ| ǁ|| ǃ! ǥg ʠq ʣdz ʥdz ʦts ʨtc ʩfn ʪls ʫlz ʬww ᴑo ᴓo ᴔoe ᴕou ᴙr ᴚr ᴝu ᴞu ᴟm ꝙq ꞌ'",
  'ѽѡ ҋй ҏр ґг ғг ҕг җж ҙз қк ҝк ҟк ңн ҧп ҫс ҭт ұү ҳХ ҷҼ ҹч ҿҼ ӄк ӆл ӈн ӊн ӌҼ ӎм ةه ىي کك یي ऀँ',
  '〡一 〢二 〣三 〤四 〥五 〦六 〧七 〨八 〩九',
  "«\" »\" “\" ”\" „\" ״\" \u2018' \u2019' ‚' ‛' ′' ‵' ‹' ›' ׳' ⁅[ ⁆] ⸨(( ⸩)) ⁒% ⁎* ⁄/ ⁏; ⁓~",
  '❛\' ❜\' ❝" ❞" ❮" ❯" ❨( ❪( ❩) ❫) ❬< ❰< ❭> ❱> ❲[ ❳] ❴{ ❵}',
].flatMap((line) => line.split(' '));
// Radicals from U+2E81 on; · for those that decompose.
const RADICALS =
  '厂乛乚乙亻冂几刀刂卜㔾小小尢尣尢尣巳幺彑彐忄心扌攵·旡日月歺母民氵氺灬爫爫丬牛犭王疋目示礻竹糹纟罓罒网网𦉫羊羊羋耂肀聿肉臼艹艹艹虎衤覀西见角𧢲讠贝足车辶辶辶邑钅長镸长门阜阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟鹵麦黄黾斉齐歯齿龍龙龜亀龟';
// Marks and signs that are not diacritics by property.
const isDroppedSign = is(
  '\\u0358-\\u035c\\u0610-\\u061a\\u0640\\u06d6-\\u06de\\u06e1-\\u06e4\\u06e7-\\u06e9\\u06ed' +
    '\\u0653-\\u0656\\u0659-\\u065f\\u0670\\u0711\\u07fa\\u0816\\u0817\\u081b-\\u0823\\u0825-\\u0827' +
    '\\u0829-\\u082d\\u1dc0-\\u1dc3\\u1dd0-\\u1de6\\u20d0-\\u20f0\\u2de0-\\u2dff\\ua670-\\ua672\\ua802' +
    '\\u{1d165}\\u{1d166}\\u{1d242}-\\u{1d244}',
);

const isDiacritic = is('\\p{Diacritic}');
const isDash = is('\\p{Dash}\\p{Pd}');
const isOtherDash = is('\\u002d\\u2053\\ufe31\\ufe32');
const isSpace = is('\\p{Zs}');
const isDigit = is('\\p{Nd}');
const changesByCasefold = is('\\p{Changes_When_NFKC_Casefolded}');

// Runs of digits from 1 on that are no decimal digits by property: the first one, and how many.
const DIGITS_FROM_ONE = [
  [0x1369, 9],
  [0x19da, 1],
  [0x10a40, 4],
  [0x10e60, 9],
  [0x11052, 9],
];

/** The value of a decimal digit: digits are runs of ten. */
function digitValue(cp) {
  let first = cp;
  while (isDigit(char(first - 1))) first--;
  return String((cp - first) % 10);
}

/** What the folding maps otherwise than NFKC_Casefold, before its results are folded. */
function foldingRules() {
  const rules = new Map();
  const set = (text, to) => rules.set(text, to);
  for (const [cp, to] of asciiFolding()) {
    const text = char(cp);
    if (casefold(text) === text && !KEPT_LETTERS.has(text)) set(text, to);
  }
  for (const pair of PAIRS) {
    const [from, ...to] = pair;
    set(from, to.join(''));
  }
  for (const [first, count] of DIGITS_FROM_ONE)
    for (let i = 0; i < count; i++) set(char(first + i), String(i + 1));
  for (const [i, radical] of [...RADICALS].entries())
    if (radical !== '·') set(char(0x2e81 + i), radical);
  for (let cp = 0x80; cp <= LAST; cp++) {
    const text = char(cp);
    if (isUnassigned(text)) continue;
    if (isDash(text) && !isOtherDash(text)) set(text, '-');
    if (changesByCasefold(text)) continue;
    if (isSpace(text)) set(text, ' ');
    if (isDigit(text)) set(text, digitValue(cp));
  }
  for (let cp = 0; cp <= LAST; cp++) {
    const text = char(cp);
    if (changesByCasefold(text)) continue;
    if (isDiacritic(text) || isDroppedSign(text)) set(text, '');
  }
  return rules;
}

function folder() {
  const rules = foldingRules();
  const fold = (text) => {
    const rule = rules.get(text);
    if (rule !== undefined) return all(rule);
    const mapped = casefold(text);
    return mapped === text ? text : all(mapped);
  };
  const all = (text) => [...text].map(fold).join('').normalize('NFD');
  return fold;
}

/** Layers of [name, {dropped, single, several}]: code points that become nothing, one, and several. */
export function normalizationLayers() {
  const fold = folder();
  const forms = [
    ['Canonical', (text) => text.normalize('NFD')],
    ['Compatible', (text) => text.normalize('NFKD')],
    ['Casefold', casefold],
    ['Folding', fold],
  ];
  const layers = forms.map(([name]) => [
    name,
    { dropped: new Set(), single: new Map(), several: [] },
  ]);
  for (let cp = 0; cp <= LAST; cp++) {
    const text = char(cp);
    if (isSyllable(cp) || (isUnassigned(text) && !isIgnorable(text))) continue;
    let below = text;
    for (const [i, [, map]] of forms.entries()) {
      const to = map(text);
      if (to === below) continue;
      below = to;
      const { dropped, single, several } = layers[i][1];
      if (to === '') dropped.add(cp);
      else if ([...to].length === 1) single.set(cp, to.codePointAt(0));
      else several.push([cp, to]);
    }
  }
  return layers;
}

// A mark of each canonical combining class.
const CLASS_MARKS = new Map(
  '1 334 6 16ff0 7 93c 8 3099 9 94d 10 5b0 11 5b1 12 5b2 13 5b3 14 5b4 15 5b5 16 5b6 17 5b7 18 5b8 19 5b9 20 5bb 21 5bc 22 5bd 23 5bf 24 5c1 25 5c2 26 fb1e 27 64b 28 64c 29 64d 30 64e 31 64f 32 650 33 651 34 652 35 670 36 711 84 c55 91 c56 103 e38 107 e48 118 eb8 122 ec8 129 f71 130 f72 132 f74 202 327 214 1dce 216 31b 218 302a 220 323 222 59a 224 302e 226 1d16d 228 5ae 230 301 232 315 233 35c 234 35d 240 345'
    .match(/\S+ \S+/g)
    .map((pair) => pair.split(' '))
    .map(([value, mark]) => [Number(value), char(Number.parseInt(mark, 16))]),
);
/** Whether normalization puts `after` before `before`. */
const swaps = (before, after) =>
  before !== after && (before + after).normalize('NFD') === after + before;

/** The canonical combining class, which is found by the order in which normalization puts marks. */
export function combiningClass(cp) {
  const text = char(cp);
  if (!/\p{M}/u.test(text) || text.normalize('NFD') !== text) return 0;
  const classes = [...CLASS_MARKS].filter(([, mark]) => !swaps(mark, text) && !swaps(text, mark));
  if (classes.length === CLASS_MARKS.size) return 0; // not ordered at all
  if (classes.length !== 1) throw new Error(`no combining class for ${cp.toString(16)}`);
  return classes[0][0];
}

/** [first, second, composed] of the pairs that normalization composes, sorted. */
export function compositions() {
  const out = [];
  for (let cp = 0x80; cp <= LAST; cp++) {
    if (isSyllable(cp) || (cp >= 0xd800 && cp <= 0xdfff)) continue;
    const text = char(cp);
    const parts = [...text.normalize('NFD')];
    if (parts.length < 2 || text.normalize('NFC') !== text) continue;
    const first = [...parts.slice(0, -1).join('').normalize('NFC')];
    if (first.length === 1) out.push([first[0].codePointAt(0), parts.at(-1).codePointAt(0), cp]);
  }
  return out.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}
