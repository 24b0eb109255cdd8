// npm run bench [-- suite … --json FILE --peer URL]: runs the named suites (all without a name), each printing its table.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { aggsSuite } from './aggs/aggs.bench.ts';
import { autoindexSuite } from './autoindex/autoindex.bench.ts';
import { durabilitySuite } from './durability/durability.bench.ts';
import { detectSuite } from './graph/detect.bench.ts';
import { graphSuite } from './graph/ego.bench.ts';
import { hostileSuite } from './hostile/hostile.bench.ts';
import { memorySuite } from './memory/memory.bench.ts';
import { namespacesSuite } from './memory/namespaces.bench.ts';
import { compileSuite } from './query/compile.bench.ts';
import { semanticSuite } from './semantic/semantic.bench.ts';
import type { SuiteOptions } from './suite.ts';
import { vectorsHttpSuite } from './vectors/http.bench.ts';
import { vectorsSuite } from './vectors/vectors.bench.ts';
import { wordsSuite } from './words/words.bench.ts';

type Suite = (options: SuiteOptions) => Promise<object>;

const SUITES: Readonly<Record<string, Suite>> = {
  aggs: aggsSuite,
  autoindex: autoindexSuite,
  compile: compileSuite,
  detect: detectSuite,
  durability: durabilitySuite,
  graph: graphSuite,
  hostile: hostileSuite,
  memory: memorySuite,
  namespaces: namespacesSuite,
  semantic: semanticSuite,
  vectors: vectorsSuite,
  'vectors-http': vectorsHttpSuite,
  words: wordsSuite,
};

function readNames(positionals: readonly string[]): readonly string[] {
  const unknown = positionals.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    throw new Error(
      `unknown suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}`,
    );
  }
  return positionals.length === 0 ? Object.keys(SUITES) : positionals;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, peer: { type: 'string' } },
});
const names = readNames(positionals);
console.log(
  `machine: ${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(2)}, node ${process.version}`,
);
const results: Record<string, object> = {};
for (const name of names) {
  console.log(`\n# ${name}`);
  const suite = SUITES[name];
  if (suite !== undefined) results[name] = await suite({ peer: values.peer });
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
