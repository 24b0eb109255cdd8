// Random aggregations that go into nested documents and back.
import { type Level, levelAt } from './levels.ts';
import { query } from './queries.ts';
import type { Chance } from './random.ts';

/** More buckets than there are values, so that shards cut nothing off. */
const ALL_BUCKETS = 40;
const METRICS = ['sum', 'avg', 'min', 'max', 'stats', 'value_count', 'cardinality'];

const root = levelAt('');

const filter = (chance: Chance, level: Level): object =>
  query(chance, level, { depth: 1, innerHits: false });

const metric = (chance: Chance, level: Level): object => ({
  [chance.pick(METRICS)]: { field: chance.pick(level.numbers) },
});

function topHits(chance: Chance, level: Level): object {
  const field = chance.pick([...level.numbers, ...level.keywords]);
  return {
    top_hits: {
      size: 1 + chance.below(3),
      ...(chance.oneIn(2) ? { sort: [{ [field]: chance.pick(['asc', 'desc']) }] } : {}),
      ...(chance.oneIn(3) ? { docvalue_fields: [field] } : {}),
    },
  };
}

/** Aggregations inside, `m` always among them. */
function inner(chance: Chance, level: Level, depth: number): Record<string, object> {
  return {
    m: chance.oneIn(4) ? topHits(chance, level) : metric(chance, level),
    ...(depth > 0 ? { d: aggregation(chance, level, depth - 1) } : {}),
  };
}

function terms(chance: Chance, level: Level, depth: number): object {
  const field = chance.pick([...level.keywords, ...level.numbers]);
  const direction = chance.pick(['asc', 'desc']);
  const body = { field, size: ALL_BUCKETS };
  const kind = chance.below(4);
  if (kind === 0 && level.inside.length > 0) {
    const target = levelAt(chance.pick(level.inside));
    const number = chance.pick(target.numbers);
    const [by, what] = chance.pick([
      ['o>s', { sum: { field: number } }],
      ['o>s', { value_count: { field: number } }],
      ['o>s.sum', { stats: { field: number } }],
      ['o>f', { filter: filter(chance, target) }],
      ['o', metric(chance, target)],
    ] as const);
    const aggs = { o: { nested: { path: target.path }, aggs: { [by.slice(2, 3)]: what } } };
    const named = by === 'o' ? { o: { nested: { path: target.path } } } : aggs;
    return {
      terms: { ...body, order: [{ [by]: direction }, { _key: 'asc' }] },
      aggs: { ...named, ...inner(chance, level, depth) },
    };
  }
  if (kind === 1 && level.path !== '') {
    const order = [{ 'o>s': direction }, { _key: 'asc' }];
    const aggs = { s: { sum: { field: 'n' } } };
    return {
      terms: { ...body, order },
      aggs: { o: { reverse_nested: {}, aggs }, ...inner(chance, level, depth) },
    };
  }
  return {
    terms: { ...body, ...(kind === 2 ? { order: { _key: direction } } : {}) },
    aggs: inner(chance, level, depth),
  };
}

function buckets(chance: Chance, level: Level, depth: number): object {
  const number = chance.pick(level.numbers);
  const aggs = inner(chance, level, depth);
  const kind = chance.below(5);
  if (kind === 0) return { histogram: { field: number, interval: 4 }, aggs };
  if (kind === 1)
    return { range: { field: number, ranges: [{ to: 3 }, { from: 2, to: 7 }] }, aggs };
  if (kind === 2) return { filter: filter(chance, level), aggs };
  if (kind === 3) {
    const filters = { a: filter(chance, level), b: filter(chance, level) };
    return { filters: { filters, other_bucket: chance.oneIn(2) }, aggs };
  }
  return { missing: { field: chance.pick([number, ...level.keywords]) }, aggs };
}

/** A composite of a level; it may stand inside `nested` and nowhere else. */
function composite(chance: Chance, level: Level, depth: number): object {
  const keyword = chance.pick(level.keywords);
  const number = chance.pick(level.numbers);
  const byWho = {
    who: {
      terms: {
        field: keyword,
        order: chance.pick(['asc', 'desc']),
        ...(chance.oneIn(2) ? { missing_bucket: true } : {}),
      },
    },
  };
  const byNumber = chance.oneIn(2)
    ? { n: { terms: { field: number } } }
    : { n: { histogram: { field: number, interval: 3 } } };
  return {
    composite: {
      size: 2 + chance.below(12),
      sources: chance.oneIn(3) ? [byWho] : [byWho, byNumber],
    },
    aggs: inner(chance, level, depth),
  };
}

function nested(chance: Chance, level: Level, depth: number): object {
  const target = levelAt(chance.pick(level.inside));
  const inside = chance.oneIn(4)
    ? { m: composite(chance, target, depth) }
    : inner(chance, target, depth);
  // A composite may be inside nested ones alone.
  return { nested: { path: target.path }, aggs: inside };
}

function reverse(chance: Chance, level: Level, depth: number): object {
  const target = chance.oneIn(2) ? root : levelAt(chance.pick(['', ...level.around]));
  const body = target.path === '' ? {} : { path: target.path };
  return { reverse_nested: body, aggs: inner(chance, target, depth) };
}

function aggregation(chance: Chance, level: Level, depth: number): object {
  const kind = chance.below(10);
  if (kind < 4 && level.inside.length > 0) {
    const target = levelAt(chance.pick(level.inside));
    return { nested: { path: target.path }, aggs: inner(chance, target, depth) };
  }
  if (kind < 6 && level.path !== '') return reverse(chance, level, depth);
  return kind < 8 ? terms(chance, level, depth) : buckets(chance, level, depth);
}

export function aggregations(chance: Chance): object {
  const first = chance.oneIn(3) ? terms(chance, root, 2) : nested(chance, root, 2);
  return { a: first, b: aggregation(chance, root, 2) };
}
