// Parses how a hybrid query fuses its lists: `fusion` and `rrf_k`, in all their forms.
import type { Json, JsonObject } from '../backend/index.js';
import { didYouMean } from '../base/similar-names.js';
import type { FusionMethod, Normalizer } from './ranking.js';
import {
  illegal,
  isArray,
  isObject,
  malformed,
  printed,
  shortened,
  toFloat,
  toInteger,
  tokenName,
} from './values.js';

export interface FusionChoice {
  readonly method: FusionMethod;
  /** The normalizer of every list. */
  readonly normalizer: Normalizer;
  /** One weight for each list, used where a list has no weight of its own. */
  readonly weights: readonly number[] | undefined;
  /** Each weight is divided by the sum of the weights. */
  readonly mean: boolean;
}

const METHODS = ['rrf', 'linear'] as const;
const KEYS = ['type', 'k', 'rank_constant', 'weights'];
const NO_OBJECT: JsonObject = {};

/** `rrfK` is the value at `rrf_k`; a linear fusion ignores it. */
export function parseFusion(fusion: Json | undefined, rrfK: Json | undefined): FusionChoice {
  const options = isObject(fusion) ? fusion : NO_OBJECT;
  const unknown = Object.keys(options).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw malformed(
      `[hybrid] [fusion] does not support [${shortened(unknown)}]${didYouMean(unknown, KEYS)}`,
    );
  }
  const named = fusion === undefined ? 'rrf' : fusion;
  const kind = readMethod(isObject(named) ? named['type'] : named);
  const rankConstant = readRankConstant(kind, options, rrfK);
  const { weights } = options;
  return {
    method: kind === 'rrf' ? { kind, rankConstant } : { kind },
    normalizer: 'minmax',
    weights: weights === undefined ? undefined : parseWeights(weights, '[hybrid] [fusion]'),
    mean: false,
  };
}

function readMethod(value: Json | undefined): (typeof METHODS)[number] {
  if (value === undefined)
    throw malformed('[hybrid] [fusion] requires a [type]: [rrf] or [linear]');
  if (typeof value !== 'string') {
    throw malformed(
      `[hybrid] [fusion] must be [rrf], [linear] or an object with a [type], found [${tokenName(value)}]`,
    );
  }
  const method = METHODS.find((name) => name === value);
  if (method !== undefined) return method;
  if (value === 'learned') {
    throw malformed('[hybrid] fusion [learned] is not yet supported, use [rrf] or [linear]');
  }
  throw malformed(`[hybrid] unknown fusion [${printed(value)}], use [rrf] or [linear]`);
}

/** Reads the rank constant, a parameter with three names. */
function readRankConstant(
  method: string,
  options: JsonObject,
  rrfK: Json | undefined,
): number | undefined {
  const given = [
    ['[rrf_k]', rrfK],
    ['[k] of [fusion]', options['k']],
    ['[rank_constant] of [fusion]', options['rank_constant']],
  ] as const;
  const [first, second] = given.flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: rankConstant(value, name) }],
  );
  if (second !== undefined && second.value !== first?.value) {
    throw illegal(`[hybrid] ${first?.name} and ${second.name} are one parameter, give one of them`);
  }
  const inFusion = given.slice(1).find(([, value]) => value !== undefined);
  if (method === 'linear' && inFusion !== undefined) {
    throw illegal(`[hybrid] ${inFusion[0]} is for [rrf] only, leave it out with [linear]`);
  }
  return first?.value;
}

function rankConstant(value: Json, name: string): number {
  const number = toInteger(value, `${name} of [hybrid]`);
  if (number >= 1) return number;
  throw illegal(`[hybrid] ${name} must be at least 1, got [${number}]`);
}

/** `where` names the parameter in an error message. */
export function parseWeights(value: Json, where: string): readonly number[] {
  if (isArray(value)) return value.map((one, i) => parseWeight(one, `[weights][${i}] of ${where}`));
  throw malformed(`${where} [weights] must be an array of numbers, found [${tokenName(value)}]`);
}

export function parseWeight(value: Json, what: string): number {
  const weight = toFloat(value, what);
  if (weight >= 0) return weight;
  throw illegal(`${what} cannot be negative, got [${weight}]; a list of weight 0 does not count`);
}
