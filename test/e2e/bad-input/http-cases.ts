// Errors of HTTP itself: routes, methods, media types, encodings, sizes.
import { bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const MEDIA = 'media_type_header_exception';
const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

export const HTTP_CASES = [
  bad('unknown route', ['GET', '/books/_colour'], [404, ILLEGAL, '/books/_colour']),
  bad('unknown route below a document', ['GET', '/books/_doc/1/more'], [404, ILLEGAL]),
  bad('wrong method on search', ['DELETE', '/books/_search'], [405, ILLEGAL, 'GET', 'POST']),
  bad('wrong method on bulk', ['GET', '/_bulk'], [405, ILLEGAL, 'POST']),
  bad('wrong method on a probe', ['POST', '/v1/health', {}], [405, ILLEGAL, 'GET']),
  bad('wrong method on an index', ['POST', '/books', {}], [405, ILLEGAL, 'PUT']),
  bad(
    'wrong content type',
    ['POST', '/books/_search', '{}', { 'content-type': 'text/plain' }],
    [415, MEDIA, 'text/plain'],
  ),
  bad(
    'form content type',
    ['PUT', '/books/_doc/bad', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    [415, MEDIA],
  ),
  bad(
    'unknown version in the content type',
    [
      'POST',
      '/books/_search',
      '{}',
      { 'content-type': 'application/vnd.elasticsearch+json;compatible-with=99' },
    ],
    [415, MEDIA],
  ),
  bad(
    'wrong charset',
    ['POST', '/books/_search', '{}', { 'content-type': 'application/json; charset=latin1' }],
    [415, MEDIA],
  ),
  bad(
    'no JSON accepted',
    ['GET', '/books/_search', undefined, { accept: 'image/png' }],
    [406, MEDIA, 'image/png'],
  ),
  bad(
    'unknown encoding',
    [
      'POST',
      '/books/_search',
      '{}',
      { 'content-type': 'application/json', 'content-encoding': 'zopfli' },
    ],
    [415, MEDIA, 'zopfli'],
  ),
  bad(
    'encoding that is a lie',
    ['POST', '/books/_search', '{"query":{}}', gzip],
    [400, 'parse_exception', 'gzip'],
  ),
  bad(
    'body too large',
    ['PUT', '/books/_doc/bad', `{"title":"${'x'.repeat(17 * 1024 * 1024)}"}`],
    [413, 'content_too_large_exception', 'limit'],
  ),
  bad('bad percent encoding', ['GET', '/books/_doc/%E0%A4%A'], [400, ILLEGAL]),
  bad('invalid UTF-8 in a path', ['GET', '/books/_doc/%FF'], [400, ILLEGAL]),
  bad('bad boolean parameter', ['GET', '/_cat/indices?v=perhaps'], [400, ILLEGAL, 'perhaps']),
  bad('bad cat format', ['GET', '/_cat/indices?format=xml'], [400, ILLEGAL, 'xml']),
  bad('bad cat sort', ['GET', '/_cat/indices?s=colour'], [400, ILLEGAL, 'colour']),
  bad('bad cat bytes', ['GET', '/_cat/indices?bytes=stone'], [400, ILLEGAL, 'stone']),
  bad(
    'bad health status',
    ['GET', '/_cluster/health?wait_for_status=blue'],
    [400, ILLEGAL, 'blue'],
  ),
  bad('bad health nodes', ['GET', '/_cluster/health?wait_for_nodes=some'], [400, ILLEGAL, 'some']),
  bad(
    'unknown cluster setting',
    ['PUT', '/_cluster/settings', { persistent: { 'a.b': 1 } }],
    [400, ILLEGAL, 'a.b'],
  ),
  bad(
    'invalid UTF-8 in a search',
    ['POST', '/books/_search', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    [400, 'x_content_parse_exception', 'UTF-8'],
  ),
];
