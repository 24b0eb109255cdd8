// The language of update scripts: the effect of each statement on a document, and errors.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/backend/index.ts';
import { runToCompletion } from '../../../src/base/cooperative-task.ts';
import { compileUpdateScript } from '../../../src/query/update-script/script.ts';

/** Limit on the characters that a script may add to a document. */
const MOST = (): number => 4_000_000;
const META = { _id: '7', _index: 'books', _version: 3n, _routing: null, _now: 1700000000000n };

function run(script: Json, source: string) {
  return runToCompletion(compileUpdateScript(script, MOST).run(source, META));
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
    [
      'for (e in ctx._source.m.entrySet()) { ctx._source[e.getKey()] = e.getValue() + 1; }',
      '{"m":{"a":1,"b":2}}',
      '{"m":{"a":1,"b":2},"a":2,"b":3}',
    ],
    [
      'for (e in ctx._source.m.entrySet()) { ctx._source.k = e.key; ctx._source.e = e; }',
      '{"m":{"a":[1]}}',
      '{"m":{"a":[1]},"k":"a","e":{"key":"a","value":[1]}}',
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
    expect(run(script, before)).toEqual({ op: 'index', source: after, meta: META });
  });

  test('parameters come in whole, and are not shared between documents', () => {
    const script = compileUpdateScript(
      {
        source: 'ctx._source.tags = params.tags; ctx._source.n += params.by',
        lang: 'painless',
        params: { tags: ['a', 'b'], by: 4 },
      },
      MOST,
    );
    expect(runToCompletion(script.run('{"n":1}', META)).source).toBe('{"n":5,"tags":["a","b"]}');
    expect(runToCompletion(script.run('{"n":2}', META)).source).toBe('{"n":6,"tags":["a","b"]}');
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

describe('blocks, variables and methods', () => {
  test.each<[string, string, string]>([
    [
      "if (ctx._source.n > 3) { ctx._source.big = true } else { ctx.op = 'noop' }",
      '{"n":4}',
      '{"n":4,"big":true}',
    ],
    [
      'if (ctx._source.n > 5) ctx._source.x = 1; else if (true) ctx._source.x = 2',
      '{"n":4}',
      '{"n":4,"x":2}',
    ],
    [
      'for (def t : ctx._source.t) { ctx._source.s += t }',
      '{"t":["a","b"],"s":""}',
      '{"t":["a","b"],"s":"ab"}',
    ],
    [
      'for (one in ctx._source.l) { one.k *= 2 }',
      '{"l":[{"k":1},{"k":2}]}',
      '{"l":[{"k":2},{"k":4}]}',
    ],
    [
      'for (int i = 0; i < 9; ++i) { if (i == 1) continue; if (i == 4) break; ctx._source.n += i }',
      '{"n":0}',
      '{"n":5}',
    ],
    ['int i = 0; while (i < 3) { i++; ctx._source.n += i }', '{"n":0}', '{"n":6}'],
    ['if (ctx._source.n == 0) { return } ctx._source.n = 9', '{"n":0}', '{"n":0}'],
    [
      "def x = [:]; x.a = 1; x['b'] = [1, 'c']; ctx._source.m = x",
      '{}',
      '{"m":{"a":1,"b":[1,"c"]}}',
    ],
    ["List l = new ArrayList(); ctx._source.l = l; l.add('late')", '{}', '{"l":["late"]}'],
    ["ctx._source.m = ['a': 1, 'b': [:]]", '{}', '{"m":{"a":1,"b":{}}}'],
    ['double d = 3; ctx._source.d = d', '{}', '{"d":3.0}'],
    ['ctx._source.t.add(0, 1.50); ctx._source.t.addAll([7])', '{"t":[2.50]}', '{"t":[1.5,2.50,7]}'],
    ["ctx._source.t.remove(ctx._source.t.indexOf('b'))", '{"t":["a","b"]}', '{"t":["a"]}'],
    ["ctx._source.t.removeIf(t -> t == 'a')", '{"t":["a","b","a"]}', '{"t":["b"]}'],
    ['ctx._source.t.sort(null); ctx._source.t[-1] = 0', '{"t":[3,1,2]}', '{"t":[1,2,0]}'],
    ["ctx._source.x = ctx._source.remove('a')", '{"a":[1]}', '{"x":[1]}'],
    ["ctx._source.x = ctx._source.o?.y?.z ?: 'none'", '{"o":{}}', '{"o":{},"x":"none"}'],
    [
      "ctx._source.s = ctx._source.s.substring(1).toUpperCase().replace('B', '_')",
      '{"s":"abc"}',
      '{"s":"_C"}',
    ],
    [
      'ctx._source.x = ctx._source.t instanceof List && !(ctx._source.t instanceof Map)',
      '{"t":[]}',
      '{"t":[],"x":true}',
    ],
    ["ctx._source.x = ctx._source.c.splitOnToken(',')[1]", '{"c":"a,b"}', '{"c":"a,b","x":"b"}'],
    ['ctx._source.x = Math.max(ctx._source.n, 2) + Math.floor(2.7)', '{"n":1}', '{"n":1,"x":4.0}'],
    ['ctx._source.x = ctx._source.n.contains(1.0)', '{"n":[1]}', '{"n":[1],"x":false}'],
    [
      "ctx._source.k = ctx._source.keySet(); ctx._source.k.add('z')",
      '{"a":1}',
      '{"a":1,"k":["a","z"]}',
    ],
    ["ctx['_source']['x'] = /* one */ 1", '{}', '{"x":1}'],
    ["ctx._source = ['only': 1]", '{"a":1}', '{"only":1}'],
  ])('%s on %s', (script, before, after) => {
    expect(run(script, before).source).toBe(after);
  });

  test('parameters stay what they are', () => {
    const script = compileUpdateScript(
      {
        source: 'ctx._source.t = params.t; ctx._source.t.add(ctx._id)',
        params: { t: ['a'] },
      },
      MOST,
    );
    expect(runToCompletion(script.run('{}', META)).source).toBe('{"t":["a","7"]}');
    expect(runToCompletion(script.run('{}', META)).source).toBe('{"t":["a","7"]}');
    const changing = compileUpdateScript({ source: "params.t.add('b')", params: { t: [] } }, MOST);
    expect(() => runToCompletion(changing.run('{}', META))).toThrow(
      'script cannot change [params]',
    );
  });

  test('of many documents, some may say where they go', () => {
    const script = compileUpdateScript("ctx._id = 'x' + ctx._id; ctx._routing = null", MOST);
    const { meta } = runToCompletion(script.run('{}', META, ['_id', '_routing']));
    expect(meta).toMatchObject({ _id: 'x7', _routing: null, _index: 'books' });
    expect(() => runToCompletion(script.run('{}', META, ['_id']))).toThrow(
      'Modifying [_routing] not allowed',
    );
    const none = compileUpdateScript("ctx.op = 'none'", MOST);
    expect(() => runToCompletion(none.run('{}', META, []))).toThrow(
      'Operation type [none] not allowed',
    );
  });
});

describe('refused', () => {
  test.each<[string, Json, string]>([
    ['a function', 'int f() { return 1 }', 'expected [;], found [(]'],
    ['a class', 'ctx._source.x = new Date()', '[new Date] is not supported'],
    ['a stream', 'ctx._source.x = ctx._source.l.stream()', 'method [stream] is not supported'],
    ['a function of a class', 'ctx._source.x = Math.cbrt(1)', '[Math.cbrt] is not supported'],
    ['an unknown name', 'ctx._source.x = y', 'unexpected [y]'],
    ['a name twice', 'def x = 1; def x = 2', 'variable [x] is already defined'],
    ['a name of a block outside', 'if (true) { def x = 1 } x = 2', 'unexpected [x]'],
    ['an open block', 'if (true) { ctx._source.x = 1', 'expected [}], found [end of script]'],
    ['a bracket too many', 'ctx._source.x = 1 }', 'unexpected [}]'],
    [
      'a list that is a map',
      "ctx._source.x = [1, 'a': 2]",
      'a list and a map in one pair of brackets',
    ],
    ['other parts of ctx', "ctx.name = 'x'", '[ctx.name] is not supported'],
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
    expect(() => compileUpdateScript(script, MOST)).toThrow(words);
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
    ["ctx._id = 'x'", '{}', 'Modifying [_id] not allowed'],
    [
      "ctx._source.keySet().removeIf(k -> k == 'a')",
      '{"a":1}',
      'script cannot change [keySet()], [values()] and [entrySet()]',
    ],
    [
      'ctx._source.values().clear()',
      '{"a":1}',
      'script cannot change [keySet()], [values()] and [entrySet()]',
    ],
    ['ctx._source = 5', '{}', '[ctx._source] must be an object'],
    ['ctx._source.a.add(1)', '{}', 'script cannot access [add] of a value of type [null]'],
    ['ctx._source.a.add(1)', '{"a":"b"}', 'script cannot call [add] of a value of type [string]'],
    ["ctx._source.a.remove('b')", '{"a":["b"]}', 'script needs a whole number as a place'],
    ['ctx._source.x = ctx._source.a[3]', '{"a":[1]}', 'place [3] is out of bounds for length [1]'],
    ['ctx._source.a.add(1, 2, 3)', '{"a":[]}', '[add] takes [1 or 2] arguments, found [3]'],
    ['for (def x : ctx._source.a) { }', '{"a":{}}', 'script can go through a list'],
    [
      'int n = ctx._source.a',
      '{"a":1.5}',
      'script cannot cast a value of type [number] to [int n]',
    ],
    ['while (true) { }', '{}', 'script does too much for one document'],
    ['for (int i = 0; i < 99; i++) { ctx._source.a += ctx._source.a }', '{"a":"ab"}', 'too much'],
    ['ctx._source.self = ctx._source', '{}', 'nested too deeply'],
    [
      'def a = [1]; for (int i = 0; i < 99; i++) { a = [a, a] } ctx._source.a = a',
      '{}',
      'script does too much for one document',
    ],
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

describe('a script is stopped before it takes long', () => {
  const members = (count: number): string =>
    JSON.stringify({ l: Array.from({ length: count }, (_, i) => `m${i}`) });
  const long = "def t = 'ab'; for (int i = 0; i < 21; i++) { t += t }";
  test.each<[string, string, string]>([
    ['texts that are looked at', `${long} while (true) { t.toUpperCase() }`, '{}'],
    ['texts that are compared', `${long} def u = t + ''; while (t == u) { }`, '{}'],
    ['texts that are cut', `${long} t.splitOnToken('')`, '{}'],
    [
      'lists that are copied',
      'for (a in ctx._source.l) { for (b in ctx._source.l) { break; } }',
      members(1000),
    ],
    ['lists in lists', 'ctx._source.l.removeAll(ctx._source.l)', members(2000)],
    ['maps', 'while (true) { ctx._source.keySet() }', '{"a":1}'],
    ['copies of maps', 'while (true) { def m = new HashMap(ctx._source) }', '{"a":1}'],
  ])('%s', (_name, script, source) => {
    expect(() => run(script, source)).toThrow('script does too much for one document');
  });

  const numbers = Array.from({ length: 500 }, (_, i) => `1+${i}`).join('+');
  const params = { l: Array.from({ length: 1000 }, (_, i) => i) };
  test.each<[string, Json, string]>([
    ['long expressions', `while (true) { def x = ${numbers}; }`, '{}'],
    ['long conditions', `while (${numbers} > 0) { }`, '{}'],
    ['long conditions of lambdas', `ctx._source.l.removeIf(x -> ${numbers} == 0)`, members(9000)],
    [
      'long lists',
      `for (int i = 0; i < 30000; i++) { def l = [${numbers.replaceAll('+', ',')}]; }`,
      '{}',
    ],
    [
      'parameters that are copied',
      { source: 'while (true) { def l = [params.l]; }', params },
      '{}',
    ],
    ['lists that are sorted', 'ctx._source.l.sort(null)', members(300_000)],
    ['parts that are replaced', `${long} t.replace('', 'aa')`, '{}'],
    ['texts that grow', `${long} t.replace('b', t)`, '{}'],
  ])('%s', (_name, script, source) => {
    expect(() => run(script, source)).toThrow('script does too much for one document');
  });

  test('a view of a map that holds itself is copied only so far', () => {
    const script = "def m = new HashMap(); m.put('m', m); def l = []; l.add(m.values())";
    expect(() => run(script, '{}')).toThrow('copies what is nested too deeply');
  });

  test('what holds itself is compared only so far', () => {
    const script = 'def a = []; a.add(a); def b = []; b.add(b); ctx._source.x = a == b';
    expect(() => run(script, '{}')).toThrow('compares what is nested too deeply');
  });

  test('long lists are within reach', () => {
    const picked =
      'for (int i = 0; i < 2000; i++) { ctx._source.n += ctx._source.l.get(i).length() }';
    expect(JSON.parse(run(picked, `{"n":0,${members(2000).slice(1)}`).source ?? '').n).toBe(8890);
    const removed = run("ctx._source.l.removeIf(x -> x == 'm7')", members(150_000));
    expect(JSON.parse(removed.source ?? '').l).toHaveLength(149_999);
  });
});

describe('what a script puts into a document is counted', () => {
  const text = "def t = 'abcdefghijklmnop'; for (int i = 0; i < 12; i++) { t += t }";
  const many = 'for (int i = 0; i < 100; i++)';
  const limit = 'script puts more than [4000000] characters into the document';
  test.each<[string, string]>([
    ['one text as many members', `${text} ${many} { ctx._source['k' + i] = t }`],
    ['one text as many items', `${text} ctx._source.l = []; ${many} { ctx._source.l.add(t) }`],
    ['one text as the names of members', `${text} ${many} { ctx._source[t + i] = 1 }`],
    ['a list at many places', `${text} def l = [t, t]; ${many} { ctx._source['k' + i] = [l, l] }`],
    ['maps in maps', `${text} def m = ['t': t]; ${many} { m = ['a': m, 't': t] } ctx._source = m`],
    [
      'a copy of the document',
      `${text} ctx._source.t = t; ${many} { ctx._source['k' + i] = new HashMap(['t': t]) }`,
    ],
    [
      'letters that are escaped',
      `def t = '${'\u0001'.repeat(16)}'; for (int i = 0; i < 16; i++) { t += t } ctx._source.t = t`,
    ],
  ])('%s', (_name, script) => {
    expect(() => run(script, '{}')).toThrow(limit);
    expect(() => run(script, '{}')).toThrow('[limits.body_bytes]');
  });

  test('what was in the document does not count', () => {
    const script = compileUpdateScript("ctx._source.n = 'a'", () => 3);
    const long = JSON.stringify({ t: 'a'.repeat(1000), n: 1 });
    expect(runToCompletion(script.run(long, META)).source).toBe(long.replace('1}', '"a"}'));
  });

  test('up to the last character', () => {
    const fits = compileUpdateScript("ctx._source.t = 'abc'", () => 9);
    expect(runToCompletion(fits.run('{}', META)).source).toBe('{"t":"abc"}');
    const beyond = compileUpdateScript("ctx._source.t = 'abc'", () => 8);
    expect(() => runToCompletion(beyond.run('{}', META))).toThrow('puts more than [8] characters');
  });

  test('of what is not written, nothing does', () => {
    const script = `${text} ${many} { ctx._source['k' + i] = t } ctx.op = 'noop'`;
    expect(run(script, '{}')).toEqual({ op: 'noop', meta: META });
  });

  test('long texts are printed as they are', () => {
    const long = `${'a"\u0001'.repeat(50_000)}${'😀\ud800'.repeat(90_000)}`;
    const { source } = run("ctx._source.u = ctx._source.t + ''", JSON.stringify({ t: long }));
    expect(JSON.parse(source ?? '')).toEqual({ t: long, u: long });
  });
});

test.each<[string, Json, string, string]>([
  [
    'a number of parameters beyond doubles',
    { source: '', params: { a: [Infinity] } },
    '{}',
    'number [Infinity] that is too large',
  ],
  [
    'an operation that is an object',
    "ctx.op = ['toString': 1, 'valueOf': 2]",
    '{}',
    'Operation type [object] not allowed',
  ],
  [
    'a number of many digits',
    'ctx._source.n++',
    `{"n":${'1'.repeat(1001)}}`,
    'more than [1000] digits',
  ],
])('refused: %s', (_name, script, source, words) => {
  expect(() => run(script, source)).toThrow(words);
});
