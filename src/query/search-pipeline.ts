// `search_pipeline` in a body, in OpenSearch's form: how the hybrid query is fused. Other features
// of a pipeline are rejected by name.
import type { Json, JsonObject } from '../backend/index.js';
import { type FusionChoice, parseWeights } from './fusion-choice.js';
import type { FusionMethod, Normalizer } from './ranking.js';
import {
  illegal,
  isArray,
  isObject,
  malformed,
  printed,
  shortened,
  toInteger,
  tokenName,
} from './values.js';

/**
 * The fusion of OpenSearch's hybrid query without a pipeline: the defaults of its normalization
 * processor.
 */
export const NORMALIZED_MEAN: FusionChoice = {
  method: { kind: 'linear' },
  normalizer: 'minmax',
  weights: undefined,
  mean: true,
};

const ABOUT = ['tag', 'description', 'ignore_failure', 'version'];
const NORMALIZERS: ReadonlyMap<string, Normalizer> = new Map([
  ['min_max', 'minmax'],
  ['l2', 'l2_norm'],
]);

export function parseSearchPipeline(value: Json): FusionChoice {
  if (!isObject(value)) {
    throw malformed(
      `[search_pipeline] [${printed(value)}]: pipelines are not stored by this server, write its processors into the search`,
    );
  }
  checkKeys(value, '[search_pipeline]', ['phase_results_processors']);
  const processors = value['phase_results_processors'];
  if (!isArray(processors)) {
    throw malformed(
      '[search_pipeline] requires [phase_results_processors], an array with one processor',
    );
  }
  const [processor, second] = processors;
  if (!isObject(processor) || second !== undefined || Object.keys(processor).length !== 1) {
    throw malformed(
      '[search_pipeline] [phase_results_processors] must hold one processor, [normalization-processor] or [score-ranker-processor]',
    );
  }
  const [[name, options] = ['', null]] = Object.entries(processor);
  if (!isObject(options)) {
    throw malformed(
      `[search_pipeline] [${shortened(name)}] must be an object, found [${tokenName(options)}]`,
    );
  }
  if (name === 'normalization-processor') return parseNormalization(options);
  if (name === 'score-ranker-processor') return parseRanker(options);
  throw malformed(
    `[search_pipeline] processor [${shortened(name)}] is not supported by this server, use [normalization-processor] or [score-ranker-processor]`,
  );
}

function parseNormalization(options: JsonObject): FusionChoice {
  const where = '[normalization-processor]';
  checkKeys(options, where, ['normalization', 'combination']);
  const normalization = section(options, where, 'normalization');
  checkKeys(normalization, `${where} [normalization]`, ['technique']);
  const combination = section(options, where, 'combination');
  checkKeys(combination, `${where} [combination]`, ['technique', 'parameters']);
  technique(combination, where, ['arithmetic_mean']);
  const name = technique(normalization, where, [...NORMALIZERS.keys()]);
  return {
    ...NORMALIZED_MEAN,
    normalizer: NORMALIZERS.get(name) ?? 'minmax',
    weights: weightsOf(combination, where),
  };
}

function parseRanker(options: JsonObject): FusionChoice {
  const where = '[score-ranker-processor]';
  checkKeys(options, where, ['combination']);
  const combination = section(options, where, 'combination');
  checkKeys(combination, `${where} [combination]`, ['technique', 'rank_constant', 'parameters']);
  technique(combination, where, ['rrf']);
  const given = combination['rank_constant'];
  const rankConstant =
    given === undefined ? undefined : toInteger(given, `[rank_constant] of ${where}`);
  if (rankConstant !== undefined && rankConstant < 1) {
    throw illegal(`[rank_constant] of ${where} must be at least 1, got [${rankConstant}]`);
  }
  const method: FusionMethod = { kind: 'rrf', rankConstant };
  return { method, normalizer: 'none', weights: weightsOf(combination, where), mean: false };
}

function section(options: JsonObject, where: string, name: string): JsonObject {
  const value = options[name] ?? {};
  if (isObject(value)) return value;
  throw malformed(`${where} [${name}] must be an object, found [${tokenName(value)}]`);
}

/** Returns the first of `supported` if no technique is named. */
function technique(options: JsonObject, where: string, supported: readonly string[]): string {
  const value = options['technique'] ?? supported[0] ?? '';
  const found = supported.find((name) => name === value);
  if (found !== undefined) return found;
  throw malformed(
    `${where} technique [${printed(value)}] is not supported by this server, use [${supported.join('] or [')}]`,
  );
}

function weightsOf(combination: JsonObject, where: string): readonly number[] | undefined {
  const parameters = section(combination, `${where} [combination]`, 'parameters');
  checkKeys(parameters, `${where} [parameters]`, ['weights']);
  const { weights } = parameters;
  return weights === undefined ? undefined : parseWeights(weights, where);
}

function checkKeys(options: JsonObject, where: string, known: readonly string[]): void {
  const other = Object.keys(options).find((key) => !known.includes(key) && !ABOUT.includes(key));
  if (other !== undefined)
    throw malformed(`${where} [${shortened(other)}] is not supported by this server`);
}
