// Invalid requests that look after memories: reading, changing, forgetting, lists, many at once.
import { type BadCase, bad, NDJSON } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const MISSING = 'action_request_validation_exception';
const PARSING = 'parsing_exception';

const edit = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`edit ${label}`, ['PATCH', '/_memory/known/a', body], [400, ILLEGAL, ...words]);

const GETS = [
  bad('get in a bad name', ['GET', '/_memory/A/a'], [400, ILLEGAL, 'namespace name']),
  bad('get of an operation', ['GET', '/_memory/known/_import'], [405, ILLEGAL, 'allowed: [POST]']),
  bad('get of an id with _', ['GET', '/_memory/known/_x'], [400, ILLEGAL, '[id]', '_x']),
  bad('get of NUL', ['GET', '/_memory/known/a%00'], [400, ILLEGAL, '[id]', 'NUL']),
  bad('get with a parameter', ['GET', '/_memory/known/a?links=1'], [400, ILLEGAL, '[links]']),
];

const EDITS = [
  bad('edit in a bad name', ['PATCH', '/_memory/A/a', { text: 'b' }], [400, ILLEGAL, 'name']),
  bad(
    'edit of an operation',
    ['PATCH', '/_memory/known/_x', { text: 'b' }],
    [400, ILLEGAL, '[id]'],
  ),
  bad('edit without a body', ['PATCH', '/_memory/known/a'], [400, 'parse_exception', 'body']),
  bad(
    'edit of broken JSON',
    ['PATCH', '/_memory/known/a', '{'],
    [400, 'x_content_parse_exception'],
  ),
  bad('edit of a list', ['PATCH', '/_memory/known/a', '[]'], [400, PARSING, 'object']),
  bad('edit of nothing', ['PATCH', '/_memory/known/a', {}], [400, MISSING, 'metadata']),
  bad('edit with a parameter', ['PATCH', '/_memory/known/a?x=1', { text: 'b' }], [400, ILLEGAL]),
  edit('with an unknown key', { txt: 'b' }, '[txt]', 'metadata'),
  edit('with dedup, which a store has', { text: 'b', dedup: true }, '[dedup]'),
  edit('to null', { text: null }, '[text]', 'forget'),
  edit('to blanks', { text: ' ' }, '[text]', 'blank'),
  edit('to a number', { text: 7 }, '[text]', 'string'),
  edit('to half a character', '{"text":"\\ud800"}', '[text]', 'Unicode'),
  edit('with metadata in a list', { metadata: [] }, '[metadata]', 'object'),
  edit(
    'with metadata of 10,001 members',
    { metadata: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`k${i}`, 1])) },
    '[metadata]',
    '10000',
  ),
  edit('with a vector of texts', { vector: ['a'] }, '[vector]', 'number 1'),
  edit('with a vector of another length', { vector: [1, 2, 3] }, '3 dimensions', 'vectors of 2'),
  edit('of the text alone, where a vector is', { text: 'b' }, '[text]', '[vector]', 'null'),
  edit('that expires some day', { expires_at: 'tomorrow' }, '[expires_at]', 'RFC 3339'),
  edit('that expires', { expires_at: false }, '[expires_at]', 'false'),
];

const forget = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`forget ${label}`, ['POST', '/_memory/known/_forget', body], [400, ILLEGAL, ...words]);
const ALL = { match_all: {} };

const FORGETS = [
  bad('forget all in a bad name', ['POST', '/_memory/A/_forget', { filter: ALL }], [400, ILLEGAL]),
  bad(
    'forget without a body',
    ['POST', '/_memory/known/_forget'],
    [400, 'parse_exception', 'body'],
  ),
  bad(
    'forget without a filter',
    ['POST', '/_memory/known/_forget', {}],
    [400, MISSING, '[filter]'],
  ),
  bad(
    'forget with a filter as a parameter',
    ['POST', '/_memory/known/_forget?filter=x', { filter: ALL }],
    [400, ILLEGAL, '[filter]'],
  ),
  forget('with an empty filter', { filter: {} }, '[filter]', 'empty', 'DELETE'),
  forget('with an empty bool', { filter: { bool: {} } }, '[filter]', 'empty'),
  forget('with empty clauses', { filter: { bool: { must: [], filter: [{}] } } }, 'empty'),
  forget('with a filter in a list', { filter: [] }, '[filter]', 'object'),
  forget('with a misspelt dry run', { filter: ALL, dryrun: true }, '[dryrun]', 'dry_run'),
  forget('with a dry run as a text', { filter: ALL, dry_run: 'yes' }, '[dry_run]'),
  forget('of 0', { filter: ALL, limit: 0 }, '[limit]', '10000'),
  forget('of 10,001', { filter: ALL, limit: 10_001 }, '[limit]', '10001'),
  bad(
    'forget with an unknown filter',
    ['POST', '/_memory/known/_forget', { filter: { tern: { a: 1 } } }],
    [400, PARSING, 'tern'],
  ),
  bad('drop with a parameter', ['DELETE', '/_memory/known?filter=x'], [400, ILLEGAL, '[filter]']),
  bad('drop dry', ['DELETE', '/_memory/known?dry_run=true'], [400, ILLEGAL, '[dry_run]']),
];

const list = (label: string, query: string, ...words: string[]): BadCase =>
  bad(`list ${label}`, ['GET', `/_memory/known?${query}`], [400, ILLEGAL, ...words]);
const otherSort = Buffer.from('["id:asc","a"]').toString('base64url');

const LISTS = [
  list('of size 0', 'size=0', '[size]', '1000'),
  list('of size 1001', 'size=1001', '[size]', '[1001]'),
  list('of a size in words', 'size=ten', '[size]', 'ten'),
  list('sorted by the text', 'sort=text', '[sort]', 'metadata.NAME'),
  list('sorted in another order', 'sort=id:up', '[sort]', 'id:up'),
  list('after anything', 'after=x', '[after]', '[next]'),
  list('after a page of another sort', `after=${otherSort}`, '[after]', '[sort]'),
  list('with a filter that is no JSON', 'filter=x', '[filter]', 'JSON'),
  list('with a filter in a list', 'filter=[]', '[filter]', 'object'),
  list('with an unknown parameter', 'limit=1', '[limit]'),
  bad('namespaces of size 0', ['GET', '/_memory?size=0'], [400, ILLEGAL, '[size]']),
  bad('namespaces with a filter', ['GET', '/_memory?filter=x'], [400, ILLEGAL, '[filter]']),
];

const many = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`recall of many ${label}`, ['POST', '/_memory/_recall', body], [400, ILLEGAL, ...words]);

const RECALLS = [
  bad(
    'recall of many of no names',
    ['POST', '/_memory/_recall', {}],
    [400, MISSING, '[namespaces]'],
  ),
  many('in an empty list', { namespaces: [] }, '[namespaces]', 'list'),
  many('named by a number', { namespaces: [1] }, '[namespaces[0]]', 'string'),
  many('of a bad name', { namespaces: ['A'] }, 'namespace name'),
  many('with an unknown key', { namespaces: '*', size: 1 }, '[size]'),
  many(
    'with a reranker',
    { namespaces: '*', query: 'a', rerank: { inference_id: 'x' } },
    '[rerank]',
  ),
  many('with k of 0', { namespaces: '*', k: 0 }, '[k]'),
  many(
    'of 101 names',
    { namespaces: Array.from({ length: 101 }, (_, i) => `n${i}`) },
    '[namespaces]',
    '100',
  ),
  many('that explains ids', { namespaces: '*', explain: { ids: ['a'] } }, '[explain.ids]'),
  many(
    'from seeds',
    { namespaces: '*', graph: { mode: 'restrict', seeds: ['a'] } },
    '[graph.seeds]',
    'one namespace',
  ),
];

const bulk = (label: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(`bulk ${label}`, ['POST', '/_memory/b/_bulk', body, NDJSON], [400, type, ...words]);

const BULKS = [
  bad('bulk in a bad name', ['POST', '/_memory/A/_bulk', '{}\n', NDJSON], [400, ILLEGAL, 'name']),
  bulk('of no lines', '\n\n', 'parse_exception', 'no memory'),
  bulk('of an empty list', '[]', 'parse_exception', 'no memory'),
  bulk('of broken JSON', '{"text":"a"}\n{"text"\n', 'x_content_parse_exception', 'line 2'),
  bulk('of a broken list', '[{"text":"a"},', 'x_content_parse_exception'),
  bad('bulk without a body', ['POST', '/_memory/b/_bulk'], [400, 'parse_exception', 'body']),
  bad(
    'bulk with a parameter',
    ['POST', '/_memory/b/_bulk?refresh=true', '{"text":"a"}\n', NDJSON],
    [400, ILLEGAL, '[refresh]'],
  ),
];

const changes = (label: string, query: string, ...words: string[]): BadCase =>
  bad(`changes ${label}`, ['GET', `/_memory/known/_changes?${query}`], [400, ILLEGAL, ...words]);

const audit = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`audit ${label}`, ['POST', '/_memory/known/_audit', body], [400, ILLEGAL, ...words]);

const put = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`settings ${label}`, ['PUT', '/_memory/b', body], [400, ILLEGAL, ...words]);

const QUOTAS = [
  put('with a quota as a number', { quota: 5 }, '[quota]', 'object'),
  put('with an unknown quota', { quota: { recalls: 5 } }, '[recalls]', 'stores_per_minute'),
  put('with a quota of 0', { quota: { memories: 0 } }, '[quota.memories]', '[0]'),
  put('with a quota of 1.5', { quota: { bytes: 1.5 } }, '[quota.bytes]'),
  put(
    'with a quota in words',
    { quota: { stores_per_minute: 'ten' } },
    '[quota.stores_per_minute]',
  ),
  put('with a retention of 0', { retention_ms: 0 }, '[retention_ms]'),
  put('with a retention in days', { retention_ms: '30d' }, '[retention_ms]', '30d'),
];

const AUDITS = [
  bad('audit of a bad name', ['POST', '/_memory/A/_audit'], [400, ILLEGAL, 'namespace name']),
  bad('audit of a list', ['POST', '/_memory/known/_audit', '[]'], [400, PARSING, 'object']),
  audit('with an unknown key', { sample: 1 }, '[sample]', 'examples'),
  audit('of no examples', { examples: 0 }, '[examples]', '50'),
  audit('of 51 examples', { examples: 51 }, '[examples]', '[51]'),
  audit('of ends in the past', { expires_within_ms: -1 }, '[expires_within_ms]'),
];

const CHANGES = [
  bad('changes of a bad name', ['GET', '/_memory/A/_changes'], [400, ILLEGAL, 'namespace name']),
  changes('since a time', 'since=2026-01-01T00:00:00Z', '[since]', '[next]'),
  changes('since nothing', 'since=', '[since]'),
  changes('of size 0', 'size=0', '[size]', '1000'),
  changes('of size 1001', 'size=1001', '[size]'),
  changes('with a filter', 'filter=x', '[filter]'),
];

export const MEMORY_MANAGE_CASES: readonly BadCase[] = [
  ...GETS,
  ...QUOTAS,
  ...AUDITS,
  ...CHANGES,
  ...EDITS,
  ...FORGETS,
  ...LISTS,
  ...RECALLS,
  ...BULKS,
];
