// ASCII equivalents of Latin letters, digits and punctuation (the asciifolding filter) for unicode_tables.mjs:
// compatibility decomposition where Unicode has one, the hand list below where it has none.

// Blocks that are folded; decompositions elsewhere (Arabic forms, CJK units ...) are left alone.
const BLOCKS = [
  [0x80, 0x2af],
  [0x1d00, 0x1dbf],
  [0x1e00, 0x1eff],
  [0x2000, 0x206f],
  [0x2070, 0x209f],
  [0x2460, 0x24ff],
  [0x2776, 0x2793],
  [0x2c60, 0x2c7f],
  [0xa720, 0xa7ff],
  [0xfb00, 0xfb06],
  [0xff01, 0xff5e],
];

// Letters without a decomposition, grouped by their folding.
const LETTERS = {
  A: 'Ɐᴀ',
  AE: 'ÆǢǼᴁ',
  AO: 'Ꜵ',
  AU: 'Ꜷ',
  AV: 'ꜸꜺ',
  AY: 'Ꜽ',
  B: 'ƁɃʙᴃƂ',
  C: 'ƇȻʗᴄ',
  D: 'ÐĐƉƊƋᴅᴆꝹ',
  E: 'ƎƐɆᴇ',
  F: 'Ƒꜰꝼ꟱ꟻꝻ',
  G: 'ƓǤɢʛꝽꝾ',
  H: 'ĦǶʜⱧⱵ',
  I: 'Ɨɪᵻ',
  J: 'Ɉᴊ',
  K: 'ƘᴋⱩꝀꝂꝄ',
  L: 'ŁȽʟᴌⱠⱢꝆꝈꞀ',
  M: 'ƜᴍⱮꟽꟿ',
  N: 'ƝȠŊɴᴎ',
  O: 'ƆƟØǾᴏᴐꝊꝌ',
  OE: 'Œɶ',
  OO: 'Ꝏ',
  OU: 'Ȣᴕ',
  P: 'ƤᴘⱣꝐꝒꝔ',
  Q: 'ɊꝖꝘ',
  R: 'ɌʀʁᴙᴚⱤꝚꞂ',
  S: 'ꜱꞅꞄ',
  SS: 'ẞ',
  T: 'ŦƬƮȾᴛꞆ',
  TH: 'ÞꝦ',
  TZ: 'Ꜩ',
  U: 'ɄᴜᵾꭎꞸ',
  V: 'ƲɅᴠꝞꝨ',
  VY: 'Ꝡ',
  W: 'Ƿᴡⱳ',
  Y: 'ƳɎʏỾ',
  Z: 'ƵȤᴢⱫꝢ',
  a: 'ɐəɚᶏᶕⱥⱯ',
  ae: 'æǣǽᴂ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀƃɓᵬᶀ',
  c: 'ƈȼɕↄꜿꜾ',
  d: 'ðđƌȡɖɗᵭᶁᶑꝺ',
  db: 'ȸ',
  e: 'ǝɇɘɛɜɝɞʚᴈᶒᶓᶔⱸ',
  f: 'ƒᵮᶂ',
  g: 'ǥɠɡᵷᵹᶃꝿ',
  h: 'ħɥɦʮʯⱨⱶ',
  hv: 'ƕ',
  i: 'ıɨᴉᵼᶖ',
  j: 'ȷɉɟʄʝ',
  k: 'ƙʞᶄⱪꝁꝃꝅ',
  l: 'łƚȴɫɬɭᶅⱡꝇꝉꞁ',
  ls: 'ʪ',
  lz: 'ʫ',
  m: 'ɯɰɱᵯᶆ',
  n: 'ŋƞȵɲɳᵰᶇ',
  o: 'øǿɔɵᴓᴖᴗᶗⱺꝋꝍ',
  oe: 'œᴔ',
  oo: 'ꝏ',
  ou: 'ȣ',
  p: 'ƥᵱᵽᶈꝑꝓꝕ',
  q: 'ĸɋʠꝗꝙ',
  qp: 'ȹ',
  r: 'ɍɼɽɾɿᵣᵲᵳᶉꝛꞃ',
  s: 'ȿʂᵴᶊẛſẜẝ',
  ss: 'ß',
  t: 'ŧƫƭȶʇʈᵵⱦ',
  th: 'þᵺꝧ',
  tz: 'ꜩ',
  u: 'ʉᵿᶙ',
  v: 'ʋʌᴧᶌⱱⱴꝟ',
  vy: 'ꝡ',
  w: 'ƿʍⱲ',
  x: 'ᶍ',
  y: 'ƴɏʎỿ',
  z: 'ƶȥɀʐʑᵶᶎⱬꝣ',
};

const PUNCTUATION = {
  '"': '«»“”„″‶❝❞❮❯＂',
  "'": '‘’‚‛′‵‹›❛❜＇',
  '-': '‐‑‒–—⁻₋－',
  '*': '⁎',
  '%': '⁒',
  '/': '⁄',
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
  // Letters with a stroke keep it under decomposition of their accented forms, so the hand list goes last.
  for (const group of [LETTERS, PUNCTUATION]) {
    for (const [text, letters] of Object.entries(group)) {
      for (const letter of letters) map.set(letter.codePointAt(0), text);
    }
  }
  return [...map].sort(([a], [b]) => a - b);
}
