// Parses `aggs`: the tree of a request's aggregations, each checked by the file of its kind.
import type { Json, JsonObject } from '../../backend/index.js';
import { didYouMean } from '../../base/similar-names.js';
import type { ClauseParser } from '../clause.js';
import { checkLength, checkRepeated } from '../list-limits.js';
import { illegal, isObject, malformed, tokenName } from '../values.js';
import { type Agg, type AggBody, type AggContext, type AggKind, METRICS } from './agg.js';
import { jsonOf } from './json.js';
import { aggKinds, PLAIN_BODY, UNSUPPORTED_AGGS } from './kinds/index.js';
import { AggParams } from './params.js';
import { inOrder, isPipeline, parsePipeline } from './pipeline.js';
import { checkPipelines } from './pipeline-checks.js';
import type { Pipeline } from './pipelines/kit.js';

export interface AggTree {
  readonly aggs: readonly Agg[];
  /** Parents, then siblings; each after those that it depends on. */
  readonly pipelines: readonly Pipeline[];
}

const MAX_DEPTH = 50;
const RESERVED = /[[\]>]/;

/** Parses the queries inside. */
type Inner = Pick<ClauseParser, 'clause' | 'limits'> & Pick<AggContext, 'aliasFilter'>;

export function parseAggs(body: Json, inner: Inner): AggTree {
  const { limits, aliasFilter } = inner;
  const clause: Inner['clause'] = (value) => inner.clause(value);
  return parseLevel(body, { clause, limits, aliasFilter, seen: { aggs: 0 }, inNested: false }, 0);
}

/** With the number of aggregations parsed so far. */
type Reading = Inner & { readonly seen: { aggs: number }; readonly inNested: boolean };

function parseLevel(body: Json, inner: Reading, depth: number, parent?: string): AggTree {
  if (!isObject(body)) {
    throw malformed(`Found [${tokenName(body)}] in [aggs], expected an object of aggregations`);
  }
  if (depth > MAX_DEPTH) throw illegal(`aggregations are nested deeper than [${MAX_DEPTH}] levels`);
  inner.seen.aggs += Object.keys(body).length;
  checkLength('[aggs] of all levels', inner.seen.aggs, 'ask for the others in a second search');
  const aggs: Agg[] = [];
  const pipelines: Pipeline[] = [];
  for (const [name, definition] of Object.entries(body)) {
    checkRepeated('the name of the aggregation', name);
    const parts = splitDefinition(name, definition);
    // At the top it is shown once.
    if (depth > 0 && parts.meta !== undefined)
      checkRepeated(`[meta] of [${name}]`, jsonOf(parts.meta));
    if (isPipeline(parts.type)) {
      if (parts.inside !== undefined) {
        throw malformed(
          `Aggregation [${name}] cannot define sub-aggregations: [${parts.type}] takes none`,
        );
      }
      pipelines.push(parsePipeline(name, parts.type, parts.body, parts.meta));
    } else {
      aggs.push(parseAgg(name, parts, inner, depth));
    }
  }
  checkPipelines(aggs, pipelines, parent);
  return { aggs, pipelines: inOrder(pipelines) };
}

interface Definition {
  readonly type: string;
  readonly body: Json;
  readonly inside: Json | undefined;
  readonly meta: JsonObject | undefined;
}

function splitDefinition(name: string, definition: Json): Definition {
  if (name === '' || RESERVED.test(name)) {
    throw malformed(
      `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
    );
  }
  if (!isObject(definition)) {
    throw malformed(
      `Aggregation definition for [${name} starts with a [${tokenName(definition)}], expected a [START_OBJECT].`,
    );
  }
  const { aggs, aggregations, meta, ...types } = definition;
  if (aggs !== undefined && aggregations !== undefined) {
    throw malformed(`Found two sub aggregation definitions under [${name}]`);
  }
  const [first, second] = Object.entries(types);
  if (first === undefined) throw malformed(`Missing definition for aggregation [${name}]`);
  if (second !== undefined) {
    throw malformed(
      `Found two aggregation type definitions in [${name}]: [${first[0]}] and [${second[0]}]`,
    );
  }
  if (meta !== undefined && !isObject(meta))
    throw malformed(`[meta] of [${name}] must be an object`);
  return { type: first[0], body: first[1], inside: aggs ?? aggregations, meta };
}

function parseAgg(
  name: string,
  { type, body, inside, meta }: Definition,
  inner: Reading,
  depth: number,
): Agg {
  const kind = kindOf(type, name);
  const within = type === 'nested' ? { ...inner, inNested: true } : inner;
  const tree = inside === undefined ? NOTHING : parseLevel(inside, within, depth + 1, type);
  const plain = PLAIN_BODY.has(type);
  const params = new AggParams(type, plain ? {} : body, name);
  const context: AggContext = {
    name,
    body,
    params,
    clause: (value) => inner.clause(value),
    limits: inner.limits,
    aliasFilter: inner.aliasFilter,
    top: depth === 0,
    inNested: inner.inNested,
    children: tree.aggs,
    pipelines: tree.pipelines,
  };
  const made = kind(context) as AggBody<unknown>;
  params.finish();
  if (METRICS.has(made.opcode) && tree.aggs.length + tree.pipelines.length > 0) {
    throw illegal(`Aggregator [${name}] of type [${type}] cannot accept sub-aggregations`);
  }
  const agg: Agg = {
    opcode: made.opcode,
    encode: made.encode,
    ...(made.sigma === undefined ? {} : { sigma: made.sigma }),
    ...(made.metrics === undefined ? {} : { metrics: made.metrics }),
    ...(made.ofOne === undefined || inside !== undefined ? {} : { ofOne: made.ofOne }),
    readColumns: made.readColumns,
    name,
    type,
    meta,
    children: tree.aggs,
    pipelines: tree.pipelines,
    reduce: (parts, reducer) => made.reduce(agg, parts, reducer),
  };
  return agg;
}

const NOTHING: AggTree = { aggs: [], pipelines: [] };

function kindOf(type: string, name: string): AggKind {
  if (Object.hasOwn(aggKinds, type)) return aggKinds[type] as AggKind;
  if (UNSUPPORTED_AGGS.has(type)) {
    throw malformed(`[${type}] aggregation is not supported by this server: [${name}]`);
  }
  throw malformed(`Unknown aggregation type [${type}]${didYouMean(type, Object.keys(aggKinds))}`);
}
