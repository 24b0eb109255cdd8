// Invalid requests of agent memory: names of namespaces, memories, recalls, settings.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const MISSING = 'action_request_validation_exception';
const PARSING = 'parsing_exception';
const HUGE = 'x'.repeat(513);

const store = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`store ${label}`, ['POST', '/_memory/b', body], [400, ILLEGAL, ...words]);
const text = (label: string, rest: object, ...words: string[]): BadCase =>
  store(label, { text: 'a', ...rest }, ...words);
const recall = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`recall ${label}`, ['POST', '/_memory/known/_recall', body], [400, ILLEGAL, ...words]);
const graph = (label: string, rest: object, ...words: string[]): BadCase =>
  recall(`with a graph ${label}`, { graph: { mode: 'blend', ...rest } }, ...words);
const WORDS = Array.from({ length: 1025 }, (_, i) => `word${i}`).join(' ');
const lacking = (label: string, verb: '' | '/_recall', body: unknown, ...words: string[]) =>
  bad(label, ['POST', `/_memory/known${verb}`, body], [400, MISSING, ...words]);
const name = (label: string, namespace: string, ...words: string[]): BadCase =>
  bad(
    `namespace ${label}`,
    ['POST', `/_memory/${namespace}`, { text: 'a' }],
    [400, ILLEGAL, 'namespace name', ...words],
  );
const put = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`settings ${label}`, ['PUT', '/_memory/b', body], [400, ILLEGAL, ...words]);

const NAMES = [
  name('in capitals', 'Notes', 'Notes', 'a-z'),
  name('that starts with an underscore', '_notes', '_notes'),
  name('that starts with a dot', '.notes', '.notes'),
  name('that starts with a hyphen', '-notes', '-notes'),
  name('with a space', 'my%20notes', 'my notes'),
  name('with a slash', 'my%2Fnotes', 'my/notes'),
  name('with an umlaut', '%C3%BC', 'a-z'),
  name('with a NUL', 'a%00b', 'a-z'),
  name('with a comma', 'a,b', 'a,b'),
  name('with a star', 'a*', 'a*'),
  name('with two dots', 'a..b', '[..]'),
  name('of links', 'a-edges', '-edges', 'namespace [a]'),
  name('of 201 characters', 'x'.repeat(201), '201', '200'),
  bad('recall of a bad name', ['POST', '/_memory/A/_recall'], [400, ILLEGAL, 'namespace name']),
  bad('list of a bad name', ['GET', '/_memory/A'], [400, ILLEGAL, 'namespace name']),
  bad('settings of a bad name', ['PUT', '/_memory/A', {}], [400, ILLEGAL, 'namespace name']),
  bad('drop of a bad name', ['DELETE', '/_memory/A'], [400, ILLEGAL, 'namespace name']),
  bad('drop of a pattern', ['DELETE', '/_memory/*'], [400, ILLEGAL, 'namespace name']),
  bad('forget in a bad name', ['DELETE', '/_memory/A/a'], [400, ILLEGAL, 'namespace name']),
];

const STORES = [
  bad('store without a body', ['POST', '/_memory/b'], [400, 'parse_exception', 'body']),
  bad(
    'store of broken JSON',
    ['POST', '/_memory/b', '{"text"'],
    [400, 'x_content_parse_exception'],
  ),
  bad('store of a list', ['POST', '/_memory/b', '[]'], [400, PARSING, 'object']),
  bad('store with a parameter', ['POST', '/_memory/b?dedup=true', { text: 'a' }], [400, ILLEGAL]),
  lacking('store of nothing', '', {}, '[text]', '[vector]'),
  lacking('store of null', '', { text: null }, '[text]'),
  lacking('store of blanks', '', { text: ' \n' }, '[text] is blank'),
  lacking('store of an id alone', '', { id: 'a', metadata: {} }, '[text]'),
  store('of a number', { text: 7 }, '[text]', 'string', '[7]'),
  store('of a list of texts', { text: ['a'] }, '[text]', 'string'),
  store('of half a character', '{"text":"a\\ud800"}', '[text]', 'Unicode'),
  text('with an unknown key', { txt: 'a' }, '[txt]', 'metadata'),
  text('with metadata in a list', { metadata: [1] }, '[metadata]', 'object'),
  text('with metadata as a text', { metadata: 'a' }, '[metadata]', 'object'),
  text('with a vector as a text', { vector: '1,2' }, '[vector]', 'numbers'),
  text('with an empty vector', { vector: [] }, '[vector]', '0 dimensions'),
  text('with a vector of 4097', { vector: Array(4097).fill(1) }, '4097', '4096'),
  text('with a text in the vector', { vector: [1, 'b'] }, 'number 2', '"b"'),
  text('with null in the vector', { vector: [null] }, 'number 1', 'null'),
  text('with a vector in a vector', { vector: [[1]] }, 'number 1'),
  text('with a zero vector', { vector: [0, 0] }, 'no direction'),
  text('with a vector too small for float32', { vector: [1e-300] }, 'no direction'),
  text('with a number beyond float32', { vector: [1, 1e39] }, 'float32', 'number 2'),
  text('under a number', { id: 7 }, '[id]', 'string'),
  text('under an empty id', { id: '' }, '[id]', 'empty'),
  text('under an id with NUL', { id: 'a\0b' }, '[id]', 'NUL'),
  text('under an id of 513 bytes', { id: HUGE }, '[id]', '513', '512'),
  text('under an id of half a character', { id: '\ud800' }, '[id]', 'Unicode'),
  text('under the name of an operation', { id: '_recall' }, '[id]', '_recall'),
  text('with dedup as a text', { dedup: 'true' }, '[dedup]', 'true or false'),
  text('with dedup as a number', { dedup: 1 }, '[dedup]', '[1]'),
  text('with a threshold above 1', { dedup_threshold: 1.01 }, '[dedup_threshold]', '1.01'),
  text('with a threshold below 0', { dedup_threshold: -0.1 }, '[dedup_threshold]', '-0.1'),
  text('with a threshold as a text', { dedup_threshold: '0.9' }, '[dedup_threshold]', 'number'),
  text('that supersedes nothing', { supersedes: [] }, '[supersedes]', 'empty'),
  text('that supersedes a number', { supersedes: [7] }, '[supersedes[0]]', '[7]'),
  text('that supersedes an object', { supersedes: {} }, '[supersedes]', 'list'),
  text('that supersedes NUL', { supersedes: ['\0'] }, '[supersedes[0]]', 'NUL'),
  text('that supersedes itself', { id: 'a', supersedes: ['b', 'a'] }, '[supersedes]', 'itself'),
  text(
    'that supersedes 101',
    { supersedes: Array.from({ length: 101 }, (_, i) => `m${i}`) },
    '101',
    '100',
  ),
  text('that expires some day', { expires_at: 'tomorrow' }, '[expires_at]', 'RFC 3339'),
  text('that expires at a fraction', { expires_at: 1.5 }, '[expires_at]', '1.5'),
  text('that expires in an odd zone', { expires_at: '2026-01-01T00:00:00+24:00' }, '[expires_at]'),
  text('that expires without a zone', { expires_at: '2026-01-01T00:00:00' }, '[expires_at]'),
  text('that expires on 30 February', { expires_at: '2026-02-30T00:00:00Z' }, '[expires_at]'),
  text('that expires beyond all dates', { expires_at: 9e15 }, '[expires_at]', 'beyond'),
  text('that expires', { expires_at: true }, '[expires_at]', 'true'),
  bad(
    'store that supersedes what is not there',
    ['POST', '/_memory/known', { text: 'a', supersedes: ['absent'] }],
    [404, 'resource_not_found_exception', '[absent]', '[known]'],
  ),
  bad(
    'store of another length of vectors',
    ['POST', '/_memory/known', { vector: [1, 2, 3] }],
    [400, ILLEGAL, '3 dimensions', 'vectors of 2'],
  ),
];

const RECALLS = [
  ...[
    { query: WORDS },
    { query: WORDS, hybrid: true },
    { query: WORDS, filter: { match_all: {} }, k: 1 },
  ].map((body) =>
    bad(
      `recall of 1,025 words: ${Object.keys(body)}`,
      ['POST', '/_memory/known/_recall', body],
      [400, 'too_many_nested_clauses', '[query]', 'max_clause_count', 'ask by [semantic]'],
    ),
  ),
  bad(
    'recall with a filter of 1,025 words',
    ['POST', '/_memory/known/_recall', { filter: { match: { text: WORDS } } }],
    [400, 'too_many_nested_clauses', '[filter] has more', 'ask for less'],
  ),
  bad(
    'store of a number beyond all',
    ['POST', '/_memory/b', '{"vector":[1,1e999]}'],
    [400, ILLEGAL, '[vector]', 'number 2 is [Infinity]'],
  ),
  bad('recall of a list', ['POST', '/_memory/known/_recall', '[]'], [400, PARSING, 'object']),
  bad('recall with a parameter', ['POST', '/_memory/known/_recall?k=1'], [400, ILLEGAL]),
  recall('with a context of another shape', { query: 'a', context: 1 }, '[context]'),
  recall('with an unknown part of the context', { query: 'a', context: { time: 1 } }, '[time]'),
  recall('with a weight above 1', { query: 'a', context: { session: 1.5 } }, '[context.session]'),
  recall('in context without words', { vector: [1], context: true }, '[context]', '[query]'),
  recall('in context by meaning', { query: 'a', semantic: true, context: {} }, '[context]'),
  recall('with an unknown key', { size: 5 }, '[size]', 'k'),
  recall('of a number', { query: 7 }, '[query]', 'string'),
  recall('with semantic as a text', { query: 'a', semantic: 'yes' }, '[semantic]'),
  lacking('recall by meaning of nothing', '/_recall', { semantic: true }, '[semantic]', '[query]'),
  lacking('recall by meaning of blanks', '/_recall', { semantic: true, query: ' ' }, '[query]'),
  lacking('recall both ways of nothing', '/_recall', { hybrid: true, vector: [1, 2] }, '[hybrid]'),
  recall('with k of 0', { k: 0 }, '[k]', '[0]'),
  recall('with k of -1', { k: -1 }, '[k]', '[-1]'),
  recall('with k of 1.5', { k: 1.5 }, '[k]', '[1.5]'),
  recall('with k as a text', { k: '5' }, '[k]', 'whole number'),
  recall('with k of 10001', { k: 10001 }, '[k]', '10000'),
  recall('by an empty vector', { vector: [] }, '[vector]', '0 dimensions'),
  recall('by a zero vector', { vector: [0, 0] }, 'no direction'),
  recall('by a vector of texts', { vector: ['a'] }, 'number 1'),
  recall('by a vector of another length', { vector: [1] }, '1 dimensions', 'vectors of 2'),
  recall('with a filter in a list', { filter: [] }, '[filter]', 'object'),
  bad(
    'recall with an unknown filter',
    ['POST', '/_memory/known/_recall', { filter: { tern: { a: 1 } } }],
    [400, PARSING, 'tern'],
  ),
  bad(
    'recall in an unknown namespace with an unknown filter',
    ['POST', '/_memory/nobody/_recall', { filter: { tern: { a: 1 } } }],
    [400, PARSING, 'tern'],
  ),
  recall('with recency above 1', { recency_weight: 1.5 }, '[recency_weight]', '1.5'),
  recall('with recency below 0', { recency_weight: -1 }, '[recency_weight]', '-1'),
  recall('with recency as a text', { recency_weight: '1' }, '[recency_weight]'),
  recall('with explain as a text', { explain: 'yes' }, '[explain]'),
  recall('with explain of an unknown key', { explain: { id: 'a' } }, '[id]', '[explain]'),
  lacking('recall with explain of nothing', '/_recall', { explain: {} }, '[explain.ids]'),
  recall('with explain of no ids', { explain: { ids: [] } }, '[explain.ids]', 'empty'),
  recall('collapsed by a number', { collapse: 7 }, '[collapse]'),
  recall('collapsed by the text', { collapse: 'text' }, '[collapse]', 'metadata.session'),
  recall('with texts of no length', { max_chars: 0 }, '[max_chars]'),
  recall('as of some day', { as_of: 'yesterday' }, '[as_of]', 'RFC 3339'),
  recall('as of a leap second too many', { as_of: '2026-01-01T00:00:61Z' }, '[as_of]'),
  recall('as it was known in an odd zone', { known_at: '2026-01-01T00:00:00+99:00' }, '[known_at]'),
  recall('with a graph that is a text', { graph: 'blend' }, '[graph]', 'object'),
  lacking('recall with a graph without a mode', '/_recall', { graph: {} }, '[graph.mode]'),
  lacking(
    'recall restricted to nothing',
    '/_recall',
    { graph: { mode: 'restrict' } },
    '[graph.seeds]',
  ),
  graph('of another mode', { mode: 'mix' }, '[graph.mode]', 'mix'),
  graph('with an unknown key', { depth: 1 }, '[depth]', '[graph]'),
  graph('of 0 hops', { hops: 0 }, '[graph.hops]'),
  graph('of -1 hops', { hops: -1 }, '[graph.hops]'),
  graph('of 1.5 hops', { hops: 1.5 }, '[graph.hops]', '1.5'),
  graph('of hops in words', { hops: 'two' }, '[graph.hops]'),
  graph('from no seeds', { seeds: [] }, '[graph.seeds]', 'empty'),
  graph('from a number', { seeds: [1] }, '[graph.seeds[0]]'),
  graph('from NUL', { seeds: ['a\0'] }, '[graph.seeds[0]]', 'NUL'),
  graph('over no types', { types: [] }, '[graph.types]', 'empty'),
  graph('over a type that is a number', { types: [1] }, '[graph.types[0]]'),
  graph('of weight 2', { weight: 2 }, '[graph.weight]', '[2]'),
  graph('as of some day', { as_of: 'noon' }, '[graph.as_of]'),
];

const SETTINGS = [
  bad('settings without a body', ['PUT', '/_memory/b'], [400, 'parse_exception', 'body']),
  put('with an unknown key', { analyser: 'english' }, '[analyser]', 'analyzer'),
  put('with dims of 0', { dims: 0 }, '[dims]', '4096'),
  put('with dims of 4097', { dims: 4097 }, '[dims]', '4096'),
  put('with dims as a text', { dims: '5' }, '[dims]'),
  bad(
    'settings with a model and a service without an address',
    ['PUT', '/_memory/b', { inference_id: 'a', inference_endpoint: {} }],
    [400, 'mapper_parsing_exception', 'inference_endpoint'],
  ),
  put('with links of sessions as a text', { link_sessions: 'no' }, '[link_sessions]'),
  put('with detection as a number', { detect: 1 }, '[detect]'),
  bad(
    'settings with an unknown analyzer',
    ['PUT', '/_memory/b', { analyzer: 'klingon' }],
    [400, 'mapper_parsing_exception', 'klingon'],
  ),
  bad(
    'settings that come too late',
    ['PUT', '/_memory/known', { analyzer: 'standard' }],
    [400, ILLEGAL, '[analyzer]', '[known]'],
  ),
  bad('a wrong method on a namespace', ['PATCH', '/_memory/known'], [405, ILLEGAL, 'PATCH']),
  bad('a wrong method on a memory', ['PUT', '/_memory/known/a'], [405, ILLEGAL, 'PUT']),
];

export const MEMORY_CASES = [...NAMES, ...STORES, ...RECALLS, ...SETTINGS];
