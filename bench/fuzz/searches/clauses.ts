// Random clauses of searches over the fields of `SHARED_MAPPING`. A few values do not fit their
// field, and the search is refused.
import type { Choice } from '../choice.ts';
import { documentId, keyword, type Members, word, words } from './documents.ts';
import { queryString, simpleQueryString } from './query-strings.ts';

/** Compound clauses are at most this deep. */
const DEEPEST = 2;
const FUZZINESS = ['AUTO', 0, 1, 2, '1', 'AUTO:3,6', '2'] as const;
const MINIMUM = [1, 2, '50%', '-1', '-25%', '2<75%', '3<-1 5<50%', '100%', 0] as const;
const OPERATORS = ['and', 'or', 'AND'] as const;
const DATES = [
  '2022-01-01',
  '2021-06-15T12:00:00Z',
  '2022-01-01||/M',
  '2022-03-05||+1M/d',
  '2021||/y',
  1.64e12,
  '1640995200000',
  '2022-01-01||-10d',
  '2022-02',
  '2022-01-01T10:00:00+02:00',
] as const;

export function textField(choice: Choice): string {
  if (choice.chance(0.93)) return choice.pick(['t', 't.e', 's']);
  return choice.pick(['k', 'nope', 't.k']);
}
export function keywordField(choice: Choice): string {
  return choice.pick(['k', 'tags', 't.k', 'o.p', 'fl.a', 'fl.b.c', 'fl']);
}
/** Of patterns, which flattened fields do not have. */
function patternField(choice: Choice): string {
  return choice.chance(0.6) ? choice.pick(['k', 'tags', 't.k', 'o.p']) : textField(choice);
}
export function numberField(choice: Choice): string {
  return choice.pick(['n', 'i', 'f', 'h', 'o.q']);
}

function number(choice: Choice): unknown {
  if (choice.chance(0.8)) return choice.below(60) - 10;
  return choice.pick([0.5, '7', -3.2, '12.5', 1e9, -1e18, 2n ** 53n + 1n, 'abc']);
}

function fields(choice: Choice): readonly string[] {
  if (choice.chance(0.07)) return ['t*'];
  const names = new Set(choice.several(1, 3, () => textField(choice)));
  return [...names].map((name) => name + (choice.chance(0.3) ? `^${choice.pick([2, 0.5])}` : ''));
}

type Make = (choice: Choice, depth: number) => Members;

const LEAVES: readonly [Make, ...Make[]] = [
  match,
  match,
  match,
  phrase,
  phrase,
  phrasePrefix,
  booleanPrefix,
  multiMatch,
  multiMatch,
  queryStringClause,
  queryStringClause,
  queryStringClause,
  simpleQueryStringClause,
  simpleQueryStringClause,
  term,
  term,
  terms,
  range,
  range,
  exists,
  prefix,
  wildcard,
  regexp,
  fuzzy,
  (choice) => ({ ids: { values: choice.several(0, 4, () => documentId(choice)) } }),
  (choice) => ({ match_all: choice.maybe(0.2, () => ({ boost: 2 })) }),
  () => ({ match_none: {} }),
  nested,
  distanceFeature,
  moreLikeThis,
];

const COMPOUNDS: readonly [Make, ...Make[]] = [
  bool,
  bool,
  bool,
  constantScore,
  disMax,
  boosting,
  functionScore,
];

export function randomClause(choice: Choice, depth = 0): Members {
  const isCompound = depth < DEEPEST && choice.chance(0.35);
  return choice.pick(isCompound ? COMPOUNDS : LEAVES)(choice, depth + 1);
}

function match(choice: Choice): Members {
  const query = choice.chance(0.9) ? words(choice, 1, 4) : choice.pick([5, true, '', ' ', 'the']);
  const field = choice.chance(0.85)
    ? textField(choice)
    : choice.pick([keywordField(choice), numberField(choice), 'd', 'b', 'ip']);
  if (choice.chance(0.2)) return { match: { [field]: query } };
  const options = {
    query,
    ...choice.maybe(0.3, () => ({ operator: choice.pick(OPERATORS) })),
    ...choice.maybe(0.25, () => ({ minimum_should_match: choice.pick(MINIMUM) })),
    ...choice.maybe(0.15, () => ({ fuzziness: choice.pick(FUZZINESS) })),
    ...choice.maybe(0.05, () => ({ prefix_length: choice.below(3) })),
    ...choice.maybe(0.1, () => ({
      analyzer: choice.pick(['standard', 'english', 'whitespace', 'keyword', 'simple']),
    })),
    ...choice.maybe(0.1, () => ({ zero_terms_query: choice.pick(['all', 'none']) })),
    ...choice.maybe(0.1, () => ({ boost: 1.5 })),
    ...choice.maybe(0.05, () => ({ lenient: true })),
    ...choice.maybe(0.05, () => ({ fuzzy_transpositions: false })),
  };
  return { match: { [field]: options } };
}

function phrase(choice: Choice): Members {
  const query = words(choice, 1, 3);
  const value = choice.chance(0.5) ? query : { query, slop: choice.below(4) };
  return { match_phrase: { [textField(choice)]: value } };
}

function phrasePrefix(choice: Choice): Members {
  const value = {
    query: `${words(choice, 1, 2)} ${word(choice).slice(0, 2)}`,
    ...choice.maybe(0.3, () => ({ max_expansions: 1 + choice.below(20) })),
    ...choice.maybe(0.3, () => ({ slop: choice.below(3) })),
  };
  return { match_phrase_prefix: { [textField(choice)]: value } };
}

function booleanPrefix(choice: Choice): Members {
  const value = {
    query: words(choice, 1, 3),
    ...choice.maybe(0.5, () => ({ operator: choice.pick(['and', 'or']) })),
  };
  return { match_bool_prefix: { [textField(choice)]: value } };
}

function multiMatch(choice: Choice): Members {
  const types = ['best_fields', 'most_fields', 'phrase', 'phrase_prefix', 'bool_prefix'] as const;
  return {
    multi_match: {
      query: words(choice, 1, 3),
      fields: fields(choice),
      ...choice.maybe(0.7, () => ({ type: choice.pick([...types, 'cross_fields']) })),
      ...choice.maybe(0.3, () => ({ operator: choice.pick(['and', 'or']) })),
      ...choice.maybe(0.2, () => ({ minimum_should_match: choice.pick(MINIMUM) })),
      ...choice.maybe(0.2, () => ({ tie_breaker: choice.pick([0, 0.3, 1]) })),
      ...choice.maybe(0.1, () => ({ fuzziness: choice.pick(FUZZINESS) })),
      ...choice.maybe(0.1, () => ({ analyzer: 'standard' })),
    },
  };
}

function queryStringClause(choice: Choice): Members {
  const place = choice.chance(0.5)
    ? { fields: fields(choice) }
    : choice.maybe(0.4, () => ({ default_field: textField(choice) }));
  return {
    query_string: {
      query: queryString(choice),
      ...place,
      ...choice.maybe(0.3, () => ({ default_operator: choice.pick(['AND', 'or']) })),
      ...choice.maybe(0.15, () => ({ analyze_wildcard: true })),
      ...choice.maybe(0.2, () => ({ minimum_should_match: choice.pick(MINIMUM) })),
      ...choice.maybe(0.1, () => ({
        type: choice.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase']),
      })),
      ...choice.maybe(0.1, () => ({ lenient: true })),
      ...choice.maybe(0.05, () => ({ phrase_slop: 2 })),
      ...choice.maybe(0.05, () => ({ allow_leading_wildcard: false })),
      ...choice.maybe(0.05, () => ({ quote_field_suffix: '.e' })),
      ...choice.maybe(0.05, () => ({ tie_breaker: 0.5 })),
    },
  };
}

function simpleQueryStringClause(choice: Choice): Members {
  const flags = ['ALL', 'OR|AND|PREFIX', 'NONE', 'PHRASE', 'FUZZY|NOT'] as const;
  return {
    simple_query_string: {
      query: simpleQueryString(choice),
      ...choice.maybe(0.7, () => ({ fields: fields(choice) })),
      ...choice.maybe(0.3, () => ({ default_operator: choice.pick(['AND', 'or']) })),
      ...choice.maybe(0.15, () => ({ flags: choice.pick(flags) })),
      ...choice.maybe(0.2, () => ({ minimum_should_match: choice.pick(MINIMUM) })),
    },
  };
}

function term(choice: Choice): Members {
  const field = choice.chance(0.6)
    ? keywordField(choice)
    : choice.pick([numberField(choice), 'd', 'b', 'ip', 'r', textField(choice)]);
  const value = choice.chance(0.5)
    ? keyword(choice)
    : choice.pick([
        choice.below(40),
        true,
        '10.0.1.0/24',
        '2022-01-01',
        word(choice).toLowerCase(),
        { value: keyword(choice), case_insensitive: true },
        { value: keyword(choice), boost: 2 },
      ]);
  return { term: { [field]: value } };
}

function terms(choice: Choice): Members {
  const field = choice.chance(0.6) ? keywordField(choice) : numberField(choice);
  const value = (): unknown => (choice.chance(0.6) ? keyword(choice) : choice.below(40));
  return { terms: { [field]: choice.several(0, 4, value) } };
}

function range(choice: Choice): Members {
  const field = choice.pick(['n', 'i', 'f', 'h', 'd', 'd', 'd2', 'ip', 'dr', 'k', 'o.q']);
  const isDate = field === 'd' || field === 'dr';
  const value = (): unknown => {
    if (isDate) return choice.pick(DATES);
    if (field === 'd2') return choice.pick(['2022-01-01', '2021-05-05', '2022-01-01||/M', 1.63e12]);
    if (field === 'ip') return choice.pick(['10.0.1.0', '10.0.2.255', '::1']);
    return field === 'k' ? keyword(choice) : number(choice);
  };
  const zones = ['+02:00', 'Europe/Berlin', 'America/New_York'] as const;
  const relations = ['within', 'contains', 'intersects', 'WITHIN'] as const;
  const bounds = {
    ...choice.maybe(0.6, () => ({ [choice.pick(['gte', 'gt'])]: value() })),
    ...choice.maybe(0.6, () => ({ [choice.pick(['lte', 'lt'])]: value() })),
    ...choice.maybe(isDate ? 0.2 : 0, () => ({ time_zone: choice.pick(zones) })),
    ...choice.maybe(field === 'dr' ? 0.4 : 0, () => ({ relation: choice.pick(relations) })),
    ...choice.maybe(0.1, () => ({ boost: 2 })),
  };
  return { range: { [field]: bounds } };
}

function exists(choice: Choice): Members {
  const names = ['t', 'k', 'tags', 'ne', 'o', 'o.p', 'fl', 'fl.a', 'd', 'r', 'nope', 'ne.a', 'o.*'];
  return { exists: { field: choice.pick(names) } };
}

function prefix(choice: Choice): Members {
  const field = choice.chance(0.6) ? keywordField(choice) : textField(choice);
  const insensitive = { value: word(choice).slice(0, 2), case_insensitive: choice.chance(0.5) };
  return { prefix: { [field]: choice.pick([keyword(choice).slice(0, 2), insensitive]) } };
}

function wildcard(choice: Choice): Members {
  const value = choice.pick(['*e*', 'a?', '*', 'r*d', '?', '*\\**', 'g*n*']);
  return { wildcard: { [patternField(choice)]: { value, case_insensitive: choice.chance(0.3) } } };
}

function regexp(choice: Choice): Members {
  const patterns = 'r.d a+ [a-c]1? gr(een|ün) .*e ~(red) <1-5> b[^1] (a|b).* "a" @'.split(' ');
  const value = {
    value: choice.pick(patterns),
    ...choice.maybe(0.3, () => ({ flags: choice.pick(['ALL', 'NONE', 'INTERVAL']) })),
    ...choice.maybe(0.2, () => ({ case_insensitive: true })),
  };
  return { regexp: { [patternField(choice)]: value } };
}

function fuzzy(choice: Choice): Members {
  const value = {
    value: choice.chance(0.5) ? keyword(choice) : word(choice),
    ...choice.maybe(0.6, () => ({ fuzziness: choice.pick(FUZZINESS) })),
    ...choice.maybe(0.3, () => ({ prefix_length: choice.below(3) })),
    ...choice.maybe(0.2, () => ({ transpositions: false })),
    ...choice.maybe(0.2, () => ({ max_expansions: 2 + choice.below(5) })),
  };
  return { fuzzy: { [patternField(choice)]: value } };
}

function nested(choice: Choice): Members {
  const name = { term: { 'ne.a': keyword(choice) } };
  const from = { range: { 'ne.x': { gte: 15 } } };
  const query = choice.pick<Members>([
    name,
    from,
    { match: { 'ne.c': words(choice, 2, 2) } },
    { bool: { must: [name, from] } },
    { match_all: {} },
    { bool: { must_not: [name] } },
  ]);
  const score_mode = choice.pick(['avg', 'sum', 'min', 'max', 'none']);
  return { nested: { path: 'ne', query, score_mode } };
}

function distanceFeature(choice: Choice): Members {
  const distance_feature = choice.pick([
    { field: 'd', origin: '2022-01-01', pivot: '10d' },
    { field: 'd2', origin: '2022-02-01', pivot: '30d', boost: 2 },
  ]);
  return { distance_feature };
}

function moreLikeThis(choice: Choice): Members {
  return {
    more_like_this: {
      fields: [choice.pick(['t', 's'])],
      like: choice.chance(0.5) ? words(choice, 5, 5) : [{ _id: documentId(choice) }],
      min_term_freq: 1,
      min_doc_freq: 1 + choice.below(5),
      max_query_terms: 5 + choice.below(20),
    },
  };
}

function bool(choice: Choice, depth: number): Members {
  const list = (most: number): readonly Members[] =>
    choice.several(1, most, () => randomClause(choice, depth));
  const should = choice.maybe(0.5, () => ({
    should: list(3),
    ...choice.maybe(0.3, () => ({ minimum_should_match: choice.pick(MINIMUM) })),
  }));
  return {
    bool: {
      ...choice.maybe(0.5, () => ({ must: list(2) })),
      ...should,
      ...choice.maybe(0.4, () => ({ filter: list(2) })),
      ...choice.maybe(0.25, () => ({ must_not: list(2) })),
      ...choice.maybe(0.1, () => ({ boost: 2 })),
    },
  };
}

function constantScore(choice: Choice, depth: number): Members {
  return { constant_score: { filter: randomClause(choice, depth), boost: choice.pick([1, 2.5]) } };
}

function disMax(choice: Choice, depth: number): Members {
  const queries = choice.several(1, 3, () => randomClause(choice, depth));
  return { dis_max: { queries, tie_breaker: choice.pick([0, 0.3, 1]) } };
}

function boosting(choice: Choice, depth: number): Members {
  const [positive, negative] = [randomClause(choice, depth), randomClause(choice, depth)];
  return { boosting: { positive, negative, negative_boost: choice.pick([0.2, 0.5]) } };
}

function functionScore(choice: Choice, depth: number): Members {
  const modes = ['multiply', 'sum', 'avg', 'max', 'min'] as const;
  return {
    function_score: {
      functions: choice.several(1, 3, () => scoreFunction(choice)),
      ...choice.maybe(0.7, () => ({ query: randomClause(choice, depth) })),
      ...choice.maybe(0.5, () => ({ score_mode: choice.pick([...modes, 'first']) })),
      ...choice.maybe(0.5, () => ({ boost_mode: choice.pick([...modes, 'replace']) })),
      ...choice.maybe(0.2, () => ({ max_boost: 5 })),
      ...choice.maybe(0.1, () => ({ min_score: 0.5 })),
    },
  };
}

function scoreFunction(choice: Choice): Members {
  const modifiers = ['none', 'log1p', 'ln2p', 'sqrt', 'square'] as const;
  const decays: readonly [Members, ...Members[]] = [
    { n: { origin: 20, scale: 10, offset: 2, decay: 0.4 } },
    { d: { origin: '2022-01-01', scale: '30d' } },
    { f: { origin: 50, scale: 20 } },
    { i: { origin: 5, scale: 3 }, multi_value_mode: choice.pick(['min', 'max', 'avg', 'sum']) },
  ];
  const factor = { factor: choice.pick([1, 1.2]), modifier: choice.pick(modifiers), missing: 1 };
  return {
    ...choice.pick<Members>([
      { weight: choice.pick([2, 0.5, 3]) },
      { field_value_factor: { field: numberField(choice), ...factor } },
      { [choice.pick(['gauss', 'exp', 'linear'])]: choice.pick(decays) },
    ]),
    ...choice.maybe(0.4, () => ({ filter: randomClause(choice, DEEPEST) })),
  };
}
