// Search templates: rendering of the tags of mustache and of Elasticsearch, and errors.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/backend/index.ts';
import { parseTemplate } from '../../../src/query/template/parse.ts';
import { renderTemplate } from '../../../src/query/template/render.ts';

const render = (source: string, params: Json): string =>
  renderTemplate(parseTemplate(source), params, (value) => JSON.stringify(value));

describe('a template', () => {
  test.each<[string, string, Json, string]>([
    ['a value', '{"a":"{{x}}"}', { x: 'y' }, '{"a":"y"}'],
    ['a number', '{{n}}', { n: 2.5 }, '2.5'],
    [
      'a whole number of many digits',
      '{{n}}',
      { n: 12345678901234567890n },
      '12345678901234567890',
    ],
    ['nothing', '[{{x}}]', {}, '[]'],
    ['null', '[{{x}}]', { x: null }, '[]'],
    ['what JSON escapes', '"{{x}}"', { x: 'a"b\\c\nd' }, '"a\\"b\\\\c\\nd"'],
    ['what HTML would escape', '{{x}}', { x: "<&>'/" }, "<&>'/"],
    ['three braces', '{{{x}}}', { x: '"' }, '"'],
    ['a path', '{{a.b.c}}', { a: { b: { c: 1 } } }, '1'],
    ['an item', '{{a.1}} of {{a.size}}', { a: ['x', 'y'] }, 'y of 2'],
    ['a list', '{{a}}', { a: [1, 'b', null] }, '{0=1, 1=b, 2=null}'],
    ['an object', '{{a}}', { a: { b: 1, c: [2] } }, '{b=1, c=[2]}'],
    ['a section over a list', '{{#a}}<{{.}}>{{/a}}', { a: [1, 'b'] }, '<1><b>'],
    [
      'a section over objects',
      '{{#a}}{{n}}{{b}};{{/a}}',
      { a: [{ n: 1 }, { n: 2 }], b: 'b' },
      '1b;2b;',
    ],
    ['a section of true', '{{#a}}yes{{/a}}', { a: true }, 'yes'],
    ['a section of zero', '{{#a}}yes{{/a}}', { a: 0 }, 'yes'],
    ['a section of false', '{{#a}}yes{{/a}}', { a: false }, ''],
    ['a section of an empty text', '{{#a}}yes{{/a}}', { a: '' }, ''],
    ['a default', '{{a}}{{^a}}10{{/a}}', {}, '10'],
    ['a value before its default', '{{a}}{{^a}}10{{/a}}', { a: 3 }, '3'],
    ['a list as JSON', '{{#toJson}}a{{/toJson}}', { a: [{ b: 'c"' }] }, '[{"b":"c\\""}]'],
    ['an object as JSON', '{{#toJson}}a.b{{/toJson}}', { a: { b: { c: 1 } } }, '{"c":1}'],
    ['a text as JSON', '{{#toJson}}a{{/toJson}}', { a: 'b' }, 'b'],
    ['a joined list', '{{#join}}a{{/join}}', { a: ['x', 'y'] }, 'x,y'],
    [
      'joined by two bars',
      "{{#join delimiter='||'}}a{{/join delimiter='||'}}",
      { a: [1, 2] },
      '1||2',
    ],
    ['a quote in a joined list', '"{{#join}}a{{/join}}"', { a: ['x"'] }, '"x\\""'],
    [
      'an address',
      '{{#url}}{{host}}/{{page}}{{/url}}',
      { host: 'http://example.com', page: 'a b"ü(1)' },
      'http%3A%2F%2Fexample.com%2Fa+b%22%C3%BC%281%29',
    ],
    ['a comment', 'a{{! not this }}b', {}, 'ab'],
    ['other delimiters', '{{=<% %>=}}<%x%>{{x}}', { x: 1 }, '1{{x}}'],
    ['a name of every object', '[{{toString}}{{constructor.name}}{{__proto__}}]', {}, '[]'],
    ['a name of every list', '[{{a.length}}{{a.map}}]', { a: [1] }, '[]'],
  ])('has %s', (_, source, params, text) => {
    expect(render(source, params)).toBe(text);
  });

  test('never lets a parameter out of its quotes', () => {
    const source =
      '{"query":{"match":{"title":"{{x}}"}},"list":"{{#join}}l{{/join}}","at":"{{#url}}{{x}}{{/url}}"}';
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string({ unit: 'binary' })),
        (x, l) => {
          const made = JSON.parse(render(source, { x, l })) as Record<string, Json>;
          expect(made['query']).toEqual({ match: { title: x } });
          expect(made['list']).toBe(l.join(','));
        },
      ),
    );
  });

  test.each([
    ['an open section', '{{#a}}', 'Unclosed section "a"'],
    ['a section that was not opened', '{{/a}}', 'Unopened section "a"'],
    ['an open tag', '{{a', 'Unclosed tag'],
    ['a partial', '{{> other}}', 'partials [{{> other}}] are not supported'],
    ['a function of nothing', '{{#toJson}}{{/toJson}}', 'must contain one and only one identifier'],
    ['a function of a tag', '{{#join}}{{a}}{{/join}}', 'must contain one and only one identifier'],
    ['many levels', `${'{{#a}}'.repeat(60)}${'{{/a}}'.repeat(60)}`, 'deeper than 50 levels'],
    ['many bytes', 'x'.repeat(65_536), 'exceeded max allowed template size in bytes [65535]'],
  ])('is refused for %s', (_, source, reason) => {
    expect(() => parseTemplate(source)).toThrow(reason);
  });

  test('is bounded in letters and in work', () => {
    const a = Array.from({ length: 1000 }, (_, at) => at);
    const sections = (inside: string): string => `{{#a}}{{#a}}{{#a}}${inside}{{/a}}{{/a}}{{/a}}`;
    expect(() => render(sections('{{x}}'), { a, x: 'y' })).toThrow('more than 100000 steps');
    expect(() => render(sections(''), { a })).toThrow('more than 100000 steps');
    expect(() => render('{{#a}}{{x}}{{/a}}', { a, x: 'y'.repeat(5000) })).toThrow('characters');
    const dashes = `join delimiter='${'-'.repeat(1000)}'`;
    const wide = `{{#${dashes}}}l{{/${dashes}}}`;
    expect(() => render(wide, { l: Array.from({ length: 10_000 }, () => '') })).toThrow(
      'characters',
    );
    expect(() => render('{{l}}', { l: [Array.from({ length: 400_000 }, () => 'abc')] })).toThrow(
      'characters',
    );
    const empty = "{{#join delimiter=''}}l{{/join delimiter=''}}";
    expect(() => render(empty, { l: Array.from({ length: 1_000_000 }, () => '') })).toThrow(
      'steps',
    );
  });
});
