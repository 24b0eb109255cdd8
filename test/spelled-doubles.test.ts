// Members with a whole number that a request spells as a fraction.
import { describe, expect, test } from 'vitest';
import { parseJson, readObject } from '../src/api/kit/json.ts';
import type { Json, JsonObject } from '../src/backend/index.ts';
import { runToCompletion } from '../src/base/cooperative-task.ts';
import { isSpelledDouble, mayHaveDoubles } from '../src/base/spelled-doubles.ts';
import { parseScript } from '../src/query/script/parser.ts';
import { parseTemplate } from '../src/query/template/parse.ts';
import { renderTemplate } from '../src/query/template/render.ts';
import { compileUpdateScript } from '../src/query/update-script/script.ts';

const read = (text: string): JsonObject => parseJson(Buffer.from(text)) as JsonObject;
const params = (text: string): JsonObject =>
  read(`{"script":{"source":"x","params":${text}}}`)['script'] as JsonObject;

describe('a member', () => {
  test.each([
    ['{"a":2.0}', true],
    ['{"a": -2.00 }', true],
    ['{"a":2e3}', true],
    ['{"b":1,"a":2.5e1}', true],
    ['{"a":2}', false],
    ['{"a":2.5}', false],
    ['{"a":"2.0"}', false],
    ['{"a":12345678901234567890}', false],
    ['{"a":{"b":2.0}}', false],
  ])('of %s', (text, spelled) => {
    const given = params(text)['params'] as JsonObject;
    expect(isSpelledDouble(given, 'a')).toBe(spelled);
    expect(Object.keys(given)).toEqual(Object.keys(JSON.parse(text) as object));
  });

  test('is a number as any other', () => {
    const text = '{"params":{"a":2.0,"v":[1.0,2],"n":null,"o":{"x":1e2}},"big":9007199254740993}';
    expect(read(text)).toEqual({
      params: { a: 2, v: [1, 2], n: null, o: { x: 100 } },
      big: 9007199254740993n,
    });
    expect(JSON.stringify(read('{"params":{"a":2.0}}'))).toBe('{"params":{"a":2}}');
  });

  test('of a name that has plans of its own', () => {
    const given = params('{"__proto__":2.0,"a":1}')['params'] as JsonObject;
    expect(Object.keys(given)).toEqual(['__proto__', 'a']);
  });
});

test('vectors are no reason to look closer', () => {
  expect(mayHaveDoubles('{"params":{"v":[1.0,2e-3,4.0]}}')).toBe(false);
  expect(mayHaveDoubles('{"query":{"range":{"a":{"gte":2.0}}}}')).toBe(false);
});

describe('the number of a list', () => {
  const script = '"source":"ctx._source.v = params.v"';
  const list = (text: string): readonly Json[] =>
    (
      (read(`{"script":{${script},"params":{"v":${text}}}}`)['script'] as JsonObject)[
        'params'
      ] as JsonObject
    )['v'] as readonly Json[];

  test.each([
    ['[2.0]', '0', true],
    ['[1,2.00,3]', '1', true],
    ['[1,2.0]', '0', false],
    ['[2.5]', '0', false],
  ])('of %s at %s', (text, at, spelled) => {
    expect(isSpelledDouble(list(text), at)).toBe(spelled);
    expect(list(text)).toEqual(JSON.parse(text));
  });

  test('is no reason to look closer where no document is written', () => {
    expect(mayHaveDoubles('{"params":{"v":[1.0]},"source":"ctx._source"}')).toBe(true);
    expect(mayHaveDoubles('{"params":{"v":[1.0]},"source":"_score"}')).toBe(false);
  });
});

test('is known in a long body', async () => {
  const filler = 'x'.repeat(70_000);
  const text = `{"filler":"${filler}","params":{"a":2.0,"b":2,"o":{"c":1e2},"v":[3,4.0]},"s":"ctx.x"}`;
  const given = (await readObject(Buffer.from(text)))['params'] as JsonObject;
  expect(given).toEqual({ a: 2, b: 2, o: { c: 100 }, v: [3, 4] });
  expect(['a', 'b'].map((name) => isSpelledDouble(given, name))).toEqual([true, false]);
  expect(isSpelledDouble(given['o'] as JsonObject, 'c')).toBe(true);
  expect(['0', '1'].map((at) => isSpelledDouble(given['v'] as Json[], at))).toEqual([false, true]);
});

test('divides as a fraction in a script', () => {
  const divided = (text: string): unknown => {
    const given = params(text)['params'] as JsonObject;
    return parseScript('params.a', { language: 'painless', names: [], document: given });
  };
  expect(divided('{"a":2.0}')).toEqual({ kind: 'number', value: 2, whole: false });
  expect(divided('{"a":2}')).toEqual({ kind: 'number', value: 2, whole: true });
});

test('stays a fraction in an update', () => {
  const script = read('{"s":{"source":"ctx._source.n /= params.a","params":{"a":2.0}}}')['s'];
  const meta = { _id: '1', _index: 'i', _version: 1n, _routing: null, _now: 0n };
  expect(
    runToCompletion(compileUpdateScript(script as Json, () => 1000).run('{"n":5}', meta)).source,
  ).toContain('2.5');
});

test('stays a fraction in a template', () => {
  const given = params('{"a":2.0,"b":2,"o":{"c":3.0},"list":[{"d":4.0}]}')['params'] as JsonObject;
  const nodes = parseTemplate('{{a}} {{b}} {{o.c}} {{#list}}{{d}} {{a}}{{/list}}');
  expect(renderTemplate(nodes, given, JSON.stringify)).toBe('2.0 2 3.0 4.0 2.0');
});
