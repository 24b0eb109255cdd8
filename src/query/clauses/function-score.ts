// `function_score`: scores of a query combined with functions of each document.
import type { Json, JsonObject } from '../../backend/index.js';
import { type ClauseEncoder, type ClauseKind, type ClauseParser, queryNode } from '../clause.js';
import { checkLength } from '../list-limits.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal, isArray, isObject, malformed, toFloat, tokenName } from '../values.js';
import type { Clause } from './index.js';
import {
  FUNCTION_NAMES,
  functionKind,
  readFunction,
  type ScoreFunction,
  writeFunction,
} from './score-functions.js';

const SCORE_MODES = ['multiply', 'sum', 'avg', 'first', 'max', 'min'] as const;
const BOOST_MODES = ['multiply', 'replace', 'sum', 'avg', 'min', 'max'] as const;
/** The largest float32, above any score. */
const NO_LIMIT = (2 - 2 ** -23) * 2 ** 127;
const MATCH_ALL: Clause = { kind: 'match_all', boost: 1, name: '' };

interface FilteredFunction {
  /** Undefined: all documents. */
  readonly filter: Clause | undefined;
  readonly weight: number | undefined;
  readonly function: ScoreFunction;
}

export interface FunctionScoreClause extends ClauseBase {
  readonly kind: 'function_score';
  readonly query: Clause;
  readonly functions: readonly FilteredFunction[];
  readonly scoreMode: (typeof SCORE_MODES)[number];
  readonly boostMode: (typeof BOOST_MODES)[number];
  readonly maxBoost: number;
  readonly minScore: number | undefined;
}

export const functionScore: ClauseKind<FunctionScoreClause> = {
  parse(body, parser) {
    const params = Params.of('function_score', body);
    const query = params.raw('query');
    const scoreMode = params.choice('score_mode', SCORE_MODES) ?? 'multiply';
    const boostMode = params.choice('boost_mode', BOOST_MODES) ?? 'multiply';
    const maxBoost = params.float('max_boost') ?? NO_LIMIT;
    const minScore = params.float('min_score');
    const base = params.base();
    const functions = readFunctions(params, parser);
    params.finish();
    return {
      kind: 'function_score',
      ...base,
      query: query === undefined ? MATCH_ALL : parser.clause(query),
      functions,
      scoreMode,
      boostMode,
      maxBoost,
      minScore,
    };
  },
  encode: encodeFunctionScore,
};

function encodeFunctionScore(clause: FunctionScoreClause, encoder: ClauseEncoder): void {
  queryNode(encoder, 'function_score', clause, (writer) => {
    encoder.child(clause.query);
    writer.u8(SCORE_MODES.indexOf(clause.scoreMode)).u8(BOOST_MODES.indexOf(clause.boostMode));
    writer.f32(clause.maxBoost).f32(clause.minScore ?? Number.NaN);
    writer.list(clause.functions, (one) => {
      const { filter } = one;
      writer.u8(functionKind(one.function)).f32(one.weight ?? Number.NaN);
      writer.optional(filter === undefined ? undefined : () => encoder.child(filter));
      writeFunction(writer, one.function);
    });
  });
}

/** Reads `functions`, or a single function that is given next to the query. */
function readFunctions(params: Params, parser: ClauseParser): readonly FilteredFunction[] {
  const list = params.raw('functions');
  const weight = params.raw('weight');
  const unlisted = FUNCTION_NAMES.flatMap((name) => {
    const body = params.raw(name);
    return body === undefined ? [] : [{ name, body }];
  });
  if (list === undefined) {
    const [first, second] = unlisted;
    if (second !== undefined) throw severalFunctions(first?.name ?? '', second.name);
    if (first !== undefined && weight !== undefined) throw severalFunctions(first.name, 'weight');
    if (first === undefined && weight === undefined) return [];
    const made: ScoreFunction =
      first === undefined ? { kind: 'weight' } : readFunction(first.name, first.body);
    return [{ filter: undefined, weight: readWeight(weight), function: made }];
  }
  const misplaced = unlisted[0]?.name ?? (weight === undefined ? undefined : 'weight');
  if (misplaced !== undefined) {
    throw malformed(
      `failed to parse [function_score] query. already found [functions] array, now encountering [${misplaced}], put it into the array.`,
    );
  }
  if (!isArray(list)) {
    throw malformed(`[function_score] [functions] must be an array, found [${tokenName(list)}]`);
  }
  checkLength('[functions] of [function_score]', list.length, 'use [script_score] instead');
  return list.map((entry) => readEntry(entry, parser));
}

function readEntry(entry: Json, parser: ClauseParser): FilteredFunction {
  if (!isObject(entry)) {
    throw malformed(
      `failed to parse [function_score] query. expected an object in [functions] but found [${tokenName(entry)}]`,
    );
  }
  const { filter, weight, ...rest } = entry;
  const made = readOne(rest);
  if (made === undefined && weight === undefined) {
    throw malformed(
      'failed to parse [function_score] query. an entry in functions list is missing a function.',
    );
  }
  return {
    filter: filter === undefined ? undefined : readFilter(filter, parser),
    weight: readWeight(weight),
    function: made ?? { kind: 'weight' },
  };
}

function readFilter(filter: Json, parser: ClauseParser): Clause | undefined {
  const clause = parser.clause(filter);
  return clause.kind === 'match_all' && clause.name === '' ? undefined : clause;
}

function readOne(rest: JsonObject): ScoreFunction | undefined {
  const [first, second] = Object.entries(rest);
  if (first === undefined) return undefined;
  if (second !== undefined) throw severalFunctions(first[0], second[0]);
  const [name, body] = first;
  if (!FUNCTION_NAMES.includes(name)) {
    throw malformed(
      `[function_score] no function with name [${name}] is known, there are [${FUNCTION_NAMES.join(', ')}]`,
    );
  }
  return readFunction(name, body);
}

function severalFunctions(first: string, second: string): Error {
  return malformed(
    `failed to parse [function_score] query. already found function [${first}], now encountering [${second}]. did you mean to use [functions] array instead?`,
  );
}

function readWeight(value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  const weight = toFloat(value, '[weight] of [function_score]');
  if (weight >= 0) return weight;
  throw illegal(`[weight] cannot be negative for a filtering function, got [${weight}]`);
}
