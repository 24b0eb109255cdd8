// ASCII equivalents of Latin letters, digits and punctuation (the asciifolding filter) for unicode_tables.mjs:
// compatibility decomposition where Unicode has one, the lists below where it has none. The characters that are
// folded, and what they become, are those of Lucene's ASCIIFoldingFilter.

// Blocks that are folded; decompositions elsewhere (Arabic forms, CJK units ...) are left alone.
const BLOCKS = [
  [0x80, 0x2af],
  [0x1d62, 0x1d65],
  [0x1e00, 0x1eff],
  [0x2070, 0x2094],
  [0x2460, 0x24ff],
  [0x2c60, 0x2c7c],
  [0xfb00, 0xfb04],
  [0xfb06, 0xfb06],
  [0xff01, 0xff3f],
  [0xff41, 0xff5b],
  [0xff5d, 0xff5e],
];

// Numbers in circles, from the first character on, that have no decomposition.
const CIRCLED = [
  { first: 0x24eb, from: 11, to: 20 },
  { first: 0x24f5, from: 1, to: 10 },
  { first: 0x24ff, from: 0, to: 0 },
  { first: 0x2776, from: 1, to: 10 },
  { first: 0x2780, from: 1, to: 10 },
  { first: 0x278a, from: 1, to: 10 },
];

// Letters without a decomposition, grouped by their folding.
const LETTERS = {
  A: 'ƏȺᴀ',
  AA: 'Ꜳ',
  AE: 'ÆǢǼᴁ',
  AO: 'Ꜵ',
  AU: 'Ꜷ',
  AV: 'ꜸꜺ',
  AY: 'Ꜽ',
  B: 'ƁƂɃʙᴃ',
  C: 'ƇȻʗᴄ',
  D: 'ÐĐƉƊƋᴅᴆꝹ',
  E: 'ƎƐɆᴇⱻ',
  F: 'ƑꜰꝻꟻ',
  G: 'ƓǤǥɢʛꝽꝾǧ',
  H: 'ĦʜⱧⱵ',
  HV: 'Ƕ',
  I: 'ƖƗɪᵻꟾ',
  J: 'Ɉᴊ',
  K: 'ƘᴋⱩꝀꝂꝄ',
  L: 'ĿŁȽʟᴌⱠⱢꝆꝈꞀ',
  LL: 'Ỻ',
  M: 'ƜᴍⱮꟽꟿ',
  N: 'ŊƝȠɴᴎ',
  O: 'ØƆƟǾᴏᴐꝊꝌ',
  OE: 'Œɶ',
  OO: 'Ꝏ',
  OU: 'Ȣᴕ',
  P: 'ƤᴘⱣꝐꝒꝔ',
  Q: 'ɊꝖꝘ',
  R: 'ɌʀʁᴙᴚⱤꝚꞂ',
  S: 'ꜱꞅ',
  SS: 'ẞ',
  T: 'ŦƬƮȾᴛꞆ',
  TH: 'ÞꝦ',
  TZ: 'Ꜩ',
  U: 'Ʉᴜᵾ',
  V: 'ƲɅᴠỼꝞꝨ',
  VY: 'Ꝡ',
  W: 'ǷᴡⱲ',
  Y: 'ƳɎʏỾ',
  Z: 'ƵȜȤᴢⱫꝢ',
  a: 'ɐəɚᶏᶕẚₔⱥⱯ',
  aa: 'ꜳ',
  ae: 'æǣǽᴂ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀƃɓᵬᶀ',
  c: 'ƈȼɕↄꜾꜿ',
  d: 'ðđƌȡɖɗᵭᶁᶑꝺ',
  db: 'ȸ',
  dz: 'ʣʥ',
  e: 'ǝɇɘɛɜɝɞʚᴈᶒᶓᶔⱸ',
  f: 'ƒᵮᶂẛꝼ',
  g: 'ɠɡᵷᵹᶃꝿ',
  h: 'ħɥɦʮʯⱨⱶ',
  hv: 'ƕ',
  i: 'ıɨᴉᵼᶖ',
  j: 'ȷɉɟʄʝ',
  k: 'ƙʞᶄⱪꝁꝃꝅ',
  l: 'ŀłƚȴɫɬɭᶅⱡꝇꝉꞁ',
  ll: 'ỻ',
  ls: 'ʪ',
  lz: 'ʫ',
  m: 'ɯɰɱᵯᶆ',
  n: 'ŉŋƞȵɲɳᵰᶇ',
  o: 'øǿɔɵᴖᴗᶗⱺꝋꝍ',
  oe: 'œᴔ',
  oo: 'ꝏ',
  ou: 'ȣ',
  p: 'ƥᵱᵽᶈꝑꝓꝕꟼ',
  q: 'ĸɋʠꝗꝙ',
  qp: 'ȹ',
  r: 'ɍɼɽɾɿᵣᵲᵳᶉꝛꞃ',
  s: 'ſȿʂᵴᶊẜẝꞄ',
  ss: 'ß',
  t: 'ŧƫƭȶʇʈᵵⱦ',
  tc: 'ʨ',
  th: 'þᵺꝧ',
  ts: 'ʦ',
  tz: 'ꜩ',
  u: 'ʉᶙ',
  ue: 'ᵫ',
  v: 'ʋʌᶌⱱⱴꝟ',
  vy: 'ꝡ',
  w: 'ƿʍⱳ',
  x: 'ᶍ',
  y: 'ƴɏʎỿ',
  z: 'ƶȝȥɀʐʑᵶᶎⱬꝣ',
};

const PUNCTUATION = {
  '"': '«»“”„″‶❝❞❮❯＂',
  "'": '‘’‚‛′‵‹›❛❜＇',
  '-': '‐‑‒–—⁻₋－',
  '*': '⁎',
  '%': '⁒',
  '/': '⁄／',
  '(': '❨❪',
  ')': '❩❫',
  '((': '⸨',
  '))': '⸩',
  '<': '❬❰',
  '>': '❭❱',
  '[': '⁅❲',
  ']': '⁆❳',
  '{': '❴',
  '}': '❵',
  ';': '⁏',
  '^': '‸',
  '~': '⁓',
  '!!': '‼',
  '??': '⁇',
  '?!': '⁈',
  '!?': '⁉',
};

const NON_ASCII_OUT = /[^\x20-\x7e]/;

function decomposed(cp) {
  const text = String.fromCodePoint(cp);
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('\u2044', '/');
  return plain === '' || plain === text || plain.trim() === '' || NON_ASCII_OUT.test(plain)
    ? undefined
    : plain;
}

/** [code point, ASCII text] in code point order; at most four characters each. */
export function asciiFolding() {
  const map = new Map();
  for (const [first, last] of BLOCKS) {
    for (let cp = first; cp <= last; cp++) {
      if (!/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(String.fromCodePoint(cp))) continue;
      if (cp === 0xaa || cp === 0xba) continue; // ordinal signs stay, as in Lucene
      const text = decomposed(cp);
      // Spacing accents decompose to a space and a mark, fractions to several words: both stay.
      if (text !== undefined && !text.includes(' ') && !text.includes('/') && text.length <= 4)
        map.set(cp, text);
    }
  }
  for (const { first, from, to } of CIRCLED) {
    for (let number = from; number <= to; number++) map.set(first + number - from, String(number));
  }
  // Letters with a stroke keep it under decomposition of their accented forms, so the hand list goes last.
  for (const group of [LETTERS, PUNCTUATION]) {
    for (const [text, letters] of Object.entries(group)) {
      for (const letter of letters) map.set(letter.codePointAt(0), text);
    }
  }
  return [...map].sort(([a], [b]) => a - b);
}
