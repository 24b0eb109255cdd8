// The language of update scripts: what each statement does to a document, and what is refused.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/backend.ts';
import { compileUpdateScript } from '../../../src/query/update-script/script.ts';

const META = { _id: '7', _index: 'books', _version: 3n, _routing: null, _now: 1700000000000n };

function run(script: Json, source: string) {
  return compileUpdateScript(script).run(source, META);
}

describe('statements', () => {
  test.each<[string, string, string]>([
    ["ctx._source.a = 'x'", '{"a":1,"b":2}', '{"a":"x","b":2}'],
    ['ctx._source.n += 2', '{"n":40}', '{"n":42}'],
    ['ctx._source.n += 0.5', '{"n":1}', '{"n":1.5}'],
    ['ctx._source.n -= 1; ctx._source.n *= 3', '{"n":5}', '{"n":12}'],
    ['ctx._source.n /= 2', '{"n":5}', '{"n":2}'],
    ['ctx._source.n /= 2', '{"n":5.0}', '{"n":2.5}'],
    ['ctx._source.n %= 3', '{"n":-7}', '{"n":-1}'],
    ['ctx._source.n++', '{"n":1.5}', '{"n":2.5}'],
    ['ctx._source.n--;', '{"n":9007199254740993}', '{"n":9007199254740992}'],
    ["ctx._source.t += '!'", '{"t":"hey"}', '{"t":"hey!"}'],
    ['ctx._source.t += 1.0', '{"t":"v"}', '{"t":"v1.0"}'],
    ["ctx._source['odd name'].x = null", '{"odd name":{"x":1}}', '{"odd name":{"x":null}}'],
    ["ctx._source.remove('a')", '{"a":1,"b":{"a":2}}', '{"b":{"a":2}}'],
    ["ctx._source.b.remove('a')", '{"a":1,"b":{"a":2}}', '{"a":1,"b":{}}'],
    ["ctx._source.remove('nothing')", '{"a":1}', '{"a":1}'],
    [
      'ctx._source.c = ctx._source.a',
      '{"a":[1,{"x":2.50}]}',
      '{"a":[1,{"x":2.50}],"c":[1,{"x":2.50}]}',
    ],
    ["ctx._source.x = ctx._source.n > 3 ? 'much' : 'little'", '{"n":4}', '{"n":4,"x":"much"}'],
    ['ctx._source.x = !(ctx._source.n == 4.0 && true) || 1 < 2', '{"n":4}', '{"n":4,"x":true}'],
    ['ctx._source.x = 2 + 3 * 4 - -1', '{}', '{"x":15}'],
    ["ctx._source.x = ctx._id + '@' + ctx._index", '{}', '{"x":"7@books"}'],
    ['ctx._source.v = ctx._version', '{}', '{"v":3}'],
    ['ctx._source.x = ctx._source.none == null', '{}', '{"x":true}'],
    ['// a remark\nctx._source.x = 1', '{}', '{"x":1}'],
    ['', '{"a":1.0}', '{"a":1.0}'],
  ])('%s', (script, before, after) => {
    expect(run(script, before)).toEqual({ op: 'index', source: after });
  });

  test('parameters come in whole, and are not shared between documents', () => {
    const script = compileUpdateScript({
      source: 'ctx._source.tags = params.tags; ctx._source.n += params.by',
      lang: 'painless',
      params: { tags: ['a', 'b'], by: 4 },
    });
    expect(script.run('{"n":1}', META).source).toBe('{"n":5,"tags":["a","b"]}');
    expect(script.run('{"n":2}', META).source).toBe('{"n":6,"tags":["a","b"]}');
  });

  test.each<[string, string]>([
    ["ctx.op = 'delete'", 'delete'],
    ['ctx.op = "noop"', 'noop'],
    ["ctx.op = 'none'", 'noop'],
    ["ctx.op = ctx._source.n > 1 ? 'delete' : 'index'", 'delete'],
  ])('%s', (script, op) => {
    expect(run(script, '{"n":2}').op).toBe(op);
  });
});

describe('refused', () => {
  test.each<[string, Json, string]>([
    ['a loop', 'for (int i = 0; i < 3; i++) { }', 'unexpected [for]'],
    ['a condition', "if (ctx._source.a) ctx.op = 'noop'", 'unexpected [if]'],
    ['a declaration', 'def x = 1', 'unexpected [def]'],
    ['a method', 'ctx._source.tags.add(1)', 'method [add] is not supported'],
    [
      'a method in an expression',
      'ctx._source.x = params.a.size()',
      'method [size] is not supported',
    ],
    ['other parts of ctx', "ctx._id = 'x'", '[ctx._id] cannot be changed'],
    ['the source as such', 'ctx._source = params.doc', '[ctx._source] itself cannot be changed'],
    ['no assignment', 'ctx._source.a', 'expected an assignment, found [end of script]'],
    ['two without a semicolon', 'ctx._source.a = 1 ctx._source.b = 2', 'expected [;], found [ctx]'],
    ['a strange sign', 'ctx._source.a = 1 # 2', 'unexpected [#]'],
    ['an open text', "ctx._source.a = 'x", "unexpected [']"],
    ['too deep', `ctx._source.a = ${'('.repeat(200)}1`, 'nested too deeply'],
    ['too long', `ctx._source.a = '${'x'.repeat(20_000)}'`, 'it is too long'],
    ['another language', { source: '1', lang: 'mustache' }, 'script_lang not supported [mustache]'],
    ['a stored one', { id: 'mine' }, 'stored scripts are not supported'],
    ['no source', { params: {} }, 'must specify <id>'],
    ['an unknown member', { source: '', param: {} }, '[script] unknown field [param]'],
    ['a number', 5, '[script] must be a text or an object, found [VALUE_NUMBER]'],
    ['parameters as a list', { source: '', params: [] }, '[script] [params] must be an object'],
  ])('%s', (_name, script, words) => {
    expect(() => compileUpdateScript(script)).toThrow(words);
  });

  test.each<[string, string, string]>([
    ['ctx._source.a.b = 1', '{"a":5}', 'script cannot access [b] of a value of type [number]'],
    ['ctx._source.a.b = 1', '{}', 'script cannot access [b] of a value of type [null]'],
    ['ctx._source.x = ctx._source.a.b', '{"a":null}', 'script cannot access [b]'],
    ['ctx._source.n += 1', '{}', 'script cannot apply [+] operation to types [null] and [number]'],
    ['ctx._source.n = 1 / 0', '{}', 'script divides by zero'],
    ['ctx._source.n = 1.0 / 0', '{}', 'is not a finite number'],
    ["ctx.op = 'replace'", '{}', 'Operation type [replace] not allowed'],
    ['ctx._source.n = 1 && true', '{}', 'script needs a boolean, found a value of type [number]'],
    ['ctx._source.remove(1)', '{}', '[remove] needs the name of a field'],
  ])('%s on %s', (script, source, words) => {
    expect(() => run(script, source)).toThrow(words);
  });
});

test('a document keeps its spelling where a script left it alone', () => {
  const source = '{"a":1.50,"big":123456789012345678901234567890,"e":1e3,"__proto__x":{"b":[]}}';
  expect(run("ctx._source.x = 'y'", source).source).toBe(`${source.slice(0, -1)},"x":"y"}`);
});

test('no text crashes the compiler', () => {
  const words = fc.constantFrom(
    'ctx',
    '._source',
    '.op',
    '=',
    '+=',
    "'a'",
    '1',
    '(',
    ')',
    ';',
    '?',
    ':',
    '.remove',
    '[',
    ']',
    'params',
    '.x',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 12 }), (parts) => {
      try {
        run(parts.join(''), '{"x":1}');
      } catch (error) {
        expect(error).toMatchObject({ type: 'illegal_argument_exception' });
      }
    }),
  );
});
