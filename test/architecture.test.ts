// The tables of allowed imports and includes hold for every source file; and the checker itself finds
// a planted arrow of every kind.
import { describe, expect, test } from 'vitest';
import {
  importViolations,
  includeViolations,
  printingViolations,
  tooLong,
} from './tools/architecture.ts';
import { readSources } from './tools/source-files.ts';

const typescript = readSources('src', ['.ts']);
const cpp = ['native/core', 'native/napi'].flatMap((dir) =>
  readSources(dir, ['.h', '.cc', '.def']),
);

describe('the source tree', () => {
  test('imports only along the arrows of the table', () => {
    expect(importViolations(typescript)).toEqual([]);
  });

  test('prints JSON by its one printer', () => {
    expect(printingViolations(typescript)).toEqual([]);
  });

  test('includes only downwards', () => {
    expect(includeViolations(cpp)).toEqual([]);
  });

  test('lists every core source in native/sources.txt', () => {
    const listed = readSources('native', ['sources.txt'])[0]?.text.trim().split('\n') ?? [];
    const present = cpp
      .map((file) => file.path.replace('native/core/', ''))
      .filter((path) => path.endsWith('.cc') && !/_test\.cc$|^native\//.test(path));
    expect([...listed].sort()).toEqual(present.sort());
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
    ['src/graph/link.ts', "import { search } from '../coordinator/search.ts';"],
    ['src/api/search.ts', "import {\n  search,\n} from '../coordinator/search.js';"],
    ['src/fusion/rrf.ts', "export * from '../query/parse.ts';"],
    ['src/coordinator/pools.ts', "import { run } from '../worker/shard-worker.ts';"],
    ['src/memory/store.ts', "import { backend } from '../backend.ts';"],
    ['src/wire/plan.ts', "const addon = await import('../native/addon.ts');"],
    ['src/query/parse.ts', "import '../ops/logger.ts';"],
    ['src/errors.ts', "import { load } from './config/load.ts';"],
    ['src/helpers/strings.ts', ''],
  ])('finds the arrow in %s', (path, text) => {
    expect(violations(path, text)).toHaveLength(1);
  });

  test.each([
    ['src/api/search.ts', "import { QuarryError } from '../errors.ts';"],
    ['src/api/search.ts', "import type { Backend } from '../backend.ts';"],
    ['src/coordinator/pools.ts', "import type { Task } from '../worker/tasks.ts';"],
    ['src/query/clauses/term.ts', "import { Writer } from '../../wire/plan-writer.ts';"],
    ['src/query/parse.ts', "import { clauses } from './clauses/index.ts';"],
    ['src/main.ts', "import { createServer } from './api/server.ts';"],
    ['src/api/search.ts', "import fastify from 'fastify';"],
  ])('lets %s pass with %s', (path, text) => {
    expect(violations(path, text)).toEqual([]);
  });
});

describe('the checker of printing', () => {
  const violations = (path: string, text: string): string[] => printingViolations([{ path, text }]);

  test.each([
    ['src/api/search.ts', 'const text = JSON.stringify(value);'],
    ['src/api/search.ts', 'const quote = JSON.stringify;'],
    ['src/query/parse.ts', "const text = JSON['stringify'](value);"],
  ])('finds the call in %s: %s', (path, text) => {
    expect(violations(path, text)).toHaveLength(1);
  });

  test.each([
    ['src/json-text.ts', 'return JSON.stringify(text);'],
    ['src/cli/map.ts', 'print(JSON.stringify(value));'],
    ['src/api/search.ts', 'const value = JSON.parse(text);'],
  ])('lets %s pass with %s', (path, text) => {
    expect(violations(path, text)).toEqual([]);
  });
});

describe('the checker of includes', () => {
  const violations = (path: string, text: string): string[] => includeViolations([{ path, text }]);

  test.each([
    ['native/core/base/file.cc', '#include "wal/log_format.h"'],
    ['native/core/postings/reader.h', '#include "columns/numeric.h"'],
    ['native/core/text/analyzer.cc', '#include "json/walk.h"'],
    ['native/core/text/analyzer.cc', '#include "analyzer.h"'],
    ['native/core/text/analyzer.cc', '#include "testing/test.h"'],
    ['native/core/engine/engine.cc', '#include <napi.h>'],
    ['native/core/util/strings.h', ''],
    ['native/napi/addon.cc', '#include "shard/shard.h"'],
  ])('finds the arrow in %s: %s', (path, text) => {
    expect(violations(path, text)).toHaveLength(1);
  });

  test.each([
    ['native/core/engine/engine.cc', '#include "base/file.h"'],
    ['native/core/query/term_query.cc', '#include "query/plan.h"'],
    ['native/core/query/term_query_test.cc', '#include "testing/test.h"'],
    ['native/core/json/walk.cc', '#include <simdjson.h>'],
    ['native/napi/addon.cc', '#include "engine/engine.h"'],
  ])('lets %s pass with %s', (path, text) => {
    expect(violations(path, text)).toEqual([]);
  });
});
