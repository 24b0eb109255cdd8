// Every regular expression of the source takes linear time on any text, because the text may come
// from any client, and the matching thread serves all of them.
import { describe, expect, test } from 'vitest';
import { compileProgram, searchSteps } from './tools/regex/backtracking.ts';
import { superlinear } from './tools/regex/growth.ts';
import { builtAt, literalsOf } from './tools/regex/literals.ts';
import { type Expression, parseExpression } from './tools/regex/syntax.ts';
import { readSources } from './tools/source-files.ts';

const sources = readSources('src', ['.ts']);

/** Files that build expressions from constants when they are loaded. */
const BUILT_ONCE: Readonly<Record<string, () => Promise<unknown>>> = {
  'src/embed/local/later-characters.ts': () => import('../src/embed/local/later-characters.ts'),
  'src/graph/detectors/cues.ts': () => import('../src/graph/detectors/cues.ts'),
  'src/query/query-string/lexer.ts': () => import('../src/query/query-string/lexer.ts'),
  'src/query/script/tokens.ts': () => import('../src/query/script/tokens.ts'),
};
/** Files that build an expression at run time, with the reason why it is safe. */
const BUILT_LATER: Readonly<Record<string, string>> = {
  'src/doctor/machine.ts': 'a name of a processor feature between word boundaries',
  'src/mcp/tools.ts': 'a word of our own, in our own description',
};

/** The expressions that a file builds while it is loaded. */
async function builtBy(load: () => Promise<unknown>): Promise<readonly Expression[]> {
  const built: Expression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]: [string | RegExp, string | undefined]) {
      const made = new target(source, flags);
      built.push({ source: made.source, flags: made.flags });
      return made;
    },
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}

describe('the source', () => {
  test('has no literal that takes more than linear time', () => {
    const found = sources.flatMap(({ path, text }) =>
      literalsOf(text).flatMap((expression) => {
        const attack = superlinear(expression);
        return attack === undefined
          ? []
          : [`${path}:${expression.line} /${expression.source}/ of ${attack}`];
      }),
    );
    expect(found).toEqual([]);
  }, 300_000);

  test.each(
    Object.entries(BUILT_ONCE),
  )('%s builds none that takes more than linear time', async (_, load) => {
    const built = await builtBy(load);
    expect(built).not.toEqual([]);
    expect(built.map(superlinear).filter((attack) => attack !== undefined)).toEqual([]);
  });

  test('builds expressions nowhere else', () => {
    const files = sources.filter(({ text }) => builtAt(text).length > 0).map(({ path }) => path);
    expect(files.sort()).toEqual([...Object.keys(BUILT_ONCE), ...Object.keys(BUILT_LATER)].sort());
  });
});

const expressionOf = ({ source, flags }: RegExp): Expression => ({ source, flags });

describe('the search for such expressions', () => {
  test.each([
    /(a+)+$/,
    /^(?:a|a)*$/,
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!(?:--[\s\S]*?--|DOCTYPE[^>]*)>\s*)*<svg[\s>]/i,
    /\/+$/,
    /#.*$/,
    /\s*<\s*/g,
    /[.,;:)\]]+$/,
    /^(.*)\[(.+)\]$/,
    /^(.*)\['(.*)'\]$/,
    /<(pre|code)\b[^>]*>|<!--/gi,
    /word.*\.main\+xml$/i,
    /^([0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*)(?:\/(\d{1,3}))?$/i,
    /"((?:[^"\\]|\\.)*)":\[(-?[0-9][-+0-9.eE,]*)\]/g,
    /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|AM\/PM|A\/P|General/gi,
    /\[[^\]]+\]\([^)]+\)|\[\[[^\]]+\]\]|\*\*\S[^*]*\*\*/,
    /^((?:'[^']*'|[^#0.,'])*)([#0,]*)(?:\.([#0]*))?(%?)((?:'[^']*'|[^#0.,'])*)$/,
    /^\s*(?:import\s|package\s+\w)/m,
    /^From \S+.*\d{4}/,
    /^#{1,6} +(.+?)(?: +#+)?$/m,
    /(?<=a*)b$/,
    /x*(?=x*y)z/,
    /a{0,1000}b/,
  ])('finds %s', (expression) => {
    expect(superlinear(expressionOf(expression))).toBeDefined();
  });

  test.each([
    /^a*$/,
    /^(?:a|b)*$/,
    /^[a-z]+(?:-[a-z]+)*$/,
    /"[^"]*"/,
    /^\s+/,
    /\d{1,9}$/,
    /^(.*)$/,
    /(?<name>a)\k<name>/,
    /^-?\d+(?:\.\d+)?$/,
    /[^ \]}]+/y,
    /(?<!\w)\w+/,
  ])('leaves %s alone', (expression) => {
    expect(superlinear(expressionOf(expression))).toBeUndefined();
  });
});

describe('the counting matcher', () => {
  test.each([
    [/b/, 'aab', true],
    [/^(a|ab)(c|bcd)/, 'abcd', true],
    [/(a)\1/, 'aba', false],
    [/(?<!a)b/, 'ab', false],
    [/a{2,3}?b/, 'aaab', true],
  ])('takes a step for every try: %s in %s', (expression, text, found) => {
    expect(expression.test(text)).toBe(found);
    const program = compileProgram(parseExpression(expressionOf(expression)), expression.flags);
    // A match ends the search, and a mismatch is retried at every position.
    const steps = searchSteps(program, text, 1000);
    const behind = searchSteps(program, `${text}\u0001\u0001\u0001`, 1000);
    expect(behind > steps).toBe(!found);
  });

  test('counts in proportion to a text that it runs through once', () => {
    const program = compileProgram(parseExpression({ source: '^a*$', flags: '' }), '');
    const [short, long] = [100, 1000].map((count) => searchSteps(program, 'a'.repeat(count), 1e6));
    expect((long ?? 0) / (short ?? 1)).toBeLessThan(11);
  });
});

describe('literals of a file', () => {
  test.each([
    ['const a = /b+/g;', ['b+']],
    ['const a = b / c / d;', []],
    ['return /x/.test(y);', ['x']],
    ['// /x/\n/* /y/ */ const s = "/z/";', []],
    [['f(`a $', '{b.replace(/c/g, "")} /d/`);'].join(''), ['c']],
    ['[/[/]x/, /\\/y/]', ['[/]x', '\\/y']],
    ['if (a) b = c ? /d/ : (e) / f;', ['d']],
  ])('%s', (text, expected) => {
    expect(literalsOf(text).map(({ source }) => source)).toEqual(expected);
  });
});
