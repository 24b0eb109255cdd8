// The tables of allowed imports and includes apply to every source file; and the checker finds a
// planted violation of every kind.
import { describe, expect, test } from 'vitest';
import { readUnits } from '../native/tools/units.mjs';
import {
  fullFolders,
  importViolations,
  includeViolations,
  printingViolations,
  roomViolations,
  runtimeCircles,
  tooLong,
} from './tools/architecture.ts';
import { readSources } from './tools/source-files.ts';
import { coreSources, unitViolations } from './tools/unit-names.ts';

const typescript = readSources('src', ['.ts', '.tsx']);
const cpp = ['native/core', 'native/napi'].flatMap((dir) =>
  readSources(dir, ['.h', '.cc', '.def']),
);
const sourceList = readSources('native', ['sources.txt'])[0]?.text ?? '';

describe('the source tree', () => {
  test('imports only along the arrows of the table', () => {
    expect(importViolations(typescript)).toEqual([]);
  });

  test('imports at run time along the order of rooms alone', () => {
    expect(roomViolations(typescript)).toEqual([]);
  });

  test('has no circle of files at run time that is not known', () => {
    expect(runtimeCircles(typescript)).toEqual([]);
  });

  test('has no folder of more than 40 files', () => {
    const core = cpp.filter(({ path }) => !path.endsWith('_test.cc'));
    expect(fullFolders([...typescript, ...core])).toEqual([]);
  });

  test('prints JSON by its one printer', () => {
    expect(printingViolations(typescript)).toEqual([]);
  });

  test('includes only downwards', () => {
    expect(includeViolations(cpp)).toEqual([]);
  });

  test('lists every core source in native/sources.txt', () => {
    const listed = readUnits(sourceList).flatMap(({ files }) => files);
    const present = cpp
      .map((file) => file.path.replace('native/core/', ''))
      .filter((path) => path.endsWith('.cc') && !/_test\.cc$|^native\//.test(path));
    expect(listed.sort()).toEqual(present.sort());
  });

  test('has no name of an unnamed namespace twice in a unit', () => {
    const sources = coreSources([...cpp, ...readSources('native/core', ['.inc'])]);
    expect(unitViolations(readUnits(sourceList), sources)).toEqual([]);
  });

  test('has files of readable length (a warning only)', () => {
    const tests = readSources('test', ['.ts']);
    for (const warning of tooLong([...typescript, ...cpp, ...tests])) {
      console.warn(`warning: ${warning}`);
    }
  });
});

describe('the checker of imports', () => {
  const violations = (path: string, text: string): string[] => importViolations([{ path, text }]);

  test.each([
    ['src/graph/link.ts', "import { search } from '../coordinator/search/search.ts';"],
    ['src/api/search/search.ts', "import {\n  search,\n} from '../../coordinator/search.js';"],
    ['src/fusion/rrf.ts', "export * from '../query/parse.ts';"],
    ['src/coordinator/shards/pools.ts', "import { run } from '../../worker/shard-worker.ts';"],
    ['src/memory/store.ts', "import { backend } from '../backend/index.ts';"],
    ['src/wire/plan.ts', "const addon = await import('../native/addon.ts');"],
    ['src/query/parse.ts', "import '../ops/logger.ts';"],
    ['src/errors.ts', "import { load } from './config/load.ts';"],
    ['src/helpers/strings.ts', ''],
  ])('finds the arrow in %s', (path, text) => {
    expect(violations(path, text)).toHaveLength(1);
  });

  test.each([
    ['src/api/search/search.ts', "import { QuarryError } from '../../errors.ts';"],
    ['src/api/search/search.ts', "import type { Backend } from '../../backend/index.ts';"],
    ['src/coordinator/shards/pools.ts', "import type { Task } from '../../worker/tasks.ts';"],
    ['src/query/clauses/term.ts', "import { Writer } from '../../wire/plan-writer.ts';"],
    ['src/query/parse.ts', "import { clauses } from './clauses/index.ts';"],
    ['src/main.ts', "import { createServer } from './http/server.ts';"],
    ['src/api/search/search.ts', "import fastify from 'fastify';"],
  ])('lets %s pass with %s', (path, text) => {
    expect(violations(path, text)).toEqual([]);
  });
});

describe('the checker of rooms', () => {
  const low = { path: 'src/coordinator/catalog/a.ts', text: '' };
  const high = { path: 'src/coordinator/search/b.ts', text: '' };
  const up = "import { b } from '../search/b.js';";

  test('finds an arrow upwards, and lets one of types alone and one downwards pass', () => {
    expect(roomViolations([{ ...low, text: up }, high])).toHaveLength(1);
    const types = [
      "import type { B } from '../search/b.js';",
      "import { type B } from '../search/b.js';",
    ];
    for (const text of types) expect(roomViolations([{ ...low, text }, high])).toEqual([]);
    const down = { ...high, text: "import { a } from '../catalog/a.js';" };
    expect(roomViolations([low, down])).toEqual([]);
  });

  test('finds a circle, over several files too', () => {
    const files = ['a', 'b', 'c'].map((name, i) => ({
      path: `src/graph/${name}.ts`,
      text: `import { x } from './${['b', 'c', 'a'][i]}.js';`,
    }));
    expect(runtimeCircles(files)).toEqual(['src/graph/a.ts src/graph/b.ts src/graph/c.ts']);
    expect(runtimeCircles(files.slice(0, 2))).toEqual([]);
  });

  test('finds a folder that is too full', () => {
    const files = Array.from({ length: 41 }, (_, i) => ({ path: `src/graph/${i}.ts`, text: '' }));
    expect(fullFolders(files)).toHaveLength(1);
    expect(fullFolders(files.slice(1))).toEqual([]);
  });
});

describe('the checker of printing', () => {
  const violations = (path: string, text: string): string[] => printingViolations([{ path, text }]);

  test.each([
    ['src/api/search/search.ts', 'const text = JSON.stringify(value);'],
    ['src/api/search/search.ts', 'const quote = JSON.stringify;'],
    ['src/query/parse.ts', "const text = JSON['stringify'](value);"],
  ])('finds the call in %s: %s', (path, text) => {
    expect(violations(path, text)).toHaveLength(1);
  });

  test.each([
    ['src/base/json-text.ts', 'return JSON.stringify(text);'],
    ['src/cli/map.ts', 'print(JSON.stringify(value));'],
    ['src/api/search/search.ts', 'const value = JSON.parse(text);'],
  ])('lets %s pass with %s', (path, text) => {
    expect(violations(path, text)).toEqual([]);
  });
});

describe('the checker of includes', () => {
  const violations = (path: string, text: string): string[] => includeViolations([{ path, text }]);

  test.each([
    ['native/core/base/file.cc', '#include "wal/log_format.h"'],
    ['native/core/postings/reader.h', '#include "columns/numeric.h"'],
    ['native/core/text/analysis/analyzer.cc', '#include "json/walk.h"'],
    ['native/core/text/analysis/analyzer.cc', '#include "analyzer.h"'],
    ['native/core/text/analysis/analyzer.cc', '#include "testing/test.h"'],
    ['native/core/engine/engine.cc', '#include <napi.h>'],
    ['native/core/util/strings.h', ''],
    ['native/napi/addon.cc', '#include "shard/shard.h"'],
  ])('finds the arrow in %s: %s', (path, text) => {
    expect(violations(path, text)).toHaveLength(1);
  });

  test.each([
    ['native/core/engine/engine.cc', '#include "base/file.h"'],
    ['native/core/query/clauses/term_query.cc', '#include "query/plan/plan.h"'],
    ['native/core/query/plan/search_test.cc', '#include "testing/test.h"'],
    ['native/core/json/walk.cc', '#include <simdjson.h>'],
    ['native/napi/addon.cc', '#include "engine/engine.h"'],
  ])('lets %s pass with %s', (path, text) => {
    expect(violations(path, text)).toEqual([]);
  });
});

test('the list of sources takes units, single files and notes, and nothing else', () => {
  expect(readUnits('# note\n\nunit text\ntext/a.cc\nsingle\nsimd/b.cc\n')).toEqual([
    { name: 'text', files: ['text/a.cc'] },
    { name: 'single', files: ['simd/b.cc'] },
  ]);
  expect(() => readUnits('text/a.cc\n')).toThrow('[text/a.cc]');
  expect(() => readUnits('unit text\ntext/a.h\n')).toThrow('[text/a.h]');
});

describe('the checker of units', () => {
  const header =
    'namespace quarry {\nbool is_ascii(std::string_view text) noexcept;\n}  // namespace quarry\n';
  const violations = (first: string, second: string): string[] =>
    unitViolations(
      [{ name: 'text', files: ['text/a.cc', 'text/b.cc'] }],
      new Map([
        [
          'text/a.cc',
          `namespace quarry {\nnamespace {\n${first}\n}  // namespace\n}  // namespace quarry\n`,
        ],
        [
          'text/b.cc',
          `namespace quarry {\nnamespace {\n${second}\n}  // namespace\n}  // namespace quarry\n`,
        ],
        ['text/analysis/utf8.h', header],
        ['text/table.inc', 'constexpr Row kRows[] = {{1}};\n'],
      ]),
    );

  test.each([
    ['constants', 'constexpr size_t kRoom = 4;', 'constexpr double kRoom{5};'],
    [
      'arrays',
      'constexpr Row kTypes[] = {{1}, {2}};',
      'constexpr std::array<int, 2> kTypes = {1, 2};',
    ],
    ['types', 'struct Rule {\n  int at;\n};', 'using Rule = int;'],
    [
      'a type and an enumerator',
      'enum Kind : uint8_t { kWord, kSpace };',
      'class kSpace final : public Base {};',
    ],
    ['functions', 'Status refuse(std::string reason) { return {}; }', 'void refuse() {}'],
    [
      'overloads',
      'int read_number(Reader& from);',
      'template <typename T>\nT read_number(std::string_view text) {\n  return {};\n}',
    ],
    [
      'a function of a header',
      'int one() { return 1; }',
      'bool is_ascii(char c) { return c > 0; }',
    ],
    [
      'operators',
      'bool operator==(const A& a, const A& b) { return true; }',
      'bool operator==(const B& a, const B& b) { return true; }',
    ],
    ['a table that is included', '#include "text/table.inc"', 'constexpr int kRows = 5;'],
    ['a using directive', 'using namespace column_format;', ''],
    ['a macro', '#define ROW(id) id,', ''],
  ])('finds %s', (_, first, second) => {
    expect(violations(first, second)).toHaveLength(1);
  });

  test.each([
    [
      'names of members',
      'struct A {\n  int size() const { return 1; }\n};',
      'struct B {\n  int size() const { return 1; }\n};',
    ],
    [
      'definitions of members',
      'int one() { return 1; }\n}\nint A::size() { return 1; }\nnamespace {',
      '}\nint B::size() { return 1; }\nnamespace {',
    ],
    ['names that a using declaration repeats', 'using testing::Index;', 'using testing::Index;'],
    ['a macro that ends', '#define ROW(id) id,\n#undef ROW', ''],
    ['local names', 'void one() {\n  int at = 1;\n}', 'void two() {\n  int at = 1;\n}'],
  ])('lets %s pass', (_, first, second) => {
    expect(violations(first, second)).toEqual([]);
  });
});
