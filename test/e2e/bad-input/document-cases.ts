// Invalid writes and reads of documents: bodies, ids, versions, bulk lines.
import { type BadCase, bad, NDJSON } from './bad-case.ts';

const put = (label: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(label, ['PUT', '/books/_doc/bad', body], [400, type, ...words]);

const DOC = 'document_parsing_exception';
const VALIDATION = 'action_request_validation_exception';
const ILLEGAL = 'illegal_argument_exception';

const lines = (...rows: unknown[]): string =>
  rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');

const bulkCase = (label: string, body: string, type: string, ...words: string[]): BadCase =>
  bad(label, ['POST', '/_bulk', body, NDJSON], [400, type, ...words]);

export const DOCUMENT_CASES = [
  bad('document without a body', ['PUT', '/books/_doc/bad'], [400, 'parse_exception', 'body']),
  put('document that is no object', '[1,2]', DOC),
  put('document that is a string', '"x"', DOC),
  put('broken JSON', '{"title": "x"', DOC),
  put('garbage behind the document', '{"title":"x"} trailing', DOC),
  put('duplicate key', '{"title":"a","title":"b"}', DOC, 'title'),
  put('control character in a string', '{"title":"a\u0001b"}', DOC),
  put('word into an integer', { year: 'soon' }, DOC, 'year', 'integer', 'soon'),
  put('integer beyond its range', { year: 3000000000 }, DOC, 'year', 'integer'),
  put('object into an integer', { year: { a: 1 } }, DOC, 'year'),
  put('object into a keyword', { author: { a: 1 } }, DOC, 'author'),
  put('scalar into an object', { place: 'here' }, DOC, 'place', 'object'),
  put('word into a boolean', { lent: 'maybe' }, DOC, 'lent', 'boolean', 'maybe'),
  put('number into a boolean', { lent: 3 }, DOC, 'lent', 'boolean'),
  put('word into a date', { bought: 'yesterday' }, DOC, 'bought', 'date', 'yesterday'),
  put('impossible date', { bought: '2024-13-45' }, DOC, 'bought', 'date'),
  put('word into an ip', { host: '300.1.1.1' }, DOC, 'host', 'ip', '300.1.1.1'),
  put(
    'unknown field in a strict object',
    { strict: { unknown: 1 } },
    'strict_dynamic_mapping_exception',
    'unknown',
  ),
  put('number beyond double', '{"price": 1e999}', DOC, 'price'),
  put('NaN', '{"price": NaN}', DOC),
  put(
    'objects nested too deep',
    `${'{"a":'.repeat(120)}1${'}'.repeat(120)}`,
    ILLEGAL,
    'depth [20]',
  ),
  put('lists nested too deep', `{"a":${'['.repeat(120)}1${']'.repeat(120)}}`, DOC, 'depth'),
  put('empty field name', { '': 1 }, DOC),
  put('immense keyword', { author: 'x'.repeat(40000) }, ILLEGAL, 'author'),
  bad(
    'invalid UTF-8',
    [
      'PUT',
      '/books/_doc/bad',
      new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
    ],
    [400, DOC],
  ),
  bad(
    'id too long',
    ['PUT', `/books/_doc/${'i'.repeat(513)}`, { title: 'x' }],
    [400, VALIDATION, '512'],
  ),
  bad(
    'write to a bad index name',
    ['PUT', '/Upper/_doc/1', { a: 1 }],
    [400, 'invalid_index_name_exception', 'Upper'],
  ),
  bad(
    'write to a wildcard',
    ['PUT', '/b*/_doc/1', { a: 1 }],
    [400, 'invalid_index_name_exception', 'b*'],
  ),
  bad(
    'require_alias without alias',
    ['PUT', '/books/_doc/bad?require_alias=true', { title: 'x' }],
    [404, 'index_not_found_exception', 'books', 'alias'],
  ),
  bad(
    'create on an existing id',
    ['PUT', '/books/_create/1', { title: 'x' }],
    [409, 'version_conflict_engine_exception', '[1]'],
  ),
  bad(
    'op_type create on an existing id',
    ['PUT', '/books/_doc/1?op_type=create', { title: 'x' }],
    [409, 'version_conflict_engine_exception', '[1]'],
  ),
  bad(
    'unknown op_type',
    ['PUT', '/books/_doc/bad?op_type=paint', { title: 'x' }],
    [400, ILLEGAL, 'op_type', 'paint'],
  ),
  bad(
    'old sequence number',
    ['PUT', '/books/_doc/1?if_seq_no=999&if_primary_term=1', { title: 'x' }],
    [409, 'version_conflict_engine_exception', '999'],
  ),
  bad(
    'sequence number alone',
    ['PUT', '/books/_doc/1?if_seq_no=0', { title: 'x' }],
    [400, VALIDATION, 'if_seq_no'],
  ),
  bad(
    'negative sequence number',
    ['PUT', '/books/_doc/1?if_seq_no=-2&if_primary_term=1', { title: 'x' }],
    [400, ILLEGAL, '-2'],
  ),
  bad(
    'internal version',
    ['PUT', '/books/_doc/1?version=1', { title: 'x' }],
    [400, VALIDATION, 'internal'],
  ),
  bad(
    'external version too low',
    ['PUT', '/books/_doc/1?version=1&version_type=external', { title: 'x' }],
    [409, 'version_conflict_engine_exception', '[1]'],
  ),
  bad(
    'version as a word',
    ['PUT', '/books/_doc/1?version=new&version_type=external', { title: 'x' }],
    [400, ILLEGAL, 'version', 'new'],
  ),
  bad(
    'unknown version type',
    ['PUT', '/books/_doc/1?version=3&version_type=lunar', { title: 'x' }],
    [400, ILLEGAL, 'version_type', 'lunar'],
  ),
  bad(
    'bad refresh',
    ['PUT', '/books/_doc/bad?refresh=later', { title: 'x' }],
    [400, ILLEGAL, 'refresh', 'later'],
  ),
  bad(
    'unknown parameter',
    ['PUT', '/books/_doc/bad?colour=red', { title: 'x' }],
    [400, ILLEGAL, 'colour'],
  ),
  bad(
    'pipeline',
    ['PUT', '/books/_doc/bad?pipeline=p', { title: 'x' }],
    [400, ILLEGAL, 'pipeline'],
  ),
  bad(
    'bad timeout',
    ['PUT', '/books/_doc/bad?timeout=long', { title: 'x' }],
    [400, ILLEGAL, 'timeout', 'long'],
  ),
  bad(
    'get from an unknown index',
    ['GET', '/nobody/_doc/1'],
    [404, 'index_not_found_exception', 'nobody'],
  ),
  bad(
    'get with a bad realtime',
    ['GET', '/books/_doc/1?realtime=perhaps'],
    [400, ILLEGAL, 'perhaps'],
  ),
  bad(
    'stored field that is an object',
    ['GET', '/books/_doc/1?stored_fields=place'],
    [400, ILLEGAL, 'place', 'leaf'],
  ),
  bad(
    'source of an absent document',
    ['GET', '/books/_source/absent'],
    [404, 'resource_not_found_exception', 'absent'],
  ),
  bad(
    'update of an absent document',
    ['POST', '/books/_update/absent', { doc: { a: 1 } }],
    [404, 'document_missing_exception', 'absent'],
  ),
  bad('update without a body', ['POST', '/books/_update/1'], [400, 'parse_exception', 'body']),
  bad('update with nothing to do', ['POST', '/books/_update/1', {}], [400, VALIDATION, 'doc']),
  bad(
    'update with an unknown key',
    ['POST', '/books/_update/1', { document: {} }],
    [400, 'x_content_parse_exception', 'document'],
  ),
  bad(
    'update with a script',
    ['POST', '/books/_update/1', { script: 'x' }],
    [400, ILLEGAL, 'script'],
  ),
  bad(
    'update with a doc that is no object',
    ['POST', '/books/_update/1', { doc: 3 }],
    [400, 'x_content_parse_exception', 'doc'],
  ),
  bad(
    'update into a wrong type',
    ['POST', '/books/_update/1', { doc: { year: 'soon' } }],
    [400, DOC, 'year'],
  ),
  bad(
    'update retries of -1',
    ['POST', '/books/_update/1?retry_on_conflict=-1', { doc: {} }],
    [400, ILLEGAL, 'retry_on_conflict'],
  ),
  bad('mget without a body', ['POST', '/books/_mget'], [400, 'parse_exception', 'body']),
  bad('mget of nothing', ['POST', '/books/_mget', { ids: [] }], [400, VALIDATION, 'no documents']),
  bad(
    'mget without index',
    ['POST', '/_mget', { docs: [{ _id: '1' }] }],
    [400, VALIDATION, 'index is missing'],
  ),
  bad(
    'mget without id',
    ['POST', '/books/_mget', { docs: [{}] }],
    [400, VALIDATION, 'id is missing'],
  ),
  bad(
    'mget with an unknown key',
    ['POST', '/books/_mget', { doks: [] }],
    [400, 'parsing_exception', 'doks'],
  ),
  bad(
    'bulk without a body',
    ['POST', '/_bulk', undefined, NDJSON],
    [400, 'parse_exception', 'body'],
  ),
  bulkCase(
    'bulk without the last newline',
    '{"index":{"_index":"books"}}\n{"a":1}',
    ILLEGAL,
    'newline',
  ),
  bulkCase(
    'bulk with an unknown action',
    lines({ paint: { _index: 'books' } }, { a: 1 }),
    ILLEGAL,
    'paint',
  ),
  bulkCase(
    'bulk with a broken action',
    lines('{"index":', { a: 1 }),
    'x_content_parse_exception',
    '[1]',
  ),
  bulkCase('bulk action that is no object', lines('[]', { a: 1 }), ILLEGAL, '[1]'),
  bulkCase(
    'bulk metadata with an unknown key',
    lines({ index: { _index: 'books', colour: 1 } }, { a: 1 }),
    ILLEGAL,
    'colour',
  ),
  bulkCase(
    'bulk with _type',
    lines({ index: { _index: 'books', _type: 'x' } }, { a: 1 }),
    ILLEGAL,
    '_type',
  ),
  bulkCase('bulk without a source', lines({ index: { _index: 'books' } }), ILLEGAL),
  bulkCase('bulk without an index', lines({ index: {} }, { a: 1 }), VALIDATION, 'index is missing'),
  bad(
    'bulk with a bad refresh',
    ['POST', '/_bulk?refresh=soon', lines({ delete: { _index: 'books', _id: 'x' } }), NDJSON],
    [400, ILLEGAL, 'soon'],
  ),
  bad(
    'bulk with a pipeline',
    ['POST', '/_bulk?pipeline=p', lines({ delete: { _index: 'books', _id: 'x' } }), NDJSON],
    [400, ILLEGAL, 'pipeline'],
  ),
  bad(
    'bulk in a wrong media type',
    ['POST', '/_bulk', 'x\n', { 'content-type': 'text/csv' }],
    [415, 'media_type_header_exception', 'text/csv'],
  ),
];
