// Identifiers and file names use the standard words of the field, and the checker finds a planted
// name of every kind.
import { describe, expect, test } from 'vitest';
import { readSources } from './tools/source-files.ts';
import { wordViolations } from './tools/word-table.ts';

const files = [
  ...['src', 'test', 'bench'].flatMap((folder) => readSources(folder, ['.ts', '.tsx', '.mjs'])),
  ...readSources('native', ['.h', '.cc', '.def', '.inc', '.mjs']),
];

test('identifiers and file names are standard words of the field', () => {
  expect(files.length).toBeGreaterThan(2000);
  expect(wordViolations(files)).toEqual([]);
});

describe('the checker of words', () => {
  const found = (path: string, text: string): string[] => wordViolations([{ path, text }]);

  test.each([
    ['src/a.ts', 'export type Soon<T> = T | Promise<T>;'],
    ['src/a.ts', 'const checkAsked = 1;'],
    ['src/a.ts', `const text = \`letters \${shardAsker.name} end\`;`],
    ['src/a.ts', `const TOLD_MS = \`a \${\`b \${x}\`}\`;`],
    ['src/a.ts', 'this.#letGo();'],
    ['src/a.ts', 'interface Found {}'],
    ['src/a.ts', "const quote = /['\"`]/.test(x); const beside = 'x';"],
    ['src/phased-search.ts', ''],
    ['native/core/a.cc', 'std::optional<Term> lone_term() const;'],
    ['native/core/a.h', "constexpr size_t kMost = 1'000; class KeptAnswer {};"],
    ['native/core/a.cc', 'const char* json = R"({"a":"b"})"; int hit_texts = 0;'],
    ['native/core/hit_texts.h', ''],
  ])('finds the name in %s: %s', (path, text) => {
    expect(found(path, text)).toHaveLength(1);
  });

  test('reports the place, the name, and the word to use', () => {
    expect(found('src/a.ts', '/* told\n */\nlet anew: number;\n')).toEqual([
      'src/a.ts:3: [anew] says [anew], say [again]',
    ]);
  });

  test.each([
    ['src/a.ts', '// nobody asked\nconst text = "told anew"; /* beside */'],
    ['src/a.ts', `const text = \`nobody \${value.name} told \${other} anew\`;`],
    ['src/a.ts', "const pattern = [/[\"'`]asked/, 'beside'];"],
    ['src/a.ts', 'socket.destroySoon(); reply.hops_asked = 3;'],
    ['src/a.ts', 'const found = wellKnown(shown), sooner = stretched;'],
    ['native/core/a.cc', 'const char* json = R"(nobody "told")"; // anew'],
    ['native/core/vector/hnsw/hnsw_neighbors.h', 'class NeighborSelector;'],
  ])('lets %s pass with %s', (path, text) => {
    expect(found(path, text)).toEqual([]);
  });
});
