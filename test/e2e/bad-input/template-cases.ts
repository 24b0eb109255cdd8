// Invalid search templates and stored scripts.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const CONTENT = 'x_content_parse_exception';
const MISSING = 'resource_not_found_exception';
const PATHS = ['/_search/template', '/books/_search/template', '/_render/template'];

const render = (name: string, body: object, type: string, ...words: string[]): BadCase =>
  bad(name, ['POST', '/_render/template', body], [type === MISSING ? 404 : 400, type, ...words]);
const store = (name: string, body: object, type: string, ...words: string[]): BadCase =>
  bad(name, ['PUT', '/_scripts/x', body], [400, type, ...words]);
const script = (name: string, members: object, ...words: string[]): BadCase =>
  store(name, { script: { lang: 'mustache', source: '{}', ...members } }, ILLEGAL, ...words);

export const TEMPLATE_CASES: readonly BadCase[] = [
  ...PATHS.flatMap((path) => [
    bad(
      `a template that is not there, ${path}`,
      ['POST', path, { id: 'x' }],
      [404, MISSING, 'unable to find script [x]'],
    ),
    bad(
      `no template, ${path}`,
      ['POST', path, { params: {} }],
      [400, 'action_request_validation_exception', 'template is missing'],
    ),
    bad(
      `an unknown key, ${path}`,
      ['POST', path, { source: '{}', size: 1 }],
      [400, CONTENT, '[search_template] unknown field [size]'],
    ),
  ]),
  render('two templates', { id: 'x', source: '{}' }, ILLEGAL, 'not by both'),
  render('a template of a number', { source: 1 }, ILLEGAL, '[source] a text or an object'),
  render('an id of a number', { id: 1 }, ILLEGAL, '[id] of a search template must be a text'),
  render('parameters in a list', { source: '{}', params: [] }, ILLEGAL, '[params]'),
  render('an open section', { source: '{{#a}}' }, ILLEGAL, 'Unclosed section "a"'),
  render('a partial', { source: '{{> a}}' }, ILLEGAL, 'partials [{{> a}}] are not supported'),
  render('a function of nothing', { source: '{{#toJson}}{{/toJson}}' }, ILLEGAL, '[toJson]'),
  render('no JSON', { source: '{"size":{{n}}}' }, CONTENT, 'makes no JSON object', '_render'),
  render('a list', { source: '[1]' }, CONTENT, 'must be a JSON object, not an array'),
  render('a long template', { source: 'x'.repeat(70_000) }, ILLEGAL, '[65535]', '[70000]'),
  render(
    'lists in lists',
    {
      source: '{{#a}}{{#a}}{{#a}}{{/a}}{{/a}}{{/a}}',
      params: { a: Array.from({ length: 1000 }, () => 1) },
    },
    ILLEGAL,
    '100000 steps',
  ),
  bad(
    'an option of the URL that templates lack',
    ['POST', '/books/_search/template?size=1', { source: '{}' }],
    [400, ILLEGAL, 'unrecognized parameter: [size]'],
  ),
  bad(
    'explain that is no flag',
    ['POST', '/books/_search/template', { source: '{}', explain: 'yes' }],
    [400, ILLEGAL, '[explain]'],
  ),
  bad(
    'what a template makes is a search',
    ['POST', '/books/_search/template', { source: { query: { nope: {} } } }],
    [400, 'parsing_exception', 'nope'],
  ),
  bad(
    'a script with a hash',
    ['PUT', '/_scripts/a%23b', { script: { lang: 'mustache', source: '{}' } }],
    [400, 'action_request_validation_exception', "id cannot contain '#'"],
  ),
  bad('a script that is not there', ['DELETE', '/_scripts/x'], [404, MISSING, 'stored script [x]']),
  store('no script', {}, 'parsing_exception', 'must specify field [script]'),
  store('a script of a text', { script: '{}' }, 'parsing_exception', '[script], an object'),
  store('a key beside it', { script: {}, params: {} }, 'parsing_exception', '[params]'),
  store('no language', { script: { source: '{}' } }, ILLEGAL, 'must specify lang'),
  script('painless', { lang: 'painless' }, 'stored scripts of [painless] are not supported'),
  script('no source', { source: '' }, 'must specify source'),
  script('an unknown member', { params: {} }, '[stored script source] unknown field [params]'),
  script('an option', { options: { x: 'y' } }, 'illegal compiler options [x]'),
  script('plain text', { options: { content_type: 'text/plain' } }, '[content_type]'),
  script('an open tag', { source: '{{a' }, 'Unclosed tag'),
  bad(
    'a context',
    ['PUT', '/_scripts/x/score', { script: { lang: 'mustache', source: '{}' } }],
    [400, ILLEGAL, 'context [score]'],
  ),
  bad(
    'a long id',
    ['PUT', `/_scripts/${'x'.repeat(513)}`, { script: { lang: 'mustache', source: '{}' } }],
    [400, ILLEGAL, '[512] with length [513]'],
  ),
];
