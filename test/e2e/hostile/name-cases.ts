// Hostile names: paths of files, properties of all objects, headers, addresses.
import { type Exchange, request } from './exchange.ts';

const PATHS = [
  '%2e%2e',
  '..%2f..%2f..%2fetc%2fpasswd',
  '..%5c..%5cwindows',
  '%2fetc%2fpasswd',
  '%00',
  'a%00b',
  'a%0d%0aX-Evil:%201',
  'a%0aSet-Cookie:%201',
  '%ff%fe',
  'a%2fb',
  `${'a'.repeat(300)}`,
];

/**
 * Names with a meaning for the file system, HTTP or JavaScript, in every place where a name creates
 * something.
 */
const MADE: readonly Exchange[] = PATHS.flatMap((name) => [
  request(`an index named ${name.slice(0, 40)}`, `PUT /${name}`, '{}', [400, 404, 405]),
  request(
    `a repository named ${name.slice(0, 40)}`,
    `PUT /_snapshot/${name}`,
    '{"type":"fs","settings":{"location":"r"}}',
    [400],
  ),
  request(`a snapshot named ${name.slice(0, 40)}`, `PUT /_snapshot/good/${name}`, '{}', [400, 404]),
  request(`a namespace named ${name.slice(0, 40)}`, `POST /_memory/${name}`, '{"text":"x"}', [400]),
  request(
    `a brain named ${name.slice(0, 40)}`,
    `POST /_graph/${name}/link`,
    '{"src":"a","dst":"b","type":"x"}',
    [400],
  ),
]);

const LOCATIONS = ['/etc', '/', '..', '../../etc', 'a/../../etc', '/proc/self', 'x\\u0000y'];
const SNAPSHOTS: readonly Exchange[] = LOCATIONS.map((location) =>
  request(
    `snapshots in ${location}`,
    'PUT /_snapshot/r',
    `{"type":"fs","settings":{"location":"${location}"}}`,
    [400],
  ),
);

const URLS = [
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'http://metadata.google.internal/',
  'http://evil.example/v1',
  'http://127.0.0.1@evil.example/',
  'http://evil.example#127.0.0.1',
  'http://127.0.0.1.evil.example/',
  'http://[::ffff:169.254.169.254]/',
  'http://0.0.0.0.evil.example',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'ftp://127.0.0.1/',
  'javascript:alert(1)',
  'http://',
  '//127.0.0.1',
  '',
];
const SERVICES: readonly Exchange[] = URLS.map((url) =>
  request(
    `embeddings from [${url}]`,
    'PUT /_inference/evil',
    JSON.stringify({ url, model: 'm', dims: 2 }),
    [400],
  ),
);

const PROTOTYPE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
const PROPERTIES: readonly Exchange[] = PROTOTYPE.flatMap((name) => [
  request(`a query named ${name}`, 'POST /t/_search', `{"query":{"${name}":{}}}`, [400]),
  request(
    `an aggregation of kind ${name}`,
    'POST /t/_search',
    `{"aggs":{"a":{"${name}":{"field":"x"}}}}`,
    [400],
  ),
  request(
    `a field type ${name}`,
    'PUT /p1',
    `{"mappings":{"properties":{"a":{"type":"${name}"}}}}`,
    [400],
  ),
  request(`a setting named ${name}`, 'PUT /p2', `{"settings":{"${name}":1}}`, [400]),
  request(`a parameter named ${name}`, `GET /t/_search?${name}=1`, undefined, [400]),
  request(
    `an action named ${name}`,
    'POST /_bulk',
    `{"${name}":{}}\n`,
    [400],
    ['Content-Type: application/x-ndjson'],
  ),
]);

const INJECTED: readonly Exchange[] = [
  'a%0d%0aSet-Cookie:%20x=1',
  'a%0aX-Evil:%201',
  '%22%3e%3cscript%3e',
].map((id) => ({
  ...request(`a document named ${id}`, `PUT /t/_doc/${id}`, '{"a":1}', [200, 201]),
  never: /\r\n(?:set-cookie|x-evil)/i,
}));

const ADDRESSES: readonly Exchange[] = [
  request('an escape that is none', 'GET /%zz/_search', undefined, [400]),
  request('an escape cut short', 'GET /t/_doc/%', undefined, [400]),
  request('another server', 'GET http://evil.example/_search', undefined, [200, 400, 404]),
  request('two slashes', 'GET //t//_search//', undefined, [200]),
  request('a part of 5,000 letters', `GET /${'a'.repeat(5000)}/_search`, undefined, [400]),
  request('a parameter that is not known', 'GET /t/_search?nonsense=1', undefined, [400]),
  request('a parameter twice', 'GET /t/_search?size=1&size=2', undefined, [400, 200]),
  request(
    '2,000 parameters',
    `GET /t/_search?${Array.from({ length: 2000 }, (_, i) => `p${i}=1`).join('&')}`,
    undefined,
    [400, 431],
  ),
  request('a parameter with a NUL', 'GET /t/_search?q=%00', undefined, [200, 400]),
  request('a parameter of no UTF-8', 'GET /t/_search?q=%ff', undefined, [200, 400]),
  request('files of the server', 'GET /../../package.json', undefined, [400, 404]),
  request('files of the page', 'GET /docs/..%2f..%2fpackage.json', undefined, [400, 404, 405]),
  request(
    'a scroll that nobody opened',
    'POST /_search/scroll',
    '{"scroll_id":"../../x"}',
    [400, 404],
  ),
  request(
    'a point in time that nobody opened',
    'POST /_search',
    '{"pit":{"id":"AAAA"}}',
    [400, 404],
  ),
  request('a task of no node', 'GET /_tasks/..%2f1:1', undefined, [400, 404]),
];

export const NAMES: readonly Exchange[] = [
  ...MADE,
  ...SNAPSHOTS,
  ...SERVICES,
  ...PROPERTIES,
  ...INJECTED,
  ...ADDRESSES,
];
