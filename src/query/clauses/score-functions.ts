// The functions of function_score.
import type { Json, JsonObject } from '../../backend/index.js';
import type { PlanWriter, Scalar } from '../../wire/plan-writer.js';
import { originScalar } from '../geo/request.js';
import { Params } from '../params.js';
import { type Script, writeScript } from '../script/program.js';
import { readScript } from '../script/request.js';
import { illegal, isObject, malformed, toFloat, tokenName } from '../values.js';

const MODIFIERS = [
  'none',
  'log',
  'log1p',
  'log2p',
  'ln',
  'ln1p',
  'ln2p',
  'square',
  'sqrt',
  'reciprocal',
] as const;
const SHAPES = ['gauss', 'exp', 'linear'] as const;
const VALUE_MODES = ['min', 'max', 'sum', 'avg', 'median'] as const;
const DEFAULT_DECAY = 0.5;

export type ScoreFunction =
  | { readonly kind: 'weight' }
  | {
      readonly kind: 'field_value_factor';
      readonly field: string;
      readonly factor: number;
      readonly modifier: (typeof MODIFIERS)[number];
      readonly missing: number | undefined;
    }
  /** An empty `field` stands for sequence numbers. */
  | { readonly kind: 'random_score'; readonly seed: bigint | undefined; readonly field: string }
  | {
      readonly kind: 'decay';
      readonly shape: (typeof SHAPES)[number];
      readonly field: string;
      readonly origin: Scalar;
      readonly scale: Scalar;
      readonly offset: Scalar;
      readonly decay: number;
      readonly mode: (typeof VALUE_MODES)[number];
    }
  | { readonly kind: 'script'; readonly script: Script };

/** The names of the functions in the DSL. */
export const FUNCTION_NAMES: readonly string[] = [
  'field_value_factor',
  'random_score',
  'script_score',
  ...SHAPES,
];

const KINDS = ['weight', 'field_value_factor', 'random_score', 'decay', 'script'] as const;

export function readFunction(name: string, body: Json): ScoreFunction {
  if (!isObject(body)) {
    throw malformed(`[${name}] of [function_score] must be an object, found [${tokenName(body)}]`);
  }
  if (name === 'field_value_factor') return readFieldValueFactor(body);
  if (name === 'random_score') return readRandomScore(body);
  if (name !== 'script_score') return readDecay(name, body);
  const params = new Params('script_score', body);
  const script = params.raw('script');
  params.finish();
  return { kind: 'script', script: readScript('script_score', script) };
}

function readFieldValueFactor(body: JsonObject): ScoreFunction {
  const params = new Params('field_value_factor', body);
  const field = params.text('field');
  const made = {
    factor: params.float('factor') ?? 1,
    modifier: params.choice('modifier', MODIFIERS) ?? 'none',
    missing: params.float('missing'),
  };
  params.finish();
  if (field === undefined) throw malformed("[field_value_factor] required field 'field' missing");
  return { kind: 'field_value_factor', field, ...made };
}

function readRandomScore(body: JsonObject): ScoreFunction {
  const params = new Params('random_score', body);
  const seed = params.scalar('seed');
  const given = params.text('field');
  params.finish();
  if (given === '') throw illegal('[random_score] [field] is empty, name a field or leave it out');
  if (seed === undefined || seed.kind === 'null')
    return { kind: 'random_score', seed: undefined, field: given ?? '' };
  return { kind: 'random_score', seed: seedOf(seed), field: given ?? '_id' };
}

/** The seed is a 64-bit whole number, or any text, which is replaced by its Java hash code. */
function seedOf(seed: Scalar): bigint {
  if (seed.kind !== 'string') {
    const whole = /^-?\d{1,20}$/.test(seed.text) ? BigInt(seed.text) : undefined;
    if (whole !== undefined && BigInt.asIntN(64, whole) === whole) return whole;
    throw illegal(`random_score seed must be an int, long or string, not '${seed.text}'`);
  }
  let hash = 0;
  for (let at = 0; at < seed.text.length; at++) hash = (hash * 31 + seed.text.charCodeAt(at)) | 0;
  return BigInt(hash);
}

function readDecay(name: string, body: JsonObject): ScoreFunction {
  const { multi_value_mode: _, ...fields } = body;
  const mode = new Params(name, body).choice('multi_value_mode', VALUE_MODES) ?? 'min';
  const [first, second] = Object.entries(fields);
  if (first === undefined)
    throw malformed(`malformed score function [${name}], a field is missing`);
  if (second !== undefined) {
    throw malformed(
      `malformed score function [${name}], only one field is allowed, found [${first[0]}] and [${second[0]}]`,
    );
  }
  const [field, options] = first;
  if (!isObject(options)) {
    throw malformed(
      `malformed score function [${name}], [${field}] must be an object, found [${tokenName(options)}]`,
    );
  }
  const params = new Params(name, options);
  const origin = pointOf(name, 'origin', params.raw('origin'));
  const scale = pointOf(name, 'scale', params.raw('scale'));
  const offset = pointOf(name, 'offset', params.raw('offset'));
  const decay = params.raw('decay');
  params.finish();
  if (scale.kind === 'null') throw malformed(`[${name}] must set [scale] for field [${field}]`);
  return {
    kind: 'decay',
    shape: SHAPES.find((shape) => shape === name) ?? 'gauss',
    field,
    origin,
    scale,
    offset: offset.kind === 'null' ? { kind: 'number', text: '0' } : offset,
    decay: decay === undefined ? DEFAULT_DECAY : toFloat(decay, `[decay] of [${name}]`),
    mode,
  };
}

/** Returns null if absent. Objects and arrays are points. */
function pointOf(name: string, what: string, value: Json | undefined): Scalar {
  if (value === undefined) return { kind: 'null', text: '' };
  if (value === null)
    throw malformed(`[${name}] [${what}] must be a number, a date or a point, found null`);
  return originScalar(value);
}

export function functionKind(made: ScoreFunction): number {
  return KINDS.indexOf(made.kind);
}

/** Writes the part of the function after its kind, weight and filter. */
export function writeFunction(writer: PlanWriter, made: ScoreFunction): void {
  switch (made.kind) {
    case 'weight':
      return;
    case 'field_value_factor':
      writer.str(made.field).f32(made.factor).u8(MODIFIERS.indexOf(made.modifier));
      writer.f64(made.missing ?? Number.NaN);
      return;
    case 'random_score':
      writer
        .bool(made.seed !== undefined)
        .i64(made.seed ?? 0n)
        .str(made.field);
      return;
    case 'decay':
      writer.u8(SHAPES.indexOf(made.shape)).str(made.field);
      writer.scalar(made.origin).scalar(made.scale).scalar(made.offset);
      writer.f64(made.decay).u8(VALUE_MODES.indexOf(made.mode));
      return;
    case 'script':
      writeScript(writer, made.script);
  }
}
