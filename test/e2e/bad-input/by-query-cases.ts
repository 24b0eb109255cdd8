// Invalid operations over many documents, update scripts, terms lookups and tasks.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const PARSING = 'parsing_exception';
const INVALID = 'action_request_validation_exception';
const CONTENT = 'x_content_parse_exception';
const search = (name: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(name, ['POST', '/_search', body], [400, type, ...words]);
const removal = (name: string, query: string, body: unknown, type: string, ...words: string[]) =>
  bad(name, ['POST', `/books/_delete_by_query${query}`, body], [400, type, ...words]);
const scripted = (name: string, script: unknown, ...words: string[]): BadCase =>
  bad(name, ['POST', '/books/_update_by_query', { script }], [400, ILLEGAL, ...words]);
const reindex = (name: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(name, ['POST', '/_reindex', body], [400, type, ...words]);
const updated = (name: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(name, ['POST', '/books/_update/1', body], [400, type, ...words]);

const ALL = { query: { match_none: {} } };
const FROM = { index: 'books' };
const TO = { index: 'copies' };

export const BY_QUERY_CASES: readonly BadCase[] = [
  removal('deleting without a query', '', {}, INVALID, 'query is missing'),
  removal(
    'deleting with an unknown key',
    '',
    { ...ALL, script: 'x' },
    PARSING,
    '[_delete_by_query] unknown field [script]',
  ),
  removal(
    'deleting with odd conflicts',
    '?conflicts=ignore',
    ALL,
    ILLEGAL,
    'conflicts may only be "proceed" or "abort" but was [ignore]',
  ),
  removal(
    'deleting at pace 0',
    '?requests_per_second=0',
    ALL,
    ILLEGAL,
    '[requests_per_second] must be a float greater than 0',
  ),
  removal(
    'deleting in 0 slices',
    '?slices=0',
    ALL,
    ILLEGAL,
    '[slices] must be a positive integer or the string "auto", but was [0]',
  ),
  removal(
    'deleting in odd slices',
    '?slices=some',
    ALL,
    ILLEGAL,
    '[slices] must be a positive integer or the string "auto"',
  ),
  removal('deleting at most 0', '?max_docs=0', ALL, ILLEGAL, '[max_docs] should be >= [slices]'),
  removal(
    'deleting at most -1',
    '?max_docs=-1',
    ALL,
    ILLEGAL,
    '[max_docs] parameter cannot be negative, found [-1]',
  ),
  removal(
    'deleting with two limits',
    '?max_docs=2',
    { ...ALL, max_docs: 3 },
    ILLEGAL,
    '[max_docs] set to two different values [3] and [2]',
  ),
  removal(
    'deleting with a size in the URL',
    '?size=2',
    ALL,
    ILLEGAL,
    'invalid parameter [size], use [max_docs] instead',
  ),
  removal(
    'deleting from the second on',
    '',
    { ...ALL, from: 1 },
    INVALID,
    '2: from is not supported in this context',
  ),
  removal('deleting collapsed', '', { ...ALL, collapse: { field: 'n' } }, INVALID, '`collapse`'),
  removal(
    'deleting with stored fields',
    '',
    { ...ALL, stored_fields: ['n'] },
    INVALID,
    'stored_fields is not supported in this context',
  ),
  removal(
    'deleting with an end of its own',
    '',
    { ...ALL, terminate_after: 1 },
    ILLEGAL,
    '[terminate_after] is not supported here, use [max_docs]',
  ),
  removal(
    'deleting fewer than slices',
    '?max_docs=2&slices=3',
    ALL,
    ILLEGAL,
    '[max_docs] should be >= [slices]',
  ),
  removal(
    'deleting in empty batches',
    '?scroll_size=0',
    ALL,
    INVALID,
    '[size] cannot be [0] in a scroll context',
  ),
  removal(
    'deleting in batches too large',
    '?scroll_size=10001',
    ALL,
    ILLEGAL,
    'Batch size is too large',
  ),
  removal(
    'deleting by an unknown clause',
    '',
    { query: { nonsense: {} } },
    PARSING,
    'unknown query [nonsense]',
  ),
  removal(
    'deleting a slice of slices',
    '?slices=2',
    { ...ALL, slice: { id: 0, max: 2 } },
    INVALID,
    'both manual and automatic slicing',
  ),
  bad(
    'updating through a pipeline',
    ['POST', '/books/_update_by_query?pipeline=p', {}],
    [400, ILLEGAL, 'pipeline with id [p] does not exist'],
  ),
  scripted('a script with a function', 'int f() { }', 'expected [;], found [(]'),
  scripted(
    'a script in another language',
    { source: '1', lang: 'js' },
    'script_lang not supported [js]',
  ),
  scripted('an update by a stored script', { id: 'x' }, 'stored scripts are not supported'),
  reindex('reindex from nowhere', { dest: TO }, INVALID, 'use _all if you really want'),
  reindex(
    'reindex without a source',
    { source: { ...FROM, _source: false }, dest: TO },
    INVALID,
    '_source:false is not supported in this context',
  ),
  bad(
    'reindex to what should be an alias',
    ['POST', '/_reindex?require_alias=true', { source: FROM, dest: TO }],
    [404, 'index_not_found_exception', 'request flag is [true] and [copies] is not an alias'],
  ),
  bad(
    'reindex through a pipeline of the URL',
    ['POST', '/_reindex?pipeline=p', { source: FROM, dest: TO }],
    [400, ILLEGAL, "_reindex doesn't support [pipeline] as a query parameter"],
  ),
  reindex('reindex to nowhere', { source: FROM, dest: {} }, INVALID, 'index must be specified'),
  reindex('reindex of no index', { source: {}, dest: TO }, INVALID, 'use _all if you really want'),
  ...(
    [
      ['without a host', {}, '[host] must be specified'],
      ['with a host that has no port', { host: 'http://x' }, '[scheme]://[host]:[port]'],
      ['with a user in its host', { host: 'http://a:b@x:9200' }, '[scheme]://[host]:[port]'],
      ['with a query in its host', { host: 'http://x:9200/?a' }, '[scheme]://[host]:[port]'],
      ['of another protocol', { host: 'file://x:9200' }, '[scheme]://[host]:[port]'],
      ['with an unknown member', { host: 'http://x:9200', a: 1 }, 'Unsupported fields in [remote]'],
      [
        'of no listed host',
        { host: 'http://x:9200' },
        '[x:9200] not whitelisted in reindex.remote',
      ],
      ['of this server', { host: 'http://127.0.0.1:9200' }, 'which is empty and allows none'],
      [
        'with headers of the connection',
        { host: 'http://x:9200', headers: { Host: 'y' } },
        '[Host]',
      ],
      ['with a header of two lines', { host: 'http://x:9200', headers: { a: 'b\r\nc: d' } }, '[a]'],
      ['with headers in a list', { host: 'http://x:9200', headers: [] }, '[headers]'],
      ['with a password alone', { host: 'http://x:9200', password: 'p' }, 'without [username]'],
      ['with a number as user', { host: 'http://x:9200', username: 1 }, '[username]'],
      [
        'with two passwords',
        { host: 'http://x:9200', username: 'u', password: 'p', password_env: 'P' },
        '[password] or [password_env]',
      ],
      [
        'with a user and a key',
        { host: 'http://x:9200', username: 'u', api_key_env: 'K' },
        '[username] or [api_key_env]',
      ],
      ['with a bare timeout', { host: 'http://x:9200', socket_timeout: 5 }, '[socket_timeout]'],
      ['with a timeout of days', { host: 'http://x:9200', connect_timeout: '3d' }, '[1ms] to [1h]'],
    ] as const
  ).map(([name, remote, words]) =>
    reindex(
      `copying from a remote ${name}`,
      { source: { ...FROM, remote }, dest: TO },
      ILLEGAL,
      words,
    ),
  ),
  reindex(
    'copying from a remote that is no object',
    { source: { ...FROM, remote: 'http://x:9200' }, dest: TO },
    ILLEGAL,
    '[remote] must be an object',
  ),
  reindex(
    'copying what a remote does not understand',
    { source: { ...FROM, remote: { host: 'http://x:9200' }, min_score: 1 }, dest: TO },
    ILLEGAL,
    '[min_score] is not supported with [remote]',
  ),
  reindex(
    'copying from a path of a remote',
    { source: { index: '..', remote: { host: 'http://x:9200' } }, dest: TO },
    INVALID,
    'must name indexes of the remote',
  ),
  reindex(
    'reindex onto itself',
    { source: FROM, dest: FROM },
    INVALID,
    'reindex cannot write into an index its reading from [books]',
  ),
  reindex(
    'reindex with an unknown key',
    { source: FROM, dest: TO, speed: 1 },
    CONTENT,
    '[reindex] unknown field [speed]',
  ),
  reindex(
    'reindex with an unknown key of the target',
    { source: FROM, dest: { ...TO, x: 1 } },
    CONTENT,
    '[dest] unknown field [x]',
  ),
  reindex(
    'reindex through a pipeline',
    { source: FROM, dest: { ...TO, pipeline: 'p' } },
    ILLEGAL,
    'pipeline with id [p] does not exist',
  ),
  reindex(
    'reindex as an odd operation',
    { source: FROM, dest: { ...TO, op_type: 'update' } },
    ILLEGAL,
    "opType must be 'create' or 'index'",
  ),
  reindex(
    'reindex with odd versions',
    { source: FROM, dest: { ...TO, version_type: 'x' } },
    ILLEGAL,
    'No version type match [x]',
  ),
  reindex(
    'reindex with an odd routing',
    { source: FROM, dest: { ...TO, routing: 'x' } },
    INVALID,
    'routing must be unset, [keep], [discard]',
  ),
  bad(
    'reindex of an unknown index',
    ['POST', '/_reindex', { source: { index: 'nobody' }, dest: TO }],
    [404, 'index_not_found_exception', 'no such index [nobody]'],
  ),
  updated(
    'a script beside a document',
    { script: 'ctx._source.a = 1', doc: {} },
    INVALID,
    "can't provide both script and doc",
  ),
  updated(
    'a script that fails',
    { script: 'ctx._source.title.x = 1' },
    ILLEGAL,
    'script cannot access [x] of a value of type [string]',
  ),
  updated(
    'a script with a declaration',
    { script: { source: 'def x = 1; def x = 2' } },
    ILLEGAL,
    'variable [x] is already defined',
  ),
  bad(
    'a script on no document',
    ['POST', '/books/_update/none', { script: 'ctx._source.a = 1' }],
    [404, 'document_missing_exception', '[none]: document missing'],
  ),
  search(
    'a terms lookup without a path',
    { query: { terms: { author: { index: 'books', id: '1' } } } },
    'illegal_argument_exception',
    'requires specifying the index, id and path',
  ),
  search(
    'a terms lookup with an unknown key',
    { query: { terms: { author: { index: 'books', id: '1', path: 'x', size: 1 } } } },
    PARSING,
    '[terms] query does not support [size]',
  ),
  bad(
    'a terms lookup in an unknown index',
    ['POST', '/_search', { query: { terms: { author: { index: 'nobody', id: '1', path: 'x' } } } }],
    [404, 'index_not_found_exception', 'no such index [nobody]'],
  ),
  bad('a task with a broken id', ['GET', '/_tasks/abc'], [400, ILLEGAL, 'malformed task id abc']),
  bad(
    'a task of another node',
    ['GET', '/_tasks/other:1'],
    [404, 'resource_not_found_exception', "isn't part of the cluster"],
  ),
  bad(
    'tasks in odd groups',
    ['GET', '/_tasks?group_by=size'],
    [400, ILLEGAL, 'Unknown value for group_by: [size]'],
  ),
  bad(
    'a pace for no task',
    ['POST', '/_reindex/other:1/_rethrottle?requests_per_second=5'],
    [404, 'resource_not_found_exception', 'other'],
  ),
  bad(
    'no pace',
    ['POST', '/_reindex/other:1/_rethrottle'],
    [400, ILLEGAL, 'requests_per_second is a required parameter'],
  ),
];
