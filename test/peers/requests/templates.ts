// Search templates: the rendered body, the hits, and stored templates.
import { type PeerRequest, request } from '../request.ts';

const render = (name: string, source: unknown, params: object = {}): PeerRequest =>
  request(`templates: ${name}`, 'POST', '/_render/template', { source, params }, ['templates']);
const ask = (name: string, method: string, path: string, body?: unknown): PeerRequest =>
  request(`templates: ${name}`, method, path, body, ['templates']);

const BY_AUTHOR = {
  query: { term: { author: '{{author}}' } },
  sort: ['year', 'pages'],
  _source: ['title'],
  from: '{{from}}',
  size: '{{size}}{{^size}}3{{/size}}',
};
const LISTED =
  '{"query":{"terms":{"tags":{{#toJson}}tags{{/toJson}}}},"size":0,"track_total_hits":{{exact}}}';

export const TEMPLATE_REQUESTS: readonly PeerRequest[] = [
  render('a value', { a: '{{x}}' }, { x: 'y' }),
  render('quotes', { a: '{{x}}' }, { x: 'a "b" \\ c\nd' }),
  render('a number', '{"a":{{x}}}', { x: 2.5 }),
  render('nothing', { a: '{{x}}' }),
  render('a default', { a: '{{x}}{{^x}}10{{/x}}' }),
  render('a section', '{"a":[1{{#x}},{{.}}{{/x}}]}', { x: [2, 3] }),
  render('a section of objects', '{"a":[0{{#x}},{{n}}{{/x}}]}', { x: [{ n: 2 }, { n: 3 }] }),
  render('a section of zero', '{"a":"{{#x}}yes{{/x}}"}', { x: 0 }),
  render('a section of false', '{"a":"{{#x}}yes{{/x}}"}', { x: false }),
  render('a path', { a: '{{x.y.z}}' }, { x: { y: { z: 1 } } }),
  render('an item', { a: '{{x.1}} of {{x.size}}' }, { x: ['p', 'q'] }),
  render('a list', { a: '{{x}}' }, { x: ['p', 1] }),
  render('toJson', '{"a":{{#toJson}}x{{/toJson}}}', { x: [{ b: 'c"' }, 2] }),
  render('join', { a: '{{#join}}x{{/join}}' }, { x: ['p', 'q'] }),
  render('join by', { a: "{{#join delimiter='||'}}x{{/join delimiter='||'}}" }, { x: [1, 2] }),
  render('url', { a: '{{#url}}{{x}}/b c{{/url}}' }, { x: 'http://h' }),
  render('a comment', { a: 'x{{! no }}y' }),
  ask('stored', 'PUT', '/_scripts/by-author', { script: { lang: 'mustache', source: BY_AUTHOR } }),
  ask('read', 'GET', '/_scripts/by-author'),
  ask('rendered', 'POST', '/_render/template/by-author', { params: { author: 'Eco', from: 1 } }),
  ask('searched', 'POST', '/books/_search/template', {
    id: 'by-author',
    params: { author: 'Eco', from: 0, size: 5 },
  }),
  ask('explained', 'POST', '/books/_search/template', {
    id: 'by-author',
    params: { author: 'Nobody', from: 0 },
    explain: true,
  }),
  ask('inline', 'POST', '/books/_search/template', {
    source: LISTED,
    params: { tags: ['poetry', 'travel'], exact: true },
  }),
  ask(
    'several',
    'POST',
    '/books/_msearch/template',
    `{}\n{"id":"by-author","params":{"author":"Eco","from":0}}\n{}\n{"id":"absent"}\n`,
  ),
  ask('of no name', 'POST', '/books/_search/template', { id: 'absent' }),
  ask('of nothing', 'POST', '/books/_search/template', { params: {} }),
  ask('removed', 'DELETE', '/_scripts/by-author'),
  ask('removed again', 'DELETE', '/_scripts/by-author'),
  ask('not there', 'GET', '/_scripts/by-author'),
];
