// Invalid requests that look after memories: reading one, changing it.
import { type BadCase, bad } from './bad-case.ts';

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

export const MEMORY_MANAGE_CASES: readonly BadCase[] = [...GETS, ...EDITS];
