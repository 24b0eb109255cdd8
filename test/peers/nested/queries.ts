// Random queries of one level, with `nested` clauses to the levels inside it and their inner hits.
import { NAMES, TAGS, WORDS } from './documents.ts';
import { type Level, levelAt } from './levels.ts';
import type { Chance } from './random.ts';

const SCORE_MODES = ['avg', 'sum', 'max', 'min', 'none'];

export interface QueryOptions {
  /** How deep clauses may lie in each other. */
  readonly depth: number;
  /** Whether `nested` clauses ask for inner hits; only those inside others that do may. */
  readonly innerHits: boolean;
}

const keywordValue = (chance: Chance, keyword: string): string =>
  chance.pick(keyword === 'tag' ? TAGS : NAMES);

function leaf(chance: Chance, level: Level): object {
  const keyword = chance.pick(level.keywords);
  const number = chance.pick(level.numbers);
  const kind = chance.below(9);
  if (kind === 0) return { match_all: { boost: 1 + chance.below(3) } };
  if (kind === 1) return { exists: { field: chance.oneIn(2) ? keyword : number } };
  if (kind === 2) return { term: { [keyword]: keywordValue(chance, keyword) } };
  if (kind === 3) {
    return { terms: { [keyword]: chance.list(2, () => keywordValue(chance, keyword)) } };
  }
  if (kind === 4) return { range: { [number]: { gte: chance.below(7) } } };
  if (kind === 5) return { term: { [number]: { value: chance.below(10), boost: 1.5 } } };
  const text = chance.pick(level.texts);
  if (text === undefined)
    return { prefix: { [keyword]: keywordValue(chance, keyword).slice(0, 1) } };
  const query = chance.list(1 + chance.below(3), () => chance.pick(WORDS)).join(' ');
  return chance.oneIn(5) ? { match_phrase: { [text]: query } } : { match: { [text]: query } };
}

function boolean(chance: Chance, inner: () => object): object {
  const clauses = (odds: number): object[] =>
    chance.below(4) < odds ? chance.list(1 + chance.below(2), inner) : [];
  const should = clauses(2);
  return {
    bool: {
      must: clauses(2),
      filter: clauses(1),
      should,
      must_not: clauses(1),
      ...(should.length > 0 && chance.oneIn(2) ? { minimum_should_match: 1 } : {}),
    },
  };
}

function functionScore(chance: Chance, level: Level, query: object): object {
  const number = chance.pick(level.numbers);
  return {
    function_score: {
      query,
      functions: [
        { field_value_factor: { field: number, modifier: 'log1p', missing: 2 } },
        { filter: leaf(chance, level), weight: 1 + chance.below(4) },
      ],
      score_mode: chance.pick(['sum', 'max', 'multiply']),
      boost_mode: chance.pick(['multiply', 'sum', 'replace']),
    },
  };
}

/** A random query of documents of a level. */
export function query(chance: Chance, level: Level, options: QueryOptions): object {
  if (options.depth === 0) return leaf(chance, level);
  const deeper = { ...options, depth: options.depth - 1 };
  const inner = (): object => query(chance, level, deeper);
  const kind = chance.below(10);
  if (kind < 4 && level.inside.length > 0) return nested(chance, level, deeper);
  if (kind < 7) return boolean(chance, inner);
  if (kind === 7) {
    return { dis_max: { queries: chance.list(2, inner), tie_breaker: chance.pick([0, 0.3]) } };
  }
  if (kind === 8) return functionScore(chance, level, inner());
  return chance.oneIn(2)
    ? { constant_score: { filter: inner(), boost: 1 + chance.below(4) } }
    : { boosting: { positive: inner(), negative: inner(), negative_boost: 0.4 } };
}

/** A `nested` clause to a level inside of `level`. */
export function nested(chance: Chance, level: Level, options: QueryOptions): object {
  const target = levelAt(chance.pick(level.inside));
  const innerHits = options.innerHits && chance.below(4) > 0;
  return {
    nested: {
      path: target.path,
      query: query(chance, target, { ...options, innerHits }),
      ...(chance.oneIn(6) ? {} : { score_mode: chance.pick(SCORE_MODES) }),
      ...(innerHits ? { inner_hits: innerHitsOf(chance, target) } : {}),
      ...(chance.oneIn(6) ? { boost: 2 } : {}),
    },
  };
}

function innerHitsOf(chance: Chance, level: Level): object {
  const fields = [...level.keywords, ...level.numbers];
  const order = chance.pick(fields);
  const hasFrom = chance.oneIn(4);
  const highlight = { fields: Object.fromEntries(level.texts.map((text) => [text, {}])) };
  return {
    // Of a path that several clauses name. differences.ts knows those that begin further down.
    name: `${hasFrom ? 'from' : 'hits'}${chance.below(1e9)}`,
    ...(chance.oneIn(2) ? { size: chance.below(6) } : {}),
    ...(hasFrom ? { from: chance.below(3) } : {}),
    ...(chance.oneIn(3) ? { sort: [{ [order]: chance.pick(['asc', 'desc']) }] } : {}),
    ...(chance.oneIn(4) ? { _source: chance.pick([false, [`${level.path}.n`], ['*.who']]) } : {}),
    ...(chance.oneIn(4) ? { fields: [chance.pick(fields)] } : {}),
    ...(chance.oneIn(4) ? { docvalue_fields: [chance.pick(fields)] } : {}),
    ...(chance.oneIn(3) && level.texts.length > 0 ? { highlight } : {}),
    ...(chance.oneIn(6) ? { version: true } : {}),
  };
}
