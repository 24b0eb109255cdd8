// A second, naive implementation of the built-in embedder: the oracle of the native one. It uses
// floating point and is equal to about 1e-6; stems come from the addon, which has them from the
// analyzer's tested stemmer.
import type { BuiltinId } from '../../src/base/builtin-embedders.ts';

const MASK = (1n << 64n) - 1n;
const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const STEP = 0x9e3779b97f4a7c15n;

function fnv1a(text: string): bigint {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  return hash;
}

function murmurMix(value: bigint): bigint {
  let h = value;
  h = ((h ^ (h >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  h = ((h ^ (h >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK;
  return h ^ (h >> 33n);
}

/** Adds `weight` times e(feature). */
function addFeature(vector: Float64Array, feature: string, weight: number): void {
  const hash = fnv1a(feature);
  for (let j = 0n; j < 4n; j++) {
    const h = murmurMix((hash + j * STEP) & MASK);
    const bucket = Number((h >> 32n) % BigInt(vector.length));
    vector[bucket] = (vector[bucket] ?? 0) + ((h & 1n) === 1n ? -0.5 : 0.5) * weight;
  }
}

function gramsOf(word: string): readonly string[] {
  const framed = [...`<${word}>`];
  const grams: string[] = [];
  for (const length of [3, 4, 5]) {
    for (let at = 0; at + length <= framed.length && length < framed.length; at++) {
      grams.push(framed.slice(at, at + length).join(''));
    }
  }
  return grams;
}

export interface WeighedTerm {
  readonly word: string;
  readonly stem: string;
  readonly count: number;
}

/** The unit vector of weighted terms; zeros without terms. */
export function referenceVector(
  recipe: BuiltinId,
  terms: readonly WeighedTerm[],
  dims: number,
  weight: (word: string) => number = () => 1,
): Float64Array {
  const sum = new Float64Array(dims);
  for (const { word, stem, count } of terms) {
    const factor = (1 + Math.log(count)) * weight(word);
    if (recipe === 'svc-lex-2' && /^[\p{Script=Han}\p{Script=Hiragana}]/u.test(word)) {
      addFeature(sum, `s:${stem}`, /^\p{Script=Han}$/u.test(word) ? factor : factor / 2);
      continue;
    }
    addFeature(sum, `s:${stem}`, factor);
    const grams = gramsOf(word);
    for (const gram of grams) addFeature(sum, `c:${gram}`, factor / Math.sqrt(grams.length));
  }
  const norm = Math.hypot(...sum);
  return norm === 0 ? sum : sum.map((value) => value / norm);
}

/**
 * Words of text in scripts with spaces, by regular expression: the definition that the native
 * scanner follows.
 */
export function referenceWords(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return [...plain.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu)].map((match) =>
    match[0].replace(/['’]s$/, '').replace(/['’]/g, ''),
  );
}
